"""Papers of the escrow account: notices, letters, demands, check requests, receipts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from escrow import papers
from escrow.models import (
    Demand,
    Draw,
    EscrowEntry,
    Forfeiture,
    Instrument,
    InstrumentRenewal,
    Receipt,
    Release,
)
from permits.models import CasePaper, Permit
from permits.papers import addressee
from portal.models import User
from portal.ordinance import Deadline, WaitingPeriod

if TYPE_CHECKING:
    from .drawing import Part
    from .held import Held

__all__ = [
    "check_request",
    "demand",
    "draw_notice",
    "expiry_letter",
    "forfeiture_notice",
    "instrument_receipt",
    "issuer_receipt",
    "release_letter",
    "renewal",
    "replacement",
]

Kind = CasePaper.Kind


def _store(
    permit: Permit,
    kind: CasePaper.Kind,
    title: str,
    *,
    on: date,
    to: dict[str, str] | None = None,
    **context: object,
) -> CasePaper:
    return papers.store(
        permit.site,
        kind,
        title,
        on=on,
        reference=permit.number or permit.application.number or permit.site.number,
        addressee=to or addressee(permit.application),
        application=permit.application,
        permit=permit,
        **context,
    )


def draw_notice(
    drawn: Draw, parts: Sequence[Part], period: WaitingPeriod, left: Decimal
) -> CasePaper:
    """Tell the permittee what was drawn, for what, under which notice, and what is left."""
    return _store(
        drawn.permit,
        Kind.DRAW_NOTICE,
        f"Notice of draw {drawn.number} on the escrow",
        on=drawn.on,
        draw=drawn,
        parts=parts,
        costs=list(drawn.work.costs.all()),
        period=period,
        left=left,
    )


def demand(entry: EscrowEntry, address: str, needs: str, *, what: str) -> CasePaper:
    """Demand of a bank or surety what was drawn or forfeited, with the papers it asks for."""
    instrument = entry.instrument
    return _store(
        entry.permit,
        Kind.ESCROW_DEMAND,
        f"Demand on {instrument.get_form_display().lower()} {instrument.instrument_number}",
        on=entry.on,
        to={"name": instrument.issuer, "address": address},
        instrument=instrument,
        amount=-entry.amount,
        entry=entry,
        needs=[line.strip() for line in needs.splitlines() if line.strip()],
        what=what,
    )


def release_letter(
    release: Release, held: Sequence[Held], checks: Sequence[tuple[str, str, Decimal]], *, on: date
) -> CasePaper:
    """Tell the permittee that the whole escrow is released, and how each part goes back."""
    return _store(
        release.permit,
        Kind.RELEASE_LETTER,
        f"Release {release.number} of the escrow",
        on=on,
        release=release,
        held=held,
        checks=checks,
    )


def check_request(
    of: Release | Instrument, name: str, address: str, amount: Decimal, *, by: User, on: date
) -> CasePaper:
    """Ask the treasury for a check that pays released or replaced cash back to its owner."""
    release = of if isinstance(of, Release) else None
    return _store(
        of.permit,
        Kind.CHECK_REQUEST,
        f"Check request for {f'release {release.number}' if release else 'replaced cash escrow'}",
        on=on,
        to={"name": "City treasury", "address": ""},
        release=release,
        replaced=None if release else of,
        by=by,
        payee=name,
        payee_address=address,
        amount=amount,
    )


def instrument_receipt(instrument: Instrument, to: str, how: str, *, on: date) -> CasePaper:
    """The receipt that whoever takes an original back signs."""
    return _store(
        instrument.permit,
        Kind.INSTRUMENT_RECEIPT,
        f"Receipt for {instrument.get_form_display().lower()} {instrument.instrument_number}",
        on=on,
        instrument=instrument,
        to_whom=to,
        how=how,
    )


def issuer_receipt(demand: Demand, receipt: Receipt, left: Decimal) -> CasePaper:
    """The receipt for what a bank or surety paid on a demand, with what is left."""
    instrument = demand.entry.instrument
    letter = demand.paper.document.title if demand.paper else ""
    return _store(
        demand.entry.permit,
        Kind.PAYMENT_RECEIPT,
        f"Receipt {receipt.number}, {letter[:1].lower()}{letter[1:]}",
        on=receipt.on,
        to={"name": instrument.issuer, "address": ""},
        receipt=receipt,
        demand=demand,
        instrument=instrument,
        owed=left,
    )


def forfeiture_notice(
    forfeiture: Forfeiture, held: Sequence[Held], due: Deadline | None, *, on: date
) -> CasePaper:
    """Tell the permittee that all that was held is forfeited, why, and how to object."""
    return _store(
        forfeiture.permit,
        Kind.FORFEITURE_NOTICE,
        f"Notice of forfeiture {forfeiture.number} of the escrow",
        on=on,
        forfeiture=forfeiture,
        held=held,
        due=due,
    )


def renewal(permit: Permit, made: InstrumentRenewal, *, on: date) -> CasePaper:
    """The receipt for a renewal."""
    title = f"Renewal of {made.instrument.get_form_display().lower()}"
    number = made.instrument.instrument_number
    return _store(permit, Kind.ESCROW_RENEWAL, f"{title} {number}", on=on, renewal=made)


def replacement(permit: Permit, old: Instrument, new: Instrument, *, on: date) -> CasePaper:
    """The receipt for a new instrument in the place of an old one."""
    title = f"Replacement of {old.get_form_display().lower()}"
    return _store(permit, Kind.ESCROW_RENEWAL, title, on=on, old=old, new=new)


def expiry_letter(instrument: Instrument, until: date, days: int, *, on: date) -> CasePaper:
    """Remind a party without an e-mail address of an instrument that expires."""
    return _store(
        instrument.permit,
        Kind.EXPIRY_LETTER,
        f"The escrow expires: {instrument.get_form_display().lower()}",
        on=on,
        instrument=instrument,
        until=until,
        days=days,
    )
