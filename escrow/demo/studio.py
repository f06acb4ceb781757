"""Makes the demo's files: drawn here, stored as what people send is stored."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pypdfium2
from django.core.files.base import ContentFile
from PIL import Image

from portal.models import Upload, User
from portal.uploads.check import Examined, Picture
from portal.uploads.child import pdfs, pictures
from portal.uploads.child.verdict import Picture as Page
from portal.uploads.kinds import JPEG, PDF
from portal.uploads.store import store

__all__ = ["store_jpeg", "store_pdf"]


def store_pdf(content: bytes, *, name: str, by: User) -> Upload:
    """Keep a drawn sheet with its picture.

    It is our own, so it is not sent through the child process that looks at strangers' files.
    """
    document = pypdfium2.PdfDocument(content)
    examined = Examined(
        kind=PDF, name=name, pages=len(document), pictures=tuple(_kept(pdfs.show(document, 1)))
    )
    return store(ContentFile(content, name=name), by=by, examined=examined)


def store_jpeg(content: bytes, *, name: str, by: User) -> Upload:
    """Keep a drawn photo with its picture."""
    shown = pictures.show(Image.open(BytesIO(content)))
    examined = Examined(kind=JPEG, name=name, pictures=tuple(_kept(shown)))
    return store(ContentFile(content, name=name), by=by, examined=examined)


def _kept(pages: Iterator[Page]) -> Iterator[Picture]:
    for page in pages:
        yield Picture(page.page, page.width, page.height, page.jpeg)
