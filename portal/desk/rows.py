"""One line of the desk: what is due where, for whose work, and the act that answers it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib.contenttypes.models import ContentType

from permits import access
from permits.models import Application, Decision, DocketEntry, Party, Permit, PlanRevision
from portal.models import User
from portal.ordinance import Deadline, WaitingPeriod
from portal.ordinance.wording import MONTHS, WEEKDAYS
from portal.standing_words import standing_words

from .counts import Counter
from .links import find_url

__all__ = ["Row", "rows_of", "work_of"]

SQUARE_FEET_PER_ACRE = 43_560
BUILDINGS = {"dwelling": "one-family or two-family dwelling", "public": "public building"}


@dataclass(frozen=True)
class Row:
    """What the desk shows of one entry or waiting case."""

    title: str
    url: str
    place: str
    day: date
    work: str = ""
    word: str = ""
    tone: str = ""
    late: bool = False
    clock: Deadline | WaitingPeriod | None = None
    note: str = ""
    act_url: str = ""
    act: str = "Open the case"
    first: bool = False

    @property
    def weekday(self) -> str:
        """Wed, Nov."""
        return f"{WEEKDAYS[self.day.weekday()][:3]}, {MONTHS[self.day.month - 1][:3]}"


@dataclass
class Subjects:
    """The applications behind docket entries, gathered in one query for each kind."""

    applications: dict[int, Application] = field(default_factory=dict)
    by_entry: dict[int, int] = field(default_factory=dict)
    landowners: dict[int, str] = field(default_factory=dict)
    permit_dates: dict[int, date] = field(default_factory=dict)

    def of(self, entry: DocketEntry) -> Application | None:
        """Return the application that an entry belongs to."""
        return self.applications.get(self.by_entry.get(entry.pk, 0))


def rows_of(entries: Sequence[DocketEntry], *, user: User, on: date) -> list[Row]:
    """Return the lines of docket entries."""
    subjects = gather(entries)
    counter = Counter(subjects.permit_dates)
    return [row_of(entry, subjects, counter, user=user, on=on) for entry in entries]


def row_of(
    entry: DocketEntry, subjects: Subjects, counter: Counter, *, user: User, on: date
) -> Row:
    """Return the line of one entry, with the act that a person of this role would do."""
    count = counter.count(entry)
    word, tone = standing_words(count, on) if count else ("", "")
    if entry.lapses:
        word, tone = ("runs" if entry.on >= on else "over"), "shut"
    application = subjects.of(entry)
    url = entry.site.get_absolute_url()
    review = review_url(entry, application, user)
    return Row(
        title=entry.title,
        url=url,
        place=entry.site.place,
        day=entry.on,
        work=work_of(application, subjects.landowners) if application else "",
        word=word,
        tone=tone,
        late=entry.is_late(on),
        clock=count,
        note=note_of(entry, on),
        act_url=review or url,
        act="Review the plan" if review else "Open the case",
        first=bool(review),
    )


def review_url(entry: DocketEntry, application: Application | None, user: User) -> str:
    """Return where a plan that waits for this person's decision is reviewed."""
    waits = entry.rule in ("decision", "revision-review")
    if not waits or application is None or not access.may_decide(user):
        return ""
    return find_url("review", application.key)


def note_of(entry: DocketEntry, on: date) -> str:
    """Say what follows from a date that has passed, or why one is not beyond dispute yet."""
    if entry.is_late(on):
        decision = entry.bound == DocketEntry.Bound.INSPECTOR
        return "Nothing is deemed granted; the applicant has been told." if decision else ""
    return ""


# Gathering --------------------------------------------------------------------------------


def gather(entries: Sequence[DocketEntry]) -> Subjects:
    """Return what the entries belong to: at most one query for each kind of subject."""
    subjects = Subjects()
    by_model: dict[Any, dict[int, int]] = {}
    for entry in entries:
        model = ContentType.objects.get_for_id(entry.subject_type_id).model_class()
        by_model.setdefault(model, {})[entry.subject_pk] = entry.pk
    for model, keys in by_model.items():
        for pk, application_pk, permit_date in _applications_of(model, keys):
            subjects.by_entry[keys[pk]] = application_pk
            if permit_date:
                subjects.permit_dates[pk] = permit_date
    wanted = set(subjects.by_entry.values())
    described = Application.objects.only("key", "area_amount", "area_unit", "building")
    subjects.applications = described.in_bulk(wanted) if wanted else {}
    subjects.landowners = landowners_of(wanted)
    return subjects


def _applications_of(model: Any, keys: Iterable[int]) -> Iterable[tuple[int, int, date | None]]:
    if model is Application:
        return [(pk, pk, None) for pk in keys]
    if model is Permit:
        fields = ("pk", "application_id", "permanent_controls_by")
        return Permit.objects.filter(pk__in=keys).order_by().values_list(*fields)
    if model in (PlanRevision, Decision):
        rows = model.objects.filter(pk__in=keys).order_by().values_list("pk", "application_id")
        return [(pk, application_pk, None) for pk, application_pk in rows]
    return []


def landowners_of(applications: Iterable[int]) -> dict[int, str]:
    """Return who owns the land of each application."""
    wanted = list(applications)
    if not wanted:
        return {}
    parties = Party.objects.filter(application_id__in=wanted, role=Party.Role.LANDOWNER)
    rows = parties.order_by().values_list("application_id", "organization", "name")
    return {pk: organization or name for pk, organization, name in rows}


def work_of(application: Application, landowners: dict[int, str]) -> str:
    """Say in a few words whose work it is and how large: Berg LLC · 0.4 acre, dwelling."""
    size = short_area(application.area_sq_ft)
    building = BUILDINGS.get(application.building, "")
    work = ", ".join(filter(None, [size, building]))
    return " · ".join(filter(None, [landowners.get(application.pk, ""), work]))


def short_area(square_feet: Decimal | None) -> str:
    """Return an area as people speak of it: 0.4 acre, 1,150 square feet."""
    if not square_feet:
        return ""
    acres = round(square_feet / SQUARE_FEET_PER_ACRE, 1)
    if acres < Decimal("0.1"):
        return f"{square_feet:,.0f} square feet"
    return f"{acres.normalize():,f} acre{'' if acres <= 1 else 's'}"
