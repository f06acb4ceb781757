"""The request to the city attorney: asked by the inspector, followed by the attorney."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enforcement import access, ladder
from enforcement.acts import requests as acts
from enforcement.forms.request import RequestForm, StepForm
from enforcement.models import CeaseAndDesistRequest, RequestStep, StopWorkOrder
from inspections.views.acting import ActView
from permits.models import NotNow
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock, known
from portal.ordinance import Obstacle

from .rows import find_order

__all__ = ["New", "TakeStep", "all_requests", "request_page"]

STATES = [("open", "Open"), ("closed", "Closed")]


def find_request(key: Any) -> CeaseAndDesistRequest:
    """Return a request with what its page shows; the door is before it."""
    related = ("site", "order", "requested_by", "packet__document")
    rows = CeaseAndDesistRequest.objects.select_related(*related)
    found: CeaseAndDesistRequest = get_object_or_404(rows, key=key)
    return found


@only(access.may_see_requests)
@require_safe
def all_requests(request: HttpRequest) -> HttpResponse:
    """List the requests with where each stands, the open ones unless asked otherwise."""
    newest = RequestStep.objects.filter(request=OuterRef("pk")).reverse()
    rows = CeaseAndDesistRequest.objects.select_related("site", "order").annotate(
        last_kind=Subquery(newest.values("kind")[:1]), last_on=Subquery(newest.values("on")[:1])
    )
    state = request.GET.get("state", "open")
    closed = RequestStep.objects.filter(kind=RequestStep.Kind.CLOSED).values("request")
    rows = rows.filter(pk__in=closed) if state == "closed" else rows.exclude(pk__in=closed)
    page = page_of(request, rows)
    context = {
        "page": page,
        "rows": [(each, in_words(each.last_kind)) for each in page.object_list],
        "state": state,
        "states": STATES,
    }
    return render(request, "enforcement/works/requests.html", context)


def in_words(kind: str | None) -> str:
    """Return how a request stands, in a word or two."""
    return RequestStep.Kind(kind).label if kind else "Not received yet"


@only(access.may_see_requests)
@require_safe
def request_page(request: HttpRequest, key: Any) -> HttpResponse:
    """Show a request: the packet, why it was made, and what the attorney recorded."""
    found = find_request(key)
    steps = list(found.steps.select_related("by"))
    context = {
        "request_shown": found,
        "order": found.order,
        "site": found.site,
        "steps": steps,
        "state": in_words(steps[-1].kind if steps else None),
        "may_answer": access.may_answer_request(request.user) and bool(acts.may_follow(found)),
        "told": acts.attorneys(),
        "on": clock.today(),
        "nobody_told": not found.site.filed_on,
    }
    with known.reading_once():
        return render(request, "enforcement/works/request.html", context)


class New(ActView):
    """The inspector requests a cease and desist order of the city attorney."""

    act = "request new"
    template = "enforcement/works/request_new.html"
    confirm_template = "enforcement/works/request_new_shown.html"
    done_message = "The request is made; the attorney is told and finds the packet here."
    order: StopWorkOrder

    def find(self, key: Any) -> None:
        self.order = find_order(self.request, key)
        self.site = self.order.site
        self.step = ladder.step(self.order, "cease-and-desist", on=clock.today())

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.order.key)

    def why_not(self) -> NotNow | None:
        found = self.step.obstacles
        return NotNow("The request cannot be made today.", found) if found else None

    def cure_of(self, obstacle: Obstacle) -> str:
        made = getattr(self.order, "request", None)
        if obstacle.key == "requested" and made is not None:
            return str(made.get_absolute_url())
        if obstacle.key == "permittee":
            return reverse("revoke", args=[self.order.key])
        return ""

    def make_form(self, data: Any) -> RequestForm:
        return RequestForm(data, needs_reason=self.step.needs_reason, is_held=self.step.is_held)

    def context(self) -> dict[str, Any]:
        return {
            "order": self.order,
            "law_step": self.step,
            "attorneys": acts.attorneys(),
            "nobody_told": not self.site.filed_on,
            "after_revocation": any(each.key == "permittee-before" for each in self.step.obstacles),
        }

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        return acts.make(
            self.order,
            by=self.user,
            on=clock.today(),
            facts=given["facts"],
            before_safe_why=given.get("before_safe_why", ""),
            despite_application=given.get("despite_application", ""),
        ).get_absolute_url()


class TakeStep(ActView):
    """The attorney records what became of a request."""

    act = "request step"
    template = "enforcement/works/request_step.html"
    confirm_template = "enforcement/works/request_step_shown.html"
    done_message = "It is recorded."

    def find(self, key: Any) -> None:
        self.made = find_request(key)
        self.site = self.made.site

    def may(self) -> bool:
        return access.may_answer_request(self.user)

    def subject(self) -> str:
        return f"{self.made.key}"

    def why_not(self) -> NotNow | None:
        if acts.may_follow(self.made):
            return None
        return NotNow("The request is closed; nothing more is recorded of it.")

    def make_form(self, data: Any) -> StepForm:
        return StepForm(data, steps=acts.may_follow(self.made))

    def is_valid(self, form: Any) -> bool:
        if not super().is_valid(form):
            return False
        given = form.cleaned_data
        for obstacle in acts.why_not_step(self.made, given["kind"], on=given["day"]):
            form.add_error("day" if obstacle.key == "before" else "kind", obstacle.text)
        return not form.errors

    def context(self) -> dict[str, Any]:
        return {
            "request_shown": self.made,
            "order": self.made.order,
            "nobody_told": not self.site.filed_on,
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {"step_label": RequestStep.Kind(form.cleaned_data["kind"]).label}

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        acts.take_step(
            self.made,
            given["kind"],
            by=self.user,
            on=clock.today(),
            day=given["day"],
            court_case=given["court_case"],
            note=given["note"],
        )
        return self.made.get_absolute_url()
