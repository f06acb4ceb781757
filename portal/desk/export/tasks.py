"""Making a large case file in the background, while its page says that it is being made."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Q
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from permits import files_of_cases
from permits.models import NotNow, Site
from portal import clock
from portal.models import Document, User
from portal.stored import NotStored

from .making import export

__all__ = ["Waiting", "is_large", "make_later", "waiting_for"]

MANY_FILES = 60
MANY_BYTES = 40 * 1024 * 1024
LOOKED_BACK = timedelta(hours=24)
MOST_LOOKED_AT = 50

Waiting = tuple[str, str]
"""For whom a file was asked, and why it was not made; no reason while it is being made."""


def is_large(site: Site) -> bool:
    """Whether making the file takes longer than somebody waits for a page."""
    papers = Document.objects.filter(case_paper__site=site)
    uploads = files_of_cases.of_sites(Site.objects.filter(pk=site.pk))
    count, size = 0, 0
    for rows in (papers, uploads):
        found = list(rows.order_by().values_list("size", flat=True)[: MANY_FILES + 1])
        count, size = count + len(found), size + sum(found)
    return count > MANY_FILES or size > MANY_BYTES


@task()
def make_later(site: int, audience: str, by: int, on: str) -> str:
    """Make a file; return why not, if it could not be made."""
    try:
        export(
            Site.objects.get(pk=site),
            audience,
            by=User.objects.get(pk=by),
            on=date.fromisoformat(on),
        )
    except (NotNow, NotStored) as why:
        return str(why)
    return ""


def waiting_for(site: Site) -> list[Waiting]:
    """Return what is being made of a case, and what could not be made since yesterday."""
    since = clock.now() - LOOKED_BACK
    asked = DBTaskResult.objects.filter(
        Q(finished_at__isnull=True) | Q(finished_at__gte=since),
        task_path=make_later.module_path,
        args_kwargs__args__0=site.pk,
    )
    found = []
    for row in asked.order_by("-enqueued_at")[:MOST_LOOKED_AT]:
        audience = str(row.args_kwargs["args"][1])
        if row.finished_at is None:
            found.append((audience, ""))
        elif row.return_value or row.exception_class_path:
            found.append((audience, row.return_value or "Something went wrong; the log says what."))
    return found
