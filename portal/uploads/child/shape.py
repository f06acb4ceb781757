"""Where a file begins and ends: nothing before its first byte, nothing behind its last.

A file that is two files at once (a PDF with an archive behind it, a photo that is also a
web page) is read as one thing by us and as another by somebody else.
"""

from __future__ import annotations

import re
import struct

from .verdict import refuse

PADDING = b"\0\t\n\x0c\r \x1a"
WEB_PAGE = re.compile(rb"<(html|script|!doctype|svg|iframe|body|\?php)", re.IGNORECASE)
PDF_HEAD = b"%PDF-"
PDF_END = b"%%EOF"
ZIP_END = b"PK\x05\x06"
ZIP_END_SIZE = 22
ZIP_COMMENT_MOST = 65_535
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
BOX_HEAD = 8


def refuse_archive(data: bytes) -> None:
    """Refuse a file that an unpacker would open: an archive's end is at its end."""
    window = data[-(ZIP_END_SIZE + ZIP_COMMENT_MOST) :]
    found = window.rfind(ZIP_END)
    while found >= 0:
        record = window[found : found + ZIP_END_SIZE]
        if len(record) == ZIP_END_SIZE:
            comment = int.from_bytes(record[20:22], "little")
            if not window[found + ZIP_END_SIZE + comment :].strip(PADDING):
                refuse("two_in_one", other="an archive")
        found = window.rfind(ZIP_END, 0, found)


def check_pdf(data: bytes) -> None:
    """`%PDF-` at the first byte, `%%EOF` as the last word, and no web page at either end."""
    if not data.startswith(PDF_HEAD):
        refuse("before_start")
    end = data.rstrip(PADDING)
    if not end.endswith(PDF_END):
        refuse("behind_end" if PDF_END in data else "cut_off")
    if WEB_PAGE.search(data[:1024]) or WEB_PAGE.search(data[-1024:]):
        refuse("two_in_one", other="a web page")


def check_jpeg(data: bytes) -> None:
    """The picture's end is there; behind it only what telephones write there."""
    end = jpeg_end(data)
    if end is None:
        refuse("cut_off")
    check_tail(data[end:])


def jpeg_end(data: bytes) -> int | None:
    """Return the place just behind the end-of-image mark, or None when there is none."""
    scan = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
    place = 2
    while place + 4 <= len(data) or data[place : place + 2] == b"\xff\xd9":
        if data[place] != 0xFF:
            return None
        mark = data[place + 1]
        if mark == 0xD9:
            return place + 2
        if mark == 0xFF:  # a fill byte
            place += 1
        elif mark == 0x01 or 0xD0 <= mark <= 0xD7:
            place += 2
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
            if mark == 0xDA:
                found = scan.search(data, place)
                if not found:
                    return None
                place = found.start()
    return None


def check_tail(tail: bytes) -> None:
    """A second picture, a moving one, or Samsung's notes may follow a photo; nothing else."""
    tail = tail.strip(PADDING)
    if not tail:
        return
    if WEB_PAGE.search(tail) or PDF_HEAD in tail:
        refuse("two_in_one", other="a web page or a document")
    if not (tail.startswith(b"\xff\xd8\xff") or b"ftyp" in tail[:8] or tail.endswith(b"SEFT")):
        refuse("behind_end")


def check_png(data: bytes) -> None:
    """Chunk by chunk to the last one, with only padding behind it."""
    place = len(PNG_HEAD)
    while place + 12 <= len(data):
        length, name = struct.unpack(">I4s", data[place : place + 8])
        place += 12 + length
        if name == b"IEND":
            if data[place:].strip(PADDING):
                refuse("behind_end")
            return
    refuse("cut_off")


def check_heif(data: bytes) -> None:
    """The file is a row of boxes that fills it exactly."""
    place = 0
    while place < len(data):
        if place + BOX_HEAD > len(data):
            refuse("cut_off")
        size, name = struct.unpack(">I4s", data[place : place + BOX_HEAD])
        if size == 1:
            size = int.from_bytes(data[place + 8 : place + 16], "big")
        elif size == 0 and name == b"mdat":  # "to the end of the file"
            return
        if size < BOX_HEAD or not name.isascii():
            refuse("damaged")
        place += size
    if place > len(data):
        refuse("cut_off")
