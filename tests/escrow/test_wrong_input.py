"""Wrong amounts, days and moments: refused in plain words, by act and by page; nothing half booked.

Payments and draws at their pages are tried in test_money_pages and test_draws, checks there too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.models import CityWork
from escrow import acts as escrow_acts
from escrow.account import drawing, keeping
from escrow.bills import levying, making, moving
from escrow.bills.payers import Payer
from escrow.models import Bill, Instrument, RollBatch, RollCharge, RollLayout
from escrow.roll import certify, files, outcomes
from escrow.roll import papers as roll_papers
from escrow.roll.candidates import candidates
from permits.models import NotNow, Permit
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.review.pages import signed_in, text_of

from . import money
from .test_money_pages import send
from .walked_books import Books

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 16)
WORKED, BILLED = date(2026, 8, 3), date(2026, 10, 1)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(TODAY)


@dataclass
class Case:
    """One of everything that takes an amount; every limit is stated beside its act."""

    permit: Permit
    awaiting: Permit
    work: CityWork
    bill: Bill
    charge: RollCharge


@pytest.fixture
def case() -> Case:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    charge = certified()
    permit: Permit = factory.issued(on=date(2026, 3, 2)).permit
    permit.refresh_from_db()
    work = money.escrow_work(permit, on=WORKED, costs=("400.00",))
    site = factory.issued(on=date(2026, 3, 2)).site
    bill = making.bill_work(money.charge_work(site, on=WORKED), PAYER, by=factory.clerk(), on=TODAY)
    return Case(permit, factory.granted(on=TODAY).permit, work, bill, charge)


def a_late_bill() -> Bill:
    site = factory.issued(on=date(2026, 3, 2)).site
    work = money.charge_work(site, on=WORKED)
    return making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)


def proposed() -> RollBatch:
    a_late_bill()
    layout = RollLayout.objects.get(name="CSV, all columns")
    cut_off = date(2026, 11, 15)
    found = candidates(Bill.Path.SPECIAL_CHARGE, cut_off_on=cut_off, on=TODAY, layout=layout)
    return certify.propose(
        certify.lines_from(found),
        year=2026,
        cut_off_on=cut_off,
        instrument=Bill.Path.SPECIAL_CHARGE,
        layout=layout,
        by=factory.clerk(),
        on=TODAY,
    )


def sign(batch: RollBatch) -> RollBatch:
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)


def certified() -> RollCharge:
    return sign(proposed()).charges.get()  # type: ignore[attr-defined, no-any-return]


# Amounts, by the act itself ---------------------------------------------------------------


def cash(amount: Decimal) -> Instrument:
    return Instrument(form="cash", amount=amount, received_on=TODAY, receipt_number="E-9")


def pay(case: Case, amount: Decimal) -> None:
    facts = {"means": "cash", "paid_by": "Mai Vang", "by": factory.clerk()}
    moving.pay(case.bill, amount=amount, received_on=TODAY, **facts)  # type: ignore[arg-type]


def credit(case: Case, amount: Decimal) -> None:
    moving.credit(case.bill, amount=amount, reason="Twice.", by=factory.clerk(), on=TODAY)


def draw(case: Case, amount: Decimal) -> None:
    part = drawing.Part(case.permit.instruments.get(), amount)  # type: ignore[attr-defined]
    drawing.draw(case.work, [part], by=factory.clerk(), on=TODAY)


def collect(case: Case, amount: Decimal) -> None:
    by = factory.clerk()
    outcomes.collect(case.charge, amount=amount, reference="", by=by, on=TODAY)


def post(case: Case, amount: Decimal) -> None:
    escrow_acts.post(case.awaiting, [cash(amount)], by=factory.clerk(), on=TODAY)


def replace(case: Case, amount: Decimal) -> None:
    old = case.permit.instruments.get()  # type: ignore[attr-defined]
    keeping.replace(old, cash(amount), by=factory.clerk(), on=TODAY)


LIMITS: dict[Callable[[Case, Decimal], None], Decimal] = {
    pay: Decimal("1200.00"),
    credit: Decimal("1200.00"),
    draw: Decimal("400.00"),
    collect: Decimal("1200.00"),
    post: Decimal("2500.00"),
    replace: Decimal("2500.00"),
}
"""Each act, and the amount that it takes and no more."""


@pytest.mark.parametrize("act", LIMITS, ids=lambda act: act.__name__)
def test_a_wrong_amount_is_refused_and_leaves_no_row(
    act: Callable[[Case, Decimal], None], case: Case
) -> None:
    most, books = LIMITS[act], Books()
    before = books.counts()
    for wrong in (
        most + Decimal("0.01"),
        -most,
        Decimal(0),
        most - Decimal("0.001"),
        Decimal(10**9),
    ):
        with pytest.raises(NotNow) as refused:
            act(case, wrong)
        assert str(refused.value)
        assert books.counts() == before, f"{wrong} left something"
    act(case, most)
    assert books.counts() != before


# Amounts and days, at the page ------------------------------------------------------------

WORDS = {
    "-1": "Write a number of",
    "1.001": "at most 2 digits after the point",
    "1e9": "Write a number, such as",
    "1000000000": "Write a number up to",
    "€100": "Write a number, such as",
    "": "Please answer this.",
}


@pytest.mark.parametrize("page", ["credit", "collect"])
@pytest.mark.parametrize(("typed", "words"), WORDS.items(), ids=lambda each: each or "nothing")
def test_what_is_no_amount_is_told_at_the_field(
    page: str, typed: str, words: str, case: Case
) -> None:
    clerk, books = signed_in(factory.clerk()), Books()
    before = books.counts()
    shown = asked(clerk, page, case, amount=typed)
    assert words in text_of(shown)
    assert books.counts() == before


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("credit", "A credit is above zero and at most what is owed, $1,200.00."),
        ("collect", "$1,200.00 of SC-2026-0001 is not collected yet; enter at most that."),
    ],
)
def test_a_cent_too_much_is_told_with_the_limit(page: str, words: str, case: Case) -> None:
    clerk, books = signed_in(factory.clerk()), Books()
    before = books.counts()
    assert words in text_of(asked(clerk, page, case, amount="1200.01"))
    assert books.counts() == before


def asked(clerk: Client, page: str, case: Case, **answers: str) -> Any:
    """Send a page's form with the step that would do it."""
    if page == "credit":
        where = reverse("bill_credit", args=[case.bill.key])
        return send(clerk, where, reason="Twice.", step="confirm", **answers)
    where = reverse("roll_collect", args=[case.charge.number])
    return send(clerk, where, **{"on": "2026-11-16", "step": "confirm"} | answers)


@pytest.mark.parametrize("page", ["collect", "levy"])
def test_a_day_of_next_year_is_still_to_come(page: str, case: Case) -> None:
    clerk, books = signed_in(factory.clerk()), Books()
    before = books.counts()
    if page == "collect":
        shown = asked(clerk, page, case, amount="5.00", on="2027-11-16")
    else:
        where = reverse("bill_levy", args=[an_assessed().key])
        before = books.counts()
        day = {"levied_on": "2027-11-16", "resolution": "2026-20"}
        shown = send(clerk, where, **day, step="confirm")
    assert "This day is still to come." in text_of(shown)
    assert books.counts() == before


def an_assessed() -> Bill:
    """A delinquent bill for what the escrow did not cover, ready to be assessed."""
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5.5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "75.00")
    permit = factory.issued(on=date(2026, 3, 2)).permit
    permit.refresh_from_db()
    drawn = money.drawn(permit, "2500.00", on=WORKED, costs=("2600.00",))
    bill = making.bill_work(drawn.work, PAYER, by=factory.clerk(), on=BILLED)
    assert levying.obstacles_to_levy(bill, on=TODAY) == []
    return bill


# Moments ----------------------------------------------------------------------------------


def test_an_export_while_another_runs_is_refused_at_the_page(case: Case) -> None:
    proposed()
    clerk, books = signed_in(factory.clerk()), Books()
    a_late_bill()
    before = books.counts()
    layout = RollLayout.objects.get(name="CSV, all columns")
    page = reverse("roll_propose", args=["special-charge"])
    shown = send(clerk, page, layout=str(layout.pk))
    assert shown.status_code == 409
    assert "waits for its second person" in text_of(shown)
    assert books.counts() == before


@pytest.mark.parametrize(
    ("module", "name"),
    [(files, "make"), (roll_papers, "certification"), (certify, "_number"), (certify, "_record")],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_an_export_that_breaks_off_exports_nothing_and_is_done_again(
    module: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it breaks off: no charge, no file, the bill is owed; the next try does all of it."""
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    batch, books = proposed(), Books()
    before, made = books.counts(), getattr(module, name)

    def breaks_off(*args: Any, **facts: Any) -> None:
        made(*args, **facts)
        raise OSError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, name, breaks_off)
        with pytest.raises(OSError, match="No space"):
            sign(batch)
    assert books.counts() == before
    done = sign(batch)
    assert (done.charges.count(), done.files.count()) == (1, 1)  # type: ignore[attr-defined]
    assert done.charges.get().bill.balance() == 0  # type: ignore[attr-defined]


def test_one_form_sent_fifty_times_credits_once(case: Case) -> None:
    clerk = signed_in(factory.clerk())
    page = reverse("bill_credit", args=[case.bill.key])
    first = send(clerk, page, reason="Twice.", amount="100.00", step="confirm")
    sent = first.wsgi_request.POST.dict()
    for _ in range(50):
        again = clerk.post(page, sent)
        assert again.headers["Location"] == first.headers["Location"]
    assert case.bill.balance() == Decimal("1100.00")


def test_one_form_with_another_amount_is_refused_the_second_time(case: Case) -> None:
    clerk = signed_in(factory.clerk())
    page = reverse("bill_credit", args=[case.bill.key])
    first = send(clerk, page, reason="Twice.", amount="100.00", step="confirm")
    sent = first.wsgi_request.POST.dict() | {"amount": "200.00"}
    assert clerk.post(page, sent).status_code == 409
    assert case.bill.balance() == Decimal("1100.00")
