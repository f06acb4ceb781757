"""What the list for the roll needs beside the bills, read once for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import islice

from django.contrib.contenttypes.models import ContentType

from enforcement.models import Appeal, NoticeOfIntent, OwnerNotice, StopWorkOrder
from escrow.models import Bill, BillEntry, Division, ParcelNote, Path
from permits.models import Parcel, Party

__all__ = ["Known", "Owner", "read"]

CHUNK = 5000  # more values than that in one query are slower than another query


@dataclass(frozen=True)
class Owner:
    """Who owns a parcel, as far as the case or a note knows."""

    name: str = ""
    address: str = ""


@dataclass
class Known:
    """Parcels and landowners by site, notes by parcel, divisions by bill, and the stays."""

    parcels: dict[int, list[Parcel]] = field(default_factory=lambda: defaultdict(list))
    owners: dict[int, Owner] = field(default_factory=dict)
    notes: dict[int, list[ParcelNote]] = field(default_factory=lambda: defaultdict(list))
    divisions: dict[int, dict[int, Decimal]] = field(default_factory=dict)
    entries: dict[int, list[BillEntry]] = field(default_factory=lambda: defaultdict(list))
    stays: dict[tuple[str, int], str] = field(default_factory=dict)

    def owner_of(self, parcel: Parcel, site_id: int) -> Owner:
        """Return the owner by the newest note, else the landowner of the case."""
        noted = [note for note in self.notes[parcel.pk] if note.kind == ParcelNote.Kind.OWNER]
        if noted:
            return Owner(noted[-1].owner_name, noted[-1].owner_address)
        return self.owners.get(site_id, Owner())

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

    def stay_of(self, bill: Bill) -> str:
        """Return the number of an appeal that stays the work behind a bill."""
        work = bill.work
        if work is None:
            return ""
        subjects: list[tuple[str, int | None]] = [("ownernotice", work.owner_notice_id)]
        if work.notice_of_intent is not None:
            subjects += [
                ("noticeofintent", work.notice_of_intent_id),
                ("stopworkorder", work.notice_of_intent.order_id),
            ]
        found = (self.stays.get((kind, pk)) for kind, pk in subjects if pk is not None)
        return next(filter(None, found), "")


def read(bills: Sequence[Bill], *, path: str, on: date) -> Known:
    """Read everything that the list of these bills needs, in a few queries."""
    known = Known()
    sites = {bill.site_id for bill in bills}
    for ids in chunks(sites):
        for parcel in Parcel.objects.filter(site__in=ids).order_by("pk"):
            known.parcels[parcel.site_id].append(parcel)
        landowners = Party.objects.filter(role=Party.Role.LANDOWNER, application__site__in=ids)
        for party in landowners.select_related("application").order_by("application"):
            owner = Owner(str(party), party.mailing_address)
            known.owners[party.application.site_id] = owner
        for note in ParcelNote.objects.filter(parcel__site__in=ids).order_by("on", "pk"):
            known.notes[note.parcel_id].append(note)
    several = [bill.pk for bill in bills if len(known.parcels[bill.site_id]) > 1]
    for ids in chunks(several):
        divisions = Division.objects.filter(bill__in=ids).prefetch_related("shares")
        for division in divisions.order_by("pk"):
            weights = {share.parcel_id: share.weight for share in division.shares.all()}  # type: ignore[attr-defined]
            known.divisions[division.bill_id] = weights
    if path == Path.ASSESSMENT:
        for ids in chunks(bill.pk for bill in bills):
            for entry in BillEntry.objects.filter(bill__in=ids).order_by("pk"):
                known.entries[entry.bill_id].append(entry)
    known.stays = dict(_stays(on))
    return known


def _stays(on: date) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield each order or notice that an appeal stays on a day, with the appeal's number."""
    models = (StopWorkOrder, NoticeOfIntent, OwnerNotice)
    kinds = {ContentType.objects.get_for_model(model).pk: model for model in models}
    appeals = Appeal.objects.filter(subject_type__in=kinds, filed_on__lte=on)
    for appeal in appeals.exclude(ended_on__lt=on).select_related("peril"):
        stay = appeal.stay()
        if stay is not None and stay.covers(on):
            model = kinds[appeal.subject_type_id]
            yield (model._meta.model_name or "", appeal.subject_pk), appeal.number


def chunks(values: Iterable[int]) -> Iterator[list[int]]:
    """Yield values in lists that one query takes."""
    rest = iter(values)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
