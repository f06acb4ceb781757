"""The last step: all answers once more, the signature, and filing. § 40-886(b)"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from permits import acts
from permits.forms.sign import SignForm
from permits.models import Application, NotNow
from permits.views.answers import answers_of, plan_answers
from permits.views.frame import Missing, frame
from permits.views.openings import open_for
from permits.views.ways import see_other, signed_in, to_case
from portal import clock, drafts, operations

__all__ = ["check"]


def check(request: HttpRequest, application: Application) -> HttpResponse:
    """Show all answers and what is missing; file the application when it is signed."""
    if request.method == "POST":
        return _submit(request, application)
    if why := open_for(application, "check"):
        return to_case(request, application, why)
    return _page(request, application, SignForm(application, drafts.data_for(request)))


def _submit(request: HttpRequest, application: Application) -> HttpResponse:
    """File once, however often the button is pressed; a repeat shows the first result."""
    form = SignForm(application, request.POST)
    if not form.is_valid():
        if why := open_for(application, "check"):
            return to_case(request, application, why)
        return _page(request, application, form)
    user = signed_in(request)

    def run() -> str:
        acts.submit(
            application,
            by=user,
            on=clock.today(),
            signed_name=form.cleaned_data["signed_name"],
            signed_capacity=form.capacity_in_words(),
        )
        return reverse("receipt", args=[application.key])

    try:
        return see_other(operations.perform(request, f"submit {application.key}", run))
    except (NotNow, operations.TokenReused) as refused:
        application.refresh_from_db()
        if why := open_for(application, "check"):
            return to_case(request, application, why)
        sentence = getattr(refused, "sentence", "")
        return _page(request, application, form, refused=sentence, status=409)


def _page(
    request: HttpRequest,
    application: Application,
    form: SignForm,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    today = clock.today()
    around = frame(application, "check")
    revision = application.latest_revision()
    assert revision is not None
    context: dict[str, Any] = {
        **around,
        "form": form,
        "refused": refused,
        "missing_by_step": _by_step(around["missing"]),
        "parts": answers_of(application),
        "plan": revision,
        "plan_answers": plan_answers(revision),
        "determination": application.determination(on=today),
        "fee": application.fee_due(on=today),
        "operation": request.POST.get(operations.FIELD) or operations.new_token(),
    }
    return render(request, "apply/check.html", context, status=status)


def _by_step(missing: list[Missing]) -> dict[str, list[Missing]]:
    found: dict[str, list[Missing]] = {}
    for each in missing:
        found.setdefault(each.step, []).append(each)
    return found
