"""One line of the desk: what is due where, for whose work, and the act that answers it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.contrib.contenttypes.models import ContentType
from django.db.models import F, FilteredRelation, Q, QuerySet

from enforcement.access import may_enforce
from enforcement.models import StopWorkOrder, UpkeepNotice
from escrow.models import Bill
from escrow.models.bill import SECTION_OF
from permits import access
from permits.models import Application, DocketEntry, EarlierPermit, Party, Permit, Site
from portal.city import worded
from portal.counting import Statement
from portal.models import User
from portal.ordinance.permit_needed import AreaUnit, square_feet
from portal.ordinance.wording import MONTHS, WEEKDAYS
from portal.reading import read
from portal.standing_words import standing_words

from .counts import Counter, written
from .links import find_url

__all__ = ["Row", "Work", "Works", "counter_of", "permit_dates", "rows_of", "works", "works_at"]

SQUARE_FEET_PER_ACRE = 43_560
STEPS = {
    "revocation": "Revocation",
    "cease-and-desist": worded("Request to the {attorney}"),
    "notice-of-intent": "Notice of intent",
    "city-work": "City work",
    "mailed-notice": "City work paid from the escrow",
    "upkeep-work": "City work under an agreement",
}
"""What the city may do once a waiting period has passed, by its rule."""
OF_UPKEEP = ("upkeep-correction", "upkeep-work")
BUILDINGS = {"dwelling": "one-family or two-family dwelling", "public": "public building"}


@dataclass(frozen=True)
class Row:
    """What the desk shows of one entry or waiting case."""

    title: str
    url: str
    place: str
    day: datetime.date
    work: str = ""
    word: str = ""
    tone: str = ""
    late: bool = False
    date: str = ""  # the date that opens into its count, as HTML
    note: str = ""
    act_url: str = ""
    act: str = "Open the case"
    first: bool = False

    @property
    def weekday(self) -> str:
        """Wed, Nov."""
        return f"{WEEKDAYS[self.day.weekday()][:3]}, {MONTHS[self.day.month - 1][:3]}"

    @property
    def where(self) -> str:
        """Place and work on one line."""
        return f"{self.place} · {self.work}" if self.work else self.place

    @property
    def button(self) -> str:
        """How much the act stands out: the one for this person does."""
        return "btn-primary" if self.first else "btn-outline-secondary"


@dataclass(frozen=True)
class Work:
    """What a line says of an application: whose it is, what it builds, how large it is."""

    pk: int
    key: UUID
    number: str
    site: Site
    owner: str
    building: str
    area: Decimal | None

    def __str__(self) -> str:
        size = short_area(self.area)
        what = ", ".join(filter(None, [size, BUILDINGS.get(self.building, "")]))
        return " · ".join(filter(None, [self.owner, what]))


WORK_FIELDS = ("key", "number", "building", "area_amount", "area_unit", "site_id")
OF_SITE_AND_OWNER = {
    "site_number": "site__number",
    "site_address": "site__address",
    "site_survey": "site__survey_description",
    "owner_organization": "owner__organization",
    "owner_name": "owner__name",
}
"""What is read of other tables, and how the statement calls it."""


Works = Mapping[int, Sequence[Work]]
"""The work of each site: of one application nearly always, of several now and then."""


def rows_of(entries: Sequence[DocketEntry], works: Works, *, user: User, on: date) -> list[Row]:
    """Return the lines of docket entries."""
    bills = bills_of(entries)
    counter = counter_of(entries, bills)
    found, orders = _work_of(entries, works), order_pages(entries) | notice_pages(entries)
    pages = {entry.pk: bills[entry.subject_pk].get_absolute_url() for entry in of_bills(entries)}
    return [
        row_of(
            entry,
            found.get(entry.pk),
            counter,
            orders.get(entry.pk, ""),
            pages.get(entry.pk, ""),
            user=user,
            on=on,
        )
        for entry in entries
    ]


def row_of(
    entry: DocketEntry,
    work: Work | None,
    counter: Counter,
    order_url: str = "",
    bill_url: str = "",
    *,
    user: User,
    on: date,
) -> Row:
    """Return the line of one entry, with the act that a person of this role would do."""
    count = counter.count(entry)
    word, tone = standing_words(count, on) if count else ("", "")
    if entry.lapses:
        word, tone = ("runs" if entry.on >= on else "over"), "shut"
    site = work.site if work else entry.site
    url = site.get_absolute_url()
    review = review_url(entry, work, user)
    money = bill_url or account_url(entry, work)
    return Row(
        title=title_of(entry, on),
        url=url,
        place=site.place,
        day=entry.on,
        work=str(work or ""),
        word=word,
        tone=tone,
        late=entry.is_late(on),
        date=written(count) if count else "",
        note=note_of(entry, on),
        act_url=review or order_url or money or url,
        act=_act(review, order_url, bill_url, money),
        first=bool(review or (order_url and entry.has_opened(on) and may_enforce(user))),
    )


def _act(review: str, order_url: str, bill_url: str, money: str) -> str:
    """Say what stands behind the button of a line."""
    if review:
        return "Review the plan"
    if order_url:
        return "What may be done"
    return "See the bill" if bill_url else "Draw or renew" if money else "Open the case"


def account_url(entry: DocketEntry, work: Work | None) -> str:
    """Return the escrow account in which an instrument that expires stands."""
    is_expiry = entry.rule == "escrow-expiry" and work is not None
    return find_url("escrow_account", work.key) if is_expiry and work else ""


def of_bills(entries: Sequence[DocketEntry]) -> list[DocketEntry]:
    """Return the entries that are the last day to pay a bill."""
    return [entry for entry in entries if entry.rule == "bill"]


def bills_of(entries: Sequence[DocketEntry], known: Sequence[Bill] = ()) -> dict[int, Bill]:
    """Return the bills of some entries by their keys; those not known yet in one query."""
    found = {bill.pk: bill for bill in known}
    missing = {entry.subject_pk for entry in of_bills(entries)} - set(found)
    return found | (Bill.objects.in_bulk(missing) if missing else {})


def counter_of(entries: Sequence[DocketEntry], bills: Mapping[int, Bill] | None = None) -> Counter:
    """Return what counts these entries without a query for each."""
    found = bills_of(entries) if bills is None else bills
    terms = {
        pk: (bill.due_days, bill.due_resolution, SECTION_OF[bill.ground])
        for pk, bill in found.items()
    }
    return Counter(permit_dates(entries), terms, upkeep_days(entries))


def title_of(entry: DocketEntry, on: date) -> str:
    """Name what is due; of a waiting period the step it opens, and not the days that pass."""
    named, _, of = entry.title.rpartition(", ")
    if entry.rule not in STEPS or not named:
        return entry.title
    return f"{STEPS[entry.rule]}{' opened' if entry.has_opened(on) else ''}, {of}"


def review_url(entry: DocketEntry, work: Work | None, user: User) -> str:
    """Return where a plan that waits for this person's decision is reviewed."""
    waits = entry.rule in ("decision", "revision-review")
    if not waits or work is None or not access.may_decide(user):
        return ""
    return find_url("review", work.key)


def order_pages(entries: Sequence[DocketEntry]) -> dict[int, str]:
    """Return, for each date of a stop-work order, the page that says what may be done."""
    kind = ContentType.objects.get_for_model(StopWorkOrder).pk
    of_orders = [each for each in entries if each.subject_type_id == kind]
    if not of_orders:
        return {}
    rows = StopWorkOrder.objects.filter(pk__in={each.subject_pk for each in of_orders}).order_by()
    keys = dict(rows.values_list("pk", "key"))
    return {each.pk: find_url("order_next", keys[each.subject_pk]) for each in of_orders}


def notice_pages(entries: Sequence[DocketEntry]) -> dict[int, str]:
    """Return, for each date of a notice of maintenance, the page that says what may be done."""
    of_notices = [each for each in entries if each.rule in OF_UPKEEP]
    if not of_notices:
        return {}
    rows = UpkeepNotice.objects.filter(pk__in={each.subject_pk for each in of_notices}).order_by()
    keys = dict(rows.values_list("pk", "key"))
    return {each.pk: find_url("upkeep_notice", keys[each.subject_pk]) for each in of_notices}


def upkeep_days(entries: Iterable[DocketEntry]) -> dict[int, date]:
    """Return the day until which each notice of maintenance gives time, the newest first."""
    keys = {entry.subject_pk for entry in entries if entry.rule in OF_UPKEEP}
    return UpkeepNotice.objects.days(keys) if keys else {}


def note_of(entry: DocketEntry, on: date) -> str:
    """Say what follows from a date that has passed, or why one is not beyond dispute yet."""
    if entry.is_late(on):
        decision = entry.bound == DocketEntry.Bound.INSPECTOR
        return "Nothing is deemed granted; the applicant has been told." if decision else ""
    return ""


# Gathering --------------------------------------------------------------------------------


def works_at(sites: Iterable[int]) -> Works:
    """Return the work at some sites, in one query for all lines of a page."""
    found: dict[int, list[Work]] = {}
    wanted = sorted(set(sites))
    if wanted:
        places = -(-len(wanted) // STEP) * STEP
        statement, params = _statement_of_works(places)
        keys = [*wanted, *wanted[-1:] * (places - len(wanted))]
        for row in read(Application, (statement, (*params, *keys))):
            found.setdefault(row.site_id, []).append(_work(row))
    return found


STEP = 8
"""The statement is kept for so many sites, and twice, three times as many."""


@lru_cache(maxsize=32)
def _statement_of_works(places: int) -> Statement:
    """Return what reads the work at so many sites, whose keys come last among its values."""
    keys = tuple(range(1, places + 1))
    rows = _with_owner(Application.objects.filter(site_id__in=keys))
    sql, params = rows.query.sql_with_params()
    assert params[-places:] == keys
    return sql, tuple(params[:-places])


def works(applications: QuerySet[Application]) -> Iterator[tuple[int, Work]]:
    """Yield the site and the work of some applications, with their landowners joined."""
    yield from ((row.site_id, _work(row)) for row in _with_owner(applications))


def _with_owner(applications: QuerySet[Application]) -> QuerySet[Application]:
    owner = FilteredRelation("parties", condition=Q(parties__role=Party.Role.LANDOWNER))
    rows = applications.order_by().annotate(owner=owner)
    named = {name: F(path) for name, path in OF_SITE_AND_OWNER.items()}
    return rows.annotate(**named).only(*WORK_FIELDS)


def _work(row: Any) -> Work:
    site = Site(
        pk=row.site_id,
        number=row.site_number,
        address=row.site_address,
        survey_description=row.site_survey,
    )
    amount, owner = row.area_amount, row.owner_organization or row.owner_name or ""
    area = square_feet(amount, AreaUnit(row.area_unit)) if amount is not None else None
    return Work(row.pk, row.key, row.number or "", site, owner, row.building, area)


def _work_of(entries: Sequence[DocketEntry], works: Works) -> dict[int, Work]:
    """Return the work of each entry; only a site with several is asked which it is."""
    found = {each.pk: works[each.site_id][0] for each in entries if works.get(each.site_id)}
    shared = [each for each in entries if len(works.get(each.site_id, [])) > 1]
    for entry, application_pk in _applications_of(shared):
        same = (work for work in works[entry.site_id] if work.pk == application_pk)
        found[entry.pk] = next(same, found[entry.pk])
    return found


def permit_dates(entries: Iterable[DocketEntry]) -> dict[int, date]:
    """Return the day that the permit of each entry names for its permanent controls."""
    found: dict[int, date] = {}
    of_cover = [entry for entry in entries if entry.rule == "permanent-cover"]
    for model in (Permit, EarlierPermit):
        kind = ContentType.objects.get_for_model(model).pk
        mine = [entry for entry in of_cover if entry.subject_type_id == kind]
        if mine:
            rows = model.objects.filter(pk__in=[entry.subject_pk for entry in mine]).order_by()
            days = dict(rows.values_list("pk", "permanent_controls_by"))
            found |= {e.pk: day for e in mine if (day := days.get(e.subject_pk))}
    return found


def _applications_of(entries: Sequence[DocketEntry]) -> Iterator[tuple[DocketEntry, int]]:
    """Yield the application of each entry by its subject: an application, or what has one."""
    by_model: dict[Any, dict[int, DocketEntry]] = {}
    for entry in entries:
        model = ContentType.objects.get_for_id(entry.subject_type_id).model_class()
        by_model.setdefault(model, {})[entry.subject_pk] = entry
    for model, found in by_model.items():
        if model is Application:
            yield from ((entry, pk) for pk, entry in found.items())
        else:
            rows = model.objects.filter(pk__in=found).order_by()
            path = getattr(model, "APPLICATION_PATH", "application_id")
            for pk, application_pk in rows.values_list("pk", path):
                yield found[pk], application_pk


def short_area(square_feet: Decimal | None) -> str:
    """Return an area as people speak of it: 0.4 acre, 1,150 square feet."""
    if not square_feet:
        return ""
    acres = round(square_feet / SQUARE_FEET_PER_ACRE, 1)
    if acres < Decimal("0.1"):
        return f"{square_feet:,.0f} square feet"
    return f"{acres.normalize():,f} acre{'' if acres <= 1 else 's'}"
