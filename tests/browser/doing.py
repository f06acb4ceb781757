"""Somebody opens a page, writes into its fields, and presses a button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from escrow.bills.code import code_of
from escrow.models import Draw, RollCharge
from permits.models import EarlierPermit
from tests.browser.city import City
from tests.browser.person import Person

__all__ = ["GO_ON", "Doing", "Opening", "Write", "key_of"]

Write = Mapping[str, str]
GO_ON = "Go on: see what will happen"
OF_A_SITE = {"log_add", "complete", "certificate", "parcel_add", "case_file"}
"""Addresses with the number of a site in them, not the key of an application."""


TWO_KEYS = {
    *("escrow_issuer_paid", "escrow_issuer_reverse", "escrow_draw_reverse"),
    *("escrow_issuer_refused", "escrow_refusal_reverse"),
}
"""Addresses of something within the account of an escrow: its case first."""


WITHIN: Mapping[str, Callable[[Any], list[Any]]] = {
    "agreement_enter": lambda made: [made.site.number],
    "owner_change": lambda made: [made.site.number],
    "upkeep_report": lambda bound: [bound.key, bound.practices.get(number=1).tasks.get().pk],
    "upkeep_look": lambda inspection: [inspection.key, 1],
}
"""Addresses of a part of a thing: the thing's key, then the part's."""


def key_of(thing: Any) -> Any:
    """Return what the address of a thing is made of: its key, a public number, or its row's."""
    if isinstance(thing, Draw | RollCharge):
        return thing.number
    if isinstance(thing, EarlierPermit):
        return thing.site.number
    return getattr(thing, "key", thing.pk)


@dataclass(frozen=True)
class Doing:
    """Somebody opens a page, writes into its fields, marks answers and presses a button."""

    name: str
    who: str
    button: str
    case: str = ""
    step: str = ""
    write: Write | None = None
    choose: Write | None = None
    mark: tuple[tuple[str, str], ...] = ()
    args: tuple[Any, ...] = ()
    thing: str = ""

    def address(self, city: City) -> str:
        """Return where it is done."""
        args: list[Any] = [city.cases[self.case].key] if self.case else [*self.args]
        if self.thing:
            thing = city.things[self.thing]
            args = WITHIN.get(self.name, lambda each: [key_of(each)])(thing)
        elif self.name in OF_A_SITE:
            args = [city.cases[self.case].site.number]
        if self.name in TWO_KEYS:
            args = [city.cases[self.case].key, key_of(city.things[self.thing])]
        return reverse(self.name, args=[*args, self.step] if self.step else args)

    def be_done(self, person: Person, city: City) -> None:
        """Do it."""
        person.go(self.address(city))
        for label, text in (self.write or {}).items():
            person.write(label, text)
        for label, option in (self.choose or {}).items():
            person.choose(label, option)
        for legend, answer in self.mark:
            person.tick(answer, within=person.group(legend))
        person.press(self.button)


@dataclass(frozen=True)
class Opening(Doing):
    """Somebody wants a page of a bill, and enters its number and its code first."""

    payment: str = ""

    def address(self, city: City) -> str:
        """Return the page that is wanted."""
        payment = [city.things[self.payment].key] if self.payment else []
        return reverse(self.name, args=[city.things[self.thing].key, *payment])

    def be_done(self, person: Person, city: City) -> None:
        """Be asked for both, and come to the page."""
        bill = city.things[self.thing]
        person.go(self.address(city))
        person.write("Number of the bill", bill.number)
        person.write("Code of the bill", code_of(bill))
        person.press(self.button)
        person.sees(bill.number)
