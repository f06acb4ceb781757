"""What may be done today under a stop-work order, step by step. Former § 17.19(7), (4)(e)

Gathers the facts; `portal.ordinance.next_steps` decides. Every act of the ladder asks
`step(...)` anew under the site's lock, and refuses while an obstacle is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.urls import reverse

from enforcement.models import (
    CityWork,
    NoticeOfIntent,
    NoticeStatus,
    OrderStatus,
    OwnerNotice,
    StopWorkOrder,
    documented_days_of,
    stays_of,
)
from permits.models import Application, NotNow, Permit
from portal import city
from portal.formats import long_date
from portal.ordinance import Citation, Obstacle, WaitingPeriod
from portal.ordinance.next_steps import (
    STEPS,
    STEPS_BY_KEY,
    Situation,
    StepKey,
    held_by_application,
    obstacles_to,
)

__all__ = ["Line", "Step", "demand", "step", "steps"]

ENDED_WORDS = {
    OrderStatus.LIFTED: "lifted",
    OrderStatus.WITHDRAWN: "withdrawn as issued in error",
    OrderStatus.REVERSED: "reversed on appeal",
}
PENDING = (
    Application.Status.UNDER_REVIEW,
    Application.Status.DENIED,
    Application.Status.GRANTED,
)
"""An application that was received complete and may still become a permit."""


@dataclass(frozen=True)
class Line:
    """One line of evidence, or what was done already; with the page that shows it."""

    text: str
    url: str = ""
    on: date | None = None


@dataclass(frozen=True)
class Step:
    """One step of the ladder as it stands on a day."""

    key: StepKey
    title: str
    ground: str
    citation: Citation
    opens: WaitingPeriod | None
    obstacles: list[Obstacle]
    on: date
    url: str
    evidence: tuple[Line, ...] = ()
    done: tuple[Line, ...] = ()
    hold: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the law lets the city take the step on that day."""
        return not self.obstacles

    @property
    def needs_reason(self) -> bool:
        """Whether the day lies before the safe day, so that the act must say why."""
        return self.is_open and self.opens is not None and not self.opens.is_safe(self.on)

    @property
    def is_held(self) -> bool:
        """Whether something is a reason to wait although the law has opened the step."""
        return self.is_open and bool(self.hold)

    @property
    def warning(self) -> str:
        """What to consider between the first and the safe day; nothing after it."""
        if not self.needs_reason or self.opens is None:
            return ""
        return (
            f"Open since {long_date(self.opens.on)}, but the strictest reading opens it only on "
            f"{long_date(self.opens.safe_on)}. An act before that day could be contested; say "
            "why it cannot wait."
        )


def steps(order: StopWorkOrder, *, on: date) -> list[Step]:
    """Return every step that may follow an order, as it stands on a day."""
    facts = _Facts(order, on)
    return [facts.step(rule.key) for rule in STEPS]


def step(order: StopWorkOrder, key: str, *, on: date) -> Step:
    """Return one step as it stands on a day."""
    return _Facts(order, on).step(StepKey(key))


def demand(
    order: StopWorkOrder, key: str, *, on: date, before_safe_why: str = "", despite: str = ""
) -> Step:
    """Return the step if it may be taken on that day, else refuse with every reason.

    Called under the site's lock. Before the safe day a reason is wanted, and another one
    where a pending application is a reason to wait.
    """
    found = step(order, key, on=on)
    if found.obstacles:
        raise NotNow("This step is not open.", found.obstacles)
    if found.needs_reason and not before_safe_why.strip():
        raise NotNow(found.warning)
    if found.is_held and not despite.strip():
        raise NotNow(f"{found.hold} Say why the city does not wait for it.")
    return found


class _Facts:
    """What is known of an order on a day, each read once."""

    def __init__(self, order: StopWorkOrder, on: date) -> None:
        self.order, self.on = order, on
        self.site = order.site
        self.permit = order.permit
        self.revocation = getattr(order, "revocation", None)
        self.request = getattr(order, "request", None)
        notices = list(order.notices.all())
        self.notice = next((n for n in notices if n.status == NoticeStatus.STANDING), None)
        done = [n for n in notices if n.status == NoticeStatus.DONE]
        self.past_notices = [n for n in notices if n is not self.notice]
        self.work = CityWork.objects.filter(notice_of_intent__in=done).first() if done else None
        self.owner_notices = (
            list(OwnerNotice.objects.filter(permit=self.permit)) if self.permit else []
        )
        self.stays = stays_of(order)

    def situation(self) -> Situation:
        order, permit = self.order, self.permit
        issued = permit is not None and permit.status == Permit.Status.ISSUED
        status = permit.get_status_display().lower() if permit is not None and not issued else ""
        return Situation(
            stands=order.is_standing,
            ended=ENDED_WORDS.get(OrderStatus(order.status), ""),
            against_permittee=permit is not None,
            permit_status=status,
            permit_since=self._permit_since(),
            posted_on=order.posted_on,
            stayed=any(stay.covers(self.on) for stay in self.stays),
            revoked=self._is_revoked(),
            reversed=self.revocation is not None and self.revocation.reversed_on is not None,
            requested=self.request is not None,
            notice_stands=self.notice is not None,
            work_begun=self.work is not None,
            owner_notice_stands=any(
                each.status == NoticeStatus.STANDING for each in self.owner_notices
            ),
            escrow_held=permit is not None and permit.escrow_posted_on is not None,
        )

    def _is_revoked(self) -> bool:
        return self.permit is not None and self.permit.status == Permit.Status.REVOKED

    def _permit_since(self) -> date | None:
        """The day on which the site got a permit after an order for want of one."""
        if self.permit is not None:
            return None
        issued = self.site.permits.filter(
            status=Permit.Status.ISSUED, issued_on__gte=self.order.issued_on
        )
        first: date | None = (
            issued.order_by("issued_on").values_list("issued_on", flat=True).first()
        )
        return first

    def opens(self, key: StepKey) -> WaitingPeriod | None:
        order = self.order
        ways: dict[StepKey, Callable[[], WaitingPeriod | None]] = {
            StepKey.REVOCATION: order.revocation_opens,
            StepKey.CEASE_AND_DESIST: order.cease_and_desist_opens,
            StepKey.NOTICE_OF_INTENT: order.notice_of_intent_opens,
            StepKey.CITY_WORK: lambda: self.notice.city_work_opens() if self.notice else None,
            StepKey.OWNER_NOTICE: lambda: None,
        }
        return ways[key]()

    def step(self, key: StepKey) -> Step:
        rule = STEPS_BY_KEY[key]
        edition = city.edition_on(self.order.issued_on)
        opens = self.opens(key)
        return Step(
            key=key,
            title=rule.title,
            ground=rule.ground_of(edition),
            citation=rule.citation(edition),
            opens=opens,
            obstacles=self.obstacles(key, opens),
            on=self.on,
            url=self.url(key),
            evidence=tuple(self.evidence(key)),
            done=tuple(self.done(key)),
            hold=self.hold() if key is StepKey.CEASE_AND_DESIST else "",
        )

    def obstacles(self, key: StepKey, opens: WaitingPeriod | None) -> list[Obstacle]:
        """What stands in the way; the notice to the owner is asked of its own act."""
        if key is StepKey.OWNER_NOTICE and self.permit is not None:
            from enforcement.acts import owner_notices

            return owner_notices.why_not(self.permit, on=self.on)
        edition = city.edition_on(self.order.issued_on)
        return obstacles_to(key, self.situation(), opens, on=self.on, edition=edition)

    def url(self, key: StepKey) -> str:
        """The page of the act; nothing where there is none to go to yet."""
        if key is StepKey.CITY_WORK:
            return reverse("city_work_new", args=[self.notice.key]) if self.notice else ""
        names = {
            StepKey.REVOCATION: "revoke",
            StepKey.CEASE_AND_DESIST: "request_new",
            StepKey.NOTICE_OF_INTENT: "notice_new",
            StepKey.OWNER_NOTICE: "owner_notice_new",
        }
        key_of_page: Any = self.order.key
        if key is StepKey.OWNER_NOTICE:
            key_of_page = self.site.number
        return reverse(names[key], args=[key_of_page])

    def hold(self) -> str:
        """The reason to wait with a request: a complete application filed in time. (7)(d)"""
        if self.order.permit_id:
            return ""
        last = self.order.permit_deadline()
        pending = self.site.applications.filter(
            status__in=PENDING, received_on__gte=self.order.issued_on
        )
        for application in pending.order_by("received_on", "pk"):
            if held_by_application(application.received_on, last):
                return (
                    f"Application {application} was received complete on "
                    f"{long_date(application.received_on)}, within the days of the order "
                    f"({application.get_status_display().lower()}). It is a reason to wait."
                )
        return ""

    # Evidence -----------------------------------------------------------------------------

    def evidence(self, key: StepKey) -> list[Line]:
        order = self.order
        lines = [Line(f"Order {order} issued.", order.get_absolute_url(), order.issued_on)]
        lines += self._postings
        if key is not StepKey.CITY_WORK:
            lines += [*self._violations, *self._visits]
        if key is StepKey.CITY_WORK and self.notice:
            text = f"Notice of intent {self.notice} issued."
            lines.append(Line(text, self.notice.get_absolute_url(), self.notice.issued_on))
        return lines

    @cached_property
    def _postings(self) -> list[Line]:
        url = f"{self.order.get_absolute_url()}#posted"
        rows = self.order.postings.filter(corrected_by__isnull=True)
        return [Line(f"Posted: {row.place}.", url, row.posted_on) for row in rows]

    @cached_property
    def _violations(self) -> list[Line]:
        found = []
        for violation, documented in documented_days_of(self.order.violations.all()):
            days = [day for day in documented if day <= self.on]
            text = f"Violation {violation.number}: documented on {len(days)} "
            text += "day." if len(days) == 1 else "days."
            found.append(Line(text, violation.get_absolute_url(), days[-1] if days else None))
        return found

    @cached_property
    def _visits(self) -> list[Line]:
        visits = self.site.visits.filter(
            number__isnull=False, visited_on__gte=self.order.issued_on
        ).order_by("visited_on", "pk")
        return [
            Line(
                f"Visit {visit.number}.",
                reverse("visit_report", args=[visit.key]),
                visit.visited_on,
            )
            for visit in visits[:20]
        ]

    # What was done already ----------------------------------------------------------------

    def done(self, key: StepKey) -> list[Line]:
        found: list[Any] = []
        if key is StepKey.REVOCATION and self.revocation is not None:
            text = "Permit revoked" + (", reversed since" if self.revocation.reversed_on else "")
            found = [(text, self.revocation, self.revocation.revoked_on)]
        elif key is StepKey.CEASE_AND_DESIST and self.request is not None:
            found = [("Request made", self.request, self.request.requested_on)]
        elif key is StepKey.NOTICE_OF_INTENT:
            found = [(_notice_words(n), n, n.issued_on) for n in self._all_notices()]
        elif key is StepKey.CITY_WORK and self.work is not None:
            found = [
                (
                    f"City work: {self.work.get_status_display().lower()}",
                    self.work,
                    self.work.begun_on,
                )
            ]
        elif key is StepKey.OWNER_NOTICE:
            found = [
                (f"Notice to the owner {n}: {n.get_status_display().lower()}", n, n.made_on)
                for n in self.owner_notices
            ]
        return [Line(f"{text}.", row.get_absolute_url(), day) for text, row, day in found]

    def _all_notices(self) -> list[NoticeOfIntent]:
        return ([self.notice] if self.notice else []) + self.past_notices


def _notice_words(notice: NoticeOfIntent) -> str:
    return f"Notice of intent {notice}: {notice.get_status_display().lower()}"
