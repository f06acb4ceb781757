"""Revision orders: additional devices by a timetable. Former § 17.19(7)(b)

Each line is due on its day and confirmed at a visit; the order is done when all lines are.
The plan's new revision, with the devices in it, is filed by the permittee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from enforcement import revision_papers, telling
from enforcement.docketing import settle
from enforcement.models import (
    LineReport,
    RevisionOrder,
    RevisionOrderLine,
    RevisionOrderStatus,
)
from enforcement.persons import Person
from inspections.models import Visit
from permits.models import DocketEntry, NotNow, Permit, PlanRevision, PlanSheet
from permits.notices import tell_inspectors
from portal import city, numbers
from portal.formats import long_date
from portal.models import Upload, User
from portal.ordinance import Obstacle
from portal.ordinance.devices import DEVICES_BY_KEY, DeviceKind

__all__ = [
    "Line",
    "confirm",
    "file_plan",
    "issue",
    "obstacles_to_issue",
    "report",
    "reverse",
    "withdraw",
]

LONGEST_TITLE = 200


@dataclass(frozen=True)
class Line:
    """One additional device that is ordered, where, and by when."""

    device: str
    place: str
    due_on: date
    what: str = ""


def obstacles_to_issue(permit: Permit, *, on: date) -> list[Obstacle]:
    """Return every reason why the plan of a permit cannot be ordered to be revised."""
    if permit.status == Permit.Status.ISSUED:
        return []
    citation = city.edition_on(on).citation("enforcement", "(b)")
    text = f"Permit {permit} is {permit.get_status_display().lower()}; no plan is in place."
    return [Obstacle("permit-status", text, citation, "")]


@transaction.atomic
def issue(
    permit: Permit,
    *,
    by: User,
    on: date,
    cause: str,
    facts: str,
    lines: Sequence[Line],
    told: Sequence[tuple[Person, str]],
    visit: Visit | None = None,
) -> RevisionOrder:
    """Order additional devices: number, timetable, paper; each line is a clock of its own."""
    site = permit.site.lock()
    permit.refresh_from_db()
    Permit.refuse(obstacles_to_issue(permit, on=on), "The revision cannot be ordered.")
    telling.refuse_without_address(told)
    _refuse_lines(lines, on)
    if visit is not None and (visit.site_id != site.pk or visit.visited_on > on):
        raise NotNow("The visit must be one to this site, on or before the day of the order.")
    order = RevisionOrder.objects.create(
        number=numbers.next_number("RO", on=on),
        site=site,
        permit=permit,
        cause=cause,
        facts=facts,
        visit=visit,
        issued_on=on,
        issued_by=by,
    )
    settle(order, on=on)
    for number, line in enumerate(lines, start=1):
        row = RevisionOrderLine.objects.create(
            order=order,
            number=number,
            device=line.device,
            place=line.place,
            what=line.what,
            due_on=line.due_on,
        )
        title = f"{row.device_name}, {row.place} ({order}, line {number})"
        DocketEntry.objects.start(row, row.deadline(), title=title[:LONGEST_TITLE])
    site.record(
        "revision_order.issued",
        by=by,
        on=on,
        section="enforcement",
        facts={
            "order": order.number,
            "permit": str(permit),
            "cause": cause,
            "lines": [f"{line.device}, {line.place}: {line.due_on}" for line in lines],
        },
    )
    order.paper = revision_papers.order(order, [person for person, _ in told])
    order.save(update_fields=["paper"])
    telling.tell(
        order,
        told,
        cause=f"revision_order:{order.number}",
        subject_line=f"Revision order {order.number}: additional devices",
        on=on,
        paper=order.paper,
        template="revision_order",
        order=order,
        lines=list(order.lines.all()),
    )
    return order


def _refuse_lines(lines: Sequence[Line], on: date) -> None:
    if not lines:
        raise NotNow("The order names at least one additional device.")
    for number, line in enumerate(lines, start=1):
        if line.due_on < on:
            raise NotNow(
                f"Line {number} is due on {long_date(line.due_on)}, before the order. The first "
                f"possible day is {long_date(on)}."
            )
        if not line.device.strip() or not line.place.strip():
            raise NotNow(f"Line {number} says which device, and where.")


# What the permittee does ------------------------------------------------------------------


def _refuse_ended(order: RevisionOrder) -> None:
    if order.status != RevisionOrderStatus.STANDING:
        raise NotNow(f"The order is {order.get_status_display().lower()}.")


@transaction.atomic
def report(
    line: RevisionOrderLine, *, by: User, on: date, text: str, photos: Sequence[Upload]
) -> LineReport:
    """Say that a device is installed, with photos; the inspector confirms it at a visit."""
    with line.order.acting():
        _refuse_ended(line.order)
        line.refresh_from_db()
        if line.done_on is not None:
            raise NotNow("This line is confirmed already.")
        made = LineReport.objects.create(line=line, on=on, text=text, by=by)
        made.photos.set(photos)
        line.order.site.record(
            "revision_order.line_reported",
            by=by,
            on=on,
            section="enforcement",
            facts={
                "order": line.order.number,
                "line": line.number,
                "text": text,
                "photos": len(photos),
            },
        )
        tell_inspectors(
            line.application,
            f"line_reported:{made.pk}",
            subject=f"{line.order}, line {line.number}: reported installed",
            on=on,
            line=line,
            order=line.order,
            report=made,
        )
        return made


@transaction.atomic
def file_plan(
    order: RevisionOrder, *, by: User, on: date, summary: str, sheets: Sequence[Upload]
) -> PlanRevision:
    """File the plan's new revision: the last one, the ordered devices, and the new sheets.

    The inspector ordered what it adds, so no decision is asked for. It takes the place of
    the plan's drawings for whoever looks at the case from now on.
    """
    with order.acting():
        _refuse_ended(order)
        if order.revision_id is not None:
            raise NotNow("The plan's new revision is filed already.")
        if not sheets:
            raise NotNow("Add at least one revised sheet of the plan.")
        latest = order.permit.application.latest_revision()
        if latest.filed_on is None:
            raise NotNow("A revision of the plan is being written; finish that one first.")
        revision = latest.copy_for_revision()
        revision.filed_on = on
        revision.summary_of_changes = f"Ordered by {order.number}. {summary}".strip()
        revision.save(update_fields=["filed_on", "summary_of_changes"])
        _add_devices(revision, order)
        for upload in sheets:
            PlanSheet.objects.get_or_create(revision=revision, upload=upload)
        order.revision = revision
        order.save(update_fields=["revision"])
        order.site.record(
            "revision_order.plan_linked",
            by=by,
            on=on,
            section="plan",
            facts={
                "order": order.number,
                "revision": revision.number,
                "sheets": [upload.original_name for upload in sheets],
            },
        )
        tell_inspectors(
            order.permit.application,
            f"plan_ordered:{order.number}",
            subject=f"Plan revision {revision.number} for {order.number}",
            on=on,
            order=order,
            revision=revision,
        )
        return revision


def _add_devices(revision: PlanRevision, order: RevisionOrder) -> None:
    """Put each ordered device into the plan, so that it is on the checklist of a visit."""
    for line in order.lines.all():
        known = DEVICES_BY_KEY.get(line.device)
        revision.devices.create(
            device=known.key if known else "other",
            place=line.place,
            quantity=line.what[:60] if known else line.device[:60],
            standard=known.standard if known else "",
            permanent=bool(known and known.kind is DeviceKind.PERMANENT),
        )


# What the inspector does ------------------------------------------------------------------


@transaction.atomic
def confirm(
    line: RevisionOrderLine, *, by: User, on: date, visit: Visit, done_on: date
) -> RevisionOrder:
    """Confirm at a visit that a device is installed; the last line ends the order."""
    with line.order.acting():
        order = line.order
        _refuse_ended(order)
        line.refresh_from_db()
        line.order = order
        if line.done_on is not None:
            raise NotNow("This line is confirmed already.")
        visit.refresh_from_db()
        _refuse_visit(order, visit, on, done_on)
        line.done_on, line.confirmed_by, line.confirmed_at_visit = done_on, by, visit
        line.save(update_fields=["done_on", "confirmed_by", "confirmed_at_visit"])
        DocketEntry.objects.close(line, "revision-order-line", met_on=done_on)
        done = not order.lines.filter(done_on__isnull=True).exists()
        if done:
            order.move_to(RevisionOrderStatus.DONE)
            order.ended_on = on
            order.save(update_fields=["status", "ended_on"])
            settle(order, on=on)
        order.site.record(
            "revision_order.done" if done else "revision_order.line_done",
            by=by,
            on=on,
            section="enforcement",
            facts={
                "order": order.number,
                "line": line.number,
                "done_on": done_on,
                "late": line.deadline().met_late(done_on),
                "visit": visit.number,
            },
        )
        if done:
            _tell_end(order, on=on)
        return order


def _refuse_visit(order: RevisionOrder, visit: Visit, on: date, done_on: date) -> None:
    if visit.site_id != order.site_id:
        raise NotNow("The visit was to another site.")
    if visit.status != Visit.Status.FINISHED:
        raise NotNow("The visit is not finished yet; finish it first.")
    if not order.issued_on <= visit.visited_on <= on:
        raise NotNow(f"The visit must be on or after {long_date(order.issued_on)}.")
    if not order.issued_on <= done_on <= visit.visited_on:
        raise NotNow(
            f"It was installed between {long_date(order.issued_on)}, the day of the order, and "
            f"{long_date(visit.visited_on)}, the day of the visit."
        )


@transaction.atomic
def withdraw(order: RevisionOrder, *, by: User, on: date, why: str) -> None:
    """Withdraw an order that was issued in error."""
    with order.acting():
        _end(order, RevisionOrderStatus.WITHDRAWN, by=by, on=on, why=why)


@transaction.atomic
def reverse(order: RevisionOrder, *, by: User, on: date, why: str) -> None:
    """Take note that the board of zoning appeals reversed the order. Former § 17.19(8)"""
    with order.acting():
        _end(order, RevisionOrderStatus.REVERSED, by=by, on=on, why=why)


EVENTS = {
    RevisionOrderStatus.WITHDRAWN: "revision_order.withdrawn",
    RevisionOrderStatus.REVERSED: "revision_order.reversed",
}


def _end(
    order: RevisionOrder, status: RevisionOrderStatus, *, by: User, on: date, why: str
) -> None:
    if not why.strip():
        raise NotNow("Say why.")
    if on < order.issued_on:
        raise NotNow(f"The order was issued on {long_date(order.issued_on)}.")
    order.move_to(status)
    order.ended_on, order.ended_why = on, why
    order.save(update_fields=["status", "ended_on", "ended_why"])
    settle(order, on=on)
    for line in order.lines.filter(done_on__isnull=True):
        DocketEntry.objects.drop(line, on=on)
    order.site.record(
        EVENTS[status],
        by=by,
        on=on,
        section="appeal" if status is RevisionOrderStatus.REVERSED else "enforcement",
        reason=why,
        facts={"order": order.number},
    )
    _tell_end(order, on=on)


def _tell_end(order: RevisionOrder, *, on: date) -> None:
    if people := telling.told_of(order):
        telling.tell(
            order,
            people,
            cause=f"revision_ended:{order.number}",
            subject_line=f"Revision order {order.number}: {order.get_status_display().lower()}",
            on=on,
            paper=None,
            template="revision_order_ended",
            order=order,
        )
