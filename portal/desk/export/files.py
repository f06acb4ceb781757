"""The papers and files of a case under the names that they have in the bag."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pypdfium2
from django.utils.text import slugify

from permits.models import CasePaper
from portal import clock, files
from portal.models import Document, Preview, Upload
from portal.stored import NotStored

from .content import Content, Source, pointers
from .policy import PAPERS, PICTURES, UPLOADS, UPLOADS_GIVEN
from .public import Omissions, prints_any
from .tables import tables

__all__ = ["Item", "items_for_public", "items_of"]

LONGEST_NAME = 60
KINDS = dict(CasePaper.Kind.choices)


@dataclass
class Item:
    """One file of the bag: where it lies there, what it is, and the stored file behind it.

    Hash and size of a picture are known once it was read.
    """

    path: str
    title: str
    kind: str
    stored: Document | Upload | Preview
    moment: datetime
    pages: int | None
    sha256: str = ""
    size: int = 0
    note: str = ""
    named_in: list[Source] = field(default_factory=list)
    missing: str = ""

    @property
    def name(self) -> str:
        """The name within the folder of documents."""
        return self.path.rpartition("/")[2]


def items_of(content: Content) -> list[Item]:
    """Return every paper and file of a case, the oldest first."""
    kinds = {paper.document_id: paper.kind for paper in content.objects(CasePaper)}
    found = [
        Item(
            "",
            document.title,
            str(KINDS.get(kinds.get(document.pk, ""), "Paper")),
            document,
            document.rendered_at,
            document.pages,
            document.sha256,
            document.size,
            named_in=_sources(content, document),
        )
        for document in content.documents.values()
    ]
    found += [
        Item(
            "",
            upload.original_name,
            upload.get_family_display(),
            upload,
            upload.uploaded_at,
            upload.pages,
            upload.sha256,
            upload.size,
            named_in=_sources(content, upload),
        )
        for upload in content.uploads.values()
    ]
    return numbered(found)


def numbered(items: list[Item]) -> list[Item]:
    """Give each file its place and its name in the bag."""
    items.sort(key=lambda item: (item.moment, type(item.stored).__name__, item.stored.pk))
    for number, item in enumerate(items, 1):
        item.path = f"data/documents/{number:03d}-{_slug(item)}"
    return items


def _slug(item: Item) -> str:
    if isinstance(item.stored, Document) and item.kind == "Paper":
        extension = Path(item.stored.file.name or "").suffix
    else:
        extension = Path(files.download_name(item.stored)).suffix
    stem = item.title if isinstance(item.stored, Document) else Path(item.title).stem
    return (slugify(stem)[:LONGEST_NAME].strip("-") or "file") + extension.lower()


def _sources(content: Content, stored: Document | Upload) -> list[Source]:
    return sorted(content.sources.get((type(stored).__name__, stored.pk), ()))


# For the public ---------------------------------------------------------------------------


def items_for_public(
    whole: Content, reduced: Content, secrets: frozenset[str], omissions: Omissions
) -> list[Item]:
    """Return the papers and files that are given to everybody; note the others."""
    given = {"Document": _named(reduced, "Document"), "Upload": _named(reduced, "Upload")}
    pictures = _pictures(whole)
    kept = []
    for item in items_of(whole):
        drafts = item.stored.pk not in given[type(item.stored).__name__]
        ground = "draft" if drafts else ""
        if isinstance(item.stored, Document):
            ground = _ground_of_paper(whole, item) or ground or _printed(item, secrets)
        elif isinstance(item.stored, Upload):
            ground = _ground_of_upload(item) or ground
            if not ground and item.stored.family == Upload.Family.IMAGE:
                omissions.add("photos: the original", "position")
                if picture := pictures.get(item.stored.pk):
                    kept.append(_as_picture(item, picture))
                continue
        if ground:
            day = clock.local_day(item.moment).isoformat()
            omissions.add(f"{_what(item)} of {day}", ground)
        else:
            kept.append(item)
    return numbered(kept)


def _what(item: Item) -> str:
    """Name a file that is held back by what it is; its own name may tell whose it is."""
    if isinstance(item.stored, Document):
        return item.kind
    return f"{item.kind} ({', '.join(item.named_in)})"


def _named(content: Content, kind: str) -> set[int]:
    """Return the keys of the files that some row still names after the reduction."""
    found: set[int] = set()
    for table in tables():
        for column, target in pointers(table.model):
            if target.__name__ == kind:
                found |= {row[column] for row in content.rows.get(table.label, ())} - {None}
    return found


def _ground_of_paper(content: Content, item: Item) -> str:
    kinds = {paper.document_id: paper.kind for paper in content.objects(CasePaper)}
    kind = kinds.get(item.stored.pk)
    return PAPERS.get(kind, "") if kind else "letter"


def _ground_of_upload(item: Item) -> str:
    """Return why a file is held back; one that is named in several places by the strictest."""
    for source in item.named_in:
        if source in UPLOADS:
            return UPLOADS[source]
    image = isinstance(item.stored, Upload) and item.stored.family == Upload.Family.IMAGE
    known = UPLOADS_GIVEN | (PICTURES if image else frozenset())
    if all(source in known for source in item.named_in):
        return ""
    return "sent_in" if any(source in PICTURES for source in item.named_in) else "undecided"


def _pictures(content: Content) -> dict[int, Preview]:
    found = Preview.objects.filter(upload__in=list(content.uploads), page=1)
    return {preview.upload_id: preview for preview in found}


def _as_picture(item: Item, preview: Preview) -> Item:
    item.stored = preview
    item.sha256, item.size = "", 0
    item.kind = "Picture"
    item.title = f"{Path(item.title).stem}.jpg"
    item.note = "A smaller picture without the position; the original is left out."
    preview.upload = Upload(pk=preview.upload_id, original_name=item.title)
    return item


def _printed(item: Item, secrets: frozenset[str]) -> str:
    """Return the ground on which a paper is held back for what it prints."""
    copy = io.BytesIO()
    if trouble := files.read_checked(item.stored, copy):
        if trouble.away:  # it may be there a moment later, and nobody would have looked into it
            raise NotStored(trouble.sentence)
        return ""  # what is missing or was changed is told where the file should stand
    return "contact" if prints_any("\n".join(texts(copy.getvalue())), secrets) else ""


def texts(content: bytes) -> Iterator[str]:
    """Yield the text of each page of one of our own papers."""
    try:
        pdf = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError:
        yield content.decode("latin-1")
        return
    try:
        for page in pdf:
            yield page.get_textpage().get_text_range()
    finally:
        pdf.close()
