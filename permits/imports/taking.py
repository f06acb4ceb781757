"""Takes rows over as cases: all good rows of a spreadsheet in one act, or none.

Nothing is made up for a case: what its books do not say stays empty, and a date is computed
only where its facts suffice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from permits.models import (
    CaseEvent,
    DocketEntry,
    EarlierParty,
    EarlierPermit,
    ImportBatch,
    ImportedRow,
    ImportSource,
    NotNow,
    Parcel,
    SearchWord,
    Site,
)
from permits.models.docket import bound_to
from permits.models.earlier import cover_title
from portal import city_calendar, numbers
from portal.models import User
from portal.ordinance import Calendar

from . import files, reading
from .reading import NEW, Reading
from .report import report_of

__all__ = ["drop", "read_batch", "take"]

CHUNK = 500
Status = ImportBatch.Status
Role = EarlierParty.Role


def read_batch(batch: ImportBatch, *, today: date) -> list[Reading]:
    """Read the spreadsheet of a batch by its columns and words, and keep the report."""
    table = files.open_table(batch)
    found = reading.check(table, batch.source, batch.columns, batch.words, today=today)
    batch.report = report_of(found)
    return found


@transaction.atomic
def take(batch: ImportBatch, *, by: User | None, on: date) -> int:
    """Import the good rows of a batch as cases, once; returns how many.

    The source is locked, so that two imports of the same rows come one after the other and
    the second finds them known.
    """
    ImportSource.objects.select_for_update().get(pk=batch.source_id)
    held = ImportBatch.objects.select_for_update().select_related("source", "upload")
    batch = held.get(pk=batch.pk)
    if batch.status not in (Status.READ, Status.IMPORTING):
        raise NotNow(f"This spreadsheet is {batch.get_status_display().lower()}.")
    found = read_batch(batch, today=on)
    good = [each for each in found if each.outcome == NEW]
    calendar = city_calendar.current_calendar()
    for start in range(0, len(good), CHUNK):
        _take(batch, good[start : start + CHUNK], by=by, on=on, calendar=calendar)
    batch.report = report_of(found)
    batch.status, batch.imported_on, batch.taken = Status.IMPORTED, on, len(good)
    batch.save(update_fields=["status", "imported_on", "taken", "report"])
    return len(good)


@transaction.atomic
def drop(batch: ImportBatch) -> None:
    """Put a spreadsheet aside that is not to be imported."""
    batch = ImportBatch.objects.select_for_update().get(pk=batch.pk)
    if batch.status in (Status.IMPORTED, Status.IMPORTING, Status.DROPPED):
        raise NotNow(f"This spreadsheet is {batch.get_status_display().lower()} already.")
    batch.status = Status.DROPPED
    batch.save(update_fields=["status"])


def _take(
    batch: ImportBatch,
    rows: Sequence[Reading],
    *,
    by: User | None,
    on: date,
    calendar: Calendar,
) -> None:
    """Make the cases of some rows: land, row, permit, people, words, record, clocks."""
    names = numbers.next_numbers("S", len(rows), on=on)
    sites = Site.objects.bulk_create(
        [_site(row, name) for row, name in zip(rows, names, strict=True)]
    )
    made = list(zip(rows, sites, strict=True))
    Parcel.objects.bulk_create(
        [Parcel(site=site, number=n) for row, site in made for n in row.facts.get("parcels", ())]
    )
    kept = ImportedRow.objects.bulk_create([_row(batch, row, site) for row, site in made])
    permits = EarlierPermit.objects.bulk_create(
        [_permit(row, site, own) for (row, site), own in zip(made, kept, strict=True)]
    )
    EarlierParty.objects.bulk_create(
        [party for row, permit in zip(rows, permits, strict=True) for party in _people(row, permit)]
    )
    SearchWord.objects.bulk_create(
        [
            SearchWord(site=site, word=word)
            for row, site in made
            for word in sorted(site.words(row.facts.get("parcels", ()), [row.key]))
        ],
        batch_size=5000,
    )
    CaseEvent.objects.append_many(
        "case.imported",
        {p.site: _said(batch, row, p) for row, p in zip(rows, permits, strict=True)},
        by=by,
        on=on,
    )
    _start_clocks(permits, calendar)
    for row, site in made:
        row.case = site.number


def _site(row: Reading, number: str) -> Site:
    facts = row.facts
    return Site(
        number=number,
        address=facts.get("address", ""),
        latitude=facts.get("latitude"),
        longitude=facts.get("longitude"),
    )


def _row(batch: ImportBatch, row: Reading, site: Site) -> ImportedRow:
    return ImportedRow(
        batch=batch,
        source_id=batch.source_id,
        site=site,
        number=row.row,
        key=row.key,
        content=row.content,
        sha256=row.sha256,
    )


def _permit(row: Reading, site: Site, own: ImportedRow) -> EarlierPermit:
    permit = row.permit()
    permit.site, permit.row = site, own
    return permit


def _people(row: Reading, permit: EarlierPermit) -> Iterator[EarlierParty]:
    facts = row.facts
    if owner := facts.get("owner"):
        yield EarlierParty(
            permit=permit,
            role=Role.LANDOWNER,
            name=owner,
            mailing_address=facts.get("owner_address", ""),
            email=facts.get("owner_email", ""),
            telephone=facts.get("owner_telephone", ""),
        )
    if contractor := facts.get("contractor"):
        yield EarlierParty(permit=permit, role=Role.CONTRACTOR, name=contractor)


def _said(batch: ImportBatch, row: Reading, permit: EarlierPermit) -> dict[str, Any]:
    return {
        "source": batch.source.name,
        "file": batch.upload.original_name,
        "file_sha256": batch.upload.sha256,
        "row": row.row,
        "row_sha256": row.sha256,
        "permit": permit.number,
        "status": permit.status,
        "computed": not permit.why_not_computed(),
    }


def _start_clocks(permits: Sequence[EarlierPermit], calendar: Calendar) -> None:
    """Enter the clocks that can be computed on the docket, all of them together."""
    kind = ContentType.objects.get_for_model(EarlierPermit)
    entries = []
    for permit in permits:
        if count := permit.permanent_cover_deadline(calendar=calendar):
            entries.append(
                DocketEntry(
                    site=permit.site,
                    subject_type=kind,
                    subject_pk=permit.pk,
                    title=cover_title(permit),
                    rule=count.key,
                    kind=count.kind.value,
                    bound=bound_to(count),
                    started_on=count.started_on,
                    on=count.on,
                    safe_on=count.safe_on,
                )
            )
    DocketEntry.objects.bulk_create(entries)
