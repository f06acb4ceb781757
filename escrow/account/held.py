"""What is held of each instrument of a permit, until when, and whose it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Sum

from escrow.models import NOTHING, EscrowEntry, Instrument, InstrumentOwner, cents
from permits.models import CaseEvent, Party, Permit

__all__ = [
    "Held",
    "Line",
    "Owner",
    "account",
    "asked_whose",
    "owner_of",
    "refused",
    "statement",
    "total",
]

PERMITTEES = (Party.Role.LANDOWNER, Party.Role.LAND_USER, Party.Role.CONTRACTOR)


@dataclass(frozen=True)
class Owner:
    """Whose an instrument is; `said` is the row that says so, None while nobody did."""

    name: str
    address: str
    said: InstrumentOwner | None = None


@dataclass(frozen=True)
class Held:
    """One instrument as it stands on a day."""

    instrument: Instrument
    held: Decimal
    good_until: date | None
    owner: Owner
    on: date

    @property
    def is_held(self) -> bool:
        """Whether anything of it is left."""
        return self.held > NOTHING

    @property
    def has_lapsed(self) -> bool:
        """Whether it guarantees nothing any more, although the city still has it."""
        return self.is_held and self.good_until is not None and self.on > self.good_until

    @property
    def days_left(self) -> int | None:
        """How many days it is still good; None where it does not expire."""
        return (self.good_until - self.on).days if self.good_until else None


@dataclass(frozen=True)
class Line:
    """One entry and the balance of the permit after it."""

    entry: EscrowEntry
    balance: Decimal


def account(permit: Permit, *, on: date) -> list[Held]:
    """Return every instrument ever posted for a permit, with what is held of it."""
    rows = Instrument.objects.filter(permit=permit).annotate(balance=Sum("entries__amount"))
    rows = rows.select_related(
        "scan", "posted_by", "replaces", "replaced_by", "returned__paper", "check_request__paper"
    )
    found = []
    for each in rows.prefetch_related("renewals", "owners").order_by("pk"):
        known = [row for row in each.renewals.all() if row.on <= on]
        until = known[-1].expires_on if known else each.expires_on
        owner = owner_of(permit, each)
        found.append(Held(each, cents(each.balance), until, owner, on))
    return found


def total(held: Iterable[Held]) -> Decimal:
    """Return what is held of all of them."""
    return sum((each.held for each in held), NOTHING)


def refused(permit: Permit) -> set[int]:
    """Return the keys of the instruments whose issuer refused to pay a draw, by the record.

    What is held of them bears no cost until they are drawn on again. The issuer refused a whole
    draw, which is taken back, or the rest of a demand, which is an entry of its own.
    """
    told = permit.site.events.filter(
        kind=CaseEvent.Kind.ESCROW_DRAW_REVERSED, facts__has_key="refused"
    )
    named = {
        (facts["draw"], key)
        for facts in told.values_list("facts", flat=True)
        if "rest" not in facts
        for key in facts["refused"]
    }
    kinds = ("drawn", "refused", "reversed")
    rows = EscrowEntry.objects.filter(permit=permit, kind__in=kinds).order_by("pk")
    found: set[int] = set()
    for row in rows.select_related("reverses__draw", "reversed_by"):
        back, stands = row.reverses, getattr(row, "reversed_by", None) is None
        if row.kind == "drawn" and stands:
            found.discard(row.instrument_id)
        elif (row.kind == "refused" and stands) or (
            back is not None
            and back.draw is not None
            and (back.draw.number, row.instrument_id) in named
        ):
            found.add(row.instrument_id)
    return found


def statement(permit: Permit, *, up_to: date | None = None) -> list[Line]:
    """Return every entry of a permit in order, each with the balance after it."""
    rows = EscrowEntry.objects.filter(permit=permit).select_related(
        *("instrument", "by", "draw__letter__document", "draw__owner_notice"),
        *("forfeiture", "release", "reverses", "demand"),
    )
    if up_to is not None:
        rows = rows.up_to(up_to)
    found, balance = [], NOTHING
    for entry in rows.order_by("pk"):
        balance += entry.amount
        found.append(Line(entry, balance))
    return found


def owner_of(permit: Permit, instrument: Instrument) -> Owner:
    """Return whose an instrument is: as the newest row says, else of who handed it in."""
    said = list(instrument.owners.all())
    if said:
        return Owner(said[-1].name, said[-1].address, said[-1])
    parties = {party.role: party for party in permit.application.parties.all()}
    party = next((parties[role] for role in PERMITTEES if role in parties), None)
    address = party.mailing_address if party else ""
    name = instrument.remitter or (str(party) if party else str(permit.application.applicant))
    return Owner(name, address)


def asked_whose(permit: Permit, held: Iterable[Held]) -> list[Held]:
    """Return the instruments of which somebody must say whose they are since a hand-over.

    A transfer of the permit moves no money; it is asked, and what is answered is recorded.
    """
    moved = permit.site.events.filter(kind=CaseEvent.Kind.HANDOVER_ACCEPTED)
    last = moved.order_by("-sequence").values_list("recorded_at", flat=True).first()
    if last is None:
        return []
    return [
        each
        for each in held
        if each.is_held
        and each.instrument.posted_at < last
        and (each.owner.said is None or each.owner.said.at < last)
    ]
