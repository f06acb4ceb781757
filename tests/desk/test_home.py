"""The applicant's home: a sentence per case, offers, drafts, and what to do when it is empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from permits import handover
from portal.models import Role
from tests import factory

pytestmark = pytest.mark.django_db

Enter = Callable[..., Client]


def test_an_empty_home_says_how_to_begin(enter: Enter) -> None:
    page = enter(factory.applicant()).get("/home/").content.decode()
    assert "You have filed no application yet." in page
    assert "/check/" in page
    assert "/apply/" in page


def test_each_case_has_a_sentence_with_its_date(enter: Enter) -> None:
    me = factory.applicant()
    factory.received(me)
    factory.granted(me)
    response = enter(me).get("/home/")
    strong = [case.standing.strong for case in response.context["cases"]]
    assert strong == ["Granted, and the escrow is out.", "Under review."]
    page = response.content.decode()
    assert "Received Monday, November 16, 2026" in page
    assert "The city&#x27;s turn" in page


def test_home_and_case_page_say_the_same(enter: Enter, at: Callable[..., Any]) -> None:
    me = factory.applicant()
    made = {state: factory.STATES[state](me) for state in factory.STATES if "draft" not in state}
    at("2026-12-02")
    browser = enter(me)
    home = browser.get("/home/").context["cases"]
    for case in home:
        own_page = browser.get(case.application.get_absolute_url())
        assert own_page.context["standing"] == case.standing
    assert len(home) == len(made)


def test_only_ones_own_cases_are_there(enter: Enter) -> None:
    theirs = factory.received(factory.applicant("Somebody Else"))
    page = enter(factory.applicant()).get("/home/").content.decode()
    assert theirs.number not in page
    assert theirs.site.address not in page


def test_a_draft_is_resumed_where_it_was_left(enter: Enter) -> None:
    me = factory.applicant()
    application = factory.draft(me)
    application.steps_done = ["site", "people"]
    application.save()
    response = enter(me).get("/home/")
    assert [each["done"] for each in response.context["drafts"]] == [2]
    assert application.get_step_url("work") in response.content.decode()


def test_an_offer_to_take_over_a_case_is_shown(enter: Enter) -> None:
    application = factory.received()
    other = factory.applicant("Tom Reyes")
    offer = handover.offer(
        application, by=application.applicant, email=other.email, on=factory.MONDAY
    )
    page = enter(other).get("/home/").content.decode()
    assert "Offered to you" in page
    assert f"/hand-over/{offer.key}/accept/" in page
    assert "Offered to you" not in enter(application.applicant).get("/home/").content.decode()


def test_many_cases_come_in_pages(enter: Enter) -> None:
    me = factory.applicant()
    for _ in range(12):
        factory.submitted(me)
    response = enter(me).get("/home/")
    assert len(response.context["cases"]) == 10
    assert len(enter(me).get("/home/?page=2").context["cases"]) == 2


@pytest.mark.parametrize("role", [role for role in Role if role != Role.APPLICANT])
def test_whoever_works_for_the_city_is_led_to_the_desk(enter: Enter, role: str) -> None:
    response = enter(factory.user(role)).get("/home/")
    assert (response.status_code, response.url) == (302, "/desk/")


def test_the_home_asks_at_most_25_times(enter: Enter, django_assert_max_num_queries: Any) -> None:
    me = factory.applicant()
    for state in ("received", "revised", "denied", "granted", "issued", "draft", "submitted"):
        factory.STATES[state](me)
    browser = enter(me)
    browser.get("/account/")
    with django_assert_max_num_queries(25):
        assert browser.get("/home/").status_code == 200
