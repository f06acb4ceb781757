"""The demand of the scene: drawn under a bond, a part of it paid by the surety."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from escrow import acts as escrow_acts
from escrow.account import drawing, issuers
from escrow.models import Demand, Instrument, IssuerPayment
from portal.models import User
from tests import factory
from tests.escrow import money

__all__ = ["demand", "places"]


def demand(holder: User, *, on: date) -> Demand:
    """A demand under a bond, for a draw; a part of it is paid."""
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
    part = drawing.Part(bond, Decimal("500.00"), address="9 Dock Street\nExample, WI 54999")
    day = on + timedelta(days=60)
    drawn = drawing.draw(money.escrow_work(permit, on=on), [part], by=factory.clerk(), on=day)
    made: Demand = drawn.entries.get().demand
    issuers.pay(
        made,
        amount=Decimal("200.00"),
        received_on=day,
        means="check",
        check_number="88102",
        paid_by="Lake States Surety",
        by=factory.clerk(),
    )
    return made


def places(made: Demand | None) -> dict[str, str]:
    """Return what the addresses of a demand and of a payment on it are made of."""
    if made is None:
        return {}
    paid = IssuerPayment.objects.get(demand=made)
    return {
        "demands/<int:number>": f"demands/{made.pk}",
        "demand-payments/<int:number>": f"demand-payments/{paid.pk}",
    }
