"""What the pages of an act on a filed case have in common.

An act is asked on a page, shown before it is done, and done once. Whoever may not see the
case, or has no power to do the act, gets the page of an unknown address.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views import View

from permits import access
from permits.models import Application, NotNow, Site
from portal import clock, drafts, operations
from portal.models import User
from portal.ordinance import Obstacle
from portal.stored import NotStored

__all__ = ["ActView", "find_application", "token_reused", "with_cures"]

BUSY = (
    "The case is busy: somebody is acting on it at this very moment. Nothing of yours was saved. "
    "Wait a moment and press the button again."
)

NO_STORAGE = (
    "The city's storage did not take the paper that goes with this, so nothing was done. "
    "Try again in a few minutes."
)

logger = logging.getLogger(__name__)

CURES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "post the escrow": ("escrow_post", access.may_post_escrow),
    "correct the cash escrow": ("escrow_post", access.may_post_escrow),
    "set a new date": ("controls_date", access.may_decide),
    "pay the fee": ("fee", access.may_take_fee),
}
"""The page on which an obstacle is removed and who may use it, by the cure the rule names."""

CURES_OF_SITE = {"record the maintenance agreement": "agreements_of_case"}
"""Pages of the site that remove an obstacle; whoever sees the case may open them."""


class NotValid(Exception):
    """What was entered must be looked at again; nothing was changed."""


def find_application(
    request: HttpRequest, key: UUID, may: Callable[[Any], bool] | None = None
) -> Application:
    """Return an application of a site the person may see, if they may use the page."""
    if may is not None and not may(request.user):
        raise Http404
    visible = Site.objects.visible_to(request.user)
    cases = Application.objects.select_related("site", "applicant").filter(site__in=visible)
    return get_object_or_404(cases, key=key)


def with_cures(
    user: Any, application: Application, obstacles: Sequence[Obstacle]
) -> list[tuple[Obstacle, str]]:
    """Return each obstacle with the page on which this person can remove it, if any."""
    return [(each, _cure_url(user, application, each.cure)) for each in obstacles]


def _cure_url(user: Any, application: Application, cure: str) -> str:
    if of_site := CURES_OF_SITE.get(cure):
        return reverse(of_site, args=[application.site.number])
    name, may = CURES.get(cure, ("", access.may_see_desk))
    return reverse(name, args=[application.key]) if name and may(user) else ""


def token_reused(request: HttpRequest, reused: operations.TokenReused) -> HttpResponse:
    """409: the form was sent before with other contents; what was done then stands."""
    context = {"result_url": str(reused)}
    return render(request, "review/sent_before.html", context, status=409)


class ActView(LoginRequiredMixin, View):
    """One act on an application: asked, shown with its dates, done once."""

    act: ClassVar[str]
    template: ClassVar[str]
    confirm_template: ClassVar[str]
    done_message: ClassVar[str] = ""
    user: User
    application: Application

    def may(self, user: Any) -> bool:
        """Whether the person has the power to do the act."""
        raise NotImplementedError

    def may_here(self) -> bool:
        """Whether the person has the power to do the act in this case."""
        return True

    def make_form(self, data: Any) -> forms.Form:
        """Return the act's form, with what was sent or kept."""
        raise NotImplementedError

    def run(self, form: forms.Form) -> str:
        """Do the act and return the address of its result; raises NotNow."""
        raise NotImplementedError

    def why_not(self) -> NotNow | None:
        """Return why the act cannot be done today, or None."""
        raise NotImplementedError

    def context(self) -> dict[str, Any]:
        """Return what the form's page shows beside the form."""
        return {}

    def confirm_context(self, form: forms.Form) -> dict[str, Any]:
        """Return what will happen, with its dates."""
        return {}

    # The steps ----------------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if isinstance(request.user, User):
            self.user = request.user
            self.application = find_application(request, kwargs["key"], self.may)
            if not self.may_here():
                raise Http404
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, key: UUID) -> HttpResponse:
        return self.show_form(self.make_form(drafts.data_for(request)), refused=self.why_not())

    def post(self, request: HttpRequest, key: UUID) -> HttpResponse:
        step = request.POST.get("step", "check")
        form = self.make_form(request.POST)
        if step == "add":
            return self.show_form(self.with_another_row(form))
        if step == "confirm":
            return self.do(form)
        if step == "change" or not self.is_valid(form) or self.why_not():
            return self.show_again(form)
        return self.show(self.confirm_template, form, self.confirm_context(form))

    def is_valid(self, form: forms.Form) -> bool:
        """Whether everything that was entered can be taken."""
        return form.is_valid()

    def with_another_row(self, form: forms.Form) -> forms.Form:
        """Return the form with one more row, where it has rows."""
        return form

    def do(self, form: forms.Form) -> HttpResponse:
        """Do the act once; a refusal shows the same page again, with all that was typed."""
        try:
            url = operations.perform(self.request, self.act, lambda: self.run_valid(form))
        except NotValid:
            return self.show_again(form)
        except OperationalError:
            logger.warning("An act waited too long for its turn.", exc_info=True)
            messages.warning(self.request, BUSY)
            return self.show_form(form, status=503)
        except NotStored as trouble:
            logger.exception("An act was not done because its paper could not be kept.")
            messages.error(self.request, NO_STORAGE)
            return self.show_form(form, status=trouble.status)
        except NotNow as refused:
            self.application.refresh_from_db()
            return self.show_form(form, refused=refused, status=409)
        except operations.TokenReused as reused:
            return token_reused(self.request, reused)
        if self.done_message:
            messages.success(self.request, self.done_message.format(self.application))
        return HttpResponseRedirect(url)

    def run_valid(self, form: forms.Form) -> str:
        """Do the act if what was entered can be taken; a repeat never gets here."""
        if not self.is_valid(form):
            raise NotValid
        return self.run(form)

    def show_again(self, form: forms.Form) -> HttpResponse:
        """Show what was entered once more; 409 where the act cannot be done at all."""
        refused = self.why_not()
        return self.show_form(form, refused=refused, status=409 if refused else 200)

    def show_form(
        self, form: forms.Form, *, refused: NotNow | None = None, status: int = 200
    ) -> HttpResponse:
        """Show the form; with `refused`, why the act cannot be done."""
        why = with_cures(self.user, self.application, refused.obstacles) if refused else []
        context = {"refused": refused, "refused_why": why, **self.context()}
        return self.show(self.template, form, context, status)

    def show(
        self, template: str, form: forms.Form, context: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        shared = {
            "application": self.application,
            "site": self.application.site,
            "form": form,
            "formset": getattr(form, "rows", None),
            "operation": self.request.POST.get(operations.FIELD) or operations.new_token(),
            "on": clock.today(),
        }
        return render(self.request, template, shared | context, status=status)
