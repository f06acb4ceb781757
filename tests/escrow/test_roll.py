"""The clerk's November: the list, its problems, two persons, exported exactly once.

Wis. Stat. § 66.0627(4), former § 17.19(7)(e)
"""

from __future__ import annotations

import hashlib
from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from enforcement.models import Appeal
from escrow import journal
from escrow.bills import levying, moving
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
from escrow.roll import certify
from escrow.roll.candidates import candidates
from permits.models import NotNow, find_broken_links
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money

from .rolls import (
    CHARGE,
    CUT_OFF,
    TODAY,
    billed,
    certified,
    content,
    listed,
    problems_of,
    proposed,
)

pytestmark = pytest.mark.django_db


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


def paid(bill: Bill, amount: str) -> None:
    """A payment before the bill is delinquent."""
    moving.pay(
        bill,
        amount=Decimal(amount),
        received_on=date(2026, 10, 20),
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )


def test_what_is_left_to_the_cent_is_certified(layout: RollLayout) -> None:
    """A database that adds decimals as floats makes 0.0999999999999091 of this."""
    bill = billed(costs=("1000.30",))
    paid(bill, "1000.20")
    assert certified(layout).total == Decimal("0.10")
    assert bill.balance() == 0


def test_a_bill_that_is_paid_in_parts_is_paid() -> None:
    bill = billed(costs=("1.10",))
    for part in ("0.40", "0.70"):
        paid(bill, part)
    row = Bill.objects.with_balance().get(pk=bill.pk)
    assert not row.owed  # type: ignore[attr-defined]
    assert not Bill.objects.with_balance().filter(owed__gt=0).exists()  # type: ignore[misc]
    assert Bill.objects.with_balance().filter(owed=0).exists()  # type: ignore[misc]


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
