"""The worker: runs background tasks, and each minute looks for what should be asked for."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import FrameType

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from portal import clock, tasks

__all__ = ["PortalWorker"]

logger = logging.getLogger(__name__)

CHORES_EVERY = 60.0
POLL_EVERY = 1.0
LOOK_EVERY = 0.1
"""Seconds between two looks whether it was told to stop."""


class PortalWorker(Worker):
    """The package's worker, with a lease on what it runs and with chores in between.

    Killed at any point it loses nothing: the mark on its task grows old, and the sweep of
    any worker gives the task back to the queue.
    """

    def __init__(self) -> None:
        super().__init__(
            queue_names=["*"],
            interval=0,
            batch=True,  # `run` works off what is ready and returns
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
            excluded_queue_names=[],
        )
        self._chores_due = time.monotonic()

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Finish the task in hand and stop; at the second signal stop at once."""
        if not self.running:
            sys.exit(1)
        logger.info("Worker stops after the task in hand (%s)", signal.strsignal(signum))
        self.running = False

    def run_for_ever(self) -> None:
        """Work until told to stop; a database that is away is waited for."""
        logger.info("Worker starts")
        while self.running:
            close_old_connections()
            try:
                self._chores()
                if DBTaskResult.objects.ready().exists():
                    self.run()
            except DatabaseError:
                logger.exception("The worker cannot reach its database and tries again")
                connection.close()
                self._rest(5)
            self._rest(POLL_EVERY)
        logger.info("Worker stopped")

    def _rest(self, seconds: float) -> None:
        """Wait, or until told to stop.

        Not by an event: a signal that comes while the event's own lock is held would wait for
        this very thread, and Ctrl-C sends two signals at once.
        """
        until = time.monotonic() + seconds
        while self.running and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, LOOK_EVERY))

    def _chores(self) -> None:
        """Each minute: take up what was left, wake the outbox, ask for the day's round."""
        if time.monotonic() < self._chores_due:
            return
        self._chores_due = time.monotonic() + CHORES_EVERY
        left = tasks.sweep(timedelta(seconds=settings.TASK_STALE_SECONDS))
        if left:
            logger.warning("Took up %d tasks that a killed worker had left", left)
        # Also the worker's heartbeat: /healthz looks when this task last ran.
        tasks.wake_outbox()
        if timezone.localtime(clock.now()).hour >= settings.DAILY_ROUND_HOUR:
            tasks.enqueue_daily_round(clock.today())
        tasks.tidy()

    def run_task(self, db_task_result: DBTaskResult) -> None:
        """Run a task while its lease is renewed."""
        with self._lease(db_task_result):
            super().run_task(db_task_result)

    @contextmanager
    def _lease(self, row: DBTaskResult) -> Iterator[None]:
        done = threading.Event()
        every = max(settings.TASK_STALE_SECONDS / 5, 0.2)

        def renew() -> None:
            while not done.wait(every):
                try:
                    DBTaskResult.objects.running().filter(pk=row.pk).update(started_at=clock.now())
                except DatabaseError:  # locked or away: the next renewal may succeed
                    logger.warning("The lease of task %s was not renewed", row.pk)
            connection.close()

        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join(timeout=5)
