"""Opens a spreadsheet for import, and keeps how its columns and words are read."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from permits.models import EarlierStatus, ImportBatch, ImportSource, NotNow
from portal.models import Upload, User
from portal.tables import Table

from .columns import clean_columns, guess_columns, same_words

__all__ = ["begin", "name_columns", "name_words"]

Status = ImportBatch.Status
CHANGEABLE = (Status.OPEN, Status.READ)


@transaction.atomic
def begin(upload: Upload, table: Table, *, source: str, by: User | None) -> ImportBatch:
    """Open a batch for a spreadsheet of a register, its columns guessed."""
    of, _ = ImportSource.objects.get_or_create(name=source)
    return ImportBatch.objects.create(
        source=of,
        upload=upload,
        headings=table.headings,
        where=table.where[:200],
        columns=guess_columns(table.headings, of.columns),
        words=dict(of.words),
        made_by=by,
    )


def _hold(batch: ImportBatch) -> ImportBatch:
    held = ImportBatch.objects.select_for_update().select_related("source", "upload")
    found = held.get(pk=batch.pk)
    if found.status not in CHANGEABLE:
        raise NotNow(f"This spreadsheet is {found.get_status_display().lower()}.")
    return found


@transaction.atomic
def name_columns(batch: ImportBatch, columns: Mapping[str, str]) -> ImportBatch:
    """Keep which heading holds which fact, for this table and the next of its register."""
    batch = _hold(batch)
    batch.columns = clean_columns(columns, batch.headings)
    batch.status = Status.OPEN
    batch.save(update_fields=["columns", "status"])
    ImportSource.objects.filter(pk=batch.source_id).update(columns=batch.columns)
    return batch


@transaction.atomic
def name_words(batch: ImportBatch, words: Mapping[str, str]) -> ImportBatch:
    """Keep what each word of the status column means, and let the table be read."""
    batch = _hold(batch)
    known = {same_words(w): meant for w, meant in words.items() if meant in EarlierStatus.values}
    batch.words = batch.words | known
    batch.status = Status.READING
    batch.save(update_fields=["words", "status"])
    of = ImportSource.objects.select_for_update().get(pk=batch.source_id)
    of.words = of.words | known
    of.save(update_fields=["words"])
    return batch
