"""What goes into the envelopes: letters for a #10 window envelope, many in one PDF.

A paper goes as it is stored. Where its window does not show the address of the letter, a
cover letter goes before it, made once and kept; a notice without a paper is that letter.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import IO, BinaryIO, cast

import pikepdf
import pypdfium2
from django.conf import settings
from django.db import transaction

from portal import files, papers
from portal.models import Document, Mailing

__all__ = ["AT_ONCE", "Batch", "Piece", "cover_letter", "make_batch", "reading", "window_lines"]

AT_ONCE = 200
"""Letters in one batch: a stack that a person can fold."""

INCH = 72
WINDOW = (0.0, 2.04, 5.375, 3.63)
"""What the window can show, in inches from the left and the top of the sheet, however the
sheet lies in the envelope (static/papers.css)."""

reading = threading.Lock()
"""The library that reads text is not made for several threads at once."""

_BLANKS = re.compile(r"\s+")


@dataclass
class Piece:
    """One letter of a batch: its papers in the order in which they lie in the envelope."""

    mailing: Mailing
    papers: list[Document] = field(default_factory=list)
    trouble: str = ""
    by_hand: bool = False

    @property
    def pages(self) -> int:
        """How many pages go into the envelope."""
        return sum(paper.pages for paper in self.papers)

    @property
    def address_lines(self) -> list[str]:
        """The address as it stands on the cover list."""
        return [line for line in self.mailing.address.splitlines() if line.strip()]


@dataclass
class Batch:
    """What was put together, and what was left out and why."""

    pieces: list[Piece]
    pages: int = 0

    @property
    def printed(self) -> list[Piece]:
        """The letters that are in the PDF."""
        return [piece for piece in self.pieces if not piece.trouble]

    @property
    def left_out(self) -> list[Piece]:
        """The letters that are not, each with its trouble."""
        return [piece for piece in self.pieces if piece.trouble]


def make_batch(
    letters: Sequence[Mailing],
    target: IO[bytes],
    *,
    on: date,
    two_sided: bool = False,
    ready: Callable[[Piece], None] = lambda piece: None,
) -> Batch:
    """Write a PDF of all letters into `target`: a cover list with names, then each letter.

    With `two_sided` each letter begins on a sheet of its own. A letter without an address or
    with a paper that cannot be read is left out, and the list says so. `ready` is told of each
    letter when its papers are there, or when it is left out.
    """
    with tempfile.TemporaryDirectory(prefix="letters-") as folder, pikepdf.new() as pdf:
        batch = Batch([])
        for letter in letters:
            batch.pieces.append(piece := _piece(letter, Path(folder), on=on))
            ready(piece)
        listed = papers.make("papers/mail_list.html", _list(batch, on=on))
        with pikepdf.open(BytesIO(listed.content)) as first:
            pdf.pages.extend(first.pages)
        _even(pdf, two_sided)
        opened = []
        for piece in batch.printed:
            for paper in piece.papers:
                opened.append(source := pikepdf.open(_path(Path(folder), paper)))
                pdf.pages.extend(source.pages)
            _even(pdf, two_sided)
        batch.pages = len(pdf.pages)
        pdf.docinfo["/Title"] = f"Letters of {on:%B} {on.day}, {on.year}"
        pdf.save(cast("BinaryIO", target))
        for source in opened:
            source.close()
    target.seek(0)
    return batch


def _even(pdf: pikepdf.Pdf, two_sided: bool) -> None:
    """End on the back of a sheet, so that the next letter begins on a new one."""
    if two_sided and len(pdf.pages) % 2:
        pdf.add_blank_page(page_size=(8.5 * INCH, 11 * INCH))


def _list(batch: Batch, *, on: date) -> dict[str, object]:
    return {"title": "Letters for the post", "on": on, "batch": batch, "pages": _sum(batch)}


def _sum(batch: Batch) -> int:
    return sum(piece.pages for piece in batch.printed)


# One letter -------------------------------------------------------------------------------


def _piece(letter: Mailing, folder: Path, *, on: date) -> Piece:
    """Fetch the papers of a letter into a folder, and see what its window shows."""
    piece = Piece(letter)
    if not letter.address.strip():
        piece.trouble = "It has no address. Serve it anew, with one."
        return piece
    if letter.document is not None and not _fetch(piece, letter.document, folder):
        return piece
    if letter.document is None or not shows_address(_path(folder, letter.document), letter):
        cover = cover_letter(letter, on=on)
        if not _fetch(piece, cover, folder):
            return piece
        piece.papers.insert(0, piece.papers.pop())
        piece.by_hand = not shows_address(_path(folder, cover), letter)
    return piece


def _fetch(piece: Piece, paper: Document, folder: Path) -> bool:
    """Copy a stored paper, byte for byte; note the trouble where that cannot be done."""
    path = _path(folder, paper)
    if not path.exists():
        with path.open("w+b") as copy:
            trouble = files.read_checked(paper, copy)
        if trouble:
            path.unlink()
            piece.trouble = f"Its paper cannot be read: {paper.title}."
            return False
    piece.papers.append(paper)
    return True


def _path(folder: Path, paper: Document) -> Path:
    return folder / f"{paper.pk}.pdf"


def cover_letter(letter: Mailing, *, on: date) -> Document:
    """Return the letter's own cover letter, made the first time it is asked for.

    It is typeset before the letter is locked, and kept with the word whose it is; of two who
    make it at once, the second keeps nothing.
    """
    if letter.letter is not None:
        return letter.letter
    made = papers.make("papers/mail_letter.html", _cover(letter, on=on))
    with transaction.atomic():
        held = Mailing.objects.select_for_update().get(pk=letter.pk)
        if held.letter is None:
            held.letter = papers.keep(made, kind="mail_letter", title=letter.title)
            held.save(update_fields=["letter"])
    letter.letter = held.letter
    return held.letter


def _cover(letter: Mailing, *, on: date) -> dict[str, object]:
    return {
        "title": letter.title,
        "addressee": {"name": letter.addressee, "address": letter.address},
        "on": on,
        "reference": letter.reference,
        "delivery": letter.get_means_display(),
        "text": letter.text,
        "letter": letter,
        "url": settings.PUBLIC_URL,
    }


# The window -------------------------------------------------------------------------------


def shows_address(path: Path, letter: Mailing) -> bool:
    """Whether the window of a paper shows this letter's name and address, and nothing else."""
    wanted = f"{letter.addressee}{letter.address}"
    return _squeezed("".join(window_lines(path))) == _squeezed(papers.printable(wanted))


def window_lines(path: Path) -> list[str]:
    """Return the lines of text that the window can show of the first page."""
    left, top, right, bottom = (inches * INCH for inches in WINDOW)
    with reading:
        document = pypdfium2.PdfDocument(path)
        try:
            return list(_lines(document, left, top, right, bottom))
        finally:
            document.close()


def _lines(
    document: pypdfium2.PdfDocument, left: float, top: float, right: float, bottom: float
) -> Iterator[str]:
    page = document[0]
    height = page.get_height()
    text = page.get_textpage().get_text_bounded(left, height - bottom, right, height - top)
    yield from (line.strip() for line in text.splitlines() if line.strip())


def _squeezed(text: str) -> str:
    return _BLANKS.sub("", text)
