"""The applicant may hand the case to another person; the record says so."""

from __future__ import annotations

import pytest

from permits import handover
from permits.models import NotNow, Site
from portal.models import OutboxMessage
from tests import factory

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
