"""The permittee's log: the state's fields, its gaps for both sides, one entry per key."""

from __future__ import annotations

import json
import uuid
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections import notices
from inspections.acts import log as acts
from inspections.forms.log import LogForm, read_time
from inspections.logbook import logbook_of
from inspections.models import LogEntry, LogLine, VisitNeed
from inspections.needs import open_needs
from permits.models import CaseEvent, NotNow
from portal import operations
from portal.models import OutboxMessage
from tests.floor.sample_files import jpeg, sent
from tests.inspections import factory

pytestmark = pytest.mark.django_db

MONDAY = factory.MONDAY
TODAY = MONDAY + timedelta(days=10)
PRACTICES = LogLine.Practice.values


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


@pytest.fixture
def permit():
    return factory.active_permit(issued_on=MONDAY)


@pytest.fixture
def holder(client, permit):
    client.force_login(permit.application.applicant)
    return client


def fields(**changes: str) -> dict[str, object]:
    given: dict[str, object] = {
        operations.FIELD: operations.new_token(),
        "key": str(uuid.uuid4()),
        "inspected_on": TODAY.isoformat(),
        "began": "7:30 am",
        "ended": "8:05",
        "kind": "weekly",
        "kind_other": "",
        "inspectors": "Ana Ruiz",
        "weather": "Dry",
        "phase": "Rough grading",
        "comments": "Holds well.",
        "field_office_telephone": "(555) 010-0142",
        "end_of_form": "",
        **{f"needs_{practice}": "na" for practice in PRACTICES},
        "needs_silt_fence": "yes",
        "follow_silt_fence": "Set again on the north line.",
        "needs_inlets": "no",
    }
    return given | changes


def add(client, permit, **changes):
    return client.post(reverse("log_add", args=[permit.site.number]), fields(**changes))


def enter(permit, on: date, **given) -> LogEntry:
    answers = acts.Answers(kind="weekly", inspectors="Ana Ruiz")
    return acts.enter(
        permit,
        by=permit.application.applicant,
        today=given.pop("today", TODAY),
        key=given.pop("key", uuid.uuid4()),
        inspected_on=on,
        answers=answers,
        lines={"silt_fence": ("yes", "Set again.")},
    )


# Writing ----------------------------------------------------------------------------------


def test_every_field_of_the_states_form_can_be_entered(cases: Path) -> None:
    form = json.loads((cases / "forms_fields.json").read_text())
    known = next(each for each in form["forms"] if each["id"] == "wdnr-3400-187")
    practices = next(text for text in known["fields"] if text.startswith("17 BMP lines"))
    assert len(practices.split(":", 1)[1].split(",")) == len(PRACTICES) == 17
    names = set(LogForm(permit=factory.active_permit()).fields)
    assert {
        "inspected_on",
        "began",
        "ended",
        "kind",
        "kind_other",
        "inspectors",
        "weather",
        "phase",
        "comments",
        "field_office_telephone",
        "photos",
    } <= names
    assert {f"needs_{each}" for each in PRACTICES} <= names
    assert {f"follow_{each}" for each in PRACTICES} <= names


def test_an_entry_keeps_all_that_was_written(holder, permit) -> None:
    response = add(holder, permit)
    assert response.status_code == 303
    entry = LogEntry.objects.get()
    assert (entry.kind, entry.inspected_on, entry.inspectors) == ("weekly", TODAY, "Ana Ruiz")
    assert (f"{entry.began:%H:%M}", f"{entry.ended:%H:%M}") == ("07:30", "08:05")
    assert entry.lines.count() == 17
    fence = entry.lines.get(practice="silt_fence")
    assert (fence.needs_modification, fence.follow_up) == ("yes", "Set again on the north line.")
    event = CaseEvent.objects.get(kind="log.entered")
    assert event.occurred_on == TODAY
    assert event.facts["modifications"] == ["silt_fence"]
    page = holder.get(reverse("log", args=[permit.site.number])).content.decode()
    assert "1 needs work" in page
    shown = holder.get(reverse("log_entry", args=[entry.key])).content.decode()
    assert "Set again on the north line." in shown
    assert "7:30 a.m. to 8:05 a.m." in shown


def test_the_same_entry_sent_twice_is_one(holder, permit) -> None:
    key = str(uuid.uuid4())
    for _ in range(2):
        assert add(holder, permit, key=key).status_code == 303
    assert LogEntry.objects.count() == CaseEvent.objects.filter(kind="log.entered").count() == 1


def test_the_key_of_an_entry_is_good_for_one_permit(permit) -> None:
    key, other = uuid.uuid4(), factory.active_permit(issued_on=MONDAY)
    enter(permit, TODAY, key=key)
    with pytest.raises(NotNow, match="another permit"):
        enter(other, TODAY, key=key)


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"inspected_on": "2026-11-27"}, "inspected_on", "still to come"),
        ({"inspected_on": "2026-11-15"}, "inspected_on", "The permit was issued on Monday"),
        ({"inspected_on": "31/12/2026"}, "inspected_on", "month/day/year"),
        ({"inspected_on": "0026-11-20"}, "inspected_on", "cannot be meant"),
        ({"began": "25:10"}, "began", "Write a time of day"),
        ({"ended": "7:00"}, "ended", "before the start"),
        ({"kind": "other"}, "kind_other", "Say why"),
        ({"needs_mat": "yes"}, "follow_mat", "Say what is done"),
        ({"needs_mat": ""}, "needs_mat", "Choose one of the three"),
        ({"inspectors": " "}, "inspectors", "Please answer"),
        ({"field_office_telephone": "12"}, "field_office_telephone", "area code"),
    ],
)
def test_what_cannot_be_meant_is_asked_again_and_nothing_is_lost(
    holder, permit, changes, field, said
) -> None:
    response = add(holder, permit, **changes)
    assert response.status_code == 200
    assert any(said in error for error in response.context["form"].errors[field])
    page = response.content.decode()
    assert "Set again on the north line." in page
    assert "Holds well." in page
    assert next(iter(changes.values())) in page
    assert not LogEntry.objects.exists()


@pytest.mark.slow
def test_photos_stay_while_another_answer_is_amiss(holder, permit) -> None:
    address = reverse("log_add", args=[permit.site.number])
    response = holder.post(address, fields(inspectors="") | {"photos": [sent("a.jpg", jpeg())]})
    (kept,) = response.context["photos"]
    assert add(holder, permit, kept_photos=str(kept.key)).status_code == 303
    assert list(LogEntry.objects.get().photos.all()) == [kept]


def test_the_next_entry_remembers_who_and_what_is_not_here(holder, permit) -> None:
    add(holder, permit)
    form = holder.get(reverse("log_add", args=[permit.site.number])).context["form"]
    assert form["inspectors"].value() == "Ana Ruiz"
    assert form["needs_turbidity"].value() == "na"
    assert form["needs_inlets"].value() is None
    assert form["needs_silt_fence"].value() is None


def test_an_entry_is_never_changed(permit) -> None:
    enter(permit, TODAY)
    with pytest.raises(DatabaseError), transaction.atomic():
        LogEntry.objects.update(inspectors="Somebody else")


@pytest.mark.parametrize(
    ("text", "hour"),
    [("7:30", "07:30"), ("2:15 pm", "14:15"), ("2:15 p.m.", "14:15"), ("9 AM", "09:00")],
)
def test_a_time_is_read_as_people_write_it(text: str, hour: str) -> None:
    assert f"{read_time(text):%H:%M}" == hour


def test_a_closed_permit_has_a_closed_log(holder, permit) -> None:
    type(permit).objects.filter(pk=permit.pk).update(
        status="closed", closed_on=TODAY, final_inspection_passed_on=TODAY
    )
    response = add(holder, permit)
    assert response.status_code == 409
    assert "its log is closed" in response.content.decode()
    page = holder.get(reverse("log", args=[permit.site.number])).content.decode()
    assert "The log is at its end." in page


# Who ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["inspector", "clerk", "administrator", "attorney", "board"])
def test_the_city_reads_the_log_and_writes_nothing(client, permit, role) -> None:
    entry = enter(permit, TODAY)
    client.force_login(factory.user(role))
    assert client.get(reverse("log", args=[permit.site.number])).status_code == 200
    assert client.get(reverse("log_entry", args=[entry.key])).status_code == 200
    assert client.get(reverse("log_add", args=[permit.site.number])).status_code == 404
    assert add(client, permit).status_code == 404
    assert LogEntry.objects.count() == 1


def test_a_stranger_finds_no_log(client, permit) -> None:
    entry = enter(permit, TODAY)
    pages = [
        reverse("log", args=[permit.site.number]),
        reverse("log_add", args=[permit.site.number]),
        reverse("log_entry", args=[entry.key]),
    ]
    assert {client.get(page).status_code for page in pages} == {302}
    client.force_login(factory.user())
    assert {client.get(page).status_code for page in pages} == {404}


# Gaps -------------------------------------------------------------------------------------


def test_gaps_are_the_days_without_the_weekly_entry(permit) -> None:
    assert logbook_of(permit, on=MONDAY + timedelta(days=7)).gaps == ()
    (gap,) = logbook_of(permit, on=TODAY).gaps
    assert (gap.first, gap.last, gap.days) == (MONDAY + timedelta(days=8), TODAY, 3)
    enter(permit, MONDAY + timedelta(days=7))
    book = logbook_of(permit, on=TODAY)
    assert (book.gaps, book.due_on) == ((), MONDAY + timedelta(days=14))
    assert not book.is_overdue


def test_rain_asks_for_an_entry_by_the_next_day(permit) -> None:
    rained_on = MONDAY + timedelta(days=3)
    factory.rain(rained_on, "0.62")
    factory.rain(rained_on, "0.70", station="Airport")
    enter(permit, MONDAY + timedelta(days=6))
    (gap,) = logbook_of(permit, on=TODAY).gaps
    assert (gap.after, gap.rained_on) == ("0.7 inch", rained_on)
    assert (gap.first, gap.last) == (MONDAY + timedelta(days=5), MONDAY + timedelta(days=5))
    enter(permit, rained_on + timedelta(days=1))
    assert logbook_of(permit, on=TODAY).gaps == ()


def test_before_the_work_nothing_is_due() -> None:
    permit = factory.active_permit(issued_on=MONDAY, starts_on=TODAY + timedelta(days=5))
    factory.rain(MONDAY + timedelta(days=3), "1")
    assert logbook_of(permit, on=TODAY).gaps == ()


def test_both_sides_see_the_same_gaps(client, permit) -> None:
    pages = []
    for person in (permit.application.applicant, factory.inspector()):
        client.force_login(person)
        pages.append(client.get(reverse("log", args=[permit.site.number])).content.decode())
    for page in pages:
        assert "An entry is overdue." in page
        assert "missed from Tuesday, November 24, 2026" in page


def test_an_entry_of_today_closes_the_visit_that_the_gap_asked_for(permit) -> None:
    open_needs(TODAY)
    needs = VisitNeed.objects.open().filter(reason="log_gap")
    assert needs.count() == 1
    enter(permit, TODAY)
    assert needs.count() == 0
    open_needs(TODAY)
    assert needs.count() == 0


def test_the_holder_is_reminded_once_of_each_gap(permit) -> None:
    open_needs(TODAY)
    assert notices.remind_of_logs(TODAY) == 1
    assert notices.remind_of_logs(TODAY) == 0
    assert notices.remind_of_logs(TODAY + timedelta(days=1)) == 0
    mail = OutboxMessage.objects.get(cause__startswith="log_due")
    assert mail.recipient == permit.application.applicant.email
    assert reverse("log_add", args=[permit.site.number]) in mail.body


# Cost -------------------------------------------------------------------------------------


def test_the_log_costs_the_same_however_long_it_is(holder, permit) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert holder.get(reverse("log", args=[permit.site.number])).status_code == 200
        return len(made)

    enter(permit, TODAY)
    queries()  # fills the caches of the process
    before = queries()
    for back in range(30):
        enter(permit, TODAY - timedelta(days=back % 10))
    assert queries() == before <= 20
