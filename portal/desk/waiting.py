"""What waits for somebody else: fees, revisions, escrow, and permits ready to be issued."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet

from permits import access
from permits.models import Application, Decision, Permit, Site
from portal.formats import money
from portal.models import User
from portal.ordinance.wording import short_day

from .finding import find_site_keys
from .links import find_url
from .rows import Row, landowners_of, work_of

__all__ = ["WAITING", "Waiting", "waiting_rows"]

APPLICATION = Application.Status
PERMIT = Permit.Status


@dataclass(frozen=True)
class Waiting:
    """One list of cases that wait: for what, from whom, and who ends it by which act."""

    key: str
    heading: str
    nobody: str
    cases: Callable[[], QuerySet[Any]]
    may_act: Callable[[Any], bool] = lambda user: False
    act: str = ""
    act_url: str = ""

    def found(self, text: str = "") -> QuerySet[Any]:
        """Return the cases, longest waiting first; with a text only those of sites found."""
        rows = self.cases()
        if text:
            keys = find_site_keys(text, Site.objects.all()).keys
            rows = rows.filter(site_id__in=keys)
        return rows


def _applications(status: str) -> QuerySet[Application]:
    return Application.objects.filter(status=status).select_related("site").order_by("pk")


def _permits(*, posted: bool) -> QuerySet[Permit]:
    waiting = Permit.objects.filter(
        status=PERMIT.AWAITING_ESCROW, escrow_posted_on__isnull=not posted
    )
    return waiting.select_related("site", "application").order_by("pk")


WAITING: dict[str, Waiting] = {
    each.key: each
    for each in (
        Waiting(
            "fee",
            "Waiting for the fee",
            "No application waits for its fee.",
            lambda: _applications(APPLICATION.SUBMITTED),
            access.may_take_fee,
            "Take the fee",
            "fee",
        ),
        Waiting(
            "escrow",
            "Granted, waiting for the escrow",
            "No granted permit waits for its escrow.",
            lambda: _permits(posted=False),
            access.may_post_escrow,
            "Post the escrow",
            "escrow_post",
        ),
        Waiting(
            "issue",
            "Escrow posted, ready to be issued",
            "No permit waits to be issued.",
            lambda: _permits(posted=True),
            access.may_issue,
            "Issue the permit",
            "issue",
        ),
        Waiting(
            "revision",
            "Denied, waiting for a plan revision",
            "No denied plan waits for a revision.",
            lambda: _applications(APPLICATION.DENIED),
        ),
    )
}
"""In the order in which a case passes them."""


def waiting_rows(waiting: Waiting, cases: Sequence[Any], *, user: User, on: date) -> list[Row]:
    """Return the lines of cases that wait."""
    applications = [getattr(case, "application", case) for case in cases]
    landowners = landowners_of([application.pk for application in applications])
    denied = _denied_on(applications) if waiting.key == "revision" else {}
    return [
        _row(waiting, case, application, landowners, denied.get(application.pk), user, on)
        for case, application in zip(cases, applications, strict=True)
    ]


def _row(
    waiting: Waiting,
    case: Any,
    application: Application,
    landowners: dict[int, str],
    denied_on: date | None,
    user: User,
    on: date,
) -> Row:
    since = _since(case) or denied_on or on
    days = (on - since).days
    may_act = waiting.may_act(user)
    act_url = find_url(waiting.act_url, application.key) if may_act else ""
    url = case.site.get_absolute_url()
    return Row(
        title=_title(waiting, case, application, on),
        url=url,
        place=case.site.place,
        day=since,
        work=work_of(application, landowners),
        word=f"since {short_day(since)}" if days > 0 else "since today",
        tone="shut",
        act_url=act_url or url,
        act=waiting.act if act_url else "Open the case",
        first=bool(act_url),
    )


def _since(case: Any) -> date | None:
    """Return since when a case waits; a denial's day is asked of its decision."""
    if isinstance(case, Permit):
        return case.escrow_posted_on or case.granted_on
    return case.form_received_on if case.status == APPLICATION.SUBMITTED else None


def _title(waiting: Waiting, case: Any, application: Application, on: date) -> str:
    number = application.number
    if waiting.key == "fee":
        return f"Fee of {money(application.fee_due(on=on))} for {number}"
    if waiting.key == "escrow":
        return f"Escrow of {money(case.escrow_amount)} for {number}"
    if waiting.key == "issue":
        return f"Issue the permit for {number}"
    return f"Plan revision of {number}, by the applicant"


def _denied_on(applications: Iterable[Application]) -> dict[int, date]:
    rows = Decision.objects.filter(application__in=list(applications)).order_by("pk")
    return dict(rows.values_list("application_id", "decided_on"))
