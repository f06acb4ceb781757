"""The pages of maintenance agreements, and which of them the browser looks into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.browser.city import City

__all__ = ["ROOMS"]

Keys = Callable[[City], list[tuple[str, Any]]]


def made(*states: str) -> Keys:
    """An address of an agreement, in some of its states."""
    return lambda city: [(each, [city.things[f"agreement {each}"].key]) for each in states]


def land(*states: str) -> Keys:
    """An address of the land of an agreement."""
    return lambda city: [(each, [city.things[f"agreement {each}"].site.number]) for each in states]


ROOMS: Mapping[str, Keys] = {
    "agreement": made("bare draft", "draft", "signed", "recorded"),
    "agreement_land": made("draft", "signed"),
    "agreement_party": made("draft"),
    "agreement_practices": made("draft"),
    "agreement_send": made("draft", "bare draft"),
    "agreement_sign": made("sent"),
    "agreement_register": made("signed"),
    "agreement_record": made("at register"),
    "agreement_withdraw": made("sent"),
    "agreement_change": made("recorded"),
    "agreement_correct": made("recorded"),
    "agreements_of_case": land("missing", "recorded", "sent"),
    "agreement_draft": land("missing", "recorded"),
    "agreement_enter": land("missing", "recorded"),
    "owner_change": land("missing", "recorded"),
}
