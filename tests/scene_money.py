"""The money of the scene: a bill paid in part, and a certified batch for the tax roll."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.models import (
    Bill,
    OnlineEvent,
    RollBatch,
    RollCharge,
    RollFile,
    RollLayout,
    RollOutcome,
)
from escrow.roll import certify, outcomes
from escrow.roll.candidates import candidates
from portal.models import CouncilValue, User
from tests import factory
from tests.escrow import money, online

__all__ = ["arguments"]

BEGUN, WORKED, BILLED = date(2026, 3, 2), date(2026, 8, 3), date(2026, 10, 1)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


def arguments(holder: User) -> dict[str, str]:
    """Make bills of the holder's cases, and return what their addresses are made of."""
    money.resolution(CouncilValue.Key.BILL_DAYS, "30", on=BEGUN)
    certified = _bill(holder)
    batch = _certified()
    bill = _bill(holder)
    moving.pay(
        bill,
        amount=Decimal("100.00"),
        received_on=BILLED,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )
    work = money.charge_work(certified.site, on=WORKED)
    payment = online.begun(bill=bill, amount="100.00")
    aside = OnlineEvent.objects.create(
        provider="stripe",
        event_id="evt_scene",
        kind="checkout.session.completed",
        reference="nobody-knows",
        amount=Decimal("100.00"),
        currency="USD",
        verdict="set-aside",
        why="No payment of this portal has this reference.",
    )
    layout = RollLayout.objects.get(format="xlsx")
    return {
        "money/bills/<uuid:key>": f"money/bills/{bill.key}",
        "money/pay/bill/<uuid:key>": f"money/pay/bill/{bill.key}",
        "/pay/<uuid:key>": f"/pay/{bill.key}",
        "<uuid:payment>": f"{payment.key}",
        "receipts/<str:number>": "receipts/RC-2026-0001",
        "money/online/<uuid:key>": f"money/online/{payment.key}",
        "money/online/<int:pk>": f"money/online/{aside.pk}",
        "money/work/<uuid:key>": f"money/work/{work.key}",
        "money/entries/<int:pk>": f"money/entries/{bill.entries.get(kind='payment').pk}",
        "propose/<slug:instrument>": "propose/special-charge",
        "correct/<slug:instrument>": "correct/special-charge",
        "batches/<uuid:key>": f"batches/{batch.key}",
        "roll/files/<uuid:key>": f"roll/files/{RollFile.objects.get(batch=batch).key}",
        "charges/<str:number>": f"charges/{RollCharge.objects.get(batch=batch).number}",
        "outcomes/<int:pk>": f"outcomes/{_collected(batch).pk}",
        "parcels/add/<str:number>": f"parcels/add/{bill.site.number}",
        "layouts/<int:pk>": f"layouts/{layout.pk}",
        "money/parcels/<int:pk>": f"money/parcels/{bill.site.parcels.get().pk}",
    }


def _bill(holder: User) -> Bill:
    site = factory.issued(holder, on=BEGUN).site
    work = money.charge_work(site, on=WORKED)
    return making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)


def _collected(batch: RollBatch) -> RollOutcome:
    return outcomes.collect(
        RollCharge.objects.get(batch=batch),
        amount=Decimal("100.00"),
        reference="T-1",
        by=factory.clerk(),
        on=factory.MONDAY,
    )


def _certified() -> RollBatch:
    cut_off, on = date(2026, 11, 15), factory.MONDAY
    path, layout = Bill.Path.SPECIAL_CHARGE, RollLayout.objects.get(name="CSV, all columns")
    found = candidates(path, cut_off_on=cut_off, on=on, layout=layout)
    batch = certify.propose(
        certify.lines_from(found),
        year=on.year,
        cut_off_on=cut_off,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)
