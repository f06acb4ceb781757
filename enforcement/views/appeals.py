"""The pages of appeals for those who keep and read them."""

from __future__ import annotations

from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement import appeal_access, stays_on_docket
from enforcement.acts.board import why_no_peril
from enforcement.models import Appeal, AppealStatus
from permits.models import CasePaper
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock, counting, known
from portal.city import worded

__all__ = ["appeal", "appeals", "find_appeal", "tallies"]

Outcome = Appeal.Outcome
ORDERS_SOMETHING = Q(outcome=Outcome.MODIFIED) | Q(
    outcome=Outcome.REVERSED, subject_type__model="decision"
)
LISTS: dict[str, tuple[str, Q]] = {
    "open": ("Before the board", Q(status=AppealStatus.FILED)),
    "no-hearing": (
        "No hearing set",
        Q(status=AppealStatus.FILED, hearings__isnull=True),
    ),
    "no-record": (
        "Record not transmitted",
        Q(status=AppealStatus.FILED, transmittal__isnull=True),
    ),
    "tasks": (
        worded("To be carried out by the {inspector_short}"),
        Q(status=AppealStatus.DECIDED, carried_out_on__isnull=True)
        & (
            Q(outcome=Outcome.MODIFIED)
            | Q(outcome=Outcome.REVERSED, subject_type__model="decision")
        ),
    ),
    "fee": ("Fee still out", Q(fee_due__gt=0, fee_paid_on__isnull=True)),
    "ended": ("Decided or withdrawn", ~Q(status=AppealStatus.FILED)),
}
"""What the desk of an appeal asks for, and which rows it means."""


@only(appeal_access.may_see_appeals)
@require_safe
def appeals(request: HttpRequest) -> HttpResponse:
    """List the appeals that wait for the board, the oldest first; the others on request."""
    asked = request.GET.get("list", "open")
    asked = asked if asked in LISTS else "open"
    heading, _ = LISTS[asked]
    page = page_of(request, rows_of(asked).select_related("site", "peril"))
    rows = list(page.object_list)
    context = {
        "page": page,
        "rows": [(each, tone_of(each), each.next_hearing()) for each in rows],
        "asked": asked,
        "heading": heading,
        "lists": tallies(),
        "on": clock.today(),
    }
    return render(request, "appeals/appeals.html", context)


def tallies() -> list[tuple[str, str, str]]:
    """Return each list with its heading and how many appeals are on it, in one query."""
    found = zip(LISTS.items(), counting.counts(_statement()), strict=True)
    return [(key, heading, counting.written(count)) for (key, (heading, _)), count in found]


@cache
def _statement() -> counting.Statement:
    return counting.statement([rows_of(key) for key in LISTS])


def rows_of(key: str) -> QuerySet[Appeal]:
    """Return the appeals of one list."""
    order = "-filed_on" if key == "ended" else "filed_on"
    return Appeal.objects.filter(LISTS[key][1]).order_by(order, "pk")


def tone_of(appeal: Appeal) -> tuple[str, str]:
    """Return how an appeal stands in a few words, and the tone of it."""
    if appeal.status == AppealStatus.DECIDED:
        return f"{appeal.get_outcome_display().lower()}", "late" if appeal.is_a_task else "good"
    if appeal.status == AppealStatus.WITHDRAWN:
        return "withdrawn", "shut"
    return ("late: no stay", "shut") if appeal.is_late else ("before the board", "soon")


def find_appeal(request: HttpRequest, key: UUID) -> Appeal:
    """Return an appeal that the person may see; for others there is no such page."""
    rows = Appeal.objects.select_related(
        "site", "peril__by", "filed_by", "carried_out_by", "transmittal__document"
    )
    found = get_object_or_404(rows, key=key)
    if not appeal_access.may_see_appeal(request.user, found):
        raise Http404
    return found


@login_required
@require_safe
def appeal(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show an appeal to the city, to whoever filed it and to the holder of the case."""
    found = find_appeal(request, key)
    with known.reading_once():
        return render(request, "appeals/appeal.html", page_context(request, found))


def page_context(request: HttpRequest, found: Appeal) -> dict[str, Any]:
    """Return what the page shows; how to reach the appellant only to those of the city."""
    user = request.user
    staff = appeal_access.may_see_appeals(user)
    answers, keeps = appeal_access.may_answer_board(user), appeal_access.may_keep_hearings(user)
    return {
        "appeal": found,
        "site": found.site,
        "on": clock.today(),
        "staff": staff,
        "own": found.filed_by_id == getattr(user, "pk", None),
        "standing": tone_of(found),
        "subject_url": _subject_url(found, staff=staff),
        "clocks": stays_on_docket.clocks_of(found.subject),
        "review": found.further_review(),
        "hearings": list(found.hearings.select_related("set_by").order_by("-pk")),
        "attachments": list(found.attachments.prefetch_related("previews")),
        "decision_files": list(found.decision_files.prefetch_related("previews")),
        "papers": papers_of(found),
        "may_certify": answers and not why_no_peril(found),
        "may_transmit": answers and found.is_open and found.transmittal_id is None,
        "may_carry_out": answers and found.is_a_task,
        "may_keep": keeps and found.is_open,
        "may_withdraw": found.is_open and appeal_access.may_withdraw_appeal(user, found),
        "may_take_fee": found.owes_fee and appeal_access.may_take_appeal_fee(user),
    }


def _subject_url(appeal: Appeal, *, staff: bool) -> str:
    """The page of the act; a stranger who appealed sees none."""
    subject: Any = appeal.subject
    return str(subject.get_absolute_url()) if staff else ""


def papers_of(appeal: Appeal) -> list[CasePaper]:
    """Return the papers of an appeal: receipt, record, notices, decision."""
    kinds = [
        CasePaper.Kind.APPEAL_RECEIPT,
        CasePaper.Kind.TRANSMITTAL,
        CasePaper.Kind.HEARING_NOTICE,
        CasePaper.Kind.BOARD_DECISION,
    ]
    rows = CasePaper.objects.filter(site=appeal.site, kind__in=kinds)
    rows = rows.filter(document__title__endswith=f"appeal {appeal.number}")
    return list(rows.select_related("document").order_by("pk"))
