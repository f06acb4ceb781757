"""Why the escrow cannot be released yet: what the rule asks, gathered. Former § 17.19(4)(c)"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from enforcement.models import CityWork, NoticeStatus, OwnerNotice, RevisionOrder, StopWorkOrder
from escrow.models import NOTHING, Bill, BillEntry, RollOutcome, cents
from inspections.models import FinalInspection
from permits import holds
from permits.agreements import holding
from permits.models import Permit
from portal import city
from portal.ordinance import Obstacle
from portal.ordinance import escrow as law

from .drawing import with_drawn
from .held import Held, account, asked_whose, total

__all__ = ["Known", "agreement_is_due", "obstacles_to_release", "release_facts"]

ORDER = "stop-work"


@dataclass(frozen=True)
class Known:
    """What a page has read already: the account, whose it is asked of, and the site's bills."""

    held: list[Held]
    whose: list[Held]
    bills: list[Bill]

    @classmethod
    def read(cls, permit: Permit, *, on: date) -> Known:
        """Read it of a permit as it stands."""
        held = account(permit, on=on)
        bills = Bill.objects.filter(site=permit.site).with_balance()
        return cls(held, asked_whose(permit, held), list(bills))


def release_facts(permit: Permit, *, on: date, known: Known | None = None) -> law.ReleaseFacts:
    """Gather what the rule asks: inspection, cover, certificates, orders, bills, agreement."""
    known = known or Known.read(permit, on=on)
    held = known.held
    final = FinalInspection.objects.filter(permit=permit, inspected_on__lte=on).last()
    # Nothing had to be completed under a permit that was never issued.
    no_work = permit.status == Permit.Status.WITHDRAWN
    orders = _open_orders(permit)
    standing = (each for each in known.bills if each.status == Bill.Status.STANDING)
    owed: dict[str, Decimal] = {each.number: each.owed for each in standing}  # type: ignore[attr-defined]
    bills = {number: amount for number, amount in owed.items() if amount > 0}
    certificates = [row for row in permit.certificates.all() if row.clocks()]
    return law.ReleaseFacts(
        devices_complete=no_work or (final is not None and final.controls_complete),
        cover_established=no_work or (final is not None and final.perennial),
        cover_density_percent=Decimal(final.density_percent) if final else None,
        final_inspection_passed_on=permit.granted_on
        if no_work
        else permit.final_inspection_passed_on,
        open_orders=len(orders),
        orders=tuple(orders),
        unpaid_bills=cents(sum(bills.values(), NOTHING)),
        bills=tuple(bills),
        certificates_open=len(certificates),
        certificates=tuple(row.building for row in certificates),
        unsettled_work=sum(map(_is_unsettled, _works(permit))),
        agreement_is_due=agreement_is_due(permit, on=on),
        owner_is_asked=bool(known.whose) or _nowhere_to_send(held),
        held=total(held),
        asked=total(held),
        on_roll=_on_roll(permit) if known.bills else NOTHING,
        owner_notices=tuple(
            OwnerNotice.objects.filter(permit=permit, status=NoticeStatus.STANDING)
            .order_by("pk")
            .values_list("number", flat=True)
        ),
    )


def agreement_is_due(permit: Permit, *, on: date) -> bool:
    """Whether the release still waits for a recorded agreement, as the city chose it would.

    Former § 17.19(4)(f)
    """
    wanted = permit.grant.maintenance_agreement and holding.holds_release()
    return wanted and holding.recorded_of(permit, on=on) is None


def _on_roll(permit: Permit) -> Decimal:
    """Return what of the site's bills is on the tax roll and not collected: it is not paid."""
    rows = BillEntry.objects.filter(bill__site=permit.site, kind__in=["roll", "off-roll"])
    collected = RollOutcome.objects.filter(
        charge__bill__site=permit.site, kind=RollOutcome.Kind.COLLECTED
    )
    left: dict[int, Decimal] = defaultdict(lambda: NOTHING)
    # Bill by bill: what came in twice for one pays nothing of another.
    for bill, amount in [
        *rows.values_list("bill", "amount"),
        *collected.values_list("charge__bill", "amount"),
    ]:
        left[bill] -= amount
    return sum((max(amount, NOTHING) for amount in left.values()), NOTHING)


def _open_orders(permit: Permit) -> list[str]:
    stops, revisions = (
        model.objects.filter(site=permit.site, status="standing").order_by()
        for model in (StopWorkOrder, RevisionOrder)
    )
    numbers = stops.values_list("number", flat=True)
    return list(numbers.union(revisions.values_list("number", flat=True)).order_by("number"))


def _works(permit: Permit) -> QuerySet[Any]:
    standing = Bill.objects.standing().filter(work=OuterRef("pk"))
    works = CityWork.objects.filter(site=permit.site).annotate(billed=Exists(standing))
    return with_drawn(works)


def _is_unsettled(work: Any) -> bool:
    """Whether a work is under way, or has a cost that is neither drawn nor billed."""
    if work.status != CityWork.Status.CLOSED:
        return True
    return bool((work.total or NOTHING) + work.drawn > NOTHING and not work.billed)


def _nowhere_to_send(held: Sequence[Held]) -> bool:
    return any(each.is_held and each.instrument.is_cash and not each.owner.address for each in held)


def obstacles_to_release(permit: Permit, *, on: date, known: Known | None = None) -> list[Obstacle]:
    """Return every reason why the escrow cannot be released, each with its citation and cure.

    `known` is what a page has read of the permit already; an act reads it anew.
    """
    facts = release_facts(permit, on=on, known=known)
    found = law.obstacles_to_release(facts, city.edition_on(on))
    held = holds.holds(permit.site, holds.Act.RELEASE_ESCROW, on=on)
    # The rule has named each standing order already.
    return found + [each for each in held if each.key != ORDER]
