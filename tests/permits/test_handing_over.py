"""The applicant may hand the case to another person; the record says so."""

from __future__ import annotations

import pytest
from django.urls import reverse

from permits import handover
from permits.models import NotNow, Site
from portal.models import OutboxMessage
from tests import factory
from tests.enforcement import factory as enforced

pytestmark = pytest.mark.django_db
ON = factory.MONDAY


def test_the_case_changes_hands_when_the_other_person_accepts() -> None:
    application = factory.received()
    giver, taker = application.applicant, factory.applicant("Jon Berg")
    offer = handover.offer(application, by=giver, email=taker.email.upper(), on=ON)
    assert application.site in Site.objects.visible_to(giver)
    assert application.site not in Site.objects.visible_to(taker)
    handover.accept(offer, by=taker, on=ON)
    assert application.site not in Site.objects.visible_to(giver)
    assert application.site in Site.objects.visible_to(taker)
    kinds = list(application.site.events.values_list("kind", flat=True))
    assert kinds[-2:] == ["handover.offered", "handover.accepted"]
    assert OutboxMessage.objects.filter(recipient__iexact=taker.email, cause="handover").exists()


def test_only_the_person_named_can_accept() -> None:
    application = factory.received()
    offer = handover.offer(application, by=application.applicant, email="a@example.test", on=ON)
    with pytest.raises(NotNow):
        handover.accept(offer, by=factory.applicant(), on=ON)


def test_an_offer_taken_back_cannot_be_accepted() -> None:
    application = factory.received()
    taker = factory.applicant()
    offer = handover.offer(application, by=application.applicant, email=taker.email, on=ON)
    handover.recall(offer, by=application.applicant, on=ON)
    with pytest.raises(NotNow):
        handover.accept(offer, by=taker, on=ON)


def test_one_offer_is_open_at_a_time() -> None:
    application = factory.received()
    handover.offer(application, by=application.applicant, email="a@example.test", on=ON)
    with pytest.raises(NotNow, match="already offered"):
        handover.offer(application, by=application.applicant, email="b@example.test", on=ON)


def test_a_stranger_cannot_offer_the_case() -> None:
    application = factory.received()
    with pytest.raises(NotNow):
        handover.offer(application, by=factory.applicant(), email="a@example.test", on=ON)


def test_a_case_that_an_order_holds_shows_why_it_cannot_change_hands(client, at) -> None:
    at(ON)
    application = factory.issued()
    giver, taker = application.applicant, factory.applicant("Jon Berg")
    order = enforced.order_of_permit(application.permit, on=ON)
    client.force_login(giver)
    case = client.get(application.get_absolute_url()).content.decode()
    assert "The case cannot change hands now." in case
    assert f"Work is stopped by order {order}" in case
    assert reverse("hand_over", args=[application.key]) not in case
    page = client.get(reverse("hand_over", args=[application.key])).content.decode()
    assert "The case cannot change hands now." in page
    assert 'name="email"' not in page
    with pytest.raises(NotNow, match="cannot change hands"):
        handover.offer(application, by=giver, email=taker.email, on=order.issued_on)


def test_an_offer_made_before_the_order_is_shown_and_can_be_taken_back(client, at) -> None:
    at(ON)
    application = factory.issued()
    giver, taker = application.applicant, factory.applicant("Jon Berg")
    offer = handover.offer(application, by=giver, email=taker.email, on=ON)
    enforced.order_of_permit(application.permit, on=ON)
    client.force_login(giver)
    page = client.get(reverse("hand_over", args=[application.key])).content.decode()
    assert "The case cannot change hands now." in page
    assert reverse("hand_over_recall", args=[offer.key]) in page
    client.force_login(taker)
    offered = client.get(reverse("hand_over_accept", args=[offer.key])).content.decode()
    assert "The case cannot change hands now." in offered
    assert "Accept the case" not in offered
