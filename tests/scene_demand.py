"""The demand of the scene: drawn under a bond, a part of it paid by the surety."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from escrow import acts as escrow_acts
from escrow.account import drawing, issuers, refusing
from escrow.models import Demand, EscrowEntry, Instrument, IssuerPayment
from portal.models import User
from tests import factory
from tests.escrow import money

__all__ = ["demand", "places"]


def demand(holder: User, *, on: date) -> Demand:
    """A demand under a bond, for a draw; a part of it is paid. Another one was refused."""
    permit = factory.granted(holder, on=on).permit
    bond = Instrument(
        form="bond",
        amount=permit.escrow_amount,
        received_on=on,
        issuer="Lake States Surety",
        instrument_number="B-77120",
        expires_on=date(2028, 12, 31),
    )
    escrow_acts.post(permit, [bond], by=factory.clerk(), on=on)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=on)
    day, work = on + timedelta(days=60), money.escrow_work(permit, on=on)
    made, other = (
        drawing.draw(
            work,
            [drawing.Part(bond, Decimal(amount), address="9 Dock Street\nExample, WI 54999")],
            by=factory.clerk(),
            on=day,
        )
        .entries.get()
        .demand
        for amount in ("500.00", "100.00")
    )
    refusing.refuse(other, reason="It disputes the notice.", by=factory.clerk(), on=day)
    issuers.pay(
        made,
        amount=Decimal("200.00"),
        received_on=day,
        means="check",
        check_number="88102",
        paid_by="Lake States Surety",
        by=factory.clerk(),
    )
    found: Demand = made
    return found


def places(made: Demand | None) -> dict[str, str]:
    """Return what the addresses of a demand and of a payment on it are made of."""
    if made is None:
        return {}
    paid = IssuerPayment.objects.get(demand=made)
    refused = EscrowEntry.objects.get(kind="refused", permit=made.entry.permit)
    return {
        "refusals/<int:number>": f"refusals/{refused.pk}",
        "demands/<int:number>": f"demands/{made.pk}",
        "demand-payments/<int:number>": f"demand-payments/{paid.pk}",
    }
