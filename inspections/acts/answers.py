"""What inspectors write at a visit, each word and photo once, however often it is sent.

A device without signal keeps what was entered and sends it later under the key that it made
then: the same key is one answer, one description, one photo.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date, datetime

from django.db import transaction

from inspections.models import ChecklistLine, LineAnswer, Visit, VisitDescription, VisitPhoto
from permits.models import NotNow
from portal import clock
from portal.models import Upload, User

__all__ = ["answer", "attach_photo", "check_open", "describe", "extra_line", "newest_of_each"]


def newest_of_each(rows: Iterable[LineAnswer]) -> list[LineAnswer]:
    """Return the newest answer of each inspector, in the order of their giving."""
    newest: dict[int, LineAnswer] = {}
    for row in rows:
        newest.pop(row.by_id, None)
        newest[row.by_id] = row
    return list(newest.values())


def given_at(visit: Visit, at: datetime | None) -> datetime:
    """Return the moment that a device tells, as far as its clock can be right."""
    now = clock.now()
    return min(max(at, visit.began_at), now) if at else now


def demand_open(visit: Visit, at: datetime) -> None:
    """Refuse what was not entered while the visit was open. Under the site's lock.

    What waited on a device without signal still comes in when another inspector finished
    the visit meanwhile; its row says when it arrived.
    """
    visit.refresh_from_db()
    if visit.status == Visit.Status.OPEN:
        return
    if visit.ended_at is not None and at <= visit.ended_at:
        return
    raise NotNow(f"Visit {visit.number} is finished; begin a new visit to add to it.")


@transaction.atomic
def check_open(visit: Visit, at: datetime | None) -> None:
    """Refuse at once what the visit cannot take any more; raises NotNow."""
    visit.site.lock()
    demand_open(visit, given_at(visit, at))


@transaction.atomic
def extra_line(visit: Visit, key: uuid.UUID, *, at: datetime | None = None) -> ChecklistLine:
    """Return the line for something that is on no plan; the same key is one line."""
    visit.site.lock()
    known = ChecklistLine.objects.filter(key=key, visit=visit).first()
    if known is not None:
        return known
    demand_open(visit, given_at(visit, at))
    last = visit.lines.order_by("-position").values_list("position", flat=True).first()
    return ChecklistLine.objects.create(
        visit=visit,
        key=key,
        position=(last or 0) + 1,
        kind=ChecklistLine.Kind.EXTRA,
        label="Something else",
        section="inspection",
    )


@transaction.atomic
def answer(
    line: ChecklistLine,
    *,
    by: User,
    outcome: str,
    note: str = "",
    key: uuid.UUID | None = None,
    answered_at: datetime | None = None,
) -> LineAnswer:
    """Keep one answer; the same key is one answer, a later answer is a new row."""
    visit = line.visit
    visit.site.lock()
    if key is not None:
        known = LineAnswer.objects.filter(key=key, line__visit=visit, by=by).first()
        if known is not None:
            return known
    at = given_at(visit, answered_at)
    demand_open(visit, at)
    return LineAnswer.objects.create(
        **({"key": key} if key else {}),
        line=line,
        by=by,
        outcome=outcome,
        note=note,
        answered_at=at,
    )


@transaction.atomic
def attach_photo(
    visit: Visit,
    upload: Upload,
    *,
    by: User,
    line: ChecklistLine | None = None,
    key: uuid.UUID | None = None,
    taken_at: datetime | None = None,
) -> VisitPhoto:
    """Bind a stored photo to the visit once: by its key, and by its content on a line."""
    visit.site.lock()
    known = visit.photos.filter(key=key).first() if key else None
    same = visit.photos.filter(line=line, upload__sha256=upload.sha256)
    known = known or same.first()
    if known is not None:
        return known
    demand_open(visit, given_at(visit, taken_at))
    return VisitPhoto.objects.create(
        **({"key": key} if key else {}), visit=visit, line=line, upload=upload, sent_by=by
    )


@transaction.atomic
def describe(
    visit: Visit,
    *,
    by: User,
    weather: str = "",
    phase: str = "",
    note: str = "",
    stockpile_since: date | None = None,
    key: uuid.UUID | None = None,
    written_at: datetime | None = None,
) -> VisitDescription:
    """Keep what an inspector says of the whole visit; each one's newest word stands."""
    visit.site.lock()
    known = visit.descriptions.filter(key=key, by=by).first() if key else None
    if known is not None:
        return known
    at = given_at(visit, written_at)
    demand_open(visit, at)
    if stockpile_since is not None and stockpile_since > visit.visited_on:
        raise NotNow("The soil lies there since the day of the visit or an earlier day.")
    said = VisitDescription.objects.create(
        **({"key": key} if key else {}),
        visit=visit,
        by=by,
        weather=weather,
        phase=phase,
        note=note,
        stockpile_since=stockpile_since,
        written_at=at,
    )
    _retell(visit)
    return said


def _retell(visit: Visit) -> None:
    """Let the visit tell the newest facts, and everybody's note under their name."""
    newest: dict[int, VisitDescription] = {}
    for said in visit.descriptions.select_related("by").order_by("written_at", "pk"):
        newest.pop(said.by_id, None)  # the latest goes to the end
        newest[said.by_id] = said
    latest_first = list(newest.values())[::-1]
    visit.weather = next((each.weather for each in latest_first if each.weather), "")
    visit.phase = next((each.phase for each in latest_first if each.phase), "")
    stockpiles = (each.stockpile_since for each in latest_first if each.stockpile_since)
    visit.stockpile_since = next(stockpiles, None)
    notes = [each for each in newest.values() if each.note]
    if len(notes) == 1:
        visit.note = notes[0].note
    else:
        visit.note = "\n\n".join(f"{each.by}: {each.note}" for each in notes)
    visit.save(update_fields=["weather", "phase", "stockpile_since", "note"])
