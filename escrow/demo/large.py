"""A city of any size for measuring: years of sites, written in bulk and still in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from random import Random
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import connection

from inspections.needs import open_needs
from portal import city_calendar
from portal.accounts import DEMO_PASSWORD, mark_verified
from portal.models import Role, User
from portal.patience import take_time

from . import crowd
from .bulk import Writer
from .bulk_money import certify_charges
from .seals import Staff
from .stories import Story, WorkingDays, make_stories

__all__ = ["BUILDER", "CHUNK", "build"]

CHUNK = 1000
SITES_EACH = 6
BUILDER = "builder{:04d}@example.org"
BUILDER_TURN = 33
"""Every 33rd site of a thousand is held by that thousand's builder: some thirty cases."""


def build(sites: int, today: date, *, seed: int = 1, tell: Callable[[int], None] = print) -> None:
    """Add so many sites to the database, and tell after each chunk how many there are."""
    chance = Random(seed)  # noqa: S311 - a made-up city, no secret
    take_time()
    calendar = city_calendar.current_calendar()
    staff = Staff(_official(Role.INSPECTOR, chance), _official(Role.CLERK, chance))
    applicants, builders = _applicants(sites, chance)
    writer = Writer(sites=sites, staff=staff, calendar=calendar, today=today, chance=chance)
    stories = make_stories(sites, WorkingDays(calendar, today), chance)
    with _unchecked():
        for start in range(0, sites, CHUNK):
            part = stories[start : start + CHUNK]
            writer.write(part, list(_holders(part, start, applicants, builders, chance)))
            tell(writer.written)
    _tidy()
    open_needs(today)
    second = _official(Role.ADMINISTRATOR, chance)
    certify_charges(clerk=staff.clerk, administrator=second, today=today)
    _tidy()


@contextmanager
def _unchecked() -> Iterator[None]:
    """Let the database look up no reference meanwhile: both ends of each are written here.

    Half of the time of loading went into it. PostgreSQL lets only its superuser do this.
    """
    with connection.cursor() as cursor:
        mine = connection.vendor == "postgresql" and _is_superuser(cursor)
        if mine:
            cursor.execute("SET session_replication_role = replica")
    off = connection.vendor == "sqlite" and connection.disable_constraint_checking()
    try:
        yield
    finally:
        if off:
            connection.enable_constraint_checking()
            connection.check_constraints()
        if mine:
            with connection.cursor() as cursor:
                cursor.execute("SET session_replication_role = DEFAULT")


def _is_superuser(cursor: Any) -> bool:
    cursor.execute("SELECT usesuper FROM pg_user WHERE usename = CURRENT_USER")
    return bool(cursor.fetchone()[0])


def _tidy() -> None:
    """Let the database learn its own size, as it does by itself in a city that grew slowly."""
    whole = connection.vendor == "postgresql" and not connection.in_atomic_block
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if whole else "ANALYZE")


def _official(role: Role, chance: Random) -> User:
    """Return somebody of a role, made where there is none."""
    found = User.objects.filter(role=role).order_by("pk").first()
    if found is None:
        email = f"{role.value}@city.example"
        found = User.objects.create_user(email, DEMO_PASSWORD, name=crowd.person(chance), role=role)
        mark_verified(found)
    return found


def _applicants(sites: int, chance: Random) -> tuple[list[User], list[User]]:
    """Make the applicants: many with some sites, and a builder for each thousand."""
    secret = make_password(None)  # nobody signs in as one of them
    taken = User.objects.count()
    many = [
        User(email=f"applicant{n:06d}@example.org", name=crowd.person(chance), password=secret)
        for n in range(taken, taken + max(2, sites // SITES_EACH))
    ]
    builders = [
        User(email=BUILDER.format(n), name=f"{crowd.person(chance)}, builder", password=secret)
        for n in range(taken, taken + -(-sites // CHUNK))
    ]
    return User.objects.bulk_create(many), User.objects.bulk_create(builders)


def _holders(
    part: Sequence[Story],
    start: int,
    applicants: Sequence[User],
    builders: Sequence[User],
    chance: Random,
) -> Iterator[User]:
    for n in range(start, start + len(part)):
        if n % BUILDER_TURN == 0:
            yield builders[n // CHUNK]
        else:
            yield chance.choice(applicants)
