"""What somebody types never becomes part of a query by another way than the filters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PARTS = ("portal", "permits", "inspections", "enforcement", "escrow")
DOORS = {
    "an address becomes a filter": r"\*\*\s*(?:dict\()?(?:self\.)?request\.(?:GET|POST)",
    "text becomes SQL": r"\.(?:raw|extra)\(|RawSQL\(",
    "text becomes markup": r"mark_safe\(|\|\s*safe\b|autoescape off",
}
KEPT_STATEMENTS = ("portal/reading.py",)
"""Hands on the SQL of our own querysets; what a person asks for is a value beside it."""


@pytest.mark.parametrize("door", DOORS)
def test_a_side_door_is_nowhere(root: Path, door: str) -> None:
    files = [path for part in PARTS for path in (root / part).rglob("*.py")]
    pages = (root / "templates").rglob("*.html")
    files += [path for path in pages if "bootstrap5" not in path.parts]  # hints, which we write
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(DOORS[door], line)
        if door != "text becomes SQL" or str(path.relative_to(root)) not in KEPT_STATEMENTS
    ]
    assert found == []


def test_no_page_is_kept_by_a_cache_of_the_server(root: Path) -> None:
    texts = [
        path.read_text(encoding="utf-8") for part in PARTS for path in (root / part).rglob("*.py")
    ]
    assert not any("cache_page" in text or "UpdateCacheMiddleware" in text for text in texts)
