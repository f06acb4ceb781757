"""One submit of a step: new files first, then the answers, all under the case's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from permits.forms.base import Difference, digest
from permits.models import STEPS, Application, NotNow
from permits.views import steps_plan
from permits.views.frame import TITLES, missing_answers, next_step, step_url
from permits.views.openings import open_for
from permits.views.ways import way
from portal import clock, operations
from portal.models import Operation

__all__ = ["SEEN", "ChangedMeanwhile", "Saving"]

SEEN = "seen"
"""The field with the mark of the answers that stood on record when the page was opened."""


class ChangedMeanwhile(Exception):
    """Another window saved other answers after this page was opened; nothing was changed."""

    def __init__(self, differences: list[Difference]) -> None:
        super().__init__()
        self.differences = differences


class Saving:
    """Keeps what is valid, overwrites nothing unseen, and does all of it once."""

    def __init__(
        self, request: HttpRequest, application: Application, step: str, build: Callable[..., Any]
    ) -> None:
        self.request, self.application, self.step = request, application, step
        self.data = request.POST.copy()  # rows note in it under which number they were kept
        self.options: dict[str, Any] = {}
        self.status = 200
        self.act = f"step {step} {application.key}"
        self._build_forms = build
        self._answers: Any = None

    @property
    def answers(self) -> Any:
        """The forms with what was typed."""
        if self._answers is None:
            self._answers = self._build_forms(self.application, self.data, **self.options)
        return self._answers

    def run(self) -> str:
        """Save; return where to go, or nothing when an answer needs another look."""
        if self.step == "plan" and not self._was_done():
            collected = steps_plan.take_files(self.request, self.application)
            self.options, self.status = {"collected": collected}, collected.status
        try:
            return operations.perform(self.request, self.act, self._save)
        except operations.TokenReused:
            return self._save_anew()

    def _was_done(self) -> bool:
        token = self.request.POST.get(operations.FIELD, "")
        return len(token) == 36 and Operation.objects.filter(act=self.act, token=token).exists()

    def _save_anew(self) -> str:
        """Take a page that was reached with Back and changed: the mark of what was seen guards."""
        post = self.request.POST.copy()
        post[operations.FIELD] = operations.new_token()
        self.request.POST = post  # type: ignore[assignment]
        return operations.perform(self.request, self.act, self._save)

    def _save(self) -> str:
        application = self.application
        with application.acting():
            if why := open_for(application, self.step):
                raise NotNow(why)
            self._guard()
            self.answers.save()
            if not self.answers.is_valid():
                return ""
            self._mark_done()
        return self._way_on()

    def _guard(self) -> None:
        """Overwrite nothing that another window saved meanwhile."""
        if self.data.get(SEEN, "") != digest(self.answers.read_sent()):
            differences = self.answers.differences()
            if differences:
                raise ChangedMeanwhile(differences)

    def _mark_done(self) -> None:
        if self.application.status == Application.Status.DRAFT:
            done = {*self.application.steps_done, self.step}
            self.application.steps_done = [step for step in STEPS if step in done]
            self.application.save(update_fields=["steps_done"])

    def _way_on(self) -> str:
        if table := self.data.get("add", ""):
            return steps_plan.url_with_row(self.application, self.answers, table)
        if self.data.get("then") == "later":
            messages.success(self.request, "Saved. Your application waits for you.")
            return way("home", "front")
        if self.data.get("then") == "stay" or "remove_sheet" in self.data:
            messages.success(self.request, "Saved.")
            return step_url(self.application, self.step)
        self._say_what_is_open()
        return next_step(self.application, self.step)

    def _say_what_is_open(self) -> None:
        title = TITLES[self.step]
        missing = missing_answers(self.application, on=clock.today())
        here = [each.obstacle.text for each in missing if each.step == self.step]
        if self.step == "work" and self.application.area_amount is not None:
            title = f"{self.application.determination(on=clock.today()).sentence} {title}"
        if here:
            messages.info(self.request, f"{title}: saved. Still open there: {' '.join(here)}")
        else:
            messages.success(self.request, f"{title}: saved.")
