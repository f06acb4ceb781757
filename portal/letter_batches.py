"""A batch of letters is asked for in a moment and made by the worker.

The worker may be killed after any line: a cover letter is kept together with the word that it
is this letter's own, the PDF together with the word that the batch is made. Done again, the
task finds what is there and makes the rest.
"""

from __future__ import annotations

import logging
import tempfile
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from portal import clock, letters, papers
from portal.models import LetterBatch, LetterBatchLine, Mailing, User
from portal.ordinance.wording import counted
from portal.stored import NotStored, StorageFull

__all__ = ["State", "again", "ask", "make", "make_letters", "state_of", "states_of"]

logger = logging.getLogger(__name__)

MEMORY = 8 * 1024 * 1024
SLOW_TO_BEGIN = timedelta(minutes=2)
"""After it a batch that nobody has begun says so."""

NO_ROOM = "There is no room left for files. Tell whoever runs the portal, then try again."
NOT_KEPT = "The storage for files does not answer. Try again in a few minutes."
GIVEN_UP = (
    "The worker began it several times and never came to an end. Try again with fewer letters, "
    "or tell whoever runs the portal."
)


# Asked for -------------------------------------------------------------------------------------


@transaction.atomic
def ask(chosen: Sequence[Mailing], *, by: User, two_sided: bool = False) -> LetterBatch:
    """Record which letters are wanted as one PDF, and ask the worker to make it."""
    batch = LetterBatch.objects.create(by=by, two_sided=two_sided)
    LetterBatchLine.objects.bulk_create(
        LetterBatchLine(batch=batch, position=position, mailing=letter)
        for position, letter in enumerate(chosen, start=1)
    )
    _enqueue(batch)
    return batch


@transaction.atomic
def again(batch: LetterBatch) -> None:
    """Ask for a batch once more after trouble; while it is being made this changes nothing."""
    held = LetterBatch.objects.select_for_update().get(pk=batch.pk)
    if state_of(held).is_trouble:
        _enqueue(held)


def _enqueue(batch: LetterBatch) -> None:
    # The task is a row of the same transaction: there is no batch that nobody was asked for.
    batch.task = uuid.UUID(str(make_letters.enqueue(str(batch.key)).id))
    batch.tries += 1
    batch.trouble = ""
    batch.save(update_fields=["task", "tries", "trouble"])


# Where it stands -------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """How far a batch is: made, in trouble, or being made."""

    letters: int
    ready: int
    is_made: bool = False
    trouble: str = ""
    is_slow: bool = False

    @property
    def is_trouble(self) -> bool:
        """Whether somebody must ask once more."""
        return bool(self.trouble)

    @property
    def in_words(self) -> str:
        """One line for lists."""
        if self.is_made:
            return "Made"
        if self.is_trouble:
            return "Not made"
        return f"Being made: {self.ready} of {self.letters}"


def state_of(batch: LetterBatch) -> State:
    """Return how far a batch is, by its rows and by those of its task."""
    return states_of([batch])[batch.pk]


def states_of(batches: Sequence[LetterBatch]) -> dict[int, State]:
    """Return how far each of some batches is, by three questions however many there are."""
    lines = LetterBatchLine.objects.filter(batch__in=[batch.pk for batch in batches]).order_by()
    counts = {
        key: (count, ready)
        for key, count, ready in lines.values_list("batch").annotate(Count("pk"), Count("ready_at"))
    }
    rows = DBTaskResult.objects.in_bulk([batch.task for batch in batches if batch.task])
    return {batch.pk: _state(batch, *counts[batch.pk], rows.get(batch.task)) for batch in batches}


def _state(batch: LetterBatch, count: int, ready: int, row: DBTaskResult | None) -> State:
    if batch.document_id is not None:
        return State(count, ready, is_made=True)
    if batch.trouble:
        return State(count, ready, trouble=batch.trouble)
    if row is None or row.finished_at is not None:
        return State(count, ready, trouble=GIVEN_UP)
    waits = not row.worker_ids
    return State(count, ready, is_slow=waits and clock.now() - row.enqueued_at > SLOW_TO_BEGIN)


# Made ------------------------------------------------------------------------------------------


@task()
def make_letters(key: str) -> str:
    """Make a batch; whatever goes wrong is told to the clerk in words."""
    batch = LetterBatch.objects.get(key=key)
    try:
        make(batch)
    except StorageFull:
        _say(batch, NO_ROOM)
        raise
    except NotStored:
        _say(batch, NOT_KEPT)
        raise
    except Exception:
        _say(batch, _stopped(batch))
        raise
    return key


def make(batch: LetterBatch) -> None:
    """Make the PDF of a batch and keep it, unless that is done already."""
    if LetterBatch.objects.filter(pk=batch.pk, document__isnull=False).exists():
        return
    lines = list(batch.lines.select_related("mailing__document", "mailing__letter"))
    chosen = [line.mailing for line in lines]
    with tempfile.SpooledTemporaryFile(MEMORY) as target:
        made = letters.make_batch(
            chosen, target, on=batch.day, two_sided=batch.two_sided, ready=_noted(lines)
        )
        with transaction.atomic():
            held = LetterBatch.objects.select_for_update().get(pk=batch.pk)
            if held.document_id is not None:  # another worker took this one for dead
                return
            title = f"{held} ({counted(len(made.printed), 'letter')})"
            held.document = papers.keep_file(
                target, pages=made.pages, kind="mail_batch", title=title
            )
            held.trouble = ""
            held.save(update_fields=["document", "trouble"])


def _noted(lines: Sequence[LetterBatchLine]) -> Callable[[letters.Piece], None]:
    """Return what notes of each letter that it is ready, or why it is left out."""
    by_letter = {line.mailing_id: line.pk for line in lines}

    def note(piece: letters.Piece) -> None:
        LetterBatchLine.objects.filter(pk=by_letter[piece.mailing.pk]).update(
            ready_at=clock.now(), trouble=piece.trouble, by_hand=piece.by_hand
        )

    return note


def _stopped(batch: LetterBatch) -> str:
    """Say at which letter it stopped."""
    line = batch.lines.filter(ready_at=None).select_related("mailing").first()
    where = (
        f"It stopped at the letter to {line.mailing.addressee}"
        if line
        else "It stopped at the list"
    )
    return (
        f"{where}. Try again; if it stops there once more, leave that letter out "
        "and tell whoever runs the portal."
    )


def _say(batch: LetterBatch, sentence: str) -> None:
    logger.error("Batch %s of letters was not made: %s", batch.key, sentence)
    LetterBatch.objects.filter(pk=batch.pk, document=None).update(trouble=sentence)
