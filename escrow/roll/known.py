"""What the list for the roll needs beside the bills, read once for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import islice

from django.db.models import F, QuerySet, prefetch_related_objects

from enforcement.models import Appeal
from escrow.models import (
    Bill,
    BillEntry,
    Division,
    DivisionShare,
    ParcelNote,
    Path,
    RollLine,
    ground,
)
from permits.models import NotNow, Parcel, Party, Site
from portal.city import worded

__all__ = ["PARCELS_NAMED", "Known", "Owner", "chunks", "entries_of", "read", "refuse_contested"]

CHUNK = 5000  # more values than that in one query are slower than another query


@dataclass(frozen=True)
class Owner:
    """Who owns a parcel, as far as the case or a note knows."""

    name: str = ""
    address: str = ""


@dataclass
class Known:
    """Parcels and landowners by site, notes by parcel, divisions and appeals by bill."""

    parcels: dict[int, list[Parcel]] = field(default_factory=lambda: defaultdict(list))
    owners: dict[int, Owner] = field(default_factory=dict)
    notes: dict[int, list[ParcelNote]] = field(default_factory=lambda: defaultdict(list))
    divisions: dict[int, dict[int, Decimal]] = field(default_factory=dict)
    entries: dict[int, list[BillEntry]] = field(default_factory=lambda: defaultdict(list))
    stays: dict[int, str] = field(default_factory=dict)
    undone: dict[int, str] = field(default_factory=dict)

    def owner_of(self, parcel: Parcel, bill: Bill) -> Owner:
        """Return the owner by the newest note, else the landowner of the case or of the bill."""
        noted = [note for note in self.notes[parcel.pk] if note.kind == ParcelNote.Kind.OWNER]
        if noted:
            return Owner(noted[-1].owner_name, noted[-1].owner_address)
        billed = bill.payer == Bill.Payer.LANDOWNER
        told = Owner(bill.payer_name, bill.payer_address) if billed else Owner()
        return self.owners.get(bill.site_id, told)

    def new_owner(self, parcel: Parcel, site_id: int) -> str:
        """Return an owner who is another than the case knows, until somebody confirmed it."""
        notes = [
            note
            for note in self.notes[parcel.pk]
            if note.kind in (ParcelNote.Kind.OWNER, ParcelNote.Kind.CONFIRMED)
        ]
        if not notes or notes[-1].kind == ParcelNote.Kind.CONFIRMED:
            return ""
        name = notes[-1].owner_name
        return name if name != self.owners.get(site_id, Owner()).name else ""


def read(bills: Sequence[Bill], *, path: str, on: date) -> Known:
    """Read everything that the list of these bills needs, in a few queries."""
    known = Known()
    sites = {bill.site_id for bill in bills}
    for ids in chunks(sites):
        for parcel in Parcel.objects.filter(site__in=ids).order_by("pk"):
            known.parcels[parcel.site_id].append(parcel)
        landowners = Party.objects.filter(role=Party.Role.LANDOWNER, application__site__in=ids)
        landowners = landowners.annotate(of_site=F("application__site"))
        named = landowners.only("role", "name", "organization", "title", "mailing_address")
        for party in named.order_by("application"):
            known.owners[party.of_site] = Owner(str(party), party.mailing_address)
        for note in ParcelNote.objects.filter(parcel__site__in=ids).order_by("on", "pk"):
            known.notes[note.parcel_id].append(note)
    several = [bill.pk for bill in bills if len(known.parcels[bill.site_id]) > 1]
    for ids in chunks(several):
        divisions = Division.objects.filter(bill__in=ids).prefetch_related("shares")
        for division in divisions.order_by("pk"):
            weights = {share.parcel_id: share.weight for share in division.shares.all()}  # type: ignore[attr-defined]
            known.divisions[division.bill_id] = weights
    if path == Path.ASSESSMENT:
        known.entries = entries_of(bill.pk for bill in bills)
    known.stays, known.undone = stays_and_undone(bills, on=on)
    return known


def entries_of(bill_ids: Iterable[int]) -> dict[int, list[BillEntry]]:
    """Return the entries of bills in their order, by bill; one query for all of them."""
    found: dict[int, list[BillEntry]] = defaultdict(list)
    for ids in chunks(bill_ids):
        for entry in BillEntry.objects.filter(bill__in=ids).order_by("pk"):
            found[entry.bill_id].append(entry)
    return found


def _contested(bills: Sequence[Bill]) -> list[Bill]:
    """Return the bills at whose sites something was appealed: the only ones to look at twice."""
    sites: set[int] = set()
    for ids in chunks({bill.site_id for bill in bills}):
        sites.update(Appeal.objects.filter(site__in=ids).values_list("site_id", flat=True))
    return [bill for bill in bills if bill.site_id in sites]


def stays_and_undone(bills: Sequence[Bill], *, on: date) -> tuple[dict[int, str], dict[int, str]]:
    """Return which bills an appeal stays on a day, and which lost their ground; by its number."""
    contested = _contested(bills)
    prefetch_related_objects(contested, "work__notice_of_intent", "work__owner_notice")
    stays = {bill.pk: ground.stayed_by(bill.work, on=on) for bill in contested}
    return stays, {bill.pk: ground.undone_by(bill.work) for bill in contested}


def refuse_contested(bills: Sequence[Bill], *, on: date) -> None:
    """Refuse what an appeal that was filed since the list was made keeps off the roll. (8)"""
    stays, undone = stays_and_undone(bills, on=on)
    for bill in bills:
        if number := stays.get(bill.pk) or undone.get(bill.pk):
            raise NotNow(
                f"Bill {bill} is not for the roll since appeal {number}. Withdraw this list and "
                "propose it anew."
            )


def chunks(values: Iterable[int]) -> Iterator[list[int]]:
    """Yield values in lists that one query takes."""
    rest = iter(values)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


# Parcels that stay on record ----------------------------------------------------------------


def _on_roll(site: Site) -> QuerySet[RollLine, int]:
    """Return the parcels of a site that a list for the roll names."""
    return RollLine.objects.filter(parcel__site=site).values_list("parcel", flat=True)


def _divided_over(site: Site) -> QuerySet[DivisionShare, int]:
    """Return the parcels of a site over which a bill is divided."""
    return DivisionShare.objects.filter(parcel__site=site).values_list("parcel", flat=True)


def _noted(site: Site) -> QuerySet[ParcelNote, int]:
    """Return the parcels of a site of which the clerk noted something."""
    return ParcelNote.objects.filter(parcel__site=site).values_list("parcel", flat=True)


PARCELS_NAMED = {
    "the tax roll": _on_roll,
    "the division of a bill": _divided_over,
    worded("a note of the {clerk}"): _noted,
}
