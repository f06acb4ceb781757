"""Pages of acts that are told to persons: rows are added without losing what was typed."""

from __future__ import annotations

from typing import Any

from django.forms.utils import ErrorDict
from django.http import HttpRequest, HttpResponse

from inspections.photos import Photos
from inspections.views.acting import ActView

__all__ = ["TellView"]


class TellView(ActView):
    """An act whose form is a `TellForm`; `more` is how many rows were asked for."""

    more = 0

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.POST.get("step") == "add":
            self.more, self.photos = 1, Photos()
            return self.show_form(self.unjudged(self.make_form(request.POST)))
        return super().post(request, **kwargs)

    def unjudged(self, form: Any) -> Any:
        """Return the form without errors: a row was asked for, and nothing was sent."""
        form._errors = ErrorDict()
        return form
