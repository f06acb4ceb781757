"""Files made for the tests: good ones, cut ones, and files in disguise."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Any

import pikepdf
import pillow_heif
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

WEB_PAGE = b"<html><script>alert(document.domain)</script></html>"
MADISON = (43.073052, -89.40123)


def sent(name: str, content: bytes) -> SimpleUploadedFile:
    """A file as a form hands it over."""
    return SimpleUploadedFile(name, content)


def pdf(pages: int = 1, **how: Any) -> bytes:
    """A PDF with a line on every page."""
    made = pikepdf.new()
    for number in range(pages):
        page = made.add_blank_page(page_size=(612, 792))
        page.Contents = made.make_stream(f"0 0 m {100 + number} 700 l S".encode())
    out = io.BytesIO()
    made.save(out, **how)
    return out.getvalue()


def locked_pdf(*, user: str = "", owner: str = "the engineer's") -> bytes:
    """A PDF with a password: to open it, or only to change it."""
    return pdf(encryption=pikepdf.Encryption(user=user, owner=owner, R=6))


def bomb_pdf(megabytes: int = 600) -> bytes:
    """A PDF of a few kilobytes whose one page unpacks, twice, to 600 MB."""
    squeeze, packed = zlib.compressobj(9), bytearray()
    for _ in range(megabytes):
        packed += squeeze.compress(bytes(1024 * 1024))
    packed += squeeze.flush()
    made = pikepdf.new()
    made.add_blank_page()
    stream = pikepdf.Stream(made, zlib.compress(bytes(packed), 9))
    stream.stream_dict.Filter = pikepdf.Array([pikepdf.Name.FlateDecode] * 2)
    made.pages[0].Contents = made.make_indirect(stream)
    return saved_as_it_is(made)


def saved_as_it_is(made: pikepdf.Pdf) -> bytes:
    """The PDF with its streams untouched."""
    out = io.BytesIO()
    made.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return out.getvalue()


def circular_pdf() -> bytes:
    """A PDF whose table of contents points back at itself for ever."""
    whole = pdf()
    start = whole.rindex(b"startxref") + len(b"startxref\n")
    place = whole[start : whole.index(b"\n", start)]
    return whole.replace(b"trailer <<", b"trailer << /Prev " + place + b" ", 1)


def adobe_form_pdf() -> bytes:
    """A form that only one program shows; the page says "please wait"."""
    made = pikepdf.open(io.BytesIO(pdf()))
    made.Root.NeedsRendering = True
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def photo(size: tuple[int, int] = (400, 300)) -> Image.Image:
    """A picture that is red at the top left, so that its turning can be seen."""
    image = Image.new("RGB", size, "navy")
    image.paste("red", (0, 0, size[0] // 2, size[1] // 2))
    return image


def exif(*, turned: int = 1, at: tuple[float, float] | None = None, moment: str = "") -> bytes:
    """The notes of a camera."""
    notes = Image.Exif()
    notes[0x0112] = turned
    notes[0x010F] = "CanaryCamera"
    if moment:
        notes.get_ifd(0x8769).update({0x9003: moment, 0x9011: "-05:00"})
    if at:
        notes.get_ifd(0x8825).update(
            {
                1: "S" if at[0] < 0 else "N",
                2: angle(abs(at[0])),
                3: "W" if at[1] < 0 else "E",
                4: angle(abs(at[1])),
            }
        )
    return notes.tobytes()


def angle(degrees: float) -> tuple[float, float, float]:
    """Degrees as cameras note them: degrees, minutes, seconds."""
    whole, rest = divmod(degrees, 1)
    minutes, rest = divmod(rest * 60, 1)
    return (whole, minutes, rest * 60)


def jpeg(size: tuple[int, int] = (400, 300), **notes: Any) -> bytes:
    """A JPEG, with the camera's notes if any are asked for."""
    out = io.BytesIO()
    photo(size).save(out, "JPEG", **({"exif": exif(**notes)} if notes else {}))
    return out.getvalue()


def heic(size: tuple[int, int] = (400, 300), **notes: Any) -> bytes:
    """A HEIC photo, as telephones send it."""
    made = pillow_heif.from_pillow(photo(size))
    out = io.BytesIO()
    made.save(out, quality=60, **({"exif": exif(**notes)} if notes else {}))
    return out.getvalue()


def image_as(form: str, image: Image.Image | None = None) -> bytes:
    """A picture in another form."""
    out = io.BytesIO()
    (image or photo()).save(out, form)
    return out.getvalue()


def flood_png(side: int = 30_000) -> bytes:
    """A PNG of some kilobytes that says it is 900 million pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + body))
        return struct.pack(">I", len(body)) + name + body + check

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    squeeze, row = zlib.compressobj(9), bytes(1 + (side + 7) // 8)
    rows = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def archive(comment: bytes = b"") -> bytes:
    """A ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("program.class", b"\xca\xfe\xba\xbe")
        made.comment = comment
    return out.getvalue()


TYPES = b'<Types><Override PartName="/xl/workbook.xml" ContentType="sheet.main+xml"/></Types>'


def workbook(parts: dict[str, bytes] | None = None, *, comment: bytes = b"") -> bytes:
    """A workbook as a package of parts, with more parts, or other ones, by name."""
    whole = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": b"<Relationships/>",
        "xl/workbook.xml": b"<workbook/>",
        "xl/worksheets/sheet1.xml": b"<worksheet><sheetData/></worksheet>",
        **(parts or {}),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in whole.items():
            made.writestr(name, content)
        made.comment = comment
    return out.getvalue()


DXF = b"""999
drawn for a test
0
SECTION
2
ENTITIES
0
LINE
8
FENCE
10
0.0
20
0.0
11
100.0
21
50.0
0
ENDSEC
0
EOF
"""
DWG = b"AC1032" + bytes(range(256)) * 4
EICAR = rb"X5O!P%@AP[4\PZX54(P^)7CC)7}$" + rb"EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
SVG = b"""<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>"""
EOF_COMMENT = b"\n%%EOF"
