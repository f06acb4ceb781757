"""The clerk's November: the list, its problems, two persons, exported exactly once.

Wis. Stat. § 66.0627(4), former § 17.19(7)(e)
"""

from __future__ import annotations

import hashlib
from datetime import date
from decimal import Decimal

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from enforcement.models import Appeal
from escrow import journal
from escrow.bills import levying, making, moving
from escrow.bills.payers import Payer
from escrow.models import (
    Bill,
    BillEntry,
    ParcelNote,
    RollBatch,
    RollCharge,
    RollFile,
    RollLayout,
    RollLine,
)
from escrow.roll import certify, outcomes
from escrow.roll.candidates import Candidate, candidates
from escrow.roll.corrections import corrections
from permits.models import NotNow, Site, find_broken_links
from portal import papers
from portal.models import CouncilValue, User
from tests import factory
from tests.escrow import money

pytestmark = pytest.mark.django_db

PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")
BILLED = date(2026, 10, 1)
TODAY = date(2026, 11, 16)
CUT_OFF = date(2026, 11, 15)
CHARGE = Bill.Path.SPECIAL_CHARGE


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(TODAY)


@pytest.fixture
def layout(db: None) -> RollLayout:
    return RollLayout.objects.get(name="CSV, all columns")


@pytest.fixture(autouse=True)
def _time_to_pay(db: None) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")


def billed(
    site: Site | None = None, *, on: date = BILLED, costs: tuple[str, ...] = ("1200.00",)
) -> Bill:
    """A bill for work at a site of its own, or at this one."""
    site = site or factory.issued(on=date(2026, 3, 2)).site
    work = money.charge_work(site, on=date(2026, 8, 3), costs=costs)
    return making.bill_work(work, PAYER, by=factory.clerk(), on=on)


def listed(layout: RollLayout | None = None, *, on: date = TODAY) -> list[Candidate]:
    return candidates(CHARGE, cut_off_on=CUT_OFF, on=on, layout=layout)


def proposed(layout: RollLayout, *, by: User | None = None) -> RollBatch:
    return certify.propose(
        certify.lines_from(listed(layout)),
        year=2026,
        cut_off_on=CUT_OFF,
        instrument=CHARGE,
        layout=layout,
        by=by or factory.clerk(),
        on=TODAY,
    )


def certified(layout: RollLayout) -> RollBatch:
    batch = proposed(layout)
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)


def problems_of(bill: Bill, layout: RollLayout | None = None) -> list[str]:
    (found,) = [each for each in listed(layout) if each.bill == bill]
    return [problem.key for problem in found.problems]


def correct(layout: RollLayout, *, on: date = TODAY) -> RollBatch:
    batch = certify.propose_corrections(
        corrections(2026, CHARGE),
        year=2026,
        instrument=CHARGE,
        cut_off_on=CUT_OFF,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)


def content(found: RollFile) -> bytes:
    with default_storage.open(found.document.file.name) as file:
        return file.read()


# The list ---------------------------------------------------------------------------------


def test_unpaid_on_the_cut_off_day_is_on_the_list_of_the_year() -> None:
    bill = billed()  # due on November 2, the Monday after
    assert bill.due_on == date(2026, 11, 2)
    assert [each.bill for each in listed()] == [bill]


def test_delinquent_after_the_cut_off_waits_for_the_next_roll() -> None:
    billed(on=date(2026, 10, 19))  # due on November 18
    assert listed(on=date(2026, 11, 20)) == []
    later = candidates(CHARGE, cut_off_on=date(2027, 11, 15), on=date(2027, 11, 15), layout=None)
    assert len(later) == 1


def test_what_is_paid_is_not_on_the_list() -> None:
    bill = billed()
    moving.pay(
        bill,
        amount=Decimal("1200.00"),
        received_on=date(2026, 11, 10),
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )
    assert listed() == []


def test_problems_come_first_then_by_parcel() -> None:
    clean, odd = billed(), billed()
    odd.site.parcels.create(number="0240-9999-009")
    assert [each.bill for each in listed()] == [odd, clean]
    assert problems_of(odd) == ["several-parcels"]


def note(bill: Bill, kind: str, **fields: str) -> None:
    parcel = bill.site.parcels.first()
    ParcelNote.objects.create(parcel=parcel, kind=kind, on=TODAY, by=factory.clerk(), **fields)


def test_a_parcel_number_not_in_the_countys_form_is_a_problem(layout: RollLayout) -> None:
    bill = billed()
    strict = RollLayout(parcel_form=r"\d{4}-\d{4}-\d{3}", parcel_example="0240-0001-001")
    assert problems_of(bill, strict) == []
    stricter = RollLayout(parcel_form=r"\d{10}", parcel_example="0240000100")
    assert problems_of(bill, stricter) == ["odd-number"]


def test_split_and_retired_parcels_are_problems_until_checked() -> None:
    bill = billed()
    note(bill, "split")
    assert problems_of(bill) == ["split"]
    note(bill, "retired")
    assert problems_of(bill) == ["retired"]
    note(bill, "confirmed")
    assert problems_of(bill) == []


def test_a_new_owner_is_shown_and_stops_nothing() -> None:
    bill = billed()
    note(bill, "owner", owner_name="Tom Reyes", owner_address="9 Oak Lane\nExample, WI 54999")
    (found,) = listed()
    assert problems_of(bill) == ["owner-changed"]
    assert not found.stops
    assert found.parts[0].owner.name == "Tom Reyes"
    note(bill, "confirmed")
    assert problems_of(bill) == []


def appeal(subject: object) -> Appeal:
    return Appeal.objects.create(
        number="AB-2026-0001",
        site=subject.site,  # type: ignore[attr-defined]
        subject=subject,
        subject_title="Notice of intent",
        last_day=date(2026, 9, 30),
        filed_on=date(2026, 8, 10),
        appellant="Mai Vang",
        capacity="Landowner",
        mailing_address="1 Mill Street",
        grounds="The work was not necessary.",
    )


@pytest.mark.parametrize("of", ["notice", "order"])
def test_an_appeal_keeps_a_charge_off_the_list(of: str) -> None:
    bill = billed()
    notice = bill.work.notice_of_intent
    pending = appeal(notice if of == "notice" else notice.order)
    assert problems_of(bill) == ["stayed"]
    pending.status, pending.outcome = "decided", "affirmed"
    pending.ended_on = date(2026, 11, 12)
    pending.save()
    assert problems_of(bill) == []


def test_a_bill_over_several_parcels_is_divided_to_the_cent(layout: RollLayout) -> None:
    bill = billed(costs=("100.00",))
    parcels = [*bill.site.parcels.all()]
    parcels += [bill.site.parcels.create(number=f"0240-9999-00{n}") for n in (1, 2)]
    levying.divide(
        bill,
        basis="equal",
        weights=dict.fromkeys(parcels, Decimal(1)),
        why="Three lots, one silt fence.",
        by=factory.clerk(),
        on=TODAY,
    )
    batch = certified(layout)
    amounts = sorted(RollCharge.objects.filter(batch=batch).values_list("amount", flat=True))
    assert amounts == [Decimal("33.33"), Decimal("33.33"), Decimal("33.34")]
    assert bill.balance() == 0


def test_a_division_names_every_parcel(layout: RollLayout) -> None:
    bill = billed()
    with pytest.raises(NotNow, match="every parcel"):
        levying.divide(bill, basis="area", weights={}, why="No.", by=factory.clerk(), on=TODAY)


def test_a_cent_over_three_parcels_leaves_a_part_of_nothing(layout: RollLayout) -> None:
    bill = billed(costs=("0.01",))
    parcels = [*bill.site.parcels.all(), bill.site.parcels.create(number="0240-9999-001")]
    weights = dict.fromkeys(parcels, Decimal(1))
    levying.divide(bill, basis="equal", weights=weights, why="Two.", by=factory.clerk(), on=TODAY)
    assert problems_of(bill) == ["nothing"]


# Two persons, exactly once ----------------------------------------------------------------


def test_what_was_signed_is_what_is_exported(layout: RollLayout) -> None:
    first, second = billed(), billed(costs=("80.10",))
    batch = certified(layout)
    assert (batch.count, batch.total) == (2, Decimal("1280.10"))
    assert (batch.highest, batch.lowest) == (Decimal("1200.00"), Decimal("80.10"))
    assert first.balance() == second.balance() == 0
    assert {charge.number for charge in RollCharge.objects.all()} == {
        "SC-2026-0001",
        "SC-2026-0002",
    }
    found = RollFile.objects.get(batch=batch)
    assert hashlib.sha256(content(found)).hexdigest() == found.document.sha256
    assert first.site.events.filter(kind="roll.certified").count() == 1
    assert list(find_broken_links()) == []
    balances = journal.balances(on=date(2026, 12, 31))
    assert balances[journal.Account.ON_ROLL].balance == Decimal("1280.10")
    assert sum(each.balance for each in balances.values()) == 0


def test_the_person_who_proposed_cannot_certify(layout: RollLayout) -> None:
    billed()
    batch = proposed(layout)
    with pytest.raises(NotNow, match="A second person"):
        certify.certify(batch, signed=batch.sha256, by=factory.clerk(), on=TODAY)
    with pytest.raises(IntegrityError, match=r"second_person|CHECK"), transaction.atomic():
        RollBatch.objects.filter(pk=batch.pk).update(
            status="certified", decided_by=batch.proposed_by, decided_on=TODAY
        )


def test_a_charge_is_certified_once(layout: RollLayout) -> None:
    billed()
    batch = certified(layout)
    with pytest.raises(NotNow, match="is certified"):
        certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)
    with pytest.raises(NotNow, match="No charge is ready"):
        proposed(layout)
    assert RollCharge.objects.count() == 1


def test_the_database_refuses_a_second_export(layout: RollLayout) -> None:
    billed()
    batch = certified(layout)
    charge = RollCharge.objects.get()
    again = RollCharge(
        number="SC-2026-0999",
        line=charge.line,
        batch=batch,
        bill=charge.bill,
        entry=charge.entry,
        parcel=charge.parcel,
        amount=charge.amount,
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    with pytest.raises(IntegrityError, match="than a bill owes"), transaction.atomic():
        BillEntry.objects.create(
            bill=charge.bill,
            kind="roll",
            amount=-charge.amount,
            batch=batch,
            on=TODAY,
            by=factory.clerk(),
        )
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        RollBatch.objects.filter(pk=batch.pk).update(decided_why="Later.")
    with pytest.raises(IntegrityError, match="certified or withdrawn"), transaction.atomic():
        RollLine.objects.create(
            batch=batch,
            position=2,
            bill=charge.bill,
            site=charge.bill.site,
            parcel=charge.parcel,
            parcel_number="1",
            delinquent_on=TODAY,
            amount=Decimal("1.00"),
        )


def test_an_export_while_another_runs_is_refused(layout: RollLayout) -> None:
    billed()
    proposed(layout)
    with pytest.raises(NotNow, match="Another list is proposed"):
        proposed(layout)
    assert RollBatch.objects.count() == 1


def test_a_payment_after_the_proposal_voids_the_signature(layout: RollLayout) -> None:
    bill = billed()
    batch = proposed(layout)
    moving.pay(
        bill,
        amount=Decimal("1200.00"),
        received_on=TODAY,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )
    with pytest.raises(NotNow, match=r"owes \$0\.00 now, and \$1,200\.00 was signed"):
        certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)
    assert not RollCharge.objects.exists()
    certify.withdraw(batch, reason="It was paid.", by=factory.clerk(), on=TODAY)
    batch.refresh_from_db()
    assert batch.status == "withdrawn"


def test_another_list_than_the_one_shown_is_refused(layout: RollLayout) -> None:
    billed()
    batch = proposed(layout)
    with pytest.raises(NotNow, match="What you saw"):
        certify.certify(batch, signed="0" * 64, by=factory.administrator(), on=TODAY)
    certify.withdraw(batch, reason="Again.", by=factory.clerk(), on=TODAY)
    with pytest.raises(NotNow, match="changed since it was shown"):
        certify.propose(
            certify.lines_from(listed(layout)),
            year=2026,
            cut_off_on=CUT_OFF,
            instrument=CHARGE,
            layout=layout,
            by=factory.clerk(),
            on=TODAY,
            signed="0" * 64,
        )


def test_special_charges_and_assessments_are_never_in_one_batch(layout: RollLayout) -> None:
    billed()
    lines = certify.lines_from(listed(layout))
    with pytest.raises(NotNow), transaction.atomic():
        certify.propose(
            lines,
            year=2026,
            cut_off_on=CUT_OFF,
            instrument=Bill.Path.ASSESSMENT,
            layout=layout,
            by=factory.clerk(),
            on=TODAY,
        )


def test_nothing_is_added_once_the_roll_is_delivered(layout: RollLayout) -> None:
    billed()
    with pytest.raises(NotNow, match="with the treasurer"):
        certify.propose(
            certify.lines_from(listed(layout)),
            year=2026,
            cut_off_on=CUT_OFF,
            instrument=CHARGE,
            layout=layout,
            by=factory.clerk(),
            on=date(2026, 12, 21),
        )


# After certification ----------------------------------------------------------------------


def pay_late(bill: Bill, amount: str = "1200.00", *, on: date = date(2026, 12, 1)) -> None:
    moving.pay(
        bill,
        amount=Decimal(amount),
        received_on=on,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )


def test_a_late_payment_gives_a_correction_batch(layout: RollLayout) -> None:
    bill = billed()
    first = certified(layout)
    pay_late(bill)
    assert bill.balance() == 0
    (found,) = corrections(2026, CHARGE)
    assert (found.charge.batch, found.amount) == (first, Decimal("1200.00"))
    batch = correct(layout, on=date(2026, 12, 1))
    assert (batch.number, batch.purpose) == (2, "correction")
    assert batch.total == Decimal("-1200.00")
    assert corrections(2026, CHARGE) == []
    found = journal.balances(on=date(2026, 12, 31))
    assert found[journal.Account.ON_ROLL].balance == 0
    assert bill.site.events.filter(kind="roll.corrected").count() == 1


def test_after_delivery_it_is_paid_with_the_tax(layout: RollLayout) -> None:
    bill = billed()
    certified(layout)
    with pytest.raises(NotNow) as refused:
        pay_late(bill, on=date(2026, 12, 21))
    assert [each.key for each in refused.value.obstacles] == ["with-treasurer"]


def test_a_rejected_charge_is_owed_again_and_listed_again(layout: RollLayout) -> None:
    bill = billed()
    certified(layout)
    charge = RollCharge.objects.get()
    outcomes.reject(charge, reason="No such parcel.", by=factory.clerk(), on=TODAY)
    assert bill.balance() == Decimal("1200.00")
    assert corrections(2026, CHARGE) == []
    assert [each.bill for each in listed()] == [bill]
    with pytest.raises(NotNow, match="recorded already"):
        outcomes.reject(charge, reason="Again.", by=factory.clerk(), on=TODAY)
    second = certified(layout)
    assert second.number == 2
    assert RollCharge.objects.count() == 2


def test_what_the_treasurer_collects_is_at_most_the_charge(layout: RollLayout) -> None:
    billed()
    batch = certified(layout)
    assert outcomes.accept_rest(batch, by=factory.clerk(), on=TODAY) == 1
    charge = RollCharge.objects.get()
    day = date(2027, 1, 20)
    with pytest.raises(NotNow, match=r"\$1,200\.00 of SC-2026-0001"):
        outcomes.collect(
            charge, amount=Decimal("1200.01"), reference="", by=factory.clerk(), on=day
        )
    done = outcomes.collect(
        charge, amount=Decimal("1200.00"), reference="T-1", by=factory.clerk(), on=day
    )
    found = journal.balances(on=day)
    assert found[journal.Account.ON_ROLL].balance == 0
    assert found[journal.Account.COLLECTED_WITH_TAX].balance == Decimal("1200.00")
    outcomes.uncollect(done, reason="The check bounced.", by=factory.clerk(), on=day)
    assert journal.balances(on=day)[journal.Account.ON_ROLL].balance == Decimal("1200.00")


def test_an_assessment_goes_on_the_roll_with_its_interest(layout: RollLayout) -> None:
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "65.00")
    permit = factory.issued(on=date(2026, 3, 2)).permit
    work = money.escrow_work(permit, on=date(2026, 4, 1), costs=("2800.00",))
    money.draw(work, "2500.00")
    bill = making.bill_work(work, PAYER, by=factory.clerk(), on=date(2026, 6, 1))
    path = Bill.Path.ASSESSMENT
    (found,) = candidates(path, cut_off_on=CUT_OFF, on=CUT_OFF, layout=layout)
    assert [problem.key for problem in found.problems] == ["needs-levy"]
    levying.levy(bill, resolution="2026-40", levied_on=date(2026, 9, 3), by=factory.clerk())
    # 365.00 at 5 % for 73 days
    (found,) = candidates(path, cut_off_on=CUT_OFF, on=CUT_OFF, layout=layout)
    assert (found.owed, found.problems) == (Decimal("368.65"), ())
    batch = certify.propose(
        certify.lines_from([found]),
        year=2026,
        cut_off_on=CUT_OFF,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=CUT_OFF,
    )
    certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)
    assert bill.balance() == 0
    assert batch.total == Decimal("368.65")
    assert bill.entries.get(kind="interest").amount == Decimal("3.65")
