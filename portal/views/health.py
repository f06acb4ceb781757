"""`/healthz`: whether the portal can do its work, for the watch that looks every minute."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Max
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_tasks_db.models import DBTaskResult

from portal import clock, delivery, tasks
from portal.models import OutboxMessage

__all__ = ["healthz"]

logger = logging.getLogger(__name__)

LEAST_FREE_DISK = 0.05
LONGEST_IN_OUTBOX = timedelta(hours=1)
LONGEST_WITHOUT_WORKER = timedelta(minutes=5)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when all is well, else 503 with the reasons; neither holds a secret."""
    checks: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            checks[name] = check() or "ok"
        except Exception:
            logger.exception("The health check of the %s failed", name)
            checks[name] = f"The {name} could not be checked."
    well = all(found == "ok" for found in checks.values())
    return JsonResponse(
        {"status": "ok" if well else "red", "checks": checks}, status=200 if well else 503
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception:
        logger.exception("The database does not answer")
        return "The database does not answer."
    return ""


def _disk() -> str:
    usage = shutil.disk_usage(settings.VAR_DIR)
    free = usage.free / usage.total
    return f"Only {free:.0%} of the disk is free." if free < LEAST_FREE_DISK else ""


def _outbox() -> str:
    stuck = (
        OutboxMessage.objects.filter(
            sent_at__isnull=True, created_at__lt=clock.now() - LONGEST_IN_OUTBOX
        )
        # A wrong address is the clerk's to cure, not the machine's.
        .exclude(last_error__startswith=delivery.REFUSED)
        .count()
    )
    return f"E-mails that have waited for more than an hour: {stuck}." if stuck else ""


def _worker() -> str:
    since = clock.now() - LONGEST_WITHOUT_WORKER
    # A worker wakes the outbox each minute, and renews the mark on a task that takes long.
    if DBTaskResult.objects.running().filter(started_at__gte=since).exists():
        return ""
    seen = DBTaskResult.objects.filter(task_path=tasks.send_outbox.module_path).aggregate(
        at=Max("finished_at")
    )["at"]
    if seen is None:
        return "No worker has run yet."
    minutes = int((clock.now() - seen).total_seconds() // 60)
    return f"No worker has run for {minutes} minutes." if seen < since else ""


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "disk": _disk,
    "outbox": _outbox,
    "worker": _worker,
}
