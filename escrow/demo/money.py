"""What the demo's clerk does with the money: escrow kept, drawn, released; bills; notes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from enforcement.models import CityWork
from escrow.account import drawing, forfeiting, keeping, releasing
from escrow.account.held import account
from escrow.bills import levying, making, moving
from escrow.bills.payers import payers
from escrow.models import ApprovalStatus, Bill, BillEntry, Forfeiture, Instrument, Release
from escrow.roll import outcomes

from .deeds import Running, paper

__all__ = ["DEEDS"]

ISSUER = "Claims, 1 Harbor Square\nExample, WI 54999"
NEEDS = "The original, a certified copy of the notice, and a statement of the cost."
NO_ADDRESS = "P.O. Box 212\nExample, WI 54999"


# The escrow -------------------------------------------------------------------------------


def draw(run: Running, on: date) -> None:
    """Draw what the escrow can bear of the closed work, cash first."""
    done = drawing.drawable(run.permit())[0]
    held = account(run.permit(), on=on)
    amount = min(drawing.undrawn(done), sum((each.held for each in held), Decimal(0)))
    parts = [
        drawing.Part(item, part, "" if item.is_cash else ISSUER, NEEDS)
        for item, part in drawing.suggest(amount, held).items()
    ]
    drawing.draw(done, parts, by=run.cast.clerk, on=on)


def find_late(run: Running, on: date, *, what: str) -> None:
    permit = run.permit()
    seen = forfeiting.visits(permit, on=on)[0]
    forfeiting.propose(permit, what_is_open=what, by=run.cast.inspector, on=on, visit=seen)


def forfeit(run: Running, on: date) -> None:
    waits = Forfeiture.objects.get(permit=run.permit(), status=ApprovalStatus.PROPOSED)
    asked = forfeiting.Demanded(ISSUER, NEEDS)
    demands = dict.fromkeys(Instrument.objects.filter(permit=waits.permit), asked)
    forfeiting.approve(waits, by=run.cast.administrator, on=on, demands=demands)


def propose_release(run: Running, on: date) -> None:
    releasing.propose(run.permit(), by=run.cast.clerk, on=on)


def release(run: Running, on: date) -> None:
    waits = Release.objects.get(permit=run.permit(), status=ApprovalStatus.PROPOSED)
    releasing.approve(waits, by=run.cast.administrator, on=on)


def give_back(run: Running, on: date) -> None:
    for item in releasing.to_give_back(run.permit()):
        releasing.give_back(
            item, to=item.issuer, how="Certified mail", by=run.cast.clerk, on=on
        )  # fmt: skip


def renew(run: Running, on: date) -> None:
    item = Instrument.objects.get(permit=run.permit(), form="bond")
    assert item.expires_on is not None
    until = item.expires_on + timedelta(days=365)
    keeping.renew(item, expires_on=until, number="Rider 1", by=run.cast.clerk, on=on)


def replace(run: Running, on: date) -> None:
    permit = run.permit()
    old = Instrument.objects.get(permit=permit, form="bond")
    new = paper(run, permit, on, "letter_of_credit")[0]
    keeping.replace(old, new, by=run.cast.clerk, on=on)


# Bills ------------------------------------------------------------------------------------


def _bill(run: Running) -> Bill:
    return Bill.objects.filter(site=run.site).latest("pk")


def bill_work(run: Running, on: date) -> None:
    done = CityWork.objects.filter(site=run.site).latest("pk")
    known = payers(run.site, making.permit_of(done), done, on=on)
    payer = known[-1] if done.upkeep_notice_id else known[0]
    making.bill_work(done, payer, by=run.cast.clerk, on=on)


def pay(run: Running, on: date, *, amount: str = "", short: str = "0") -> None:
    """Pay an amount, or all that is owed less what is `short`."""
    made = _bill(run)
    paid = Decimal(amount) if amount else made.balance() - Decimal(short)
    moving.pay(
        made, amount=paid, received_on=on, means="check", paid_by=made.payer_name,
        check_number=str(5100 + run.number), by=run.cast.clerk,
    )  # fmt: skip


def credit(run: Running, on: date, *, amount: str, reason: str) -> None:
    moving.credit(_bill(run), amount=Decimal(amount), reason=reason, by=run.cast.clerk, on=on)


def bounce(run: Running, on: date) -> None:
    paid = BillEntry.objects.filter(bill=_bill(run), kind="payment").latest("pk")
    reason = "The bank returned the check: insufficient funds."
    moving.reverse(paid, reason=reason, by=run.cast.clerk, on=on)


def withdraw(run: Running, on: date, *, reason: str) -> None:
    moving.withdraw(_bill(run), reason=reason, by=run.cast.clerk, on=on)


def levy(run: Running, on: date) -> None:
    levying.levy(
        _bill(run), resolution=f"{on.year}-52", levied_on=on, noticed_on=on - timedelta(days=20),
        heard_on=on, by=run.cast.clerk,
    )  # fmt: skip


def divide(run: Running, on: date) -> None:
    weights = {parcel: Decimal(1) for parcel in run.site.parcels.all()}
    levying.divide(
        _bill(run), basis="equal", weights=weights, why="Both lots drain to the basin alike.",
        by=run.cast.clerk, on=on,
    )  # fmt: skip


def note(run: Running, on: date, *, kind: str, owner: str = "", text: str = "") -> None:
    """Note something of each parcel; the owner's address is the one of the bill."""
    said = {"owner_name": owner, "owner_address": NO_ADDRESS} if owner else {}
    for parcel in run.site.parcels.all():
        outcomes.note_parcel(parcel, kind=kind, by=run.cast.clerk, on=on, note=text, **said)


DEEDS: dict[str, Callable[..., Any]] = {
    "escrow.draw": draw,
    "escrow.find_late": find_late,
    "escrow.forfeit": forfeit,
    "escrow.propose_release": propose_release,
    "escrow.release": release,
    "escrow.give_back": give_back,
    "escrow.renew": renew,
    "escrow.replace": replace,
    "bill.work": bill_work,
    "bill.pay": pay,
    "bill.credit": credit,
    "bill.bounce": bounce,
    "bill.withdraw": withdraw,
    "bill.levy": levy,
    "bill.divide": divide,
    "parcel.note": note,
}
"""The acts of money that the stories name."""
