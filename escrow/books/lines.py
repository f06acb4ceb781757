"""One receipt or payment in words: for what, of whom, with which number."""

from __future__ import annotations

from dataclasses import dataclass

from enforcement.models import Appeal
from escrow.models import BillEntry, EscrowEntry, IssuerPayment, Receipt
from permits.models import FeeEntry, Site

__all__ = ["Words", "appeal", "bill", "escrow", "fee", "issuer"]


@dataclass(frozen=True)
class Words:
    """For what, of whom, and the number that proves it."""

    what: str
    site: Site
    who: str = ""
    proof: str = ""
    why: str = ""


def fee(row: FeeEntry) -> Words:
    """A fee, or its reversal."""
    origin = row.reverses or row
    return Words(
        _reversed(f"Fee of application {row.application.number}", back=row.reverses is not None),
        row.application.site,
        proof=_proof(origin.receipt_number, origin.check_number),
        why=row.note,
    )


def appeal(row: Appeal) -> Words:
    """The fee of an appeal; how it was paid is not on its row."""
    return Words(f"Fee of appeal {row.number}", row.site, who=row.appellant)


def escrow(row: EscrowEntry) -> Words:
    """Cash posted, handed back, released or replaced."""
    origin = row.reverses or row
    kind = "posted" if origin.kind == EscrowEntry.Kind.REVERSED else origin.kind
    return Words(
        _reversed(
            f"Escrow {kind}, application {row.permit.application.number}",
            back=row.kind == EscrowEntry.Kind.REVERSED,
        ),
        row.permit.application.site,
        who=row.instrument.remitter,
        proof=_proof(row.instrument.receipt_number),
        why=row.reason,
    )


def bill(row: BillEntry) -> Words:
    """A payment on a bill, or its reversal."""
    return _receipted(row, f"Bill {row.bill.number}", row.bill.site)


def issuer(row: IssuerPayment) -> Words:
    """What a bank or surety paid on a demand, or its reversal."""
    application = row.demand.entry.permit.application
    return _receipted(row, f"Demand on the escrow of {application.number}", application.site)


def _receipted(row: BillEntry | IssuerPayment, what: str, site: Site) -> Words:
    origin = row.reverses or row
    receipt: Receipt | None = origin.receipt
    return Words(
        _reversed(what, back=row.reverses is not None),
        site,
        who=receipt.paid_by if receipt else "",
        proof=_proof(receipt.number, receipt.check_number) if receipt else "",
        why=row.reason,
    )


def _reversed(what: str, *, back: bool) -> str:
    return f"Reversal: {what[0].lower()}{what[1:]}" if back else what


def _proof(receipt: str, check: str = "") -> str:
    return " ".join(
        part
        for part in (f"receipt {receipt}" if receipt else "", f"check {check}" if check else "")
        if part
    )
