"""The record of an act, transmitted to the board as one PDF. Wis. Stat. § 62.23(7)(e)4.

A sheet and an index with page numbers in front; behind it the appeal's own papers and every
stored paper of the act, page by page as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import singledispatch
from typing import Any

import pikepdf
from django.db.models import Q

from enforcement.appeal_papers import application_of
from enforcement.appealable import made_on
from enforcement.models import (
    Appeal,
    NoticeOfIntent,
    RevisionOrder,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
)
from permits.models import CasePaper, Decision, PlanRevision
from portal import binder, papers
from portal.binder import Part
from portal.city import edition_on
from portal.models import Document, Upload, User

__all__ = ["Piece", "make", "record_of"]

Kind = CasePaper.Kind


@dataclass
class Piece:
    """One piece of the record: bound behind the index, or kept with the city as a file."""

    title: str
    stored: Document | Upload
    content: bytes = b""
    page: int = 0

    @property
    def is_bound(self) -> bool:
        """Whether its pages stand behind the index."""
        return bool(self.content)


# Which papers belong to an act ------------------------------------------------------------


@singledispatch
def papers_of(act: Any) -> Iterator[CasePaper]:
    """Yield the stored papers of an act, the first one first."""
    raise TypeError(f"{type(act).__name__} cannot be appealed")


@papers_of.register
def _(act: Decision) -> Iterator[CasePaper]:
    kinds = [Kind.RECEIPT, Kind.DENIAL, Kind.GRANT, Kind.PERMIT_CARD]
    yield from _rows(Q(application=act.application, kind__in=kinds))


@papers_of.register
def _(act: StopWorkOrder) -> Iterator[CasePaper]:
    yield from _reports(act.site_id)
    yield from _of_order(act)


def _of_order(act: StopWorkOrder) -> Iterator[CasePaper]:
    yield from _rows(Q(stop_work_order=act) | Q(placard_of=act))


@papers_of.register
def _(act: Revocation) -> Iterator[CasePaper]:
    yield from _reports(act.site_id)
    yield from _of_order(act.order)
    yield from _rows(Q(revocation=act))


@papers_of.register
def _(act: NoticeOfIntent) -> Iterator[CasePaper]:
    yield from _of_order(act.order)
    yield from _rows(Q(notice_of_intent=act))


@papers_of.register
def _(act: RevisionOrder) -> Iterator[CasePaper]:
    yield from _reports(act.site_id)
    yield from _rows(Q(revision_order=act))


@papers_of.register
def _(act: UpkeepNotice) -> Iterator[CasePaper]:
    yield from _rows(Q(agreement=act.agreement_id) | Q(upkeep_inspection=act.inspection_id))
    yield from _rows(Q(upkeep_notice=act))


def _reports(site: int) -> Iterator[CasePaper]:
    yield from _rows(Q(site_id=site, kind=Kind.INSPECTION_REPORT))


def _rows(condition: Q) -> Iterator[CasePaper]:
    yield from CasePaper.objects.filter(condition).select_related("document").order_by("pk")


def record_of(appeal: Appeal) -> list[Piece]:
    """Return the pieces of the record: the appeal, then the act with what it rests on."""
    found: dict[int, Piece] = {}
    if appeal.receipt is not None:
        receipt = appeal.receipt.document
        found[receipt.pk] = Piece(receipt.title, receipt)
    for paper in papers_of(appeal.subject):
        found.setdefault(paper.document_id, Piece(paper.document.title, paper.document))
    attached = [
        Piece(f"Filed with the appeal: {upload.original_name}", upload)
        for upload in appeal.attachments.order_by("pk")
    ]
    return [*found.values(), *attached, *_plan(appeal)]


def _plan(appeal: Appeal) -> list[Piece]:
    """Name the sheets of the plan that was decided on; they are too large to be bound."""
    subject = appeal.subject
    application = application_of(appeal)
    revision: PlanRevision | None = None
    if isinstance(subject, Decision):
        revision = subject.revision
    elif application is not None:
        revision = application.filed_revision()
    if revision is None:
        return []
    return [
        Piece(f"Plan revision {revision.number}: {sheet}", sheet.upload)
        for sheet in revision.sheets.select_related("upload")
    ]


# Binding ----------------------------------------------------------------------------------


def make(appeal: Appeal, *, by: User, on: date) -> CasePaper:
    """Bind sheet, index and papers into one PDF, and enter it in the case file."""
    title = f"Record of appeal {appeal.number}"
    pieces = record_of(appeal)
    for piece in pieces:
        if _can_be_bound(piece):
            piece.content = _readable(binder.content_of(piece.stored))
    bound = [piece for piece in pieces if piece.is_bound]
    front = _front(appeal, pieces, bound, by=by, on=on, title=title)
    parts = [Part(front, "Transmittal and index")]
    parts += [Part(piece.content, piece.title) for piece in bound]
    kind = Kind.TRANSMITTAL
    document = papers.keep(binder.bind(parts, title=title), kind=kind.value, title=title)
    return CasePaper.objects.create(
        site=appeal.site, application=application_of(appeal), kind=kind, document=document
    )


def _can_be_bound(piece: Piece) -> bool:
    """Papers are, and what was filed as a PDF; plan sheets and photos are named only."""
    if isinstance(piece.stored, Document):
        return True
    return piece.stored.family == Upload.Family.PDF and not piece.title.startswith("Plan ")


def _readable(content: bytes) -> bytes:
    """Return a file whose pages can be bound; nothing of one that only its maker can open."""
    try:
        binder.pages_of(content)
    except pikepdf.PdfError:
        return b""
    return content


def _front(
    appeal: Appeal, pieces: list[Piece], bound: list[Piece], *, by: User, on: date, title: str
) -> bytes:
    """Make the sheet with its index; the numbers are right once its length holds still."""
    length, content = 1, b""
    for _ in range(3):
        page = length + 1
        for piece in bound:
            piece.page = page
            page += binder.pages_of(piece.content)
        made = papers.make(
            "papers/transmittal.html",
            {
                "appealed": appeal,
                "site": appeal.site,
                "parcels": list(appeal.site.parcels.all()),
                "made_on": made_on(appeal.subject),
                "pieces": pieces,
                "total": page - 1,
                "by": by,
                "on": on,
                "edition": edition_on(on),
                "reference": appeal.number,
                "title": title,
            },
        )
        content = made.content
        if made.pages == length:
            break
        length = made.pages
    return content
