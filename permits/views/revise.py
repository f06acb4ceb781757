"""After a denial: the required changes are answered in a new plan revision. § 40-886(c)"""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from permits import acts
from permits.forms.base import digest
from permits.forms.revise import ReviseForm
from permits.models import Application, NotNow, PlanRevision, Site
from permits.views.answers import plan_answers
from permits.views.frame import contents_of, frame
from permits.views.openings import revision_in_hand
from permits.views.saving import SEEN, ChangedMeanwhile, Saving
from permits.views.ways import case_url, own_application, see_other, signed_in, to_case
from portal import city_calendar, clock, council, drafts, operations
from portal.city import edition_on, say
from portal.formats import long_date
from portal.ordinance import Deadline
from portal.ordinance.decision import revision_review_deadline

__all__ = ["plan_revision", "revise", "revise_file"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revise(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the required changes; begin the revision, and keep the answers to them."""
    application = own_application(request, key)
    if application.status != Application.Status.DENIED:
        return to_case(request, application, _why_closed(application))
    if "begin" in request.POST or revision_in_hand(application) is None:
        return _begin(request, application)
    if request.method == "POST":
        return _save(request, application)
    kept = drafts.data_for(request)
    form = ReviseForm(application, kept)
    seen = digest(form.read()) if kept is None else kept.get(SEEN, "")
    return _page(request, application, form, seen=seen)


def _why_closed(application: Application) -> str:
    if application.status == Application.Status.UNDER_REVIEW:
        return say(
            "The plan is before the {inspector_short}. It can be revised if a change is required."
        )
    return application.why_not(Application.Status.UNDER_REVIEW)


def _begin(request: HttpRequest, application: Application) -> HttpResponse:
    if request.method == "POST":
        application.begin_revision()  # once: begun again, it is the same one
        return see_other(reverse("revise", args=[application.key]))
    decision = application.latest_decision()
    assert decision is not None
    context = {
        "application": application,
        "site": application.site,
        "decision": decision,
        "changes": list(decision.changes.select_related("decision")),
        "appeal": decision.appeal_deadline(),
    }
    return render(request, "apply/revise_begin.html", context)


def _save(request: HttpRequest, application: Application) -> HttpResponse:
    saving = Saving(request, application, "answers", ReviseForm)
    differences: list[Any] = []
    try:
        if url := saving.run():
            return see_other(url)
    except NotNow as refused:
        return to_case(request, application, refused.sentence)
    except ChangedMeanwhile as changed:
        differences = changed.differences
    return _page(
        request,
        application,
        saving.answers,
        seen=digest(saving.answers.read()),
        differences=differences,
        status=409 if differences else 200,
    )


def _page(
    request: HttpRequest,
    application: Application,
    form: ReviseForm,
    *,
    seen: str,
    status: int = 200,
    **extra: Any,
) -> HttpResponse:
    context = {
        **frame(application, "answers"),
        "form": form,
        "seen": seen,
        "operation": operations.new_token(),
        "earlier": _earlier(application),
        **extra,
    }
    return render(request, "apply/revise.html", context, status=status)


def _earlier(application: Application) -> list[PlanRevision]:
    return list(application.revisions.filter(filed_on__isnull=False).order_by("-number"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revise_file(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what will be filed and when it is reviewed; file the revision."""
    application = own_application(request, key)
    if request.method == "POST":
        return _file(request, application)
    if revision_in_hand(application) is None:
        return see_other(reverse("revise", args=[application.key]))
    return _file_page(request, application)


def _file(request: HttpRequest, application: Application) -> HttpResponse:
    user, today = signed_in(request), clock.today()

    def run() -> str:
        revision = acts.file_revision(application, by=user, on=today)
        deadline = revision.review_deadline()
        messages.success(
            request,
            f"Plan revision {revision.number} of {application.number} is filed. The city promises "
            f"to review it by {long_date(deadline.on if deadline else today)}.",
        )
        return case_url(application)

    try:
        return see_other(operations.perform(request, f"revision {application.key}", run))
    except (NotNow, operations.TokenReused) as refused:
        application.refresh_from_db()
        if revision_in_hand(application) is None:
            return to_case(request, application, _why_closed(application))
        sentence = getattr(refused, "sentence", "")
        return _file_page(request, application, refused=sentence, status=409)


def _file_page(
    request: HttpRequest, application: Application, *, refused: str = "", status: int = 200
) -> HttpResponse:
    today = clock.today()
    revision = revision_in_hand(application)
    assert revision is not None
    context = {
        **frame(application, "file"),
        "plan": revision,
        "plan_answers": plan_answers(revision),
        "contents": contents_of(revision),
        "answers": ReviseForm(application).asked(),
        "unanswered": revision.unanswered(on=today),
        "review": _review_if_filed(today),
        "refused": refused,
        "operation": request.POST.get(operations.FIELD) or operations.new_token(),
    }
    return render(request, "apply/revise_file.html", context, status=status)


def _review_if_filed(on: date) -> Deadline:
    return revision_review_deadline(
        on,
        working_days=council.revision_review_days(on=on),
        calendar=city_calendar.current_calendar(),
        edition=edition_on(on),
    )


@login_required
@require_safe
def plan_revision(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Show a filed revision of the plan as it was filed, to whoever may see the case."""
    application = get_object_or_404(
        Application.objects.select_related("site"),
        key=key,
        site__in=Site.objects.visible_to(request.user),
    )
    revision = application.revisions.filter(number=number, filed_on__isnull=False).first()
    if revision is None:
        raise Http404
    revision.application = application
    context = {
        "application": application,
        "site": application.site,
        "plan": revision,
        "plan_answers": plan_answers(revision),
        "answers": list(revision.answers.select_related("change__decision")),
        "decision": revision.find_decision(),
    }
    return render(request, "apply/plan_revision.html", context)
