"""The steps of an application: each is saved as it comes, resumable for ever. § 40-886(b)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from permits.forms.acknowledgements import WETLANDS_NOTICE, AcknowledgementsForm
from permits.forms.base import NothingAsked, digest
from permits.forms.people import PeopleForms
from permits.forms.site import SiteForm
from permits.forms.work import WorkForm
from permits.models import Application, NotNow
from permits.views import steps_check, steps_plan
from permits.views.frame import contents_of, frame
from permits.views.openings import open_for
from permits.views.saving import SEEN, ChangedMeanwhile, Saving
from permits.views.ways import own_application, see_other, to_case
from portal import clock, drafts, operations
from portal.uploads.complete import whole_form_required

__all__ = ["step"]


@dataclass(frozen=True)
class StepPage:
    """How one step is asked."""

    template: str
    build: Callable[..., Any]


PAGES: Mapping[str, StepPage] = {
    "site": StepPage("apply/site.html", SiteForm),
    "people": StepPage("apply/people.html", PeopleForms),
    "work": StepPage("apply/work.html", WorkForm),
    "plan": StepPage("apply/plan.html", steps_plan.build),
    "acknowledgements": StepPage("apply/acknowledgements.html", AcknowledgementsForm),
    "fee": StepPage("apply/fee.html", NothingAsked),
}


@login_required
@whole_form_required
@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, key: UUID, step: str) -> HttpResponseBase:
    """Show or save a step; only the person who holds the case, and only while it is open."""
    application = own_application(request, key)
    if step == "check":
        return steps_check.check(request, application)
    if why := open_for(application, step):
        return to_case(request, application, why)
    if request.method == "POST":
        return _save(request, application, step)
    return _show(request, application, step)


def _show(request: HttpRequest, application: Application, step: str) -> HttpResponse:
    kept = drafts.data_for(request)
    if step == "plan":
        steps_plan.attach_kept(request, application)
    options = {"spare": steps_plan.spare_rows(request)} if step == "plan" else {}
    answers = PAGES[step].build(application, kept, **options)
    seen = digest(answers.read()) if kept is None else kept.get(SEEN, "")
    return _page(request, application, step, answers, seen=seen)


def _save(request: HttpRequest, application: Application, step: str) -> HttpResponse:
    saving = Saving(request, application, step, PAGES[step].build)
    try:
        url = saving.run()
    except NotNow as refused:
        return to_case(request, application, refused.sentence)
    except ChangedMeanwhile as changed:
        return _again(request, application, step, saving, changed)
    return see_other(url) if url else _again(request, application, step, saving, None)


def _again(
    request: HttpRequest,
    application: Application,
    step: str,
    saving: Saving,
    changed: ChangedMeanwhile | None,
) -> HttpResponse:
    """Show what was typed, what needs another look, and what another window saved."""
    return _page(
        request,
        application,
        step,
        saving.answers,
        seen=digest(saving.answers.read()),
        differences=changed.differences if changed else [],
        status=409 if changed else saving.status,
    )


def _page(
    request: HttpRequest,
    application: Application,
    step: str,
    answers: Any,
    *,
    seen: str,
    status: int = 200,
    **extra: Any,
) -> HttpResponse:
    context = {
        **frame(application, step),
        **_beside(application, step, answers),
        "answers": answers,
        "form": answers,
        "form_errors": answers.is_bound and not answers.is_valid(),
        "seen": seen,
        "operation": operations.new_token(),
        **extra,
    }
    return render(request, PAGES[step].template, context, status=status)


def _beside(application: Application, step: str, answers: Any) -> dict[str, Any]:
    """Return what a step shows beside its questions."""
    today = clock.today()
    if step == "work" and application.area_amount is not None:
        return {"determination": application.determination(on=today)}
    if step == "plan":
        return {"contents": contents_of(answers.revision)}
    if step == "acknowledgements":
        return {"wetlands_notice": WETLANDS_NOTICE}
    if step == "fee":
        return {"fee": application.fee_due(on=today)}
    return {}
