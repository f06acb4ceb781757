"""Releasing the escrow, whole or not at all, by two persons. Former § 17.19(4)(c)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.db import transaction

from escrow.models import (
    NOTHING,
    ApprovalStatus,
    CheckRequest,
    Instrument,
    InstrumentReturn,
    Release,
)
from permits.agreements import holding
from permits.models import NotNow, Permit
from portal import numbers
from portal.models import User

from . import deciding, papers, telling
from .held import Held, account, total
from .releasable import obstacles_to_release, release_facts

__all__ = [
    "approve",
    "give_back",
    "obstacles_to_release",
    "payees",
    "propose",
    "release_facts",
    "to_give_back",
]

# Proposed and approved --------------------------------------------------------------------


@transaction.atomic
def propose(permit: Permit, *, by: User, on: date) -> Release:
    """Propose to release all that is held; a second person approves exactly that.

    Where the grant requires a maintenance agreement, the proposal names the recorded one.
    """
    with permit.acting():
        deciding.refuse_proposal(permit)
        obstacles = obstacles_to_release(permit, on=on)
        permit.refuse(obstacles, "The escrow cannot be released yet.")
        agreement = holding.recorded_of(permit, on=on) if _is_asked(permit) else None
        made = Release.objects.create(
            number=numbers.next_number("RL", on=on),
            site=permit.site,
            permit=permit,
            amount=total(account(permit, on=on)),
            agreement_document=agreement.document_number if agreement else "",
            agreement_recorded_on=agreement.recorded_on if agreement else None,
            proposed_on=on,
            proposed_by=by,
        )
        permit.site.record(
            "escrow.release_proposed",
            by=by,
            on=on,
            section="escrow",
            facts={
                "number": made.number,
                "amount": made.amount,
                "agreement": made.agreement_document,
                "agreement_recorded_on": made.agreement_recorded_on,
            },
        )
    return made


def _is_asked(permit: Permit) -> bool:
    return permit.grant.maintenance_agreement


def payees(held: Sequence[Held]) -> list[tuple[str, str, Decimal]]:
    """Return who gets cash back: name, address, amount; one line for each owner."""
    found: dict[str, tuple[str, Decimal]] = {}
    for each in held:
        if each.instrument.is_cash and each.is_held:
            address, amount = found.get(each.owner.name, (each.owner.address, NOTHING))
            found[each.owner.name] = (address, amount + each.held)
    return [(name, address, amount) for name, (address, amount) in found.items()]


@transaction.atomic
def approve(release: Release, *, by: User, on: date) -> Release:
    """Approve a proposal: the whole escrow leaves the account, cash by check request."""
    with release.acting():
        permit = release.permit  # read anew under the lock, as the proposal is
        held = deciding.whole(permit, on=on)
        deciding.refuse_approval(release, held, by=by)
        obstacles = obstacles_to_release(permit, on=on)
        permit.refuse(obstacles, "The escrow cannot be released any more.")
        deciding.empty(release, held, "released", by=by, on=on)
        to_pay = payees(held)
        release.letter = papers.release_letter(release, held, to_pay, on=on)
        deciding.settle(release, ApprovalStatus.APPROVED, by=by, on=on, why="")
        for name, address, amount in to_pay:
            CheckRequest.objects.create(
                release=release,
                payee=name,
                address=address,
                amount=amount,
                paper=papers.check_request(release, name, address, amount, by=by, on=on),
                on=on,
                by=by,
            )
        permit.site.record(
            "escrow.released",
            by=by,
            on=on,
            section="escrow",
            facts={
                "number": release.number,
                "amount": release.amount,
                "proposed_by": release.proposed_by.signature,
                "checks": [{"payee": name, "amount": amount} for name, _, amount in to_pay],
            },
        )
        telling.tell(
            permit,
            f"escrow_released:{release.number}",
            subject="The escrow is released",
            on=on,
            paper=release.letter,
            release=release,
            checks=to_pay,
        )
    return release


# The instruments go back ------------------------------------------------------------------


def to_give_back(permit: Permit) -> list[Instrument]:
    """Return bonds and letters that were released or replaced and whose original is here."""
    rows = Instrument.objects.filter(permit=permit, returned__isnull=True).exclude(form="cash")
    gone = rows.filter(entries__kind__in=["released", "replaced"])
    return list(gone.distinct().order_by("pk"))


@transaction.atomic
def give_back(instrument: Instrument, *, to: str, how: str, by: User, on: date) -> InstrumentReturn:
    """Give the original of a released or replaced instrument back, against a receipt."""
    permit = instrument.permit
    with permit.acting():
        if instrument not in to_give_back(permit):
            raise NotNow("Only a released or replaced instrument is given back, and only once.")
        made = InstrumentReturn.objects.create(
            instrument=instrument,
            to=to,
            how=how,
            paper=papers.instrument_receipt(instrument, to, how, on=on),
            on=on,
            by=by,
        )
        permit.site.record(
            "escrow.returned",
            by=by,
            on=on,
            section="escrow",
            facts={"instrument": str(instrument), "to": to, "how": how},
        )
    return made
