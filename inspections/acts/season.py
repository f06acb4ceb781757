"""Season letters: permanent cover that is still due, written to each permittee once a day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.db import transaction
from django_tasks import task

from inspections import notices, papers
from inspections.models import open_cover
from permits.models import CasePaper, Permit
from portal import clock
from portal.models import User

__all__ = ["order", "write"]


@transaction.atomic
def order(permits: Iterable[Permit], *, by: User, on: date) -> int:
    """Have a letter written for each permit; the worker writes them. Returns how many."""
    keys = sorted({permit.pk for permit in permits})
    for key in keys:
        _write_soon.enqueue(key, by.pk, on.isoformat())
    return len(keys)


@task()
def _write_soon(permit: int, by: int, on: str) -> bool:
    return write(Permit.objects.get(pk=permit), by=User.objects.get(pk=by), on=_day(on))


def _day(text: str) -> date:
    return date.fromisoformat(text)


@transaction.atomic
def write(permit: Permit, *, by: User, on: date) -> bool:
    """Write, keep and send one letter; False where none is due or one was written that day."""
    with permit.acting():
        cover = open_cover(permit)
        letters = CasePaper.objects.filter(site=permit.site, kind=CasePaper.Kind.SEASON_LETTER)
        titled = letters.filter(application=permit.application)
        again = any(clock.local_day(letter.made_at) == on for letter in titled)
        if not cover.deadlines or again:
            return False
        paper = papers.season_letter(permit, cover, on=on)
        permit.site.record(
            "season_letter.written",
            by=by,
            on=clock.today(),
            section="completion",
            facts={"permit": permit.number, "due": cover.deadlines[0].on},
        )
        notices.tell_season(permit, paper, cover, on=on)
        return True
