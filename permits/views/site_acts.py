"""What the pages of an act on a site have in common: asked, shown first, done once.

Whoever may not see the case, or has no power to do the act, gets the page of an unknown
address.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views import View

from permits.models import NotNow, Site
from permits.photos import FIELD, Photos, kept_of, take
from permits.views.casework import token_reused
from permits.views.ways import see_other
from portal import clock, drafts, known, operations
from portal.models import Operation, User
from portal.ordinance import Obstacle
from portal.uploads.complete import cut_off, is_whole

__all__ = ["ActView", "site_of"]


def site_of(request: HttpRequest, number: str) -> Site:
    """Return a site that the person may see; for others there is no such page."""
    return get_object_or_404(Site.objects.visible_to(request.user), number=number)


class NotValid(Exception):
    """What was entered must be looked at again; nothing was changed."""


class ActView(LoginRequiredMixin, View):
    """One act on a site. With a `confirm_template` it is shown before it is done."""

    act: ClassVar[str]
    template: ClassVar[str]
    confirm_template: ClassVar[str] = ""
    done_message: ClassVar[str] = ""
    takes_photos: ClassVar[bool] = False
    user: User
    site: Site
    photos: Photos

    # What each act says of itself ---------------------------------------------------------

    def find(self, key: Any) -> None:
        """Find what the address names, set `site`, and raise Http404 where there is none."""
        raise NotImplementedError

    def may(self) -> bool:
        """Whether the person has the power to do the act."""
        raise NotImplementedError

    def subject(self) -> str:
        """Name what the act is about, so that a form's token is good for nothing else."""
        raise NotImplementedError

    def make_form(self, data: Any) -> forms.Form:
        """Return the act's form, with what was sent or kept."""
        raise NotImplementedError

    def run(self, form: Any) -> str:
        """Do the act and return the address of its result; raises NotNow."""
        raise NotImplementedError

    def why_not(self) -> NotNow | None:
        """Return why the act cannot be done today, or None."""
        return None

    def cure_of(self, obstacle: Obstacle) -> str:
        """Return the page on which an obstacle is removed, if this person may open it."""
        return ""

    def context(self) -> dict[str, Any]:
        """Return what the pages show beside the form."""
        return {}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        """Return what will happen, with its dates."""
        return {}

    # The steps ----------------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if isinstance(request.user, User):
            self.user = request.user
            self.find(next(iter(kwargs.values())))
            if not self.may():
                raise Http404
        with known.reading_once():
            return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        form = self.make_form(drafts.data_for(request))
        self.photos = kept_of(request, self.user) if self.takes_photos else Photos()
        return self.show_form(form, refused=self.why_not())

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if self.takes_photos and not is_whole(request):
            return cut_off(request)
        step = request.POST.get("step", "check")
        form = self.make_form(request.POST)
        self.photos = self.take_photos(form)
        if not self.confirm_template or step == "confirm":
            return self.do(form)
        if step == "change" or not self.is_valid(form):
            return self.show_form(form)
        if refused := self.why_not():
            return self.show_form(form, refused=refused, status=409)
        return self.show_confirm(form)

    def take_photos(self, form: forms.Form) -> Photos:
        """Store the photos of the form, unless it was sent before and done."""
        if not self.takes_photos:
            return Photos()
        known_act = Operation.objects.filter(act=self.operation_act, token=self.token)
        was_done = len(self.token) == 36 and known_act.exists()
        photos = (kept_of if was_done else take)(self.request, self.user)
        field: Any = form.fields[FIELD]
        field.take(photos.collected, kept=len(photos.kept))
        return photos

    @property
    def operation_act(self) -> str:
        return f"{self.act} {self.subject()}"

    @property
    def token(self) -> str:
        return self.request.POST.get(operations.FIELD) or operations.new_token()

    def is_valid(self, form: Any) -> bool:
        """Whether everything that was entered can be taken."""
        return bool(form.is_valid())

    def do(self, form: Any) -> HttpResponse:
        """Do the act once; a refusal shows the same page again, with all that was typed."""
        try:
            url = operations.perform(self.request, self.operation_act, self.runner(form))
        except NotValid:
            return self.show_invalid(form)
        except NotNow as refused:
            return self.show_form(form, refused=refused, status=409)
        except operations.TokenReused as reused:
            return token_reused(self.request, reused)
        if self.done_message:
            messages.success(self.request, self.done_message)
        return see_other(url)

    def runner(self, form: Any) -> Callable[[], str]:
        """Return what does the act if the form can be taken; a repeat never runs it."""

        def run() -> str:
            if not self.is_valid(form):
                raise NotValid
            return self.run(form)

        return run

    # The pages ----------------------------------------------------------------------------

    def show_invalid(self, form: Any) -> HttpResponse:
        """Show the form with what needs another look."""
        status = self.photos.collected.status
        return self.show_form(form, status=status)

    def show_confirm(self, form: Any) -> HttpResponse:
        """Show what will happen."""
        return self.show(self.confirm_template, form, self.confirm_context(form))

    def show_form(
        self, form: Any, *, refused: NotNow | None = None, status: int = 200
    ) -> HttpResponse:
        """Show the form; with `refused`, why the act cannot be done."""
        why = self.with_cures(refused.obstacles) if refused else []
        context = {"refused": refused, "refused_why": why}
        return self.show(self.template, form, context, status)

    def with_cures(self, obstacles: Sequence[Obstacle]) -> list[tuple[Obstacle, str]]:
        return [(each, self.cure_of(each)) for each in obstacles]

    def show(
        self, template: str, form: Any, context: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        shared = {
            "site": self.site,
            "form": form,
            "operation": self.token,
            "photos": self.photos.uploads,
            "on": clock.today(),
            **self.context(),
        }
        return render(self.request, template, shared | context, status=status)
