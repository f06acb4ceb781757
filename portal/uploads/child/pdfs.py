"""A PDF: opens without a password, is whole, unpacks to a size we can read, and shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from .pictures import LONG_SIDE, picture
from .shape import check_pdf
from .verdict import Finding, Picture, Refusal, refuse

PAGES_MOST = 2_000
PREVIEWS_MOST = 12
PAGE_SIDE_LEAST, PAGE_SIDE_MOST = 1.0, 20_000.0
"""Points. A page outside these is not paper."""

CONTENT_ERROR = re.compile(r"^ERROR: page \d+: ")
"""A word in a drawing that qpdf does not know: viewers show the page all the same."""


def examine(path: Path, data: bytes) -> Finding:
    """Return what a PDF is; refuse one that nobody could read at the hearing."""
    check_pdf(data)
    pages = read_whole(path)
    document = open_to_show(path)
    return Finding({"pages": pages}, show(document, 1))


def read_whole(path: Path) -> int:
    """Return the number of pages after reading every object and unpacking every stream.

    A PDF that opens without a password is taken even when its author restricted printing
    or changing: everybody can read it, and sealed plan sheets are often made so.
    """
    import pikepdf

    try:
        with pikepdf.open(path) as pdf:
            if pdf.Root.get("/NeedsRendering", False):
                refuse("adobe_form")
            pages = len(pdf.pages)
            if pages > PAGES_MOST:
                refuse("too_many_pages", pages=pages, most=PAGES_MOST)
            check_problems(pdf)
    except pikepdf.PasswordError:
        refuse("password")
    except (pikepdf.PdfError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refusal("heavy" if "bad_alloc" in str(error) else "damaged") from error
    if not pages:
        refuse("damaged")
    return pages


def check_problems(pdf: Any) -> None:
    """Refuse what qpdf had to repair; wrong hints for fast web view are no damage."""
    hints: set[str] = set()
    damaged = list(pdf.get_warnings())
    if pdf.is_linearized:
        pdf.check_linearization(StringIO())
        hints = {f"WARNING: {text}" for text in pdf.get_warnings()} - set(damaged)
    damaged += [
        text
        for text in pdf.check_pdf_syntax()
        if text not in hints and not CONTENT_ERROR.match(text)
    ]
    if any("bad_alloc" in text for text in damaged):
        refuse("heavy")
    if damaged:
        refuse("damaged")


def open_to_show(path: Path) -> Any:
    """Open the file a second time with the reader that browsers use."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
        if document.get_formtype():
            document.init_forms()
        document[0].close()
    except pypdfium2.PdfiumError as error:
        raise Refusal("damaged") from error
    return document


def show(document: Any, first: int) -> Iterator[Picture]:
    """Yield the pages from `first` on as pictures, with what is filled in on forms."""
    for number in range(first, min(len(document), PREVIEWS_MOST) + 1):
        page = document[number - 1]
        width, height = page.get_size()
        if min(width, height) >= PAGE_SIDE_LEAST and max(width, height) <= PAGE_SIDE_MOST:
            bitmap = page.render(scale=LONG_SIDE / max(width, height))
            yield picture(number, bitmap.to_pil())
            bitmap.close()
        page.close()


def show_from(path: Path, first: int) -> Iterator[Picture]:
    """Yield the pages of a stored file from `first` on."""
    return show(open_to_show(path), first)
