"""What a photo itself says against it: taken far from the site, or on another day.

A camera's clock and position can be wrong, so the photo is kept and the doubt is told, to
those who work for the city.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from math import asin, cos, radians, sin, sqrt

from inspections.models import Visit
from portal.formats import long_date
from portal.models import Upload

__all__ = ["doubts"]

EARTH_MILES = 3959
FAR_MILES = 2
"""A large site and a poor position together stay below this."""
STATE = ((Decimal("42.3"), Decimal("47.4")), (Decimal("-93.0"), Decimal("-86.0")))
"""From where to where the state reaches, for sites whose own position is not known."""
DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d) ")


def doubts(upload: Upload, visit: Visit) -> list[str]:
    """Return in sentences what speaks against a photo as evidence of a visit."""
    found = [_of_place(upload, visit), _of_day(upload, visit.visited_on)]
    return [sentence for sentence in found if sentence]


def _of_place(upload: Upload, visit: Visit) -> str:
    if upload.latitude is None or upload.longitude is None:
        return ""
    site = visit.site
    if site.latitude is not None and site.longitude is not None:
        miles = _miles(upload.latitude, upload.longitude, site.latitude, site.longitude)
        if miles >= FAR_MILES:
            return f"Its camera says that it was taken {miles:,.0f} miles from the site."
        return ""
    (south, north), (west, east) = STATE
    if south <= upload.latitude <= north and west <= upload.longitude <= east:
        return ""
    return "Its camera says that it was taken outside the state."


def _miles(*degrees: Decimal) -> float:
    """Return the distance between two positions along the ground."""
    lat1, lon1, lat2, lon2 = (radians(float(each)) for each in degrees)
    half = sin((lat2 - lat1) / 2) ** 2 + cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_MILES * asin(min(1.0, sqrt(half)))


def _of_day(upload: Upload, visited_on: date) -> str:
    """Allow a day for the camera's own time zone."""
    found = DAY.match(upload.taken_at)
    if found is None:
        return ""
    try:
        taken = date(*(int(part) for part in found.groups()))
    except ValueError:
        return ""
    if abs(taken - visited_on) <= timedelta(days=1):
        return ""
    return f"Its camera says that it was taken on {long_date(taken)}."
