"""Withdrawing an application and handing a case over, both confirmed and on record."""

from __future__ import annotations

import pytest
from django.test import Client

from permits.models import Application, HandOver
from tests import factory
from tests.apply.page import fields_of, fill, send


def text(response):
    return response.content.decode()


# Withdrawing ------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["draft", "submitted", "received", "denied", "granted"])
def test_what_is_not_issued_can_be_withdrawn_after_a_question(client, vang, state):
    application = factory.STATES[state](vang)
    url = f"/applications/{application.key}/withdraw/"
    assert "Withdraw this application?" in text(client.get(url))
    assert Application.objects.get(pk=application.pk).status != "withdrawn"
    assert fill(client, url, reason="Sold the land.").status_code == 303
    stored = Application.objects.get(pk=application.pk)
    assert (stored.status, stored.withdrawn_on) == ("withdrawn", factory.MONDAY)
    event = application.site.events.last()
    assert (event.kind, event.reason) == ("application.withdrawn", "Sold the land.")


def test_the_question_says_which_date_falls_away(client, vang):
    application = factory.received(vang)
    page = text(client.get(f"/applications/{application.key}/withdraw/"))
    assert "Tuesday, December 1, 2026" in page
    assert application.number in page


@pytest.mark.parametrize("state", ["posted", "issued"])
def test_once_the_escrow_is_posted_the_reason_is_given(client, vang, state):
    application = factory.STATES[state](vang)
    answer = fill(client, f"/applications/{application.key}/withdraw/")
    assert answer.status_code == 409
    assert Application.objects.get(pk=application.pk).status == "granted"


def test_withdrawing_twice_shows_that_it_is_done(client, vang):
    application = factory.received(vang)
    url = f"/applications/{application.key}/withdraw/"
    page = client.get(url)
    assert len({send(client, url, page).url for _ in range(3)}) == 1
    assert "withdrawn" in text(client.get(client.get(url).url))
    assert application.site.events.filter(kind="application.withdrawn").count() == 1


# Handing over -----------------------------------------------------------------------------


@pytest.fixture
def builder(db) -> Client:
    client = Client()
    client.force_login(factory.user(email="builder@example.test", name="Jon Berg"))
    return client


def offered(client, application) -> HandOver:
    fill(client, f"/applications/{application.key}/hand-over/", email="Builder@example.test")
    return HandOver.objects.get()


def test_a_case_is_offered_and_changes_hands_when_it_is_accepted(client, draft, builder):
    offer = offered(client, draft)
    url = f"/hand-over/{offer.key}/accept/"
    assert client.get(draft.get_step_url("site")).status_code == 200
    page = builder.get(url)
    assert "Mai Vang" in text(page)
    assert send(builder, url, page).status_code == 303
    assert builder.get(draft.get_step_url("site")).status_code == 200
    assert client.get(draft.get_step_url("site")).status_code == 404
    kinds = [event.kind for event in draft.site.events.all()]
    assert kinds[-2:] == ["handover.offered", "handover.accepted"]


def test_a_second_click_on_accept_shows_the_case(client, draft, builder):
    url = f"/hand-over/{offered(client, draft).key}/accept/"
    page = builder.get(url)
    answers = {send(builder, url, page).url for _ in range(3)}
    assert answers == {draft.get_absolute_url()}
    assert builder.get(url).url == draft.get_absolute_url()


def test_an_offer_is_taken_back(client, draft, builder):
    offer = offered(client, draft)
    page = client.get(f"/applications/{draft.key}/hand-over/")
    assert "builder@example.test" in text(page)
    recalled = client.post(f"/hand-over/{offer.key}/recall/", fields_of(page))
    assert recalled.status_code == 303
    assert builder.get(f"/hand-over/{offer.key}/accept/").status_code == 404
    offer.refresh_from_db()
    assert offer.recalled_at is not None


def test_only_the_person_who_is_meant_sees_the_offer(client, draft):
    offer = offered(client, draft)
    other = Client()
    other.force_login(factory.applicant("Another"))
    for path in ("accept", "recall"):
        assert other.post(f"/hand-over/{offer.key}/{path}/").status_code == 404
    assert other.get(f"/hand-over/{offer.key}/accept/").status_code == 404
    draft.refresh_from_db()
    assert draft.applicant.name == "Mai Vang"


def test_nobody_who_works_for_the_city_takes_a_case(client, draft):
    factory.clerk()
    fill(client, f"/applications/{draft.key}/hand-over/", email="clerk@example.test")
    clerk = Client()
    clerk.force_login(factory.clerk())
    assert clerk.get(f"/hand-over/{HandOver.objects.get().key}/accept/").status_code == 404


def test_an_offer_to_oneself_or_to_a_second_person_is_refused_in_words(client, draft, vang):
    url = f"/applications/{draft.key}/hand-over/"
    mine = fill(client, url, email=vang.email)
    assert mine.status_code == 409
    assert "You hold this case already." in text(mine)
    page = client.get(url)
    send(client, url, page, email="one@example.test")
    second = client.post(url, {"email": "two@example.test"})
    assert second.status_code == 409
    assert HandOver.objects.count() == 1


def test_a_wrong_address_is_asked_again(client, draft):
    page = fill(client, f"/applications/{draft.key}/hand-over/", email="builder at example")
    assert "Write an e-mail address" in text(page)
    assert not HandOver.objects.exists()
