"""Correcting what was filed; after the decision, how people are reached. § 40-886(b)"""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from permits import access, acts
from permits.forms.correct import CONTACT_PART, PARTS, Correction
from permits.models import NotNow
from permits.people import notice_parties
from permits.views.answers import answers_of
from portal import clock
from portal.city import worded

from .casework import ActView, find_application

__all__ = ["PARTS", "ChangeContacts", "Correct", "correct"]


@login_required
@require_safe
def correct(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what can be corrected, and the way for everything that cannot."""
    application = find_application(request, key)
    if not access.may_correct(request.user, application):
        raise Http404
    parts = [part for part in answers_of(application) if part.step in PARTS]
    context = {
        "application": application,
        "site": application.site,
        "parts": [(part, reverse(f"correct_{part.step}", args=[key])) for part in parts],
        "why_not": application.why_not_correct(),
        "contacts_open": not application.why_not_change_contacts(),
        "holder": access.may_edit(request.user, application),
    }
    return render(request, "correct/correct.html", context)


class Correct(ActView):
    """The answers of one step as they were filed: written anew, compared, corrected once."""

    act = "correct"
    part: ClassVar[str] = ""
    template = "correct/part.html"
    confirm_template = "correct/confirm.html"
    done_message = worded("{{}} is corrected. The parties and the {inspector} are told.")

    def may(self, user: Any) -> bool:
        return access.may_apply(user) or access.may_decide(user)

    def may_here(self) -> bool:
        return access.may_correct(self.user, self.application)

    def make_form(self, data: Any) -> Any:
        return Correction(self.application, self.part, data)

    def is_valid(self, form: Any) -> bool:
        return bool(form.is_valid()) and not form.is_stale() and bool(form.differences())

    def why_not(self) -> NotNow | None:
        """Say why nothing can be corrected any more."""
        why = self.application.why_not_correct()
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        parts = [part for part in answers_of(self.application) if part.step == self.part]
        return {"title": parts[0].title, "part": self.part}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {
            **self.context(),
            "differences": form.differences(),
            "recipients": notice_parties(self.application),
        }

    def run(self, form: Any) -> str:
        acts.correct(
            self.application, by=self.user, on=clock.today(), correction=form, reason=form.reason
        )
        return self.application.get_absolute_url()


class ChangeContacts(Correct):
    """After the decision: the 24-hour number and every other way to reach somebody."""

    act = "change contacts"
    part = CONTACT_PART
    done_message = worded(
        "The change in {{}} is on record. The parties and the {inspector} are told."
    )

    def why_not(self) -> NotNow | None:
        """Say why no changed contact is taken now."""
        why = self.application.why_not_change_contacts()
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        return {"title": "How people are reached", "part": self.part}
