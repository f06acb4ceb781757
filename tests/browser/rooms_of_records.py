"""The pages of requests, holds and destruction lists, with the things behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.browser.city import City

__all__ = ["NO_PAGES", "ROOMS"]

Keys = Callable[[City], list[tuple[str, Any]]]

NO_PAGES: Mapping[str, str] = {
    "records_answer_paper": "a PDF",
    "society_letter": "a PDF",
    "destruction_certificate": "a PDF",
}


def things(*names: str) -> Keys:
    return lambda city: [(name, [city.things[name].key]) for name in names]


ROOMS: Mapping[str, Keys] = {
    "records_request": things("request", "request answered"),
    "records_acknowledge": things("request"),
    "records_answer": things("request", "request answered"),
    "records_withdraw": things("request"),
    "hold_end": lambda city: [("", [city.things["hold"].pk])],
    "destruction_list": things("list", "list proposed", "list ready", "list done"),
    "destruction_approve": things("list proposed", "list"),
    "society_notice": things("list"),
    "destruction_do": things("list ready", "list"),
    "destruction_withdraw": things("list"),
    "destroyed_case": lambda city: [("", [city.things["destroyed"].number])],
}
