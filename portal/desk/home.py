"""The applicant's home: a sentence per case, what is offered, what was begun."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from permits import access
from permits.handover import offers_to
from permits.models import STEPS, Application, HandOver, Site
from permits.views.doors import who
from portal import clock, known, operations
from portal.models import User

from .case_file import facts_of
from .ladder_money import open_bills, until
from .links import find_url
from .orders_at import stopped_at
from .pages import page_of
from .standing import Standing, standing_of
from .standing_stopped import with_orders
from .upkeep_at import upkeep_of

__all__ = ["home"]

DRAFTS_SHOWN = 10
CASES_PER_PAGE = 10
BILLS_SHOWN = 20


@dataclass(frozen=True)
class HomeCase:
    """One case of the applicant, in a sentence."""

    application: Application
    standing: Standing
    url: str
    public_url: str


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the applicant their cases; whoever works for the city is led to the desk."""
    user, on = who(request), clock.today()
    if access.may_see_desk(user):
        return HttpResponseRedirect(reverse("desk"))
    mine = Application.objects.filter(applicant=user).select_related("site", "permit")
    drafts = mine.filter(status=Application.Status.DRAFT).order_by("-pk")
    filed = mine.exclude(number__isnull=True).order_by("-pk")
    page = page_of(request, filed, per_page=CASES_PER_PAGE)
    begun = list(drafts[: DRAFTS_SHOWN + 1])
    with known.reading_once():
        context = {
            "page": page,
            "cases": cases_of(list(page.object_list), on=on),
            "drafts": [draft_of(each) for each in begun[:DRAFTS_SHOWN]],
            "more_drafts": len(begun) > DRAFTS_SHOWN,
            "bills": bills_of(user, on=on),
            "upkeep": upkeep_of(user, on=on),
            "offers": [offer_of(each) for each in offers_to(user)],
            "apply_url": find_url("apply"),
            "check_url": find_url("check"),
            "operation": operations.new_token(),
            "on": on,
        }
        return render(request, "case/home.html", context)


def cases_of(applications: list[Application], *, on: date) -> list[HomeCase]:
    """Return the sentence of each case."""
    stopped = stopped_at(each.site_id for each in applications)
    return [
        HomeCase(
            facts.application,
            with_orders(
                standing_of(facts, on=on, holder=True),
                stopped.get(facts.application.site_id, []),
            ),
            facts.application.get_absolute_url(),
            facts.application.site.get_public_url(),
        )
        for facts in facts_of(applications)
    ]


def bills_of(user: User, *, on: date) -> list[tuple[Any, str]]:
    """Return the bills to pay in somebody's cases, each with until when."""
    sites = Site.objects.visible_to(user)
    rows = open_bills(sites).select_related("site")[:BILLS_SHOWN]
    return [(bill, until(bill, on)) for bill in rows]


def draft_of(application: Application) -> dict[str, Any]:
    """Return an application that is being written, and the step at which to go on."""
    done = set(application.steps_done) & set(STEPS)
    step = next((step for step in STEPS if step not in done), STEPS[-1])
    return {
        "application": application,
        "place": application.site.place,
        "done": len(done),
        "of": len(STEPS),
        "url": find_url("application_step", application.key, step)
        or application.get_absolute_url(),
        "case_url": application.get_absolute_url(),
    }


def offer_of(handover: HandOver) -> dict[str, Any]:
    """Return an offer to take over a case, and the page on which it is accepted."""
    return {"offer": handover, "url": find_url("hand_over_accept", handover.key)}
