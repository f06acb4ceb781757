"""What the child finds: a refusal by its key, or facts and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn


class Refusal(Exception):
    """A file that is not taken; the key names a sentence in `portal.uploads.reasons`."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


def refuse(key: str, **facts: Any) -> NoReturn:
    """Refuse the file."""
    raise Refusal(key, **facts)


@dataclass(frozen=True)
class Picture:
    """One page as a JPEG to look at."""

    page: int
    width: int
    height: int
    jpeg: bytes


@dataclass(frozen=True)
class Finding:
    """What a file that is taken turned out to be."""

    facts: dict[str, Any] = field(default_factory=dict)
    pictures: Iterator[Picture] = field(default_factory=lambda: iter(()))
