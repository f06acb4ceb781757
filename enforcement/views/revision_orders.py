"""The pages of revision orders: issue, timetable, reports, plan, confirmation."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement import access
from enforcement.acts import revision_orders as acts
from enforcement.forms.revision_order import (
    ConfirmLineForm,
    PlanForm,
    ReportForm,
    RevisionOrderForm,
    WithdrawForm,
)
from enforcement.models import RevisionOrder, RevisionOrderLine, RevisionOrderStatus
from enforcement.persons import persons_of
from inspections.access import holds
from inspections.acts.visits import standing_permit
from inspections.views.acting import ActView, site_of
from permits.models import NotNow, Permit, Site
from portal import clock, known
from portal.city import worded

from .order_acts import TellView
from .rows import visits_of

__all__ = ["Confirm", "FilePlan", "Issue", "Report", "Withdraw", "revision_order"]

TONES = {
    RevisionOrderStatus.STANDING: "soon",
    RevisionOrderStatus.DONE: "good",
    RevisionOrderStatus.WITHDRAWN: "shut",
    RevisionOrderStatus.REVERSED: "shut",
}


def find_revision_order(request: HttpRequest, key: UUID) -> RevisionOrder:
    """Return a revision order of a site that the person may see."""
    rows = RevisionOrder.objects.filter(site__in=Site.objects.visible_to(request.user))
    joined = ("site", "permit__application__applicant", "issued_by", "visit", "revision")
    return get_object_or_404(rows.select_related(*joined, "paper__document"), key=key)


@login_required
@require_safe
def revision_order(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a revision order to the holder of the case and to those who work for the city."""
    found = find_revision_order(request, key)
    with known.reading_once():
        return render(request, "revision_orders/order.html", page_context(request, found))


def page_context(request: HttpRequest, found: RevisionOrder) -> dict[str, Any]:
    """Return what the page shows."""
    user = request.user
    standing = found.status == RevisionOrderStatus.STANDING
    holder = holds(user, found.site)
    lines = found.lines.select_related("confirmed_by", "confirmed_at_visit").prefetch_related(
        "reports__photos__previews", "reports__by"
    )
    rows = []
    for line in lines:
        line.order = found
        rows.append((line, line.deadline(), list(line.reports.all())))
    return {
        "order": found,
        "site": found.site,
        "on": clock.today(),
        "tone": TONES[RevisionOrderStatus(found.status)],
        "lines": rows,
        "appeal": found.appeal_deadline(),
        "staff": access.may_see_enforcement(user),
        "may_act": standing and access.may_enforce(user),
        "may_report": standing and holder,
        "may_file": standing and holder and found.revision_id is None,
    }


class Issue(TellView):
    """The inspector orders additional devices, with a timetable."""

    act = "revision order"
    template = "revision_orders/new.html"
    confirm_template = "revision_orders/preview.html"
    done_message = "The order is issued, and each device is on the docket."
    permit: Permit

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        permit = standing_permit(self.site)
        if permit is None:
            raise Http404
        self.permit = permit

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return self.site.number

    def make_form(self, data: Any) -> RevisionOrderForm:
        return RevisionOrderForm(
            data,
            known=persons_of(self.site, self.permit),
            visits=visits_of(self.site),
            more=self.more,
        )

    def why_not(self) -> NotNow | None:
        obstacles = acts.obstacles_to_issue(self.permit, on=clock.today())
        return NotNow("The revision cannot be ordered.", obstacles) if obstacles else None

    def context(self) -> dict[str, Any]:
        return {"permit": self.permit}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        order = RevisionOrder(
            site=self.site,
            permit=self.permit,
            cause=form.cleaned_data["cause"],
            facts=form.cleaned_data["facts"],
            issued_on=clock.today(),
            issued_by=self.user,
        )
        lines = [
            RevisionOrderLine(
                order=order,
                number=number,
                device=line.device,
                place=line.place,
                what=line.what,
                due_on=line.due_on,
            )
            for number, line in enumerate(form.lines(), start=1)
        ]
        return {"order": order, "lines": lines, "told": form.told_in_words()}

    def run(self, form: Any) -> str:
        order = acts.issue(
            self.permit,
            by=self.user,
            on=clock.today(),
            cause=form.cleaned_data["cause"],
            facts=form.cleaned_data["facts"],
            lines=form.lines(),
            told=form.told(),
            visit=form.chosen_visit,
        )
        return order.get_absolute_url()


class OrderAct(ActView):
    """What the acts on a standing revision order have in common."""

    order: RevisionOrder
    heading = ""
    button = ""

    def find(self, key: Any) -> None:
        self.order = find_revision_order(self.request, key)
        self.site = self.order.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.order.key)

    def why_not(self) -> NotNow | None:
        if self.order.status == RevisionOrderStatus.STANDING:
            return None
        return NotNow(f"The order is {self.order.get_status_display().lower()}.")

    def context(self) -> dict[str, Any]:
        return {"order": self.order, "heading": self.heading, "button": self.button}


class LineAct(OrderAct):
    """What the acts on one line of a timetable have in common."""

    line: RevisionOrderLine

    def find(self, key: Any) -> None:
        super().find(key)
        self.line = get_object_or_404(self.order.lines, number=self.kwargs["number"])
        self.line.order = self.order

    def subject(self) -> str:
        return f"{self.order.key}:{self.line.number}"

    def why_not(self) -> NotNow | None:
        if self.line.done_on is not None:
            return NotNow("This line is confirmed already.")
        return super().why_not()

    def context(self) -> dict[str, Any]:
        return {**super().context(), "line": self.line, "deadline": self.line.deadline()}


class Report(LineAct):
    """The holder of the case says that a device is installed, with photos."""

    act = "revision line report"
    template = "revision_orders/act.html"
    takes_photos = True
    done_message = worded("Your report is sent. The {inspector_short} confirms it at a visit.")
    heading = "Say that it is installed"
    button = "Send the report"

    def may(self) -> bool:
        return holds(self.user, self.site)

    def make_form(self, data: Any) -> ReportForm:
        return ReportForm(data)

    def run(self, form: Any) -> str:
        acts.report(
            self.line,
            by=self.user,
            on=clock.today(),
            text=form.cleaned_data["text"],
            photos=self.photos.uploads,
        )
        return self.order.get_absolute_url()


class Confirm(LineAct):
    """The inspector confirms at a visit that a device is installed."""

    act = "revision line confirm"
    template = "revision_orders/act.html"
    done_message = "It is on record."
    heading = "Confirm that it is installed"
    button = "Confirm"

    def make_form(self, data: Any) -> ConfirmLineForm:
        visits = visits_of(self.site, visited_on__gte=self.order.issued_on)
        return ConfirmLineForm(data, line=self.line, visits=visits)

    def why_not(self) -> NotNow | None:
        found = super().why_not()
        if found is None and not visits_of(self.site, visited_on__gte=self.order.issued_on):
            return NotNow("It is confirmed at a visit, and none was finished since the order.")
        return found

    def run(self, form: Any) -> str:
        acts.confirm(
            self.line,
            by=self.user,
            on=clock.today(),
            visit=form.chosen,
            done_on=form.cleaned_data["done_on"],
        )
        return self.order.get_absolute_url()


class FilePlan(OrderAct):
    """The holder of the case files the revised sheets of the plan."""

    act = "revision plan"
    template = "revision_orders/act.html"
    takes_photos = True
    done_message = "The plan's new revision is filed, with the ordered devices in it."
    heading = "File the revised plan"
    button = "File the revision"

    def may(self) -> bool:
        return holds(self.user, self.site)

    def make_form(self, data: Any) -> PlanForm:
        return PlanForm(data)

    def why_not(self) -> NotNow | None:
        if self.order.revision_id is not None:
            return NotNow("The plan's new revision is filed already.")
        return super().why_not()

    def run(self, form: Any) -> str:
        acts.file_plan(
            self.order,
            by=self.user,
            on=clock.today(),
            summary=form.cleaned_data["summary"],
            sheets=self.photos.uploads,
        )
        return self.order.get_absolute_url()


class Withdraw(OrderAct):
    """The inspector withdraws an order that was issued in error."""

    act = "revision order withdraw"
    template = "revision_orders/act.html"
    confirm_template = "revision_orders/withdraw_shown.html"
    done_message = "The order is withdrawn, and everybody who was told of it is told."
    heading = "Was the order issued in error?"
    button = "Go on: see what will happen"

    def make_form(self, data: Any) -> WithdrawForm:
        return WithdrawForm(data)

    def run(self, form: Any) -> str:
        acts.withdraw(self.order, by=self.user, on=clock.today(), why=form.cleaned_data["why"])
        return self.order.get_absolute_url()
