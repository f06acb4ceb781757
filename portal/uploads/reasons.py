"""Why a file is not taken, in words for the person who sent it, and what to do about it."""

from __future__ import annotations

from typing import Any

from .kinds import ACCEPTED

REASONS = {
    "empty": "it is empty (0 bytes). Open it to see that it holds what you mean to send, "
    "and choose it again.",
    "too_big": "it is {size}; a file may be at most {most}. Save it smaller (a PDF printer or "
    "your camera can) or in several parts.",
    "password": "it needs a password to open. Save a copy without a password and choose that.",
    "cut_off": "its end is missing; it was probably cut off while it was saved, copied or sent. "
    "Save or download it again and choose it again.",
    "damaged": "it is damaged and may not open for everybody. Open it, save it again under a "
    "new name (for a PDF: print it to PDF) and choose that.",
    "behind_end": "there is something hidden behind its end. Open it, save it again under a new "
    "name (for a PDF: print it to PDF) and choose that.",
    "before_start": "it looks like a PDF, but there is something before its start. Open it, "
    "print it to PDF and choose that.",
    "two_in_one": "it is two files in one: it also holds {other}. Open it, save it again under "
    "a new name and choose that.",
    "heavy": "opening it takes far more memory or time than a file of its size should. Print it "
    "to PDF, or save the picture smaller, and choose that.",
    "too_many_pixels": "the picture is too large: at most {most} million pixels can be opened. "
    "Save it smaller and choose that.",
    "too_many_pages": "it has {pages:,} pages; at most {most:,} can be taken. Send the pages "
    "that matter.",
    "adobe_form": "it is a form that only one program can show; everybody else sees a page that "
    "says “please wait”. Open it there, print it to PDF and choose that.",
    "macros": "it holds macros or another program. Save it as an ordinary workbook (.xlsx) "
    "without them, or print it to PDF, and choose that.",
    "mismatch": "its name ends in {ending}, but it is a {called}. Choose the right file, or "
    "change the ending of its name.",
    "other_kind": f"it is {{called}}. We take {ACCEPTED}.",
    "disguise": f"it is not what it says it is. We take {ACCEPTED}.",
    "unreadable": "it could not be opened. Open it yourself, save it again under a new name and "
    "choose that.",
    "too_many": "{most} files are the most that one application may hold, and it has {have} "
    "already. Put several sheets into one PDF.",
    "too_much": "with it, the files of this application would be {total}; together they may be "
    "at most {most}. Save them smaller.",
    "too_much_at_once": "the files chosen at once are more than {most}. The first of them are "
    "kept; send the others after that, a few at a time.",
    "too_many_today": "{have} is the most files that one person may send in a day, and you "
    "have sent them. Send the rest tomorrow, or call us.",
    "no_time": "there were so many files to look at that the time ran out before this one. Choose "
    "it again; the others are kept.",
    "storage_full": "it could not be saved, because the city’s storage is full. Nothing else was "
    "lost. We have been told; try again later, or call us.",
    "storage_down": "it could not be saved, because the city’s storage did not answer. Nothing "
    "else was lost. Try again in a few minutes, or call us.",
}

CALLED = {
    "text/html": "a web page",
    "image/svg+xml": "an SVG picture",
    "application/zip": "a ZIP archive",
    "application/x-7z-compressed": "a 7z archive",
    "application/x-rar": "a RAR archive",
    "application/gzip": "a compressed archive",
    "application/java-archive": "a program",
    "image/gif": "a GIF picture",
    "image/tiff": "a TIFF picture",
    "image/webp": "a WebP picture",
    "image/bmp": "a BMP picture",
    "image/avif": "an AVIF picture",
    "text/xml": "an XML file",
    "text/csv": "a table (CSV)",
    "text/rtf": "a text document (RTF)",
    "application/msword": "a Word document",
    "application/vnd.ms-excel": "an Excel workbook",
    "application/vnd.ms-outlook": "an e-mail",
    "message/rfc822": "an e-mail",
    "application/x-dosexec": "a program",
    "application/x-executable": "a program",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "a Word document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "an Excel workbook",
}


def called(content_type: str) -> str:
    """Name a kind of file that is not taken, as people call it."""
    if content_type in CALLED:
        return CALLED[content_type]
    family = content_type.partition("/")[0]
    return {
        "text": "a text file",
        "video": "a video",
        "audio": "a sound recording",
        "image": "another kind of picture",
    }.get(family, "another kind of file")


def sentence(key: str, **facts: Any) -> str:
    """Return the reason, to be read after the file's name and a colon."""
    if key == "other_kind":
        facts["called"] = called(facts.get("called", ""))
    return REASONS[key].format(**facts)
