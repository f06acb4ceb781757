"""The calendar feed: a secret link per person, for their own calendar program."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit

import icalendar
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from permits.models import DocketEntry
from permits.views.doors import who
from portal import clock, known
from portal.models import User
from portal.models.accounts import new_feed_key
from portal.ordinance import Deadline, WaitingPeriod

from .rows import counter_of

__all__ = ["feed", "feed_link", "feed_renew"]

logger = logging.getLogger(__name__)

BACK = timedelta(days=60)
AHEAD = timedelta(days=400)
MOST = 300
STAFF_BOUND = (DocketEntry.Bound.INSPECTOR, DocketEntry.Bound.CITY)


@login_required
@require_safe
def feed_link(request: HttpRequest) -> HttpResponse:
    """Show a person their link, and how to use and renew it."""
    url = f"{settings.PUBLIC_URL}{reverse('feed', args=[who(request).feed_key])}"
    return render(request, "desk/feed.html", {"url": url})


@login_required
@require_POST
def feed_renew(request: HttpRequest) -> HttpResponse:
    """Give a person a new link; the old one opens nothing from now on."""
    user = who(request)
    User.objects.filter(pk=user.pk).update(feed_key=new_feed_key())
    logger.info("A calendar link was renewed", extra={"person": user.pk})
    messages.success(request, "Here is your new link. The old one no longer works.")
    return HttpResponseRedirect(reverse("feed_link"))


@require_safe
def feed(request: HttpRequest, key: str) -> HttpResponse:
    """Return the dates of the person whose link this is; nobody signs in for it."""
    user = User.objects.filter(feed_key=key, is_active=True).first()
    if user is None:
        raise Http404
    with known.reading_once():
        content = calendar_of(entries_of(user, on=clock.today()))
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'inline; filename="siltfence.ics"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def entries_of(user: User, *, on: date) -> list[DocketEntry]:
    """Return the running dates that concern a person, the earliest first."""
    near = DocketEntry.objects.running().filter(on__gte=on - BACK, on__lte=on + AHEAD)
    near = near.select_related("site").order_by("on", "pk")
    if user.is_city_staff:
        parts = [near.filter(bound=bound)[:MOST] for bound in STAFF_BOUND]
        return [entry for part in parts for entry in part]
    sites = user.applications.values("site_id")
    return list(near.filter(site__in=sites)[:MOST])


def calendar_of(entries: Iterable[DocketEntry]) -> bytes:
    """Return an iCalendar feed with a whole-day entry for each date and its count."""
    entries = list(entries)
    calendar = icalendar.Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Siltfence//Dates of cases//EN")
    calendar.add("x-wr-calname", f"{settings.CITY['name']}: erosion control")
    counter = counter_of(entries)
    for entry in entries:
        calendar.add_component(event_of(entry, counter.count(entry)))
    content: bytes = calendar.to_ical()
    return content


def event_of(entry: DocketEntry, count: Deadline | WaitingPeriod | None) -> Any:
    """Return one date; its name stays the same, so that a moved date replaces the old one."""
    host = urlsplit(settings.PUBLIC_URL).hostname
    event = icalendar.Event()
    event.add("uid", f"docket-{entry.pk}@{host}")
    event.add("dtstamp", clock.now())
    event.add("dtstart", entry.on)
    event.add("dtend", entry.on + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    event.add("summary", entry.title)
    event.add("location", entry.site.place)
    event.add("description", count.explanation if count else entry.title)
    event.add("url", settings.PUBLIC_URL + entry.site.get_absolute_url())
    return event
