"""The front page: what this is and the few things people come for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from portal import clock
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.ordinance import decision
from portal.ordinance.wording import number_word

__all__ = ["favicon", "front"]


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Show the public front page, with the decision date of an application made today."""
    today = clock.today()
    edition = edition_on(today)
    example = decision.decision_deadline(today, calendar=current_calendar(), edition=edition)
    days = number_word(edition.decision_working_days)
    return render(request, "front.html", {"example": example, "decision_days": days})


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead whoever asks for the icon by its old name to our own."""
    return redirect(static("mark.svg"))
