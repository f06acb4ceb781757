"""The sections of the ordinance in our own words, for the pages on the law.

Numbers in the text come from the edition, so an amendment changes them there.
The ordinance itself is what binds; these summaries help to read it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .edition_words import words
from .editions import SECTION_KEYS, Edition, all_editions
from .numbers import NUMBERS, NumberOfLaw
from .registry import RULES
from .section_texts import TEXTS


@dataclass(frozen=True)
class Section:
    """One section: its label, its title, what it says in plain words, its rules."""

    key: str
    label: str
    title: str
    summary: tuple[str, ...]
    rules: tuple[str, ...]
    numbers: tuple[NumberOfLaw, ...] = ()

    def __str__(self) -> str:
        return f"{self.title}, {self.label}"


def sections_of(edition: Edition) -> Mapping[str, Section]:
    """Every section in the order of the ordinance, with an edition's numbers."""
    named = words(edition)
    return MappingProxyType(
        {
            key: Section(
                key=key,
                label=edition.section_label(key),
                title=TEXTS[key].title,
                summary=tuple(text.format(**named) for text in TEXTS[key].paragraphs),
                rules=tuple(rule.key for rule in RULES.values() if rule.section == key),
                numbers=tuple(number for number in NUMBERS if number.section == key),
            )
            for key in SECTION_KEYS
        }
    )


def newest_sections() -> Mapping[str, Section]:
    """The sections as the newest edition of the chosen city has them."""
    return sections_of(all_editions()[-1])
