"""The demo city's records: old cases, requests in three states, a hold, a list that waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from random import Random
from zoneinfo import ZoneInfo

from django.conf import settings

from escrow.demo import deeds
from escrow.demo.case import WI, Case
from escrow.demo.cast import Cast
from escrow.demo.days import Days
from escrow.demo.paths import Path
from permits.models import Site
from portal import clock
from portal.desk.records.acts import holds, lists, requests
from portal.ordinance.records import Copying

__all__ = ["OLD", "build"]


def _never(days: Days) -> list[deeds.Running]:  # pragma: no cover - an old case has no such path
    raise AssertionError("an old case is told here, not by a path of working days")


_TOLD_HERE: Path = _never  # type: ignore[assignment]

OLD = (
    Case("vang", "garage", f"41 Millrace Lane, {WI}", ("0240-0041-008",), _TOLD_HERE),
    Case("pa.xiong", "house", f"6 Schoolhouse Road, {WI}", ("0240-0006-112",), _TOLD_HERE),
    Case("builder", "house", f"118 Marsh Marigold Way, {WI}", ("0240-0118-030",), _TOLD_HERE),
)
"""Cases of long ago that were withdrawn: closed for more than seven years."""

YEARS = (8, 8, 9)


@contextmanager
def _on(day: date, hour: int = 10) -> Iterator[date]:
    """Let what is recorded bear a morning of that day."""
    minute = Random(day.toordinal()).randrange(60)  # noqa: S311 - the time of day in a demo
    moment = datetime.combine(day, time(hour, minute), ZoneInfo(settings.TIME_ZONE))
    with clock.as_of(min(moment, clock.now())):
        yield day


def build(days: Days, cast: Cast) -> int:
    """Add them and return how many cases they are."""
    old = [_old_case(days, cast, case, n) for n, case in enumerate(OLD)]
    _list(days, cast, old[:2])
    _requests(days, cast, old[2])
    _hold(days, cast)
    return len(OLD)


def _old_case(days: Days, cast: Cast, case: Case, number: int) -> Site:
    """File an application of long ago, pay its fee, and withdraw it."""
    run = deeds.Running(case, cast, 900 + number)
    filed = days.before(date(days.today.year - YEARS[number], 6 + number, 12), 1)
    with _on(filed, 9):
        deeds.begin(run, filed)
        deeds.fill_in(run, filed)
        deeds.submit(run, filed)
    with _on(filed, 14):
        deeds.take_fee(run, filed, means="check")
    withdrawn = days.after(filed, 4)
    with _on(withdrawn):
        deeds.withdraw(run, withdrawn, reason="Another lot was bought.")
    return run.site


def _list(days: Days, cast: Cast, sites: list[Site]) -> None:
    """Two cases on a list: approved twice, the letter mailed, the society's sixty days run."""
    with _on(days.ago(40)) as on:
        made = lists.propose(sites, by=cast.clerk, on=on)
    with _on(days.ago(38)) as on:
        lists.approve(made, by=cast.attorney, on=on)
    with _on(days.ago(36)) as on:
        lists.approve(made, by=cast.administrator, on=on)
    with _on(days.ago(34)) as on:
        lists.mail_notice(made, mailed_on=on, tracking_number="7021 0950 0001 4411", by=cast.clerk)


def _requests(days: Days, cast: Cast, old: Site) -> None:
    """One answered in part, one overdue that keeps an old case, one that came in this week."""
    with _on(days.ago(30)) as on:
        site = _quiet()
        asked = requests.Asked(
            received_on=on,
            how="email",
            asked=f"All papers on the erosion control permit for {site.place}, with the escrow.",
            requester="Karin Aldrich, Example Weekly",
            contact="desk@weekly.example",
        )
        first = requests.log(asked, sites=[site], by=cast.clerk, on=on)
    with _on(days.ago(24)) as on:
        papers = list(site.papers.exclude(kind__in=site.papers.model.FOR_THE_CITY_ONLY)[:3])
        reply = requests.Reply(
            outcome="in_part",
            words="The plan sheets can be looked at in city hall without charge.",
            papers=papers,
            refusals=[
                {
                    "what": "Scan of the check that paid the fee",
                    "ground": "financial",
                    "reason": "It shows the account number of the applicant.",
                }
            ],
            copying=Copying(pages=sum(each.document.pages for each in papers)),
        )
        requests.answer(first, reply, by=cast.clerk, on=on)
    with _on(days.ago(19)) as on:
        asked = requests.Asked(
            on, "counter", "Who asked for a permit at 118 Marsh Marigold Way, and what came of it?"
        )
        second = requests.log(asked, sites=[old], by=cast.clerk, on=on)
    with _on(days.ago(15)) as on:
        words = "The file is being looked for. Copies will come to about $12."
        requests.acknowledge(second, words=words, prepayment=Decimal(12), by=cast.clerk, on=on)
    with _on(days.ago(2)) as on:
        asked = requests.Asked(
            received_on=on,
            how="letter",
            asked="A list of all stop-work orders of this year, with the reasons.",
            requester="Prairie Creek Watershed Friends",
            contact="PO Box 12\nExample, WI 54999",
        )
        requests.log(asked, by=cast.clerk, on=on)


def _quiet() -> Site:
    """The withdrawn case of which nothing was recorded for the longest time."""
    now = clock.now()
    sites = Site.objects.filter(
        applications__status="withdrawn", filed_on__isnull=False, created_at__year__gte=now.year - 1
    )
    return sites.exclude(events__recorded_at__gte=now).order_by("filed_on").first() or sites[0]


def _hold(days: Days, cast: Cast) -> None:
    """The attorney holds a case in which a claim is likely."""
    with _on(days.ago(12)) as on:
        site = _quiet()
        reason = "The neighbor has announced a claim for the mud of last spring. Keep everything."
        holds.place(site, reason=reason, by=cast.attorney, on=on)
