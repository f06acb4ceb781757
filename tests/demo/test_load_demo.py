"""The demo city: every state of a case, live clocks, loaded once and in order."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from io import StringIO

import pytest
from django.conf import settings as project
from django.core.management import CommandError, call_command

from enforcement.models import (
    Appeal,
    CityWork,
    OwnerNotice,
    RevisionOrderLine,
    StopWorkOrder,
)
from escrow.account import drawing, expiry, held
from escrow.bills.account import standing
from escrow.books import bank
from escrow.books.trial import trial_balance
from escrow.demo import answers, cast, city, ladder, studio, visits
from escrow.demo.cases import CASES
from escrow.demo.photos import draw_photo
from escrow.models import (
    Bill,
    BillEntry,
    CheckRequest,
    DayClose,
    Demand,
    Draw,
    Forfeiture,
    Instrument,
    Release,
    RollBatch,
    RollFile,
    RollLayout,
)
from escrow.roll.candidates import candidates
from escrow.roll.year import roll_year_on
from inspections.models import (
    Certificate,
    Complaint,
    Finding,
    RainReading,
    Visit,
    VisitNeed,
)
from permits.models import Application, DocketEntry, HandOver, Permit, Site
from permits.verify import faults
from portal import clock, papers
from portal.accounts import DEMO_PASSWORD, DEMO_PEOPLE
from portal.desk.records.demo import OLD
from portal.models import Closure, Mailing, OutboxMessage, Upload, User
from portal.ordinance import Calendar
from portal.ordinance.decision import decision_deadline
from portal.ordinance.special_charge import delivery_on
from tests.enforcement.works import blank_pdf
from tests.mails import check_reading

pytestmark = pytest.mark.django_db


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers, photos and pictures of pages have tests of their own; here blank ones do."""
    dot = draw_photo(1)
    page = studio.Page(1, 8, 8, dot)
    blank = papers.Made(blank_pdf(), 1)
    monkeypatch.setattr(papers, "make", lambda template, context: blank)
    monkeypatch.setattr(answers, "draw_photo", lambda seed: dot)
    monkeypatch.setattr(visits, "draw_photo", lambda seed: dot)
    monkeypatch.setattr(ladder, "draw_photo", lambda seed: dot)
    monkeypatch.setattr(ladder, "draw_placard", lambda seed, number: dot)
    monkeypatch.setattr(studio.pdfs, "show", lambda document, first: iter([page]))
    monkeypatch.setattr(studio.pictures, "show", lambda image: iter([page]))


def load() -> str:
    said = StringIO()
    call_command("load_demo", stdout=said)
    return said.getvalue()


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_the_city_has_every_state_and_all_of_it_is_in_order() -> None:
    assert "Loaded" in load()
    today = clock.today()

    sites = Site.objects.count()  # the imports bring some more
    assert sites >= len(CASES) + len(OLD) >= 40
    found = Counter(Application.objects.values_list("status", flat=True))
    assert set(found) == set(Application.Status)
    assert min(found.values()) >= 3
    permits = Counter(Permit.objects.values_list("status", flat=True))
    assert set(permits) == set(Permit.Status)
    assert Permit.objects.filter(status="awaiting_escrow", escrow_posted_on__isnull=False).exists()
    assert HandOver.objects.filter(accepted_at__isnull=True, recalled_at__isnull=True).exists()
    assert HandOver.objects.filter(accepted_at__isnull=False).exists()

    running = DocketEntry.objects.running()
    for rule in ("decision", "revision-review", "permanent-cover"):
        dates = [entry.on for entry in running.filter(rule=rule)]
        assert min(dates) < today < max(dates), rule
    assert Upload.objects.filter(family="image").exists()
    drawn = Upload.objects.exclude(family=Upload.Family.SHEET)
    assert all(upload.previews.exists() for upload in drawn)
    assert list(faults()) == []

    assert_the_sites_are_visited(today)
    assert_every_rung_is_there(today)
    assert_the_escrow_is_in_every_state(today)
    assert_bills_are_in_every_state(today)
    assert_the_roll_has_every_problem_and_last_years_outcomes(today)
    assert_the_books_balance(today)
    assert_nothing_is_sent_again()
    assert_the_past_is_recorded_in_the_past()
    assert_people_can_sign_in()
    for mail in OutboxMessage.objects.all():
        check_reading(mail)
    assert "already loaded" in load()
    assert Site.objects.count() == sites


def assert_the_sites_are_visited(today: date) -> None:
    assert set(Finding.objects.values_list("status", flat=True)) == set(Finding.Status)
    assert Finding.objects.get(is_violation=True).days.count() == 2
    assert {c.issued_on.month for c in Certificate.objects.all()} == {1, 10}
    assert Permit.objects.filter(status="closed", final_inspection_passed_on__lt=today).exists()
    assert Complaint.objects.filter(answered_on__isnull=True).exists()
    assert 28 <= RainReading.objects.count() <= 32
    assert not Visit.objects.exclude(status="finished").exists()
    assert not Visit.objects.filter(report__isnull=True).exists()
    reasons = set(VisitNeed.objects.open().values_list("reason", flat=True))
    assert {"rain", "log_gap", "final"} <= reasons


def assert_every_rung_is_there(today: date) -> None:
    standing = StopWorkOrder.objects.standing()
    assert StopWorkOrder.objects.filter(status="lifted", notices__isnull=True).exists()
    assert standing.filter(permit__isnull=True, request__steps__kind="filed").exists()
    assert standing.filter(permit__isnull=True, request__isnull=True).exists()
    assert standing.filter(permit__status="revoked", notices__status="standing").exists()
    assert {*CityWork.objects.values_list("status", flat=True)} == {"begun", "closed"}
    assert all(work.total for work in CityWork.objects.filter(status="closed"))

    fresh = StopWorkOrder.objects.latest("issued_on")
    assert fresh.compliance_deadline().on > today
    appeal = Appeal.objects.get(status="filed", hearings__isnull=False)
    assert appeal.stay() is not None
    assert appeal.hearings.get().held_on > today
    assert Appeal.objects.get(outcome="affirmed").ended_on < today

    standing_notices = OwnerNotice.objects.filter(status="standing")
    accepted = standing_notices.values_list("accepted_on", flat=True)
    assert {day is None for day in accepted} == {True, False}
    lines = RevisionOrderLine.objects.order_by("number")
    done, late, ahead = lines
    assert done.done_on
    assert late.due_on < today < ahead.due_on


def assert_the_escrow_is_in_every_state(today: date) -> None:
    expire = [(row.until - today).days for row in expiry.expiring(on=today)]
    assert {expiry.stage(row.until, today) for row in expiry.expiring(on=today)} == {14, 30, 60}
    assert min(expire) > 0
    reminded = OutboxMessage.objects.filter(cause__startswith="escrow_expiry:")
    assert {mail.cause.rpartition(":")[2] for mail in reminded} == {"14", "30", "60"}

    bonds = Instrument.objects.exclude(form="cash")
    assert bonds.filter(renewals__isnull=False).get().good_until(on=today) > today
    assert bonds.filter(replaced_by__isnull=False, returned__isnull=False).exists()
    assert Draw.objects.filter(owner_notice__status="done").count() == 2
    for model in (Forfeiture, Release):
        assert set(model.objects.values_list("status", flat=True)) == {"proposed", "approved"}
    assert Demand.objects.filter(entry__kind="forfeited").exists()
    assert CheckRequest.objects.exists()
    gone = Release.objects.get(status="approved").permit
    assert held.total(held.account(gone, on=today)) == 0
    taken_over = HandOver.objects.get(accepted_at__isnull=False).application.site.permits.get()
    assert held.asked_whose(taken_over, held.account(taken_over, on=today))


def assert_bills_are_in_every_state(today: date) -> None:
    unbilled = CityWork.objects.filter(status="closed", bills__isnull=True)
    assert any(drawing.undrawn(work) for work in unbilled)
    found = {bill: standing(bill, on=today) for bill in Bill.objects.standing()}
    assert any(not each.owed for each in found.values())
    assert any(0 < each.owed < bill.amount and not bill.is_delinquent(today)
               for bill, each in found.items())  # fmt: skip
    assert any(bill.is_delinquent(today) for bill in found)
    assert any(bill.entries.count() == 1 and bill.due_on >= today for bill in found)
    assert Bill.objects.filter(status="withdrawn").exists()
    assert set(BillEntry.objects.values_list("kind", flat=True)) >= {
        "billed", "escrow", "fee", "payment", "credit", "reversal", "roll", "off-roll",
    }  # fmt: skip


def assert_the_roll_has_every_problem_and_last_years_outcomes(today: date) -> None:
    now = roll_year_on(today)
    county = RollLayout.objects.get(name="Example County")
    found = {
        path: candidates(path, cut_off_on=now.list_on, on=today, layout=county)
        for path in Bill.Path.values
    }
    problems = Counter(p.key for each in found.values() for one in each for p in one.problems)
    assert problems == dict.fromkeys(
        ("stayed", "needs-levy", "no-parcel", "several-parcels", "split", "retired",
         "odd-number", "nothing", "owner-changed"), 1,
    )  # fmt: skip
    ready = {path: [one for one in each if not one.stops] for path, each in found.items()}
    assert len(ready["assessment"]) == 1
    assert len(ready["special-charge"]) == 3, "one of them was rejected by last year's roll"

    batch = RollBatch.objects.get()
    assert (batch.year, batch.status, batch.count) == (now.year - 1, "certified", 3)
    assert RollFile.objects.filter(batch=batch, layout=county).exists()
    outcomes = Counter(batch.charges.values_list("outcomes__kind", flat=True))
    days = city.Days(today, city.city_calendar.current_calendar())
    settled = days.after(delivery_on(batch.year), 1) < today
    assert outcomes == Counter(accepted=2, rejected=1, collected=int(settled))


def assert_the_books_balance(today: date) -> None:
    found = trial_balance(on=today)
    assert found.is_right, found.problems
    days = city.Days(today, city.city_calendar.current_calendar())
    closed = set(DayClose.objects.values_list("on", flat=True))
    assert days.ago(2) in closed
    assert days.ago(1) not in closed
    assert DayClose.objects.exclude(why="").count() == 1
    assert bank.takings(date(2000, 1, 1), today).total > 0
    said = StringIO()
    call_command("trial_balance", stdout=said)
    assert "Cash held as escrow" in said.getvalue()


def assert_nothing_is_sent_again() -> None:
    assert OutboxMessage.objects.exists()
    assert not OutboxMessage.objects.filter(sent_at__isnull=True).exists()
    letters = Mailing.objects.filter(means="us_mail")
    assert letters.filter(deposited_on__isnull=False).exists()
    addresses = set(OutboxMessage.objects.values_list("recipient", flat=True))
    assert all(address.endswith((".example", "@example.org")) for address in addresses)


def assert_the_past_is_recorded_in_the_past() -> None:
    for site in Site.objects.all():
        events = list(site.events.order_by("sequence"))
        moments = [event.recorded_at for event in events]
        assert moments == sorted(moments)
        assert moments[-1] <= clock.now()
        late = [e.kind for e in events if clock.local_day(e.recorded_at) != e.occurred_on]
        assert late == [], site


def assert_people_can_sign_in() -> None:
    for email, name, role in DEMO_PEOPLE:
        user = User.objects.get(email=email)
        assert (user.name, user.role) == (name, role)
        assert user.emailaddress_set.get(primary=True).verified
        assert user.check_password(DEMO_PASSWORD)


@pytest.mark.parametrize(
    "today",
    [
        pytest.param("2027-01-01", id="New Year's Day"),
        pytest.param("2026-07-04", id="a holiday on a Saturday"),
        pytest.param("2028-02-29", id="a leap day"),
    ],
)
def test_every_path_keeps_the_order_of_time(today: str, at) -> None:
    at(today)
    days = city.Days(clock.today(), city.city_calendar.current_calendar())
    for case in CASES:
        steps = case.path(days)
        dates = [step.on for step in steps]
        assert dates == sorted(dates), case
        assert dates[-1] <= date.fromisoformat(today), case


@pytest.mark.parametrize("received", ["2026-12-18", "2026-11-16", "2026-03-27", "2026-07-01"])
def test_no_closure_of_the_city_moves_an_example_of_the_documentation(received: str, at) -> None:
    at("2026-11-30")
    plain = decision_deadline(date.fromisoformat(received), calendar=Calendar())
    city._close(cast.make_cast().clerk, clock.today())
    assert Closure.objects.filter(day__year=2027).count() == len(city.CLOSURES)
    said = StringIO()
    call_command("deadlines", "decision", received, stdout=said)
    assert f"date       {plain.on}" in said.getvalue()
    assert "city hall closed" not in said.getvalue()


def test_the_closures_are_weekdays_between_the_holidays() -> None:
    days = [day for year in range(2024, 2034) for day, _ in city._closed_days(year)]
    assert all(day.weekday() < 5 and Calendar().is_working_day(day) for day in days)


def test_no_worked_example_of_working_days_touches_a_closure(cases) -> None:
    """The table of worked dates holds in the demo city as it does without any closure."""
    closed = {day for year in range(2024, 2034) for day, _ in city._closed_days(year)}
    rows = json.loads((cases / "dates.json").read_text())
    counted = [row for row in rows if row["id"].startswith("W")]
    assert len(counted) > 20
    for row in counted:
        first, last = (date.fromisoformat(row[name]) for name in ("input", "expected"))
        assert not [day for day in closed if first < day <= last], row["id"]


def test_it_is_refused_where_real_cases_may_be(settings) -> None:
    assert project.TEST
    settings.TEST = False
    with pytest.raises(CommandError, match="SILTFENCE_MODE=demo"):
        call_command("load_demo")
    assert not User.objects.exists()
