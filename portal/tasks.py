"""Background tasks: safe to run twice, for a worker may be killed after any line."""

from __future__ import annotations

import logging
import uuid
from datetime import date, timedelta

from django.db import transaction
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult, get_date_max

from portal import clock, delivery, rounds

__all__ = ["daily_round", "enqueue_daily_round", "send_outbox", "sweep", "tidy", "wake_outbox"]

logger = logging.getLogger(__name__)

_ROUND_NAMES = uuid.UUID("5b1f0a53-2f0e-4c1c-9a83-5b9a3b1f7c55")
_KEPT = timedelta(days=30)
_LONGEST_PAUSE = timedelta(hours=1)
_MOST_WORKERS = 5


@task()
def send_outbox() -> int:
    """Send the mails that are due."""
    return delivery.send_waiting()


@task()
def daily_round(day: str) -> dict[str, int]:
    """Run the daily round of every part of the house for a day."""
    return rounds.run_all(date.fromisoformat(day))


def wake_outbox() -> None:
    """Ask the worker to send soon, unless it has been asked already."""
    if not DBTaskResult.objects.ready().filter(task_path=send_outbox.module_path).exists():
        send_outbox.enqueue()


def enqueue_daily_round(day: date) -> bool:
    """Ask for the round of a day once, however many workers ask; again if it failed.

    The row's primary key is made from the day and the number of failures before, so the
    database refuses a second one. Returns whether this call was the one.
    """
    asked = DBTaskResult.objects.filter(
        task_path=daily_round.module_path, args_kwargs={"args": [day.isoformat()], "kwargs": {}}
    )
    failures = list(asked.failed().order_by("finished_at").values_list("finished_at", flat=True))
    if failures and failures[-1]:
        pause = min(timedelta(minutes=1) * 2 ** min(len(failures), 10), _LONGEST_PAUSE)
        if abs(clock.now() - failures[-1]) < pause:
            return False
    with transaction.atomic():
        _, created = DBTaskResult.objects.get_or_create(
            id=uuid.uuid5(_ROUND_NAMES, f"{day.isoformat()} {len(failures)}"),
            defaults={
                "args_kwargs": {"args": [day.isoformat()], "kwargs": {}},
                "task_path": daily_round.module_path,
                "queue_name": daily_round.queue_name,
                "backend_name": daily_round.backend,
                "run_after": get_date_max(),
            },
        )
    return created


def sweep(older_than: timedelta) -> int:
    """Give back to the queue what a killed worker left running, and return how many.

    A living worker renews `started_at` of what it runs (portal/worker.py), so a task whose
    mark is old has nobody. One that outlived several workers probably killed them.
    """
    left = DBTaskResult.objects.running().filter(started_at__lt=clock.now() - older_than)
    count = 0
    for row in left:
        same = DBTaskResult.objects.running().filter(pk=row.pk, started_at=row.started_at)
        if len(row.worker_ids) < _MOST_WORKERS:
            count += same.update(status=TaskResultStatus.READY, started_at=None)
        else:
            logger.error("Task %s was left by %d workers: given up", row.pk, _MOST_WORKERS)
            same.update(status=TaskResultStatus.FAILED, finished_at=clock.now())
    return count


def tidy() -> int:
    """Drop finished tasks: beats after an hour, the rest after thirty days."""
    now = clock.now()
    finished = DBTaskResult.objects.finished()
    beats, _ = finished.filter(
        task_path=send_outbox.module_path, finished_at__lt=now - timedelta(hours=1)
    ).delete()
    rest, _ = finished.filter(finished_at__lt=now - _KEPT).delete()
    return beats + rest
