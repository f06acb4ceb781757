"""The council's dated values: entered with a resolution, never changed, never backwards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from permits.models import CaseEvent
from permits.verify import faults
from portal import council
from portal.desk.council_values import KINDS
from portal.models import CouncilValue
from tests import factory

pytestmark = pytest.mark.django_db

TOKEN = "0b9a6e5e-4f0e-4ad1-9c53-1d2f6b1d7a11"
TOMORROW = "11/17/2026"


@pytest.fixture
def clerk(enter: Callable[..., Client]) -> Client:
    return enter(factory.clerk())


def send(client: Client, key: str, *, step: str = "confirm", **answers: Any) -> Any:
    data = {"resolution": "2026-7", "step": step, "operation": TOKEN, **answers}
    return client.post(f"/council/{key}/", data)


VALUES = {
    "fee": ("$40", "40.00", "$40.00"),
    "revision_review_days": ("15", "15", "15 working days"),
    "appeal_days": ("45", "45", "45 days"),
    "interest_rate": ("4.5", "4.500", "4.5 % a year"),
    "administrative_fee": ("75.00", "75.00", "$75.00"),
    "roll_cutoff": ("11-20", "11-20", "November 20"),
    "roll_delivery": ("December 8", "12-08", "December 8"),
}


@pytest.mark.parametrize("key", VALUES)
def test_a_value_is_shown_before_it_is_entered(clerk: Client, key: str) -> None:
    typed, kept, shown = VALUES[key]
    answers = {"value": typed, "effective_on": TOMORROW}
    preview = send(clerk, key, step="check", **answers)
    assert shown in preview.content.decode()
    assert not CouncilValue.objects.exists()
    assert send(clerk, key, **answers).url == "/council/"
    row = CouncilValue.objects.get()
    assert (row.key, row.value, row.effective_on) == (key, kept, date(2026, 11, 17))
    assert send(clerk, key, **answers).url == "/council/"
    assert CouncilValue.objects.count() == 1
    page = clerk.get("/council/").content.decode()
    assert shown in page
    assert "to come" in page


def test_every_key_of_the_council_has_its_form(clerk: Client) -> None:
    assert set(KINDS) == set(CouncilValue.Key.values)
    for key, kind in KINDS.items():
        assert clerk.get(f"/council/{key}/").status_code == (200 if kind.offered else 404)
    assert clerk.get("/council/parking/").status_code == 404


def test_what_nothing_acts_on_cannot_be_entered_and_stays_in_the_history(clerk: Client) -> None:
    assert "Interest on cash escrow" not in clerk.get("/council/").content.decode()
    assert clerk.post("/council/escrow_interest/", {"value": "0.5"}).status_code == 404
    CouncilValue.objects.create(
        key="escrow_interest", value="0.5", effective_on=date(2026, 11, 17), resolution="2026-7"
    )
    page = clerk.get("/council/").content.decode()
    assert page.count("Interest on cash escrow") == 1
    assert "0.5 % a year" in page


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fee", "-1"),
        ("fee", "free"),
        ("fee", "25.001"),
        ("revision_review_days", "0"),
        ("revision_review_days", "ten"),
        ("appeal_days", "400"),
        ("interest_rate", "31"),
        ("roll_cutoff", "13-01"),
        ("roll_cutoff", "Ju 1"),
        ("roll_cutoff", "Brumaire 18"),
        ("roll_cutoff", "02-29"),
        ("roll_cutoff", "soon"),
        ("roll_delivery", "12-22"),
        ("roll_delivery", "11-30"),
    ],
)
def test_a_value_that_cannot_be_meant_is_asked_again(clerk: Client, key: str, value: str) -> None:
    response = send(clerk, key, value=value, effective_on=TOMORROW)
    assert response.status_code == 200
    assert response.context["form"].errors
    assert not CouncilValue.objects.exists()


def test_a_new_fee_holds_from_its_day_and_old_cases_keep_theirs(
    clerk: Client, at: Callable[..., Any]
) -> None:
    before = factory.submitted()
    send(clerk, "fee", value="40", effective_on=TOMORROW)
    at("2026-11-17")
    on_the_day = factory.submitted(on=date(2026, 11, 17))
    assert before.fee_due(on=date(2026, 11, 20)) == Decimal("25.00")
    assert on_the_day.fee_due(on=date(2026, 11, 20)) == Decimal("40.00")


@pytest.mark.parametrize(
    ("state", "key", "value"),
    [
        ("submitted", "fee", "40"),
        ("revised", "revision_review_days", "15"),
        ("denied", "appeal_days", "45"),
    ],
)
def test_a_value_never_changes_what_was_judged_by_the_one_before(
    clerk: Client, state: str, key: str, value: str
) -> None:
    factory.STATES[state]()
    for day in ("11/16/2026", "1/5/2026"):
        response = send(clerk, key, value=value, effective_on=day)
        assert "at the earliest tomorrow" in response.content.decode()
    assert not CouncilValue.objects.exists()
    assert send(clerk, key, value=value, effective_on=TOMORROW).status_code == 302
    assert list(faults()) == []


def test_a_value_of_the_past_is_taken_while_nothing_depends_on_it(clerk: Client) -> None:
    assert send(clerk, "fee", value="30", effective_on="1/5/2026").status_code == 302
    assert council.fee(on=factory.MONDAY) == Decimal("30.00")


def test_open_holidays_move_safe_dates_and_nothing_else(
    clerk: Client, at: Callable[..., Any]
) -> None:
    at("2026-11-09")
    application = factory.received(on=date(2026, 11, 9))
    entry = application.site.docket.get()
    # Veterans Day, November 11: city hall is open, so it counts for the safe date.
    assert (entry.on, entry.safe_on) == (date(2026, 11, 24), date(2026, 11, 23))
    keys = ["presidents", "october", "partisan-primary", "general-election"]
    preview = send(clerk, "open_holidays", step="check", value=keys)
    assert [move.after.safe_on for move in preview.context["moves"]] == [date(2026, 11, 24)]
    assert send(clerk, "open_holidays", value=keys).status_code == 302
    entry.refresh_from_db()
    assert (entry.on, entry.safe_on) == (date(2026, 11, 24), date(2026, 11, 24))
    assert CaseEvent.objects.filter(kind="date.moved").count() == 1
    assert list(faults()) == []


def test_the_history_stays(clerk: Client) -> None:
    send(clerk, "fee", value="30", effective_on="1/5/2026")
    send(clerk, "fee", value="40", effective_on=TOMORROW, operation=TOKEN.replace("0b", "1b"))
    page = clerk.get("/council/").content.decode()
    assert "$30.00" in page
    assert "$40.00" in page


@pytest.mark.parametrize("role", ["inspector", "administrator"])
def test_others_who_work_for_the_city_only_read(enter: Callable[..., Client], role: str) -> None:
    reader = enter(getattr(factory, role)())
    assert "/council/fee/" not in reader.get("/council/").content.decode()
    assert reader.get("/council/fee/").status_code == 404
    assert send(reader, "fee", value="1", effective_on=TOMORROW).status_code == 404
    assert not CouncilValue.objects.exists()
