"""Builds the demo city: its calendar and resolutions, then its cases, act by act in time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import F

from permits import mailroom, reminders
from portal import city_calendar, clock, letter_batches
from portal.models import Closure, CouncilValue, Mailing, OutboxMessage, User

from . import agreements, books_before, ladder, money, upkeep, visits
from .books import Books, enter_county
from .cases import CASES
from .cast import Cast, make_cast
from .days import CUT_OFF, Days
from .deeds import DEEDS, Running
from .paths import Step

__all__ = ["build", "register"]

COUNCIL: tuple[tuple[str, str, str], ...] = (
    ("fee", "25.00", "2019-04"),
    ("revision_review_days", "10", "2021-02"),
    ("appeal_days", "30", "2019-05"),
    ("interest_rate", "6.0", "2019-06"),
    ("administrative_fee", "50.00", "2019-06"),
    ("roll_cutoff", "{:02d}-{:02d}".format(*CUT_OFF), "2019-07"),
    ("bill_days", "30", "2019-08"),
    ("records_page", "0.25", "2019-09"),
    ("records_hour", "31.00", "2019-09"),
)
YEARS_BEFORE = 3
OF_UPKEEP = agreements.DEEDS | upkeep.DEEDS
EVERY_DEED = DEEDS | visits.DEEDS | ladder.DEEDS | money.DEEDS | OF_UPKEEP
MORNING = time(6, 0)
MAIL_ROOM = time(7, 30)
BOOKS = time(7, 50)
LETTERS_WAIT = 4
"""Letters of the last days still lie in the mail room."""
LETTERS_PRINTED = 6


@dataclass(frozen=True)
class Moment:
    """One act of one case, and when it is done."""

    at: datetime
    step: Step
    run: Running


Addition = Callable[[Days, Cast], int]
_more: list[Addition] = []


def register(addition: Addition) -> None:
    """Add what a part above brings to the demo city; it returns how many cases that is."""
    if addition not in _more:
        _more.append(addition)


@transaction.atomic
def build(today: date) -> int:
    """Build the city as it stands today and return how many cases it has.

    All or nothing. What is recorded bears the time at which it would have happened. The
    e-mails of the past are marked as sent then, so that loading floods nobody.
    """
    before = OutboxMessage.objects.values_list("pk", flat=True).order_by("-pk").first() or 0
    with clock.as_of(_at(date(today.year - YEARS_BEFORE, 1, 6), time(9, 0))):
        cast = make_cast()
        _resolve(cast.clerk, today)
        enter_county(cast.clerk)
    _close(cast.clerk, today)
    days = Days(today, city_calendar.current_calendar())
    _live(_moments(days, cast), today, cast, Books(days, cast))
    books_before.build(cast.clerk, today)
    more = sum(add(days, cast) for add in _more)
    _print(cast.clerk)
    OutboxMessage.objects.filter(pk__gt=before, sent_at__isnull=True).update(
        sent_at=F("created_at"), attempts=1
    )
    return len(CASES) + more


def _resolve(clerk: User, today: date) -> None:
    """Enter what the council has set."""
    for key, value, resolution in COUNCIL:
        CouncilValue.objects.create(
            key=key,
            value=value,
            effective_on=date(today.year - YEARS_BEFORE, 1, 1),
            resolution=resolution,
            entered_by=clerk,
        )


def _close(clerk: User, today: date) -> None:
    """Enter the closures of each year, as the council adopts them in the November before."""
    for year in range(today.year - YEARS_BEFORE + 1, today.year + 2):
        adopted = date(year - 1, 11, 4)
        if adopted > today:
            return
        with clock.as_of(_at(adopted, time(10, 30))):
            for day, name in _closed_days(year):
                Closure.objects.create(
                    day=day, name=name, resolution=f"{year - 1}-31", entered_by=clerk
                )


CLOSURES: tuple[tuple[int, int, int, str], ...] = (
    (3, 3, 2, "Staff training day"),
    (7, 4, 4, "County fair"),
    (9, 2, 4, "Records day"),
)
"""Month, which of them, weekday and name: far from the holidays, so that the examples of the
law pages and of the documentation, which know no closures, come out the same in this city."""


def _closed_days(year: int) -> Iterator[tuple[date, str]]:
    """The weekdays of a year on which the council has closed city hall."""
    for month, place, weekday, name in CLOSURES:
        first = date(year, month, 1)
        yield first + timedelta((weekday - first.weekday()) % 7 + 7 * (place - 1)), name


def _moments(days: Days, cast: Cast) -> list[Moment]:
    """Every act of every case with its time, in the order of time."""
    found = []
    for number, case in enumerate(CASES, start=1):
        run = Running(case, cast, number)
        chance = Random(number)  # noqa: S311 - the time of day in a demo, no secret
        last = None
        for step in case.path(days):
            opening = _at(step.on, time(8, 5)) + timedelta(minutes=chance.randrange(0, 400))
            at = max(opening, last + timedelta(minutes=20)) if last else opening
            last = min(at, clock.now())
            found.append(Moment(last, step, run))
    return sorted(found, key=lambda moment: moment.at)


def _live(moments: list[Moment], today: date, cast: Cast, books: Books) -> None:
    """Do the acts, and on each morning the round of reminders before them."""
    day = clock.local_day(moments[0].at)
    mail_days = city_calendar.current_calendar()
    for moment in moments:
        while day < clock.local_day(moment.at):
            day += timedelta(1)
            if day < today:  # today's round is the worker's own
                with clock.as_of(_at(day, MORNING)):
                    reminders.send_reminders(day)
                    visits.morning(day, today, cast)
            if (today - day).days > LETTERS_WAIT and mail_days.is_working_day(day):
                with clock.as_of(_at(day, MAIL_ROOM)):
                    _mail(cast.clerk, day)
            if day < today:
                with clock.as_of(_at(day, BOOKS)):
                    books.morning(day)
        with clock.as_of(moment.at):
            EVERY_DEED[moment.step.act](moment.run, moment.step.on, **moment.step.details)


def _mail(clerk: User, today: date) -> None:
    """Hand the letters of the days before to the post, as a mail room does each morning."""
    if not city_calendar.current_calendar().is_postal_day(today):
        return
    waiting = Mailing.objects.waiting().exclude(address="").select_related("document")
    if letters := list(waiting):
        mailroom.deposit(letters, on=today, by=clerk, today=today)
        mailroom.accept(letters, on=today, by=clerk, today=today)


def _print(clerk: User) -> None:
    """Ask for the PDF of the most urgent letters, and make it as the worker would."""
    waiting = Mailing.objects.waiting().select_related("document", "letter")
    if letters := list(waiting[:LETTERS_PRINTED]):
        letter_batches.make(letter_batches.ask(letters, by=clerk))


def _at(day: date, hour: time) -> datetime:
    return datetime.combine(day, hour, ZoneInfo(settings.TIME_ZONE))
