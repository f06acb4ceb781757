"""The pages of the rain: a day by hand, and a file that is shown before it is saved."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.forms.rain import RainDayForm
from inspections.models import RainReading, VisitNeed
from portal.models import Role
from tests.inspections import factory

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def _today(at: Callable[..., object]) -> None:
    at(TODAY)


@pytest.fixture
def clerk(client: Client) -> Client:
    client.force_login(factory.clerk())
    return client


def day_of(**answers: str) -> dict[str, str]:
    return {"rained_on": "2026-11-21", "inches": "0.62", "station": "City gauge", **answers}


def enter(client: Client, **answers: str) -> str:
    """Enter a day and return the page that follows, as text."""
    return text_of(client.post(reverse("rain"), day_of(**answers), follow=True))


def text_of(response: Any) -> str:
    body = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", body))


def send(client: Client, text: str | bytes, **fields: str) -> Any:
    raw = text.encode() if isinstance(text, str) else text
    file = SimpleUploadedFile("rain.csv", raw)
    fields = {"step": "check", "end_of_form": "", **fields}
    return client.post(reverse("rain_file"), {"file": file, **fields})


def confirm(client: Client, response: Any) -> Any:
    """Press the button of the page that shows what the file says."""
    page = response.content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    data = {name: html.unescape(value) for name, value in hidden.items()}
    return client.post(reverse("rain_file"), {**data, "step": "save"}, follow=True)


# A day by hand ----------------------------------------------------------------------------


def test_a_day_of_half_an_inch_says_what_it_asks_for(clerk: Client) -> None:
    factory.active_permit(issued_on=date(2026, 11, 2))
    page = enter(clerk)
    assert "Sat, Nov 21: 0.62 inch entered. It is a day of half an inch or more" in page
    assert "visits and log entries are due by Sun, Nov 22" in page
    assert "1 site with bare soil is to be visited" in page
    assert "City gauge · visits and log entries due by Sun, Nov 22" in page
    assert VisitNeed.objects.open().get(reason="rain").due_on == date(2026, 11, 22)


def test_a_correction_says_what_it_changed_and_keeps_both_figures(clerk: Client) -> None:
    factory.active_permit(issued_on=date(2026, 11, 2))
    enter(clerk)
    page = enter(clerk, inches="0.47")
    assert "corrected from 0.62 inch to 0.47 inch" in page
    assert "It is no longer a day of half an inch or more" in page
    assert "The visit to 1 site that nobody had made yet falls away" in page
    assert "corrected since" in page
    assert RainReading.objects.count() == 2


def test_a_correction_that_keeps_the_trigger_says_so(clerk: Client) -> None:
    enter(clerk)
    assert "It stays a day of half an inch or more" in enter(clerk, inches="0.7")


def test_the_same_figure_again_changes_nothing(clerk: Client) -> None:
    enter(clerk)
    assert "nothing was changed" in enter(clerk)
    assert RainReading.objects.count() == 1


def test_a_form_sent_twice_enters_one_row(clerk: Client) -> None:
    page = clerk.get(reverse("rain")).content.decode()
    token = re.search(r'name="operation" value="([^"]+)"', page)[1]
    for _ in range(2):
        assert clerk.post(reverse("rain"), {**day_of(), "operation": token}).status_code == 303
    other = clerk.post(reverse("rain"), {**day_of(inches="3"), "operation": token})
    assert other.status_code == 409
    assert RainReading.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "inches"),
    [
        ("0.5", "0.5"),
        (".5", "0.5"),
        ("0.5 in", "0.5"),
        ("0.5 inches", "0.5"),
        ('0.5"', "0.5"),
        ("12.7 mm", "0.5"),
        ("0", "0"),
    ],
)
def test_an_amount_is_written_as_people_write_it(typed: str, inches: str) -> None:
    form = RainDayForm(day_of(inches=typed))
    assert form.is_valid()
    assert form.cleaned_data["inches"] == Decimal(inches)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"inches": "-0.2"}, "Rain cannot be negative"),
        ({"inches": "a lot"}, "Write a number of inches"),
        ({"inches": "1,5"}, "Write a number of inches"),
        ({"inches": "NaN"}, "Write a number of inches"),
        ({"inches": "31"}, "cannot be meant"),
        ({"inches": ""}, "Write how much it rained"),
        ({"rained_on": "2026-11-24"}, "still to come"),
        ({"rained_on": "31/12/2025"}, "Write a day of the calendar"),
        ({"rained_on": "0226-11-21"}, "Write a"),
        ({"station": ""}, "Name the station."),
        ({"station": "x" * 81}, "at most 80 characters"),
        ({"note": "a\x00b"}, "cannot be kept"),
    ],
)
def test_what_cannot_be_meant_is_asked_again(
    clerk: Client, answers: dict[str, str], why: str
) -> None:
    response = clerk.post(reverse("rain"), day_of(**answers))
    assert response.status_code == 200
    assert why in text_of(response)
    assert "<title>Error: Rain" in response.content.decode()
    assert not RainReading.objects.exists()


def test_the_page_has_an_empty_state(clerk: Client) -> None:
    assert "No rain was entered yet" in text_of(clerk.get(reverse("rain")))


# A file -----------------------------------------------------------------------------------

FILE = "STATION,DATE,PRCP\nUSW00014839,2026-11-20,127\nUSW00014839,2026-11-22,3\n"


def test_a_file_is_shown_first_and_saved_when_it_is_confirmed(clerk: Client) -> None:
    factory.active_permit(issued_on=date(2026, 11, 2))
    shown = send(clerk, FILE)
    page = text_of(shown)
    assert "tenths of a millimetre" in page
    assert "Half an inch or more 1 day" in page
    assert "Sat, Nov 21, 2026" in page.split("Days without a figure")[1]
    assert "Save 2 days" in page
    assert not RainReading.objects.exists()
    after = text_of(confirm(clerk, shown))
    assert "USW00014839: 2 days new, 0 corrected, 0 as they were." in after
    assert "1 site with bare soil is to be visited" in after
    assert [(r.on.day, r.inches) for r in RainReading.objects.order_by("on")] == [
        (20, Decimal("0.5")),
        (22, Decimal("0.0118")),
    ]


def test_rows_that_are_refused_are_told_with_their_line_and_nothing_is_saved(clerk: Client) -> None:
    rows = ["2026-11-20,0.7", "2026-11-20,0.6", "2026-11-21,-1", "2026-11-22,wet", "2026-12-22,0.1"]
    shown = send(clerk, "\n".join(["date,inches", *rows]))
    page = text_of(shown)
    assert "4 rows cannot be taken" in page
    for told in [
        "3 November 20, 2026 stands in line 2 already",
        "4 rain cannot be negative (-1)",
        "5 “wet” is not a number",
        "6 December 22, 2026 is still to come",
    ]:
        assert told in page
    assert 'value="save"' not in shown.content.decode()
    assert not RainReading.objects.exists()


def test_what_a_file_corrects_is_shown_before_and_said_after(clerk: Client) -> None:
    enter(clerk, rained_on="2026-11-20", inches="0.2", station="USW00014839")
    shown = send(clerk, FILE)
    assert "corrected from 0.2 inch to 0.5 inch" in text_of(shown)
    assert RainReading.objects.count() == 1
    assert "1 day new, 1 corrected" in text_of(confirm(clerk, shown))


def test_a_file_that_is_on_record_already_has_nothing_to_save(clerk: Client) -> None:
    confirm(clerk, send(clerk, FILE))
    assert "there is nothing to save" in text_of(send(clerk, FILE))


def test_confirmed_twice_it_is_saved_once(clerk: Client) -> None:
    shown = send(clerk, FILE)
    confirm(clerk, shown)
    confirm(clerk, shown)
    assert RainReading.objects.count() == 2


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("", "empty (0 bytes)"),
        ("date,snow\n2026-11-20,1\n", "no column of precipitation"),
        ("date,rain\n2026-11-20,1\n", "does not say its unit"),
        (b"PK\x03\x04", "not a text file"),
        (b"a" * (2 * 1024 * 1024 + 1), "larger than 2 MB"),
        ('a,"b\n' * 3, "no column called date"),
    ],
)
def test_a_file_that_cannot_be_read_is_asked_for_again(
    clerk: Client, raw: str | bytes, why: str
) -> None:
    response = send(clerk, raw)
    assert why in text_of(response)
    assert "<title>Error: " in response.content.decode()


def test_the_unit_can_be_chosen(clerk: Client) -> None:
    page = text_of(send(clerk, "date,rain\n2026-11-20,12.7\n", unit="MILLIMETRES"))
    assert "read as millimetres" in page
    assert "Half an inch or more 1 day" in page


@pytest.mark.parametrize(
    "sent",
    [
        {"table": "date,prcp_in\n2026-11-20,-1", "station": "A"},
        {"table": "nonsense", "station": "A"},
        {"table": "date,prcp_in\n2026-11-20,1", "station": ""},
        {"station": "A"},
    ],
)
def test_a_confirmation_that_was_tampered_with_saves_nothing(
    clerk: Client, sent: dict[str, str]
) -> None:
    response = clerk.post(reverse("rain_file"), {**sent, "step": "save"})
    assert response.status_code == 400
    assert not RainReading.objects.exists()


# Whom it is for, and how much it costs ----------------------------------------------------


@pytest.mark.parametrize("name", ["rain", "rain_file"])
def test_inspector_and_clerk_enter_rain_and_nobody_else(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 302
    answers = {Role.INSPECTOR: 200, Role.CLERK: 200}
    for role in Role:
        client.force_login(factory.user(role))
        assert client.get(reverse(name)).status_code == answers.get(role, 404)


def test_the_number_of_queries_is_bounded(clerk: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as made:
            clerk.get(reverse("rain"))
        return len(made)

    factory.rain(date(2026, 11, 1), "0.2")
    count()
    few = count()
    for day in range(2, 22):
        factory.rain(date(2026, 11, day), "0.7")
    assert count() == few <= 25


def test_strings_that_break_software_stay_text(clerk: Client, cases: Any) -> None:
    import json

    strings = json.loads((cases / "strings.json").read_text())
    strings = strings if isinstance(strings, list) else [s for v in strings.values() for s in v]
    for text in strings[::7]:
        text = str(text)
        for answers in ({"station": text[:80]}, {"note": text[:200]}, {"inches": text}):
            assert clerk.post(reverse("rain"), day_of(**answers)).status_code in (200, 303)
    assert clerk.get(reverse("rain")).status_code == 200
