"""Beginning an application: what it takes, and the first step of it. § 40-886(b)"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from permits import access, acts
from permits.forms.check import CheckForm
from permits.models import Application
from permits.views.ways import see_other, signed_in
from portal import clock, council, operations
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.models import User
from portal.ordinance.decision import decision_deadline

__all__ = ["apply"]

CARRIED = "check_answers"
"""In the session: the answers of "Do I need a permit?", on their way into an application."""
MOMENT = timedelta(seconds=60)
"""A second application begun so soon after the first is most likely the same one."""
DRAFTS_SHOWN = 5


class BegunAMomentAgo(Exception):
    """An application without a single answer of its own was begun within the last minute."""

    def __init__(self, application: Application) -> None:
        super().__init__()
        self.application = application


@require_http_methods(["GET", "HEAD", "POST"])
def apply(request: HttpRequest) -> HttpResponse:
    """Explain what an application takes; begin one with the answers given before."""
    if request.method != "POST":
        return _explain(request)
    if "answers" in request.POST:
        request.session[CARRIED] = request.POST["answers"][:2000]
    if not request.user.is_authenticated:
        return see_other(reverse("apply"))
    if not access.may_apply(request.user):
        raise Http404
    user = signed_in(request)
    try:
        url = operations.perform(request, "begin application", lambda: _begin(request, user))
    except BegunAMomentAgo as twin:
        return _explain(request, twin=twin.application, status=409)
    request.session.pop(CARRIED, None)
    return see_other(url)


def _begin(request: HttpRequest, user: User) -> str:
    answers = _carried(request)
    twin = _find_twin(user, answers)
    if twin is not None and "another" not in request.POST:
        raise BegunAMomentAgo(twin)
    application = acts.begin(by=user, on=clock.today(), answers=answers)
    messages.success(request, "Your application is begun. It saves itself at every step.")
    return application.get_step_url("site")


def _carried(request: HttpRequest) -> dict[str, Any]:
    """Return the answers of "Do I need a permit?" as fields of an application, if there are any."""
    form = _carried_form(request)
    if form is None:
        return {}
    answers = form.for_application()
    return {name: value for name, value in answers.items() if value is not None}


def _carried_form(request: HttpRequest) -> CheckForm | None:
    text = request.session.get(CARRIED, "")
    form = CheckForm(edition_on(clock.today()), QueryDict(text)) if text else None
    return form if form is not None and form.is_valid() else None


def _find_twin(user: User, answers: dict[str, Any]) -> Application | None:
    recent = Application.objects.filter(
        applicant=user,
        status=Application.Status.DRAFT,
        steps_done=[],
        begun_at__gte=clock.now() - MOMENT,
        **answers,
    )
    return recent.select_related("site").first()


def _explain(
    request: HttpRequest, *, twin: Application | None = None, status: int = 200
) -> HttpResponse:
    today = clock.today()
    carried = _carried_form(request)
    user = request.user
    context = {
        "twin": twin,
        "carried": carried.answered() if carried else [],
        "drafts": _drafts(signed_in(request)) if user.is_authenticated else [],
        "may_apply": access.may_apply(user),
        "fee": council.fee(on=today),
        "deadline": decision_deadline(
            today, calendar=current_calendar(), edition=edition_on(today)
        ),
        "operation": operations.new_token(),
    }
    return render(request, "apply/begin.html", context, status=status)


def _drafts(user: User) -> list[Application]:
    mine = Application.objects.filter(applicant=user, status=Application.Status.DRAFT)
    return list(mine.select_related("site")[:DRAFTS_SHOWN])
