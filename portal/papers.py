"""Papers: rendered once as tagged PDF, stored with their hash, never rendered again.

The renderer reads our own static files and images that are written into the page, and
nothing else: whatever a person typed cannot make it open a file of the server or an address
on its network.
"""

from __future__ import annotations

import hashlib
import logging
import re
import threading
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote

import segno
import weasyprint
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from portal import clock
from portal.city import edition_on
from portal.models import Document
from portal.stored import new_name, put

__all__ = ["Made", "keep", "keep_file", "make", "qr_code", "render"]

OWN = "http://static.invalid/"
"""The address that papers believe to stand at; a name that no network can resolve."""
TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}
VARIANT = "pdf/ua-1"

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters
    "\u2028\u2029"  # line ends that no typesetter expects inside a line
    "\u202a-\u202e\u2066-\u2069"  # what turns the direction of the text around it
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\uffff\U000e0000-\U000e007f]"
)
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_of_thread = threading.local()
"""The font library is not made for several threads at once."""

logger = logging.getLogger(__name__)
# It warns of every letter that no font has; such a letter is a visible box on the paper.
logging.getLogger("weasyprint").setLevel(logging.ERROR)


@dataclass(frozen=True)
class Made:
    """A paper that was rendered and is not stored yet."""

    content: bytes
    pages: int


class OwnFilesOnly(URLFetcher):
    """Reads static files by name and images written into the page; refuses all else."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols=["data"], allow_redirects=False)

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        """Return the resource, or raise; the paper is then made without it."""
        if url.startswith(OWN):
            return static_file(url)
        if not url.lower().startswith("data:"):
            logger.warning("A paper asked for something outside: %s", url[:200])
            raise ValueError("only our own static files and data images are read")
        return super().fetch(url, headers)


def static_file(url: str) -> URLFetcherResponse:
    """Return one of our static files, wherever its app keeps it."""
    name = unquote(url.removeprefix(OWN)).partition("?")[0].partition("#")[0]
    kind = TYPES.get(Path(name).suffix.lower())
    found = finders.find(name) if kind else None
    if not found:
        raise ValueError(f"no static file {name!r}")
    return URLFetcherResponse(url, Path(found).read_bytes(), {"Content-Type": kind})


def render(template: str, context: dict[str, Any], *, kind: str, title: str) -> Document:
    """Render a paper and keep it for good.

    Raises `NotStored` or `StorageFull` when the storage does not take it, so that an act
    whose paper cannot be kept is not done either.
    """
    return keep(make(template, {"title": title, **context}), kind=kind, title=title)


def keep(made: Made, *, kind: str, title: str) -> Document:
    """Store a paper that was made, with its hash; raises as `render` does."""
    return keep_file(BytesIO(made.content), pages=made.pages, kind=kind, title=title)


def keep_file(content: IO[bytes], *, pages: int, kind: str, title: str) -> Document:
    """Store a PDF that was put together, with its hash; raises as `render` does."""
    document = Document(kind=kind, title=title, pages=pages)
    name = new_name("papers", "pdf", clock.today().year, document.key)
    kept = put(name, content)
    document.file.name, document.sha256, document.size = kept.name, kept.sha256, kept.size
    document.save()
    return document


def make(template: str, context: dict[str, Any]) -> Made:
    """Render a paper; the same template and context give the same bytes."""
    today = clock.today()
    known = {"city": settings.CITY, "today": today, "edition": edition_on(today)}
    html = printable(render_to_string(template, known | context))
    page = weasyprint.HTML(string=html, base_url=OWN, url_fetcher=OwnFilesOnly())
    paper = page.render(font_config=_fonts(), pdf_variant=VARIANT)
    mark = hashlib.sha256(html.encode()).digest()[:16]
    content = paper.write_pdf(pdf_variant=VARIANT, pdf_identifier=mark)
    return Made(content or b"", len(paper.pages))


def _fonts() -> FontConfiguration:
    """Return this thread's fonts: loaded once, since what is loaded is never given back."""
    if not hasattr(_of_thread, "fonts"):
        _of_thread.fonts = FontConfiguration()
    fonts: FontConfiguration = _of_thread.fonts
    return fonts


def printable(text: str) -> str:
    """Put a visible mark in place of each character that cannot be printed.

    Somebody reading the paper sees that something stood there; nothing is silently dropped,
    and no text can turn its neighbours around.
    """
    return UNPRINTABLE.sub(REPLACEMENT, text)


def qr_code(url: str, alt: str = "") -> SafeString:
    """Return the image element of a QR code that leads to `url`; write it as {{ qr }}."""
    drawn = segno.make(url, error="m", micro=False)
    return format_html(
        '<img class="qr" src="{}" alt="{}">',
        drawn.svg_data_uri(border=4, omitsize=True),
        alt or f"QR code that leads to {url}",
    )
