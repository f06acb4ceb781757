"""Open one file and say what it is, a line of JSON at a time.

    python -m portal.uploads.child examine PATH SECONDS    a verdict, then its pictures
    python -m portal.uploads.child show PATH KIND FIRST    pictures from page FIRST on

The verdict is said before the first picture is made, so that a file whose pages are too
heavy to draw is still taken. The last line is `{"done": true}` when no page is left.
"""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from portal.uploads.kinds import DWG, DXF, HEIC, JPEG, PDF, PNG, XLSX, Kind

from . import bounds, drawings, pdfs, pictures, workbooks
from .shape import PDF_HEAD, PNG_HEAD, refuse_archive
from .verdict import Finding, Picture, Refusal, refuse

HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def say(**line: Any) -> None:
    """Write one line for the parent, at once: this process may be ended at any time."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def recognise(data: bytes) -> Kind | None:
    """Tell the kind from the first bytes."""
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG
    if data.startswith(PNG_HEAD):
        return PNG
    if data[4:8] == b"ftyp" and data[8:12] in HEIF_BRANDS:
        return HEIC
    if PDF_HEAD in data[:1024]:
        return PDF  # one that does not begin with it gets its own sentence
    if drawings.DWG_HEAD.match(data):
        return DWG
    if workbooks.is_workbook(data):
        return XLSX
    return DXF if drawings.is_dxf(data) else None


def examine(path: Path) -> tuple[Kind, Finding]:
    """Say what the file is, by its first bytes and by libmagic, and look through it."""
    import magic

    data = path.read_bytes()
    kind = recognise(data)
    called = str(magic.from_file(str(path), mime=True))
    if kind is None:
        refuse("other_kind", called=called)
    if kind is PDF and not data.startswith(PDF_HEAD):
        refuse("before_start")
    if called not in kind.magic:
        refuse("disguise", called=called)
    if kind is XLSX:
        return kind, workbooks.examine(data)
    refuse_archive(data)
    if kind is PDF:
        return kind, pdfs.examine(path, data)
    if kind in (JPEG, PNG, HEIC):
        return kind, pictures.examine(path, data, kind.key)
    return kind, drawings.examine_dwg(data) if kind is DWG else drawings.examine_dxf(data)


def say_pictures(made: Iterable[Picture], until: float) -> None:
    """Write the pictures, as many as there is time for."""
    for picture in made:
        say(
            page=picture.page,
            width=picture.width,
            height=picture.height,
            jpeg=base64.b64encode(picture.jpeg).decode("ascii"),
        )
        if time.monotonic() > until:
            return
    say(done=True)


def run_examine(path: Path, seconds: float) -> None:
    """Say the verdict, then the pictures."""
    started = time.monotonic()
    try:
        kind, finding = examine(path)
    except Refusal as refusal:
        say(refused=refusal.key, **refusal.facts)
        return
    except MemoryError:
        say(refused="heavy")
        return
    say(kind=kind.key, **finding.facts)
    say_pictures(finding.pictures, started + seconds)


def run_show(path: Path, kind: str, first: int) -> None:
    """Say the pictures of a file that was taken before."""
    made = pdfs.show_from(path, first) if kind == PDF.key else pictures.show_from(path, kind)
    say_pictures(made, time.monotonic() + bounds.CPU_SECONDS)


def main(arguments: list[str]) -> None:
    """Lower the limits, then look."""
    bounds.apply()
    what, path = arguments[0], Path(arguments[1])
    if what == "examine":
        run_examine(path, float(arguments[2]))
    else:
        run_show(path, arguments[2], int(arguments[3]))


if __name__ == "__main__":
    main(sys.argv[1:])
