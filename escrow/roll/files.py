"""Files of a certified batch: written once in a layout, kept with their hash, never again."""

from __future__ import annotations

import tempfile
from typing import IO

from django.db import transaction

from escrow.models import RollBatch, RollFile, RollLayout
from permits.models import NotNow
from portal import clock
from portal.models import Document, User
from portal.stored import new_name, put

from .writers import EXTENSIONS, lines_of, write

__all__ = ["make", "make_another"]

IN_MEMORY = 4 * 1024 * 1024


def make(batch: RollBatch, layout: RollLayout, *, by: User) -> RollFile:
    """Write a batch in a layout and keep the file for good. Inside the act's transaction."""
    extension = EXTENSIONS[layout.format]
    name = f"roll-{batch}-{layout.pk}.{extension}"
    document = Document(kind="roll_file", title=f"Tax roll batch {batch}: {layout}"[:200], pages=0)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        target: IO[bytes] = spool  # type: ignore[assignment]
        write(layout, batch, lines_of(batch), target)
        kept = put(new_name("roll", extension, clock.today().year, document.key), target)
    document.file.name, document.sha256, document.size = kept.name, kept.sha256, kept.size
    document.save()
    return RollFile.objects.create(
        batch=batch, layout=layout, name=name, document=document, made_by=by
    )


def make_another(batch: RollBatch, layout: RollLayout, *, by: User) -> RollFile:
    """Return the file of a certified batch in a layout; written the first time it is asked."""
    if batch.status != RollBatch.Status.CERTIFIED:
        raise NotNow("Only a certified batch is exported.")
    with transaction.atomic():
        # Of two who ask at once, the second waits and gets the file of the first.
        RollBatch.objects.select_for_update().get(pk=batch.pk)
        found = RollFile.objects.filter(batch=batch, layout=layout).first()
        return found or make(batch, layout, by=by)
