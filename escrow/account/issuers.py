"""What banks and sureties pay on a demand: each payment with its receipt, a correction as a row.

Former § 17.19(4)(c) and (e): a bond or letter of credit is a promise until its issuer has paid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import Prefetch

from escrow import receipts
from escrow.models import NOTHING, Demand, EscrowEntry, IssuerPayment, cents
from permits.models import NotNow, Permit
from portal.formats import long_date, money
from portal.models import User
from portal.ordinance.wording import is_whole_cents

from . import papers

__all__ = [
    "Demanded",
    "demands_of",
    "left_of",
    "paid_on",
    "pay",
    "reverse",
    "why_not_pay",
    "why_not_reverse",
]


@dataclass(frozen=True)
class Demanded:
    """One demand as it stands: asked for, paid, refused, and what is still out; in dollars."""

    demand: Demand
    asked: Decimal
    paid: Decimal
    refused: Decimal
    refusals: tuple[EscrowEntry, ...]
    payments: tuple[IssuerPayment, ...]
    taken_back: bool

    @property
    def left(self) -> Decimal:
        """What the issuer has still to pay; nothing of a draw taken back, or that it refused."""
        return NOTHING if self.taken_back else self.asked - self.paid - self.refused

    @property
    def reversed_keys(self) -> set[int]:
        """The payments that a row has taken back."""
        return {row.reverses_id for row in self.payments if row.reverses_id is not None}

    @property
    def refusals_taken_back(self) -> set[int]:
        """The refusals that a row has taken back."""
        return {row.reverses_id for row in self.refusals if row.reverses_id is not None}


def demands_of(permit: Permit, entries: Iterable[EscrowEntry]) -> list[Demanded]:
    """Return every demand on the instruments of a permit, with what was paid on it and refused.

    `entries` are those of the permit; whoever asks has read them already.
    """
    rows = Demand.objects.filter(entry__permit=permit).order_by("pk")
    related = ("entry__instrument", "entry__draw", "entry__forfeiture", "entry__reversed_by")
    found = rows.select_related(*related, "paper__document")
    payments = IssuerPayment.objects.select_related("receipt__paper__document")
    refusals: dict[int, list[EscrowEntry]] = defaultdict(list)
    for entry in entries:
        if entry.demand_refused_id is not None:
            refusals[entry.demand_refused_id].append(entry)
    found = found.prefetch_related(Prefetch("payments", payments))
    return [_stands(each, refusals[each.pk]) for each in found]


def _stands(demand: Demand, refusals: Sequence[EscrowEntry] | None = None) -> Demanded:
    payments = sorted(demand.payments.all(), key=lambda row: row.pk)  # type: ignore[attr-defined]
    paid = sum((row.amount for row in payments), NOTHING)
    if refusals is None:
        refusals = list(demand.refusals.order_by("pk"))  # type: ignore[attr-defined]
    refused = sum((row.amount for row in refusals), NOTHING)
    taken_back = getattr(demand.entry, "reversed_by", None) is not None
    return Demanded(
        demand,
        asked=-demand.entry.amount,
        paid=cents(paid),
        refused=cents(refused),
        refusals=tuple(refusals),
        payments=tuple(payments),
        taken_back=taken_back,
    )


def left_of(demand: Demand) -> Decimal:
    """Return what is still to be paid on a demand."""
    return _stands(demand).left


def paid_on(demand: Demand) -> Decimal:
    """Return what was paid on a demand."""
    return _stands(demand).paid


def why_not_pay(demand: Demand, amount: Decimal, *, received_on: date) -> str:
    """Say why a payment cannot be taken on a demand, or nothing."""
    now = _stands(demand)
    if now.taken_back:
        return "The draw was taken back; nothing is demanded any more."
    if received_on < demand.on:
        return f"The demand is of {long_date(demand.on)}; nothing was paid on it before."
    if now.left <= 0:
        return "The rest was refused." if now.refused else "The demand is paid in full."
    if amount > now.left:
        over = money(amount - now.left)
        return f"{money(now.left)} of the demand is not paid yet; that is {over} too much."
    if amount <= 0 or not is_whole_cents(amount):
        return "A payment is above zero, in dollars and cents."
    return ""


@transaction.atomic
def pay(
    demand: Demand,
    *,
    amount: Decimal,
    received_on: date,
    means: str,
    paid_by: str,
    check_number: str = "",
    by: User,
) -> IssuerPayment:
    """Take what an issuer paid on a demand, in full or in part, and make the receipt."""
    permit = demand.entry.permit
    with permit.acting():
        demand = Demand.objects.select_related("entry__instrument").get(pk=demand.pk)
        if why := why_not_pay(demand, amount, received_on=received_on):
            raise NotNow(why)
        left = left_of(demand) - amount
        receipt = receipts.make(
            permit.site,
            lambda made: papers.issuer_receipt(demand, made, left),
            amount=amount,
            means=means,
            paid_by=paid_by,
            check_number=check_number,
            on=received_on,
            by=by,
        )
        made = IssuerPayment.objects.create(
            demand=demand, amount=amount, receipt=receipt, on=received_on, by=by
        )
        permit.site.record(
            "escrow.demand_paid",
            by=by,
            on=received_on,
            section="draws",
            facts={
                "issuer": demand.entry.instrument.issuer,
                "amount": amount,
                "receipt": receipt.number,
                "left": left,
            },
        )
    return made


def why_not_reverse(payment: IssuerPayment) -> str:
    """Say why a payment of an issuer cannot be taken back, or nothing."""
    if payment.reverses_id is not None:
        return "This row takes a payment back itself."
    if IssuerPayment.objects.filter(reverses=payment).exists():
        return "This payment is taken back already."
    return ""


@transaction.atomic
def reverse(payment: IssuerPayment, *, reason: str, by: User, on: date) -> IssuerPayment:
    """Take back what was recorded as paid by an issuer; the demand is open again."""
    permit = payment.demand.entry.permit
    with permit.acting():
        if why := why_not_reverse(payment):
            raise NotNow(why)
        row = IssuerPayment.objects.create(
            demand=payment.demand,
            amount=-payment.amount,
            reverses=payment,
            reason=reason,
            on=on,
            by=by,
        )
        permit.site.record(
            "escrow.demand_paid",
            by=by,
            on=on,
            section="draws",
            reason=reason,
            facts={
                "issuer": payment.demand.entry.instrument.issuer,
                "amount": row.amount,
                "receipt": payment.receipt.number if payment.receipt else "",
                "left": left_of(Demand.objects.get(pk=payment.demand_id)),
            },
        )
    return row
