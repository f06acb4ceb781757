"""Sites near what somebody reported: by the words of the place, and by position."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, pairwise
from typing import NamedTuple

from inspections.models import Complaint
from permits.finding import find_site_keys
from permits.models import Permit, Site, search_words
from permits.models.site import COMMON_WORDS
from portal.models import Upload

__all__ = ["Near", "Position", "is_in_the_state", "position_of", "positions_of", "sites_near"]

METRES = 300
"""Half the width of the square around a position in which sites are looked for."""
METRES_PER_DEGREE = 111_320
MOST_LISTED = 10
MOST_IN_SQUARE = 200
MOST_PHRASES = 5

SOUTH, NORTH = Decimal("42.3"), Decimal("47.4")
WEST, EAST = Decimal("-93.0"), Decimal("-86.2")


class Position(NamedTuple):
    """A place on the map, in degrees."""

    latitude: Decimal
    longitude: Decimal

    def __str__(self) -> str:
        return f"{self.latitude:.6f}, {self.longitude:.6f}"

    def metres_to(self, other: Position) -> int:
        """Return the distance, exact enough for a neighbourhood."""
        east = math.cos(math.radians(float(self.latitude)))
        dy = float(self.latitude - other.latitude)
        dx = float(self.longitude - other.longitude) * east
        return round(math.hypot(dx, dy) * METRES_PER_DEGREE)


def is_in_the_state(position: Position) -> bool:
    """Whether a position lies in Wisconsin, or close to its border."""
    return SOUTH <= position.latitude <= NORTH and WEST <= position.longitude <= EAST


def position_of(thing: Complaint | Upload | Site) -> Position | None:
    """Return the position of a thing, if it has one that can be meant."""
    if thing.latitude is None or thing.longitude is None:
        return None
    position = Position(thing.latitude, thing.longitude)
    return position if is_in_the_state(position) else None


@dataclass(frozen=True)
class Near:
    """A site that may be meant, and why it is listed."""

    site: Site
    permit: Permit | None
    metres: int | None = None

    @property
    def case_url(self) -> str:
        """The page of the case; a site without an application has none."""
        return self.site.get_absolute_url() if self.site.filed_on else ""


def positions_of(complaint: Complaint) -> list[Position]:
    """Return where it was reported, and where its photos were taken. For staff only."""
    things: list[Complaint | Upload] = [complaint, *complaint.photos.all()]
    found = filter(None, (position_of(thing) for thing in things))
    return list(dict.fromkeys(found))


def sites_near(complaint: Complaint, *, text: str = "") -> list[Near]:
    """Return the sites that may be meant, the nearest first, then those found by words."""
    distances = _by_position(positions_of(complaint))
    keys = sorted(distances, key=lambda key: distances[key])
    words = _by_words(text or complaint.place)
    listed = list(dict.fromkeys([*words, *keys] if text else [*keys, *words]))[:MOST_LISTED]
    sites = Site.objects.in_bulk(listed)
    found = Permit.objects.filter(site__in=listed).order_by()
    permits = {
        permit.site_id: permit for permit in sorted(found, key=lambda p: p.pk) if permit.number
    }
    return [Near(sites[key], permits.get(key), distances.get(key)) for key in listed]


def _by_position(positions: Iterable[Position]) -> dict[int, int]:
    """Return the sites in a square around each position, with their distance."""
    found: dict[int, int] = {}
    for position in list(positions)[:3]:
        up = Decimal(METRES) / METRES_PER_DEGREE
        across = up / Decimal(math.cos(math.radians(float(position.latitude))))
        square = Site.objects.filter(
            latitude__range=(position.latitude - up, position.latitude + up),
            longitude__range=(position.longitude - across, position.longitude + across),
        )
        for site in square.only("latitude", "longitude")[:MOST_IN_SQUARE]:
            if place := position_of(site):
                metres = position.metres_to(place)
                found[site.pk] = min(metres, found.get(site.pk, metres))
    return found


def _by_words(text: str) -> list[int]:
    """Return sites that have the words of a place; fewer words when all find nothing."""
    for phrase in islice(_phrases(text), MOST_PHRASES):
        if keys := find_site_keys(phrase, Site.objects.all()).keys:
            return keys[:MOST_LISTED]
    return []


def _phrases(text: str) -> Iterator[str]:
    """All that was written; a house number with its street; a street; the longest word."""
    words = search_words(text)
    yield " ".join(words[:8])
    pairs = list(pairwise(words))
    yield from (
        f"{number} {street}"
        for number, street in pairs
        if any(sign.isdigit() for sign in number) and street not in COMMON_WORDS
    )
    streets = [name for name, kind in pairs if kind in COMMON_WORDS and name not in COMMON_WORDS]
    telling = sorted((word for word in words if word not in COMMON_WORDS), key=len, reverse=True)
    yield from [*streets[:2], *telling[:1]]
