"""A date of the case as a file for people's own calendars, with its whole count."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from urllib.parse import urlsplit

import icalendar
from django.conf import settings

from permits.models import Application
from portal import clock
from portal.ordinance import Deadline

__all__ = ["calendar_file"]


def calendar_file(application: Application, dates: Iterable[tuple[str, Deadline]]) -> bytes:
    """Return an iCalendar file with a whole-day entry for each titled date."""
    calendar = icalendar.Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Siltfence//Dates of a case//EN")
    for title, deadline in dates:
        calendar.add_component(_entry(application, title, deadline))
    content: bytes = calendar.to_ical()
    return content


def _entry(application: Application, title: str, deadline: Deadline) -> icalendar.Event:
    """Return one date; its name stays the same, so that a moved date replaces the old one."""
    host = urlsplit(settings.PUBLIC_URL).hostname
    entry = icalendar.Event()
    entry.add("uid", f"{deadline.key}-{application.key}@{host}")
    entry.add("dtstamp", clock.now())
    entry.add("dtstart", deadline.on)
    entry.add("dtend", deadline.on + timedelta(days=1))
    entry.add("transp", "TRANSPARENT")
    entry.add("summary", title)
    entry.add("location", application.site.place)
    entry.add("description", deadline.explanation)
    entry.add("url", settings.PUBLIC_URL + application.site.get_absolute_url())
    return entry
