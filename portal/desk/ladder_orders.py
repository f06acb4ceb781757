"""Orders on the page of a case: what stands, and the step that may follow next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from django.contrib.contenttypes.models import ContentType

from enforcement import access
from enforcement.models import Revocation, StopWorkOrder
from permits.models import DocketEntry, Permit
from portal.formats import long_date
from portal.models import User
from portal.ordinance.next_steps import STEPS_BY_KEY, StepKey

from .case_file import CaseFile
from .ladder import Rung
from .links import find_url

__all__ = ["order_rungs"]

MOST_SHOWN = 3
"""So many orders have a rung of their own; the page of the site's orders has them all."""


def order_rungs(file: CaseFile, *, user: User, on: date) -> list[Rung]:
    """Return what concerns orders in a case, for one person on one day."""
    staff = access.may_see_enforcement(user)
    shown = file.orders[:MOST_SHOWN]
    waiting = _waiting(shown) if staff else {}
    rungs = [_order(each, waiting.get(each.pk, []), staff=staff, on=on) for each in shown]
    rungs += _revoked(file)
    if staff and file.application.number:
        rungs.append(_new(file))
    return rungs


def _waiting(orders: Sequence[StopWorkOrder]) -> dict[int, list[DocketEntry]]:
    """Return the days on the docket that open a step under each posted order, in one query."""
    posted = [each for each in orders if each.posted_on is not None]
    if not posted:
        return {}
    rows = DocketEntry.objects.running().filter(
        subject_type=ContentType.objects.get_for_model(StopWorkOrder),
        subject_pk__in=[each.pk for each in posted],
        kind=DocketEntry.Kind.WAITING,
        rule__in=list(STEPS_BY_KEY),
    )
    found: dict[int, list[DocketEntry]] = {}
    for entry in rows.order_by("on", "pk"):
        found.setdefault(entry.subject_pk, []).append(entry)
    return found


def _order(order: StopWorkOrder, entries: Sequence[DocketEntry], *, staff: bool, on: date) -> Rung:
    title = f"Stop-work order {order}"
    if not staff:
        text = "What must stop, what must be done, and every date that follows."
        return Rung(f"order-{order}", title, text, order.get_absolute_url(), "See it", first=True)
    if order.posted_on is None:
        text = "It is not posted on the site yet; the days to a notice of intent wait for that."
        url = find_url("order_post", order.key)
        return Rung(f"order-{order}", title, text, url, "Record the posting", first=True)
    text = " ".join(_next(entries, on)) or "No step is open or near."
    url = find_url("order_next", order.key)
    return Rung(f"order-{order}", title, text, url, "What may be done", first=True)


def _next(entries: Sequence[DocketEntry], on: date) -> Iterator[str]:
    """Say which steps the days have opened, and which opens next, by the docket."""
    opened = [_title(each) for each in entries if each.has_opened(on)]
    if opened:
        yield f"By its days open: {'; '.join(opened)}."
    stayed = [_title(each) for each in entries if each.is_stayed]
    if stayed:
        yield f"Held still by an appeal: {'; '.join(stayed)}."
    for each in [each for each in entries if not each.is_stayed and each.on > on][:1]:
        yield f"Next: {_title(each)}, from {long_date(each.on)}."


def _title(entry: DocketEntry) -> str:
    title = STEPS_BY_KEY[StepKey(entry.rule)].title
    return title[:1].lower() + title[1:]


def _revoked(file: CaseFile) -> list[Rung]:
    if file.permit is None or file.permit.status != Permit.Status.REVOKED:
        return []
    rows = Revocation.objects.filter(permit=file.permit, reversed_on__isnull=True)
    return [
        Rung(
            "revocation",
            "The permit is revoked",
            f"Since {long_date(each.revoked_on)}. New work needs a new application.",
            each.get_absolute_url(),
            "See the revocation",
        )
        for each in rows
    ]


def _new(file: CaseFile) -> Rung:
    return Rung(
        "orders",
        "Violations and orders",
        "Record what is against the ordinance, or stop the work.",
        find_url("orders_of_case", file.site.number),
        "Violations and orders",
    )
