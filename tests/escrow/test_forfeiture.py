"""Former § 17.19(4)(e) Forfeiture: all that is held, when the work is late, by two persons."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.test import Client

from escrow import acts as escrow_acts
from escrow import journal
from escrow.account import deciding, forfeiting
from escrow.models import EscrowEntry, Forfeiture, Instrument
from inspections.acts import visits as visit_acts
from inspections.models import Certificate, Visit
from permits.models import CasePaper, NotNow, Permit
from portal import papers
from portal.models import Mailing
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.review.pages import act, fields_of, fill, signed_in, text_of, url

pytestmark = pytest.mark.django_db
DUE = MONDAY + timedelta(days=240)
DAY = DUE + timedelta(days=30)


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(DAY)


@pytest.fixture
def permit() -> Permit:
    made: Permit = factory.issued().permit
    made.refresh_from_db()
    return made


@pytest.fixture
def visit(permit: Permit) -> Visit:
    return seen(permit)


def seen(permit: Permit, *, on: date = DAY) -> Visit:
    """A finished visit."""
    by = factory.inspector()
    made = visit_acts.begin(permit.site, by=by, on=on, today=DAY)
    visit_acts.finish(made, by=by)
    return made


def held(permit: Permit) -> Decimal:
    return EscrowEntry.objects.filter(permit=permit).balance()


def propose(permit: Permit, visit: Visit | None, *, on: date = DAY) -> Forfeiture:
    return forfeiting.propose(
        permit, what_is_open="The slope is bare.", visit=visit, by=factory.inspector(), on=on
    )


def test_not_before_the_day_after_the_last_day(permit: Permit) -> None:
    due = forfeiting.deadline(permit, on=DAY)
    assert due is not None
    on_last, after = due.on, due.on + timedelta(days=1)
    found = forfeiting.obstacles_to_forfeit(permit, on=on_last)
    assert [each.key for each in found] == ["not-late"]
    assert forfeiting.obstacles_to_forfeit(permit, on=after) == []
    with pytest.raises(NotNow):
        propose(permit, None, on=on_last)


def certificate(permit: Permit, issued_on: date, *, building: str = "Unit 1") -> Certificate:
    """A certificate of occupancy for a building whose permanent work is open."""
    return Certificate.objects.create(
        permit=permit,
        building=building,
        issued_on=issued_on,
        work_open=True,
        choice="condition",
        choice_reason="The slope can be seeded in spring.",
        recorded_by=factory.clerk(),
    )


def test_beside_july_15_the_date_of_the_permit_forfeits_nothing(permit: Permit) -> None:
    """Former § 17.19(4)(d): after a winter certificate the escrow is at stake after July 15."""
    own = permit.permanent_cover_deadline()
    assert own is not None
    certificate(permit, date(2027, 1, 11))
    july_15 = date(2027, 7, 15)
    day = max(own.on, MONDAY) + timedelta(days=1)
    assert day <= july_15
    (found,) = forfeiting.obstacles_to_forfeit(permit, on=day)
    assert found.key == "not-late"
    assert "July 15, 2027" in found.text
    assert [each.key for each in forfeiting.obstacles_to_forfeit(permit, on=july_15)] == [
        "not-late"
    ]
    assert forfeiting.obstacles_to_forfeit(permit, on=july_15 + timedelta(days=1)) == []


def test_a_certificate_that_is_late_counts_beside_one_that_still_runs(permit: Permit) -> None:
    certificate(permit, date(2027, 1, 11))
    certificate(permit, date(2027, 10, 20), building="Unit 2")
    due = forfeiting.deadline(permit, on=date(2027, 10, 25))
    assert due is not None
    assert due.on == date(2027, 7, 15)


def test_all_that_is_held_is_forfeited_by_two_persons(permit: Permit, visit: Visit) -> None:
    made = propose(permit, visit)
    assert held(permit) == Decimal("2500.00")
    forfeiting.approve(made, by=factory.administrator(), on=DAY)
    assert held(permit) == 0
    made.refresh_from_db()
    assert made.letter.kind == CasePaper.Kind.FORFEITURE_NOTICE
    assert permit.site.events.get(kind="escrow.forfeited").facts["amount"] == "2500.00"
    accounts = journal.balances(scope={"permit": permit})
    assert accounts[journal.Account.FORFEITED].balance == Decimal("-2500.00")
    assert sum(each.balance for each in accounts.values()) == 0


def test_the_approval_reads_the_permit_anew_under_the_lock(permit: Permit, visit: Visit) -> None:
    made = propose(permit, visit)
    assert made.permit.final_inspection_passed_on is None
    Permit.objects.filter(pk=permit.pk).update(final_inspection_passed_on=made.due_on)
    with pytest.raises(NotNow) as refused:
        forfeiting.approve(made, by=factory.administrator(), on=DAY)
    assert [each.key for each in refused.value.obstacles] == ["not-late"]
    assert held(permit) == Decimal("2500.00")


def test_what_a_draw_has_left_is_forfeited(permit: Permit, visit: Visit) -> None:
    money.drawn(permit, "1200.00", on=MONDAY)
    made = propose(permit, visit)
    assert made.amount == Decimal("1300.00")
    forfeiting.approve(made, by=factory.administrator(), on=DAY)
    assert held(permit) == 0


def test_whoever_found_it_does_not_approve_it(permit: Permit, visit: Visit) -> None:
    made = propose(permit, visit)
    with pytest.raises(NotNow, match="second person"):
        forfeiting.approve(made, by=factory.inspector(), on=DAY)


def test_a_draw_after_the_finding_voids_it(permit: Permit, visit: Visit) -> None:
    made = propose(permit, visit)
    money.drawn(permit, "1200.00", on=MONDAY)
    with pytest.raises(NotNow, match="void"):
        forfeiting.approve(made, by=factory.administrator(), on=DAY)
    deciding.decline(made, by=factory.administrator(), on=DAY, why="A draw came between.")
    assert permit.site.events.filter(kind="escrow.forfeiture_declined").count() == 1


def test_a_final_inspection_passed_in_time_forfeits_nothing(permit: Permit) -> None:
    Permit.objects.filter(pk=permit.pk).update(final_inspection_passed_on=DUE)
    permit.refresh_from_db()
    found = forfeiting.obstacles_to_forfeit(permit, on=DAY)
    assert [each.key for each in found] == ["not-late"]


def test_a_visit_before_the_last_day_shows_nothing(permit: Permit) -> None:
    early = seen(permit, on=DUE - timedelta(days=10))
    with pytest.raises(NotNow, match="after the last day"):
        propose(permit, early)


def test_a_letter_of_credit_is_demanded_of_its_bank() -> None:
    permit: Permit = factory.granted().permit
    letter = Instrument(
        form="letter_of_credit",
        amount=Decimal("3000"),
        received_on=MONDAY,
        issuer="First Bank",
        instrument_number="LC-9",
        demand_needs="A sight draft",
    )
    escrow_acts.post(permit, [letter], by=factory.clerk(), on=MONDAY)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=MONDAY)
    made = propose(permit, seen(permit))
    with pytest.raises(NotNow, match="Where does the demand to First Bank go"):
        forfeiting.approve(made, by=factory.administrator(), on=DAY)
    inspector, administrator = signed_in(factory.inspector()), signed_in(factory.administrator())
    page = url("escrow_forfeit_decide", permit.application)
    assert "Take the proposal back" in text_of(inspector.get(page))
    asked = text_of(fill(administrator, page, decision="approve"))
    assert "Where does the demand go?" in asked
    address = {f"address_{letter.pk}": "9 Dock Street\nExample, WI 54999"}
    assert act(administrator, page, decision="approve", **address).status_code == 302
    entry = made.entries.get()
    assert entry.amount == Decimal("-3000.00")
    assert entry.demand.papers_sent == "A sight draft"
    mailing = Mailing.objects.get(cause=f"escrow_demand:{entry.pk}")
    assert mailing.addressee == "First Bank"


def test_inspector_proposes_and_the_page_says_that_it_may_be_contested(
    permit: Permit, visit: Visit
) -> None:
    inspector: Client = signed_in(factory.inspector())
    page = url("escrow_forfeit", permit.application)
    words = text_of(inspector.get(page))
    assert "A total forfeiture may be contested." in words
    shown = fill(inspector, page, what_is_open="The slope is bare.")
    assert "Propose to forfeit $2,500.00?" in text_of(shown)
    sent = fields_of(shown) | {"step": "confirm"}
    for _ in range(2):
        assert inspector.post(page, sent).status_code == 302
    assert Forfeiture.objects.count() == 1
    administrator = signed_in(factory.administrator())
    decide = url("escrow_forfeit_decide", permit.application)
    assert "may be contested" in text_of(administrator.get(decide))
    assert act(administrator, decide, decision="approve").status_code == 302
    words = text_of(administrator.get(url("escrow_account", permit.application)))
    assert "Forfeited, FO-2027-0001" in words
    assert "was forfeited" in text_of(administrator.get(permit.site.get_absolute_url()))


def test_without_a_visit_the_page_says_what_is_missing(permit: Permit) -> None:
    inspector: Client = signed_in(factory.inspector())
    words = text_of(inspector.get(url("escrow_forfeit", permit.application)))
    assert "No finished visit after the last day" in words
