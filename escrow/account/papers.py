"""Papers of the escrow account: notices, letters, demands, check requests, receipts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from escrow import papers
from escrow.models import Draw, EscrowEntry
from permits.models import CasePaper, Permit
from permits.papers import addressee
from portal.ordinance import WaitingPeriod

if TYPE_CHECKING:
    from .drawing import Part

__all__ = ["demand", "draw_notice"]

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
