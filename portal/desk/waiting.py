"""What waits for somebody else: fees, revisions, escrow, and permits ready to be issued."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet

from escrow.account import expiry
from permits import access
from permits.models import Application, Decision, Permit
from portal import clock
from portal.formats import money
from portal.models import User
from portal.ordinance.wording import short_day

from .links import find_url
from .rows import Row, Work, Works

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

    def found(self, sites: Sequence[int] | None = None) -> QuerySet[Any]:
        """Return the cases, longest waiting first; of some sites only, after a search."""
        rows = self.cases()
        return rows if sites is None else rows.filter(site_id__in=sites)


def _applications(status: str) -> QuerySet[Application]:
    """Applications, of which a line says little: the rest is not read."""
    rows = Application.objects.filter(status=status).order_by("pk")
    return rows.only("site_id", "number", "status", "form_received_on")


def _permits(*, posted: bool) -> QuerySet[Permit]:
    waiting = Permit.objects.filter(status=PERMIT.AWAITING_ESCROW)
    return waiting.filter(escrow_posted_on__isnull=not posted).order_by("pk")


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
            "lapsing",
            "Escrow that lapses: draw or renew",
            "No escrow lapses within sixty days.",
            lambda: expiry.permits_to_keep(on=clock.today()),
            access.may_post_escrow,
            "Draw or renew",
            "escrow_account",
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


def waiting_rows(
    waiting: Waiting, cases: Sequence[Any], works: Works, *, user: User, on: date
) -> list[Row]:
    """Return the lines of cases that wait."""
    denied = _denied_on(case.pk for case in cases) if waiting.key == "revision" else {}
    return [
        _row(waiting, case, _work(case, works), denied.get(case.pk), user=user, on=on)
        for case in cases
    ]


def _work(case: Any, works: Works) -> Work:
    """Return the work of a case that waits, which may be known by its permit."""
    application = case.application_id if isinstance(case, Permit) else case.pk
    return next(work for work in works[case.site_id] if work.pk == application)


def _row(
    waiting: Waiting, case: Any, work: Work, denied_on: date | None, *, user: User, on: date
) -> Row:
    since = _since(case) or denied_on or on
    act_url = find_url(waiting.act_url, work.key) if waiting.may_act(user) else ""
    url = work.site.get_absolute_url()
    return Row(
        title=_title(waiting, case, work.number, on),
        url=url,
        place=work.site.place,
        day=since,
        work=str(work),
        word=f"since {short_day(since)}" if since < on else "since today",
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


def _title(waiting: Waiting, case: Any, number: str, on: date) -> str:
    if waiting.key == "fee":
        return f"Fee of {money(case.fee_due(on=on))} for {number}"
    if waiting.key == "revision":
        return f"Plan revision of {number}, by the applicant"
    if waiting.key == "lapsing":
        return f"Draw on the escrow for {number}, or have it renewed"
    if waiting.key == "escrow":
        return f"Escrow of {money(case.escrow_amount)} for {number}"
    return f"Issue the permit for {number}"


def _denied_on(applications: Iterable[int]) -> dict[int, date]:
    rows = Decision.objects.filter(application__in=list(applications)).order_by("pk")
    return dict(rows.values_list("application_id", "decided_on"))
