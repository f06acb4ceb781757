"""Each file of cases/uploads: taken or not, and why. Each was looked at by eye."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.files import File

from portal.uploads.check import Examined, Refused, examine
from tests.conftest import CASES, needs_cases

pytestmark = needs_cases

TABLE = {
    # Photos. A broken thumbnail is nobody's loss: the photo itself decodes to its last row.
    "heif/L_xmp_latin1.heic": "heic",
    "heif/broken_thumbnail.heic": "heic",
    "heif/zPug_3.heic": "heic",
    "heif/empty.heic": "empty",
    "heif/corrupted.heic": "cut_off",  # its second box claims 7.6 MB of a file of 5 KB
    "heif/truncated.heic": "cut_off",  # 38 bytes short, though a decoder still shows a square
    # Plan sheets, forms and letters that every viewer opens.
    "pdf/AutoCad_Diagram.pdf": 1,
    "pdf/AutoCad_Simple.pdf": 1,
    "pdf/SF424_page2.pdf": 1,
    "pdf/bytes.pdf": 1,
    "pdf/congress.pdf": 1,
    "pdf/fourpages.pdf": 4,
    "pdf/hello-world.pdf": 1,
    "pdf/indirect-rotation.pdf": 5,
    "pdf/invalid_creationdate.pdf": 1,  # a wrong note about its making, nothing else
    "pdf/missing_info.pdf": 1,
    # Only the hints for fast web view are wrong; the document is whole.
    "pdf/badlin1.pdf": 30,
    # Encrypted, but open to every reader without a password: printing or changing is
    # restricted, as engineers do with sealed sheets and agencies with forms.
    "pdf/form_dd0293.pdf": 4,
    "pdf/r6-empty-password.pdf": 1,
    "pdf/r6-owner-password.pdf": 1,
    # Needs a password to open.
    "pdf/crazyones-encrypted-256.pdf": "password",
    "pdf/encrypted-file.pdf": "password",
    "pdf/libreoffice-writer-password.pdf": "password",
    "pdf/r2-user-password.pdf": "password",
    "pdf/r4-aes-user-password.pdf": "password",
    # Readers have to repair it before they can show it.
    "pdf/cyclic-toc.pdf": "damaged",
    # Its end is missing, and so is its tree of pages.
    "pdf/fuzz-378014596.pdf": "cut_off",
}
TAKEN = [name for name, verdict in TABLE.items() if isinstance(verdict, int) or verdict == "heic"]


def look(name: str) -> Examined | Refused:
    path = CASES / "uploads" / name
    try:
        with path.open("rb") as file:
            return examine(File(file, name=Path(name).name))
    except Refused as refused:
        return refused


@pytest.fixture(scope="module")
def looked() -> dict[str, Examined | Refused]:
    """Every file of the table, looked at once."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(TABLE, pool.map(look, TABLE), strict=True))


def test_every_file_of_the_folder_has_a_verdict():
    folder = CASES / "uploads"
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.*")} == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_the_table(looked, name):
    found, expected = looked[name], TABLE[name]
    if isinstance(found, Refused):
        assert found.key == expected, found.reason
    elif isinstance(expected, int):
        assert (found.kind.key, found.pages) == ("pdf", expected)
    else:
        assert found.kind.key == expected


@pytest.mark.parametrize("name", TAKEN)
def test_whatever_is_taken_can_be_looked_at(looked, name):
    pictures = looked[name].pictures
    assert pictures
    assert all(picture.jpeg.startswith(b"\xff\xd8\xff") for picture in pictures)
    assert len(pictures) <= 12
