"""Additional devices by a timetable: ordered, reported, confirmed. Former § 17.19(7)(b)"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.acts import revision_orders as acts
from enforcement.acts.revision_orders import Line
from enforcement.models import RevisionOrder
from inspections.acts.visits import begin
from inspections.models import VisitNeed
from inspections.needs import open_needs
from permits.models import NotNow, Permit
from permits.reminders import send_reminders
from portal.models import OutboxMessage

from .appealing import appealed, decided, entry_of, holds_true
from .factory import MONDAY, finished_visit, inspector, photo, told

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def on_monday(at: Callable[..., Any]) -> None:
    at(MONDAY)


def days(number: int) -> timedelta:
    return timedelta(days=number)


def ordered(permit: Permit, *, lines: list[Line] | None = None) -> RevisionOrder:
    return acts.issue(
        permit,
        by=inspector(),
        on=MONDAY,
        cause="rain",
        facts="Three inches of rain in two days; mud runs over the north line.",
        lines=lines
        or [
            Line("silt-fence", "North line", MONDAY + days(3), "120 feet, keyed in"),
            Line("inlet-protection", "Inlet at the corner", MONDAY + days(6)),
        ],
        told=told(permit.site, permit),
    )


def test_each_line_is_a_clock_of_its_own_on_the_docket(permit: Permit) -> None:
    order = ordered(permit)
    assert order.number == "RO-2026-0001"
    first, second = order.lines.all()
    assert entry_of(first, "revision-order-line").on == MONDAY + days(3)
    assert entry_of(second, "revision-order-line").bound == "permittee"
    assert entry_of(order, "appeal").on == order.appeal_deadline().on
    event = permit.site.events.latest("sequence")
    assert event.kind == "revision_order.issued"
    assert holds_true() == []


def test_an_order_without_a_device_or_due_before_its_day_is_refused(permit: Permit) -> None:
    with pytest.raises(NotNow, match="first possible day"):
        ordered(permit, lines=[Line("sod", "North slope", MONDAY - days(1))])
    with pytest.raises(NotNow, match="at least one"):
        acts.issue(
            permit,
            by=inspector(),
            on=MONDAY,
            cause="rain",
            facts="Rain.",
            lines=[],
            told=told(permit.site, permit),
        )
    assert RevisionOrder.objects.count() == 0


def test_a_line_is_confirmed_at_a_visit_and_the_last_one_ends_the_order(permit: Permit) -> None:
    order = ordered(permit)
    first, second = order.lines.all()
    visit = finished_visit(permit.site, on=MONDAY + days(4))
    with pytest.raises(NotNow, match="between"):
        acts.confirm(
            first, by=inspector(), on=MONDAY + days(4), visit=visit, done_on=MONDAY + days(5)
        )
    acts.confirm(first, by=inspector(), on=MONDAY + days(4), visit=visit, done_on=MONDAY + days(3))
    assert entry_of(first, "revision-order-line").met_on == MONDAY + days(3)
    assert holds_true() == []
    acts.confirm(second, by=inspector(), on=MONDAY + days(4), visit=visit, done_on=MONDAY + days(4))
    order.refresh_from_db()
    assert (order.status, order.ended_on) == ("done", MONDAY + days(4))
    kinds = list(permit.site.events.order_by("sequence").values_list("kind", flat=True))
    assert kinds.count("revision_order.line_done") == 1
    assert kinds.count("revision_order.done") == 1
    assert holds_true() == []


def test_a_due_line_brings_the_site_on_the_round_and_reminds_the_permittee(permit: Permit) -> None:
    order = ordered(permit)
    open_needs(MONDAY + days(1), reasons=[VisitNeed.Reason.CORRECTION])
    assert not VisitNeed.objects.open().filter(site=permit.site, reason="correction").exists()
    open_needs(MONDAY + days(2), reasons=[VisitNeed.Reason.CORRECTION])
    need = VisitNeed.objects.open().get(site=permit.site, reason="correction")
    assert need.due_on == MONDAY + days(3)
    assert order.number in need.because
    send_reminders(MONDAY + days(2))
    assert OutboxMessage.objects.filter(cause="reminder-soon").exists()


def test_an_appeal_holds_the_timetable_and_its_round(permit: Permit) -> None:
    order = ordered(permit)
    appeal = appealed(order, on=MONDAY + days(1))
    first = order.lines.get(number=1)
    assert entry_of(first, "revision-order-line").is_stayed
    open_needs(MONDAY + days(5), reasons=[VisitNeed.Reason.CORRECTION])
    assert not VisitNeed.objects.open().filter(site=permit.site, reason="correction").exists()
    assert holds_true() == []
    decided(appeal, on=MONDAY + days(11))
    assert entry_of(first, "revision-order-line").on == MONDAY + days(13)
    assert holds_true() == []


def test_a_reversed_or_withdrawn_order_ends_its_lines(permit: Permit) -> None:
    order = ordered(permit)
    decided(appealed(order, on=MONDAY), on=MONDAY + days(1), outcome="reversed")
    order.refresh_from_db()
    assert order.status == "reversed"
    other = ordered(permit)
    acts.withdraw(other, by=inspector(), on=MONDAY + days(1), why="The rain was elsewhere.")
    assert holds_true() == []
    with pytest.raises(NotNow):
        acts.withdraw(other, by=inspector(), on=MONDAY + days(1), why="Again.")


def test_the_plans_new_revision_has_the_ordered_devices_and_is_on_the_checklist(
    permit: Permit,
) -> None:
    order = ordered(permit)
    holder = permit.application.applicant
    before = permit.plan_in_force().devices.count()
    revision = acts.file_plan(
        order, by=holder, on=MONDAY + days(1), summary="Fence on sheet C-2.", sheets=[photo(holder)]
    )
    permit.refresh_from_db()
    assert permit.plan_in_force() == revision
    assert revision.devices.count() == before + 2
    assert revision.number == permit.grant.revision.number + 1
    assert revision.review_deadline() is None  # the inspector ordered what it adds
    visit = begin(permit.site, by=inspector(), on=MONDAY + days(2), today=MONDAY + days(2))
    assert visit.lines.filter(place="Inlet at the corner").count() == 1
    with pytest.raises(NotNow, match="filed already"):
        acts.file_plan(order, by=holder, on=MONDAY, summary="", sheets=[photo(holder)])
    assert holds_true() == []


# Pages ------------------------------------------------------------------------------------


def test_the_inspector_orders_by_the_page_and_the_holder_reports(
    permit: Permit, as_inspector: Client
) -> None:
    url = reverse("revision_order_new", args=[permit.site.number])
    page = as_inspector.get(url)
    assert page.status_code == 200
    form = page.context["form"]
    data = {name: form[name].value() or "" for name in form.fields}
    data |= {
        "cause": "rain",
        "facts": "Mud runs over the north line.",
        "line-1-device": "silt-fence",
        "line-1-place": "North line",
        "line-1-due_on": (MONDAY - days(1)).isoformat(),
        "step": "check",
    }
    assert "The first possible day is today" in as_inspector.post(url, data).content.decode()
    data["line-1-due_on"] = (MONDAY + days(2)).isoformat()
    shown = as_inspector.post(url, data).content.decode()
    assert "Silt fence (DNR 1056), North line" in shown
    as_inspector.post(url, data | {"step": "confirm"})
    order = RevisionOrder.objects.get()
    assert as_inspector.get(order.get_absolute_url()).status_code == 200
    holder = Client()
    holder.force_login(permit.application.applicant)
    report = reverse("revision_line_report", args=[order.key, 1])
    assert holder.get(report).status_code == 200
    holder.post(report, {"text": "120 feet set and keyed in.", "end_of_form": ""})
    assert "keyed in" in holder.get(order.get_absolute_url()).content.decode()
    assert as_inspector.get(report).status_code == 404
    assert holder.get(reverse("revision_plan", args=[order.key])).status_code == 200
    assert holder.get(reverse("revision_order_withdraw", args=[order.key])).status_code == 404


def test_a_line_is_confirmed_by_the_page_once_a_visit_was_made(
    permit: Permit, as_inspector: Client, at: Callable[..., Any]
) -> None:
    order = ordered(permit)
    url = reverse("revision_line_confirm", args=[order.key, 1])
    assert "none was finished since the order" in as_inspector.get(url).content.decode()
    at(MONDAY + days(2))
    as_inspector.force_login(inspector())
    visit = finished_visit(permit.site, on=MONDAY + days(2))
    answer = {"visit": str(visit.key), "done_on": (MONDAY + days(1)).isoformat()}
    as_inspector.post(url, answer)
    assert order.lines.get(number=1).done_on == MONDAY + days(1)
    withdraw = reverse("revision_order_withdraw", args=[order.key])
    as_inspector.post(withdraw, {"why": "The rain was elsewhere.", "step": "confirm"})
    order.refresh_from_db()
    assert order.status == "withdrawn"
