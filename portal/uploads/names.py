"""File names as people gave them: kept as text, never as a path."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 150
UNSEEN = re.compile(
    "[\u0000-\u001f\u007f-\u009f"  # control characters, NUL and line ends among them
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"  # what turns or hides text
    "\u2028\u2029\ud800-\udfff\ufffe\uffff]"
)


def clean_name(name: str | None) -> str:
    """Return the name without path, control characters and marks that turn its direction.

    `harmless‮fdp.exe` shows as `harmlessexe.pdf`; without the mark it shows as it is.
    """
    text = unicodedata.normalize("NFC", UNSEEN.sub("", name or ""))
    text = re.split(r"[/\\]", text)[-1]
    text = " ".join(text.split()).strip(" ")
    if not text.strip("."):
        return "file"
    return shortened(text)


def shortened(text: str) -> str:
    """Cut a very long name in its middle: its ending says what it is."""
    if len(text) <= LONGEST:
        return text
    stem, dot, ending = text.rpartition(".")
    if not dot or len(ending) > 10:
        return text[:LONGEST]
    return stem[: LONGEST - len(ending) - 2] + "…" + dot + ending
