"""What banks and sureties pay on a demand, and the roll's money taken back. (4)(c) and (e)"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from escrow import acts as escrow_acts
from escrow import journal
from escrow.account import drawing, issuers
from escrow.account.drawing import Part
from escrow.account.held import refused
from escrow.bills import making
from escrow.bills.payers import Payer
from escrow.books.trial import trial_balance
from escrow.models import (
    Bill,
    Demand,
    EscrowEntry,
    Instrument,
    IssuerPayment,
    Receipt,
    RollCharge,
    RollLayout,
    RollOutcome,
)
from escrow.roll import certify, outcomes
from escrow.roll.candidates import candidates
from permits.models import NotNow, Permit
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.review.pages import act, fields_of, fill, signed_in, text_of

pytestmark = pytest.mark.django_db
DAY = MONDAY + timedelta(days=30)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")
PAID = {"means": "check", "check_number": "88102", "paid_by": "Lake States Surety"}


@pytest.fixture(autouse=True)
def _quick(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(DAY)


@pytest.fixture
def clerk(db: None) -> Client:
    return signed_in(factory.clerk())


@pytest.fixture
def demand() -> Demand:
    """A demand of $1,200.00 under a bond, for a draw."""
    permit: Permit = factory.granted().permit
    bond = Instrument(
        form="bond",
        amount=Decimal("2500"),
        received_on=MONDAY,
        issuer="Lake States Surety",
        instrument_number="B-77120",
        expires_on=date(2028, 12, 31),
    )
    escrow_acts.post(permit, [bond], by=factory.clerk(), on=MONDAY)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=MONDAY)
    part = Part(permit.instruments.get(), Decimal("1200.00"), address="9 Dock St\nExample, WI")  # type: ignore[attr-defined]
    work = money.escrow_work(permit)
    drawn = drawing.draw(work, [part], by=factory.clerk(), on=DAY)
    found: Demand = drawn.entries.get().demand
    return found


def pay(demand: Demand, amount: str, *, on: date = DAY, **fields: str) -> IssuerPayment:
    given = {**PAID, **fields}
    return issuers.pay(demand, amount=Decimal(amount), received_on=on, by=factory.clerk(), **given)


def due(demand: Demand) -> Decimal:
    found = journal.balances(scope={"permit": demand.entry.permit})
    return found[journal.Account.DUE_FROM_ISSUERS].balance


def certified() -> RollCharge:
    """A charge of $1,200.00 on the roll."""
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    site = factory.issued(on=date(2026, 3, 2)).site
    work = money.charge_work(site, on=date(2026, 8, 3), costs=("1200.00",))
    making.bill_work(work, PAYER, by=factory.clerk(), on=date(2026, 10, 1))
    layout = RollLayout.objects.get(name="CSV, all columns")
    path, on = Bill.Path.SPECIAL_CHARGE, date(2026, 11, 15)
    batch = certify.propose(
        certify.lines_from(candidates(path, cut_off_on=on, on=on, layout=layout)),
        year=2026,
        cut_off_on=on,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)
    return RollCharge.objects.get()


def page(demand: Demand, name: str, number: int) -> str:
    return reverse(name, args=[demand.entry.permit.application.key, number])


def test_a_payment_has_its_receipt_and_event_and_lowers_what_is_due(demand: Demand) -> None:
    made = pay(demand, "700.00")
    assert made.receipt is not None
    assert made.receipt.paper is not None
    assert due(demand) == issuers.left_of(demand) == Decimal("500.00")
    event = demand.entry.permit.site.events.get(kind="escrow.demand_paid")
    assert (event.facts["amount"], event.facts["left"]) == ("700.00", "500.00")
    pay(demand, "500.00", check_number="88103")
    assert due(demand) == 0
    assert trial_balance(on=DAY).is_right
    with pytest.raises(NotNow, match="paid in full"):
        pay(demand, "0.01", check_number="88104")


@pytest.mark.parametrize(
    ("amount", "on", "why"),
    [
        ("1200.01", DAY, r"\$0\.01 too much"),
        ("0.00", DAY, "above zero"),
        ("-5.00", DAY, "above zero"),
        ("1.001", DAY, "in dollars and cents"),
        ("10.00", DAY - timedelta(days=1), "nothing was paid on it before"),
    ],
)
def test_wrong_payments_are_refused_and_nothing_is_booked(
    demand: Demand, amount: str, on: date, why: str
) -> None:
    with pytest.raises(NotNow, match=why):
        pay(demand, amount, on=on)
    assert not Receipt.objects.exists()
    assert not IssuerPayment.objects.exists()


def test_a_check_counts_once_until_it_is_taken_back(demand: Demand) -> None:
    first = pay(demand, "700.00")
    with pytest.raises(NotNow, match="Check 88102 of Lake States Surety is recorded"):
        pay(demand, "100.00")
    issuers.reverse(first, reason="The bank did not pay it.", by=factory.clerk(), on=DAY)
    assert due(demand) == Decimal("1200.00")
    with pytest.raises(NotNow, match="taken back already"):
        issuers.reverse(first, reason="Again.", by=factory.clerk(), on=DAY)
    pay(demand, "700.00")
    assert due(demand) == Decimal("500.00")
    assert trial_balance(on=DAY).is_right


def test_a_paid_draw_is_taken_back_only_after_its_payment(demand: Demand) -> None:
    made = pay(demand, "700.00")
    drawn = demand.entry.draw
    assert drawn is not None
    with pytest.raises(NotNow, match="Reverse its payment first"):
        drawing.reverse(drawn, by=factory.clerk(), on=DAY, reason="The wrong permit.")
    issuers.reverse(made, reason="The wrong demand.", by=factory.clerk(), on=DAY)
    drawing.reverse(drawn, by=factory.clerk(), on=DAY, reason="The wrong permit.")
    with pytest.raises(NotNow, match="nothing is demanded any more"):
        pay(demand, "700.00", check_number="88105")
    assert trial_balance(on=DAY).is_right


def test_the_database_refuses_more_than_is_demanded(demand: Demand) -> None:
    made = pay(demand, "1200.00")
    more = {"demand": demand, "by": factory.clerk(), "on": DAY}
    receipt = Receipt.objects.create(
        number="RC-2026-9001",
        site=demand.entry.permit.site,
        amount="0.01",
        means="cash",
        paid_by="Lake States Surety",
        on=DAY,
        by=factory.clerk(),
    )
    with pytest.raises(IntegrityError, match="at most what is demanded"), transaction.atomic():
        IssuerPayment.objects.create(amount=Decimal("0.01"), receipt=receipt, **more)
    with pytest.raises(IntegrityError, match="at most what is demanded"), transaction.atomic():
        IssuerPayment.objects.create(amount=Decimal("-1200.01"), reverses=made, **more)


def test_the_database_keeps_a_draw_while_its_work_is_billed() -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    permit = factory.issued().permit
    work = money.escrow_work(permit, costs=("2900.00",))
    drawn = money.draw(work, "2500.00")
    bill = making.bill_work(work, PAYER, by=factory.clerk(), on=DAY)
    with pytest.raises(NotNow, match=f"bill {bill.number}"):
        drawing.reverse(drawn, by=factory.clerk(), on=DAY, reason="An error.")
    entry = drawn.entries.get()
    with pytest.raises(IntegrityError, match="while its work is billed"), transaction.atomic():
        EscrowEntry.objects.create(
            permit=permit,
            instrument=entry.instrument,
            kind="reversed",
            amount=-entry.amount,
            reverses=entry,
            on=DAY,
            by=factory.clerk(),
        )


def test_what_the_surety_refuses_may_be_billed(clerk: Client, demand: Demand) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    draw, permit = demand.entry.draw, demand.entry.permit
    assert draw is not None
    account = reverse("escrow_account", args=[permit.application.key])
    back = reverse("escrow_draw_reverse", args=[permit.application.key, draw.number])
    done = act(clerk, back, reason="It disputes the notice.", refused=[demand.entry.instrument.pk])
    assert done.status_code == 302
    assert "The issuer refused to pay" in text_of(clerk.get(account))
    event = permit.site.events.get(kind="escrow.draw_reversed")
    assert event.facts["refused_by"] == ["Lake States Surety"]
    assert making.obstacles_to_bill(draw.work, on=DAY) == []
    bill = making.bill_work(draw.work, PAYER, by=factory.clerk(), on=DAY)
    assert (bill.escrow_applied, bill.amount) == (0, draw.work.total)
    assert due(demand) == 0
    assert trial_balance(on=DAY).is_right


def test_a_draw_taken_back_in_error_still_bears_the_cost_first(demand: Demand) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    draw = demand.entry.draw
    assert draw is not None
    other = factory.issued().permit.instruments.get()
    with pytest.raises(NotNow, match="can refuse it"):
        drawing.reverse(draw, by=factory.clerk(), on=DAY, reason="No.", refused=[other])
    drawing.reverse(draw, by=factory.clerk(), on=DAY, reason="The wrong amount.")
    assert [each.key for each in making.obstacles_to_bill(draw.work, on=DAY)] == ["draw-first"]


def test_an_instrument_drawn_on_after_its_refusal_bears_the_cost_again(demand: Demand) -> None:
    draw, permit = demand.entry.draw, demand.entry.permit
    assert draw is not None
    bond, by = demand.entry.instrument, factory.clerk()
    drawing.reverse(draw, by=by, on=DAY, reason="It disputes the notice.", refused=[bond])
    assert refused(permit) == {bond.pk}
    part = Part(bond, Decimal("1.00"), address="9 Dock St\nExample, WI")
    drawing.draw(draw.work, [part], by=by, on=DAY)
    assert refused(permit) == set()


# Pages ------------------------------------------------------------------------------------


def test_the_clerk_records_and_takes_back_what_the_surety_paid(
    clerk: Client, demand: Demand
) -> None:
    account = reverse("escrow_account", args=[demand.entry.permit.application.key])
    assert "$1,200.00 is not paid yet" in text_of(clerk.get(account))
    address = page(demand, "escrow_issuer_paid", demand.pk)
    shown = fill(clerk, address, amount="1,200.01", means="check", check_number="88102")
    assert "that is $0.01 too much" in text_of(shown)
    assert fields_of(shown)["amount"] == "1,200.01"
    done = act(clerk, address, amount="700.00", means="check", check_number="88102")
    assert done.status_code == 302
    words = text_of(clerk.get(account))
    assert "$500.00 is not paid yet" in words
    assert "receipt RC-2026-0001 (PDF)" in words
    payment = IssuerPayment.objects.get()
    back = page(demand, "escrow_issuer_reverse", payment.pk)
    assert act(clerk, back, reason="The bank did not pay it.").status_code == 302
    words = text_of(clerk.get(account))
    assert "$1,200.00 is not paid yet" in words
    assert "The bank did not pay it." in words
    case = text_of(clerk.get(demand.entry.permit.site.get_absolute_url()))
    assert "Lake States Surety paid $700.00 on a demand." in case
    assert "The payment of $700.00 by Lake States Surety on a demand was taken back." in case


def test_the_account_says_what_holds_it(clerk: Client, demand: Demand) -> None:
    account = reverse("escrow_account", args=[demand.entry.permit.application.key])
    words = text_of(clerk.get(account))
    assert "What holds it today" in words
    assert "The final inspection has not passed." in words


def test_the_account_asks_at_most_25_times(
    clerk: Client, demand: Demand, django_assert_max_num_queries: Any
) -> None:
    pay(demand, "700.00")
    account = reverse("escrow_account", args=[demand.entry.permit.application.key])
    clerk.get("/account/")
    with django_assert_max_num_queries(25):
        assert clerk.get(account).status_code == 200


def test_the_clerk_takes_back_what_the_roll_had_collected(clerk: Client) -> None:
    charge = certified()
    outcomes.accept_rest(charge.batch, by=factory.clerk(), on=DAY)
    half = {"amount": Decimal("600.00"), "reference": "T-1", "by": factory.clerk(), "on": DAY}
    outcome = outcomes.collect(charge, **half)
    shown = clerk.get(reverse("roll_collect", args=[charge.number]))
    address = reverse("roll_uncollect", args=[outcome.pk])
    assert address in shown.content.decode()
    sent = fields_of(clerk.get(address)) | {"reason": "The check bounced."}
    assert clerk.post(address, sent).status_code == 303
    row = RollOutcome.objects.get(reverses=outcome)
    assert (row.amount, row.reason) == (Decimal("-600.00"), "The check bounced.")
    again = clerk.post(address, fields_of(clerk.get(address)) | {"reason": "Again."})
    assert again.status_code == 409
    assert RollOutcome.objects.filter(reverses=outcome).count() == 1
    case = text_of(clerk.get(charge.bill.site.get_absolute_url()))
    assert "It was taken back that $600.00 of charge" in case


def test_the_clerk_adds_the_parcel_that_the_roll_needs(clerk: Client) -> None:
    site = factory.issued(on=MONDAY).site
    site.parcels.all().delete()
    address = reverse("parcel_add", args=[site.number])
    sent = fields_of(clerk.get(address)) | {"number": "0240-0007-001"}
    assert clerk.post(address, sent).status_code == 303
    assert site.parcels.get().number == "0240-0007-001"
    twice = clerk.post(address, fields_of(clerk.get(address)) | {"number": "0240-0007-001"})
    assert "belongs to the case already" in text_of(twice)
    event = site.events.get(kind="parcel.noted")
    assert event.facts == {"parcel": "0240-0007-001", "kind": "added"}
