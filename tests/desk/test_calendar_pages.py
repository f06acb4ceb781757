"""The city's calendar: read by all; a closure is shown with what it moves, then done once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from permits.models import CaseEvent
from permits.verify import faults
from portal.models import Closure, OutboxMessage
from tests import factory

pytestmark = pytest.mark.django_db

FRIDAY = {"day": "11/27/2026", "name": "Day after Thanksgiving", "resolution": "2026-118"}
TOKEN = "0b9a6e5e-4f0e-4ad1-9c53-1d2f6b1d7a10"
ADD = "/calendar/closures/add/"
REMOVE = "/calendar/closures/2026-11-27/remove/"


@pytest.fixture
def clerk(enter: Callable[..., Client]) -> Client:
    return enter(factory.clerk())


def confirmed(client: Client, url: str = ADD, **answers: str) -> Any:
    return client.post(url, {**FRIDAY, **answers, "step": "confirm", "operation": TOKEN})


def test_everybody_reads_it_and_only_the_clerk_has_its_buttons(
    enter: Callable[..., Client], clerk: Client
) -> None:
    Closure.objects.create(day=date(2026, 11, 27), name="Day after", resolution="2026-1")
    page = enter(None).get("/calendar/").content.decode()
    assert "Independence Day (moved from Sunday)" in page  # July 4, 2027
    assert "Day after" in page
    assert ADD not in page
    clerks = clerk.get("/calendar/").content.decode()
    assert ADD in clerks
    assert REMOVE in clerks


def test_a_closure_is_first_shown_with_the_dates_it_moves(clerk: Client) -> None:
    application = factory.received()
    factory.denied()
    response = clerk.post(ADD, FRIDAY)
    assert response.status_code == 200
    assert [(m.entry.site, m.before, m.after.on) for m in response.context["moves"]] == [
        (application.site, date(2026, 12, 1), date(2026, 12, 2))
    ]
    assert "One open date moves" in response.content.decode()
    assert not Closure.objects.exists()


def test_a_confirmed_closure_moves_the_open_dates_and_tells_once(clerk: Client) -> None:
    application = factory.received()
    decided = factory.denied()
    before = OutboxMessage.objects.count()
    assert confirmed(clerk).url == "/calendar/"
    entry = application.site.docket.running().get()
    assert entry.on == date(2026, 12, 2)
    moved = CaseEvent.objects.get(kind="date.moved")
    assert moved.site == application.site
    assert "2026-118" in moved.reason
    assert decided.site.docket.get(rule="decision").on == date(2026, 12, 1)
    told = OutboxMessage.objects.count() - before
    assert told > 0
    assert confirmed(clerk).url == "/calendar/"  # the second click finds the first's result
    assert Closure.objects.count() == 1
    assert OutboxMessage.objects.count() - before == told
    assert list(faults()) == []


def test_two_who_enter_the_same_closure_enter_it_once(clerk: Client) -> None:
    confirmed(clerk)
    assert "closed that day already" in clerk.post(ADD, FRIDAY).content.decode()
    other = {**FRIDAY, "step": "confirm", "operation": TOKEN.replace("0b9", "1b9")}
    page = clerk.post(ADD, other, follow=True).content.decode()
    assert "Somebody else entered this" in page
    assert Closure.objects.count() == 1


def test_a_closure_is_taken_back_the_same_way(clerk: Client) -> None:
    application = factory.received()
    confirmed(clerk)
    preview = clerk.post(REMOVE, {"resolution": "2026-121"})
    assert [m.after.on for m in preview.context["moves"]] == [date(2026, 12, 1)]
    answers = {"resolution": "2026-121", "step": "confirm", "operation": TOKEN.replace("0", "2")}
    assert clerk.post(REMOVE, answers).url == "/calendar/"
    assert application.site.docket.running().get().on == date(2026, 12, 1)
    assert clerk.get(REMOVE).status_code == 404
    assert list(faults()) == []


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("11/28/2026", "a Saturday"),
        ("11/26/2026", "Thanksgiving Day"),
        ("31/12/2026", "month/day/year"),
        ("1/1/1950", "1950"),
        ("11/14/2025", "more than a year back"),
        ("", "Please answer this."),
    ],
)
def test_a_day_that_cannot_be_meant_is_asked_again(clerk: Client, day: str, words: str) -> None:
    page = clerk.post(ADD, {**FRIDAY, "day": day}).content.decode()
    assert words in page
    assert 'value="2026-118"' in page  # what was typed stays
    assert not Closure.objects.exists()


def test_the_entry_can_be_changed_before_it_is_confirmed(clerk: Client) -> None:
    page = clerk.post(ADD, {**FRIDAY, "step": "change", "operation": TOKEN}).content.decode()
    assert 'value="Day after Thanksgiving"' in page
    assert TOKEN in page
    assert not Closure.objects.exists()


def test_the_preview_asks_no_more_for_more_cases(
    clerk: Client, django_assert_max_num_queries: Any
) -> None:
    for _ in range(4):
        factory.received()
        factory.revised()
    clerk.get("/account/")
    with django_assert_max_num_queries(25):
        assert len(clerk.post(ADD, FRIDAY).context["moves"]) == 8
