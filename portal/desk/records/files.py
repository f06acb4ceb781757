"""The files of a destroyed case: listed by their hashes, their bytes removed after the commit.

A crash between the two leaves no lie: the certificate lists what is destroyed, and the daily
round removes whatever bytes are still there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import Q, QuerySet

from permits import files_of_cases
from permits.models import CaseExport, CasePaper, Site
from portal import clock
from portal.desk.records.models import DestroyedFile, Destruction
from portal.models import Document, LetterBatch, Mailing, MailingEvent, Preview, Upload

__all__ = ["destroyed_names", "finish", "list_files", "remove_bytes", "uploads_of"]

AT_ONCE = 500
OTHERS = {"case_export": "Case file", "mail_batch": "Stack of letters"}
"""Papers that are none of the case's own, by their kind."""

logger = logging.getLogger(__name__)


def uploads_of(site: Site) -> QuerySet[Upload]:
    """Return the files that people sent in this case and in no other."""
    mine = Site.objects.filter(pk=site.pk)
    others = Site.objects.exclude(pk=site.pk).filter(destroyed_on__isnull=True)
    scans = MailingEvent.objects.filter(scan__isnull=False)
    of_letters = scans.filter(mailing__reference=site.number).values("scan")
    elsewhere = scans.exclude(mailing__reference=site.number).values("scan")
    found = files_of_cases.of_sites(mine).values("pk")
    reports = Upload.objects.filter(complaints__site=site).values("pk")
    wanted = Upload.objects.filter(Q(pk__in=found) | Q(pk__in=of_letters) | Q(pk__in=reports))
    shared = files_of_cases.of_sites(others).filter(pk__in=wanted.values("pk"))
    return wanted.exclude(pk__in=list(shared.values_list("pk", flat=True))).exclude(
        pk__in=elsewhere
    )


def papers_of(site: Site) -> QuerySet[Document]:
    """Return the papers and case files that the portal made for this case and for no other.

    A stack of letters that was put together for printing goes with the first of its cases:
    the letters of the others stay as papers of their own.
    """
    letters = Mailing.objects.filter(reference=site.number)
    facts = MailingEvent.objects.filter(mailing__reference=site.number, paper__isnull=False)
    other_papers = CasePaper.objects.exclude(site=site).values("document")
    other_facts = MailingEvent.objects.filter(paper__isnull=False)
    other_facts = other_facts.exclude(mailing__reference=site.number)
    wanted = Document.objects.filter(
        Q(pk__in=CasePaper.objects.filter(site=site).values("document"))
        | Q(pk__in=letters.filter(document__isnull=False).values("document"))
        | Q(pk__in=letters.filter(letter__isnull=False).values("letter"))
        | Q(pk__in=facts.values("paper"))
    )
    own = wanted.exclude(pk__in=other_papers).exclude(pk__in=other_facts.values("paper"))
    exports = CaseExport.objects.filter(site=site, document__isnull=False)
    stacks = LetterBatch.objects.filter(lines__mailing__reference=site.number)
    more = Q(pk__in=exports.values("document")) | Q(
        pk__in=stacks.filter(document__isnull=False).values("document")
    )
    return Document.objects.filter(Q(pk__in=own.values("pk")) | more)


def list_files(destruction: Destruction, site: Site) -> list[DestroyedFile]:
    """Write down each file with its hash, before anything is erased."""
    rows = list(_rows(destruction, site))
    return DestroyedFile.objects.bulk_create(rows, batch_size=500)


def _rows(destruction: Destruction, site: Site) -> Iterator[DestroyedFile]:
    kinds = dict(CasePaper.objects.filter(site=site).values_list("document", "kind"))
    labels = dict(CasePaper.Kind.choices)
    for paper in papers_of(site).order_by("pk"):
        kind = kinds.get(paper.pk)
        what = str(labels[kind]) if kind else OTHERS.get(paper.kind, "Letter")
        yield _row(destruction, what, paper, paper.sha256)
    uploads = uploads_of(site).order_by("pk")
    for upload in uploads:
        yield _row(destruction, upload.get_family_display(), upload, upload.sha256)
    for preview in Preview.objects.filter(upload__in=uploads).order_by("pk"):
        yield _row(destruction, "Preview of a file", preview, "")


def _row(destruction: Destruction, what: str, stored: Any, sha256: str) -> DestroyedFile:
    return DestroyedFile(
        destruction=destruction,
        what=what,
        sha256=sha256,
        size=getattr(stored, "size", None),
        name=stored.file.name,
    )


def remove_bytes(rows: QuerySet[DestroyedFile]) -> int:
    """Remove the bytes of listed files; one that the storage refuses is tried again daily."""
    removed = 0
    for row in rows.filter(removed_at__isnull=True).order_by("pk")[:AT_ONCE]:
        try:
            default_storage.delete(row.name)
        except Exception:  # whatever the store's library raises
            logger.exception("The bytes of %s could not be removed yet.", row)
            continue
        row.removed_at = clock.now()
        row.save(update_fields=["removed_at"])
        removed += 1
    return removed


def finish(on: date) -> int:
    """Remove whatever bytes of destroyed cases are still there; part of the daily round."""
    return remove_bytes(DestroyedFile.objects.filter(destruction__on__lte=on))


def destroyed_names() -> Iterator[str]:
    """Yield the names of all files that were destroyed: none of them is missing."""
    yield from DestroyedFile.objects.values_list("name", flat=True).iterator(chunk_size=2000)
