"""Long tables are read and taken over by the worker, while the page waits for nobody."""

from __future__ import annotations

import logging

from django_tasks import task

from permits.models import ImportBatch, NotNow
from portal import clock
from portal.models import User
from portal.tables import NotATable

from . import taking

__all__ = ["read_later", "read_now", "take_later"]

logger = logging.getLogger(__name__)
Status = ImportBatch.Status

FAULT = "The import stopped at a fault of the portal, and nothing was taken. Try again."
"""What the page says; the fault itself stands in the log and at the task."""


def read_now(batch: ImportBatch) -> None:
    """Read the table of a batch and keep what it says; what is wrong with the file as well."""
    batch.trouble = ""
    try:
        taking.read_batch(batch, today=clock.today())
        batch.status = Status.READ
    except NotATable as error:
        batch.status, batch.trouble = Status.OPEN, str(error)[:300]
    batch.save(update_fields=["status", "trouble", "report"])


@task()
def read_later(batch_id: int) -> str:
    """Read the table of a batch; safe to run twice."""
    batch = ImportBatch.objects.select_related("source", "upload").get(pk=batch_id)
    if batch.status == Status.READING:
        read_now(batch)
    return batch.status


@task()
def take_later(batch_id: int, user_id: int | None) -> int:
    """Import a batch that somebody has confirmed; a second run finds it imported."""
    batch = ImportBatch.objects.get(pk=batch_id)
    if batch.status != Status.IMPORTING:
        return 0
    by = User.objects.filter(pk=user_id).first() if user_id else None
    try:
        return taking.take(batch, by=by, on=clock.today())
    except (NotNow, NotATable) as error:
        logger.warning("Import %s was not done: %s", batch_id, error)
        _give_back(batch_id, str(error))
        return 0
    except Exception:
        _give_back(batch_id, FAULT)
        raise


def _give_back(batch_id: int, trouble: str) -> None:
    """Let a batch of which nothing was taken be confirmed or put aside again, and say why."""
    importing = ImportBatch.objects.filter(pk=batch_id, status=Status.IMPORTING)
    importing.update(status=Status.READ, trouble=trouble[:300])
