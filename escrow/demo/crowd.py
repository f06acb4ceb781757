"""Names, places and parcels for a large city, made by chance and never real."""

from __future__ import annotations

import math
from decimal import Decimal
from random import Random

__all__ = ["address", "parcel", "person", "position"]


MANY_SITES = 100_000


def _words(text: str) -> list[str]:
    return text.split()


FIRST = _words(
    "Mai Jon Ana Tom Ruth Liam Dawn Walter Gretchen Kwame Signe Pa Marcus Ine Paul Irene "
    "Samuel Lee Nora Otto Bao Carmen Dieter Elsa Femi Greta Hugo Inga Jamal Karin Lars Mina"
)
LAST = _words(
    "Vang Berg Ruiz Reyes Keller O'Connor Whitehorse Petersen Schmidt Oduya Halvorsen Xiong "
    "Hale Verhoeven Novak Castillo Wright Moua Lindqvist Baumgartner Thao Delgado Kowalski "
    "Nygaard Adeyemi Fischer Larsen Yang Mueller Olsen Brandt Moreno"
)
TREES = _words(
    "Prairie Treetop Juneberry Bobolink Sandhill Heron Millrace Depot Marsh Marigold Aster "
    "Bluestem Burr Cardinal Clover Cranberry Dogwood Drumlin Elm Fern Goldenrod Hawthorn "
    "Heather Hickory Ironwood Kettle Larch Lupine Maple Meadow Moraine Oak Orchard Plover "
    "Quarry Ridge Sedge Sumac Tamarack Thistle Trillium Willow"
)
ENDS = _words("Rose Hill Creek Run Bend View Glen Field Brook Point")
TYPES = _words("Street Road Avenue Drive Lane Court Way Place")


def person(chance: Random) -> str:
    """Return a name."""
    return f"{chance.choice(FIRST)} {chance.choice(LAST)}"


def street(chance: Random) -> str:
    """Return a street of some thousands."""
    return f"{chance.choice(TREES)} {chance.choice(ENDS)} {chance.choice(TYPES)}"


def address(chance: Random) -> str:
    """Return a place as people here write one: plain, on the county's grid, on a highway."""
    kind = chance.random()
    if kind < 0.86:
        place = f"{chance.randrange(1, 9999)} {street(chance)}"
    elif kind < 0.94:
        east, south = chance.randrange(10, 320), chance.randrange(1000, 29999)
        blank = chance.choice(("", " "))
        place = f"N{east}{blank}W{south} {street(chance)}"
    else:
        letters = chance.choice(("MM", "Y", "DB", "K", "QQ", "TT"))
        place = f"{chance.randrange(100, 9999)} County Road {letters}"
    return f"{place}, Example, WI 54999"


def position(chance: Random, sites: int = MANY_SITES) -> dict[str, Decimal]:
    """Return where on the map: 100,000 sites within some twenty miles, fewer as close together."""
    side = math.sqrt(sites / MANY_SITES)
    south = Decimal(chance.randrange(int(300_000 * side) + 1))
    west = Decimal(chance.randrange(int(400_000 * side) + 1))
    return {
        "latitude": Decimal("43.0") + south / 1_000_000,
        "longitude": Decimal("-89.5") + west / 1_000_000,
    }


def parcel(chance: Random, number: int) -> str:
    """Return a parcel number in one of the ways counties write them."""
    kind = number % 4
    if kind == 0:
        return f"{number:07d}{chance.randrange(1000):03d}"
    if kind == 1:
        return f"EXMC {number // 1000:04d}-{number % 1000:03d}"
    if kind == 2:
        return f"{number // 10000:03d}-{number % 10000:04d}-{chance.randrange(99):02d}-350"
    return f"{number // 1000:04d}.{number % 1000:03d}.{chance.randrange(1000):03d}"
