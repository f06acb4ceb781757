"""How much may be sent, said before choosing and checked after."""

from __future__ import annotations

from django.conf import settings

from .kinds import ACCEPTED

MEGABYTE = 1024 * 1024
FILES_A_DAY = 300
"""Of one person, over all cases, in 24 hours: far above any plan set, far below a flood."""


def file_bytes() -> int:
    """The most that one file may hold."""
    return int(settings.UPLOAD_MAX_FILE_BYTES)


def files() -> int:
    """The most files that one application may hold."""
    return int(settings.UPLOAD_MAX_FILES)


def total_bytes() -> int:
    """The most that the files of one application may hold together."""
    return int(settings.UPLOAD_MAX_TOTAL_BYTES)


def files_a_day() -> int:
    """The most files that one person may send in 24 hours."""
    return int(getattr(settings, "UPLOAD_MAX_FILES_A_DAY", FILES_A_DAY))


def megabytes(size: int) -> str:
    """Write a size as people read it; never so rounded that it seems within a limit."""
    if size < MEGABYTE:
        return f"{-(-size // 1024):,} KB"
    tenths = -(-size * 10 // MEGABYTE)
    return f"{tenths // 10:,}.{tenths % 10} MB" if tenths % 10 else f"{tenths // 10:,} MB"


def sentence() -> str:
    """Say the limits, for the hint above the button that chooses files."""
    return (
        f"{ACCEPTED}. A file may be up to {megabytes(file_bytes())}; "
        f"up to {files()} files, {megabytes(total_bytes())} together. "
        "You can choose several at once."
    )
