"""One PDF out of several: stored papers page by page as they are, bound behind an index.

A bound paper keeps the pages of what it binds byte-true; only the file around them is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import pikepdf

from portal import files
from portal.models import Document, Upload
from portal.papers import Made
from portal.stored import NotStored

__all__ = ["Part", "bind", "content_of", "pages_of"]


@dataclass(frozen=True)
class Part:
    """A PDF to be bound; with a title it stands in the list of contents of the reader."""

    content: bytes
    title: str = ""


def content_of(document: Document | Upload) -> bytes:
    """Return a stored file after checking its hash.

    Raises `NotStored` when it is missing or changed: nothing is bound that is not what was
    made.
    """
    copy = BytesIO()
    if trouble := files.read_checked(document, copy):
        raise NotStored(str(trouble))
    return copy.getvalue()


def pages_of(content: bytes) -> int:
    """Count the pages of a PDF."""
    with pikepdf.open(BytesIO(content)) as source:
        return len(source.pages)


def bind(parts: Sequence[Part], *, title: str) -> Made:
    """Put the parts behind each other, with a bookmark at each that has a title."""
    with pikepdf.new() as target:
        marks: list[tuple[str, int]] = []
        for part in parts:
            if part.title:
                marks.append((part.title, len(target.pages)))
            with pikepdf.open(BytesIO(part.content)) as source:
                target.pages.extend(source.pages)
        with target.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(name, page) for name, page in marks)
        target.docinfo["/Title"] = title
        target.Root.Lang = pikepdf.String("en")
        target.Root.PageMode = pikepdf.Name.UseOutlines
        target.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        bound = BytesIO()
        target.save(
            bound, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate
        )
        return Made(bound.getvalue(), len(target.pages))
