"""Findings: what is wrong, by when, what was said about it, and what may be done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Case, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from inspections import access
from inspections.acts import findings as acts
from inspections.forms.finding import AnswerForm, ConfirmForm, DropForm, RefuseForm
from inspections.models import Finding, FindingAnswer, Visit, VisitPhoto
from permits.models import NotNow, Site
from permits.people import notice_parties
from permits.views.pages import page_of
from portal import clock, known
from portal.city import say, worded
from portal.ordinance.forfeiture import Exposure, exposure

from .acting import ActView, site_of

__all__ = ["Answer", "Confirm", "Drop", "Refuse", "finding", "of_case"]

MOST_VISITS = 10
OPEN_FIRST = Case(
    When(status__in=[Finding.Status.OPEN, Finding.Status.ANSWERED], then=Value(0)),
    default=Value(1),
)


def find_finding(request: HttpRequest, key: UUID) -> Finding:
    """Return a finding of a site that the person may see."""
    rows = Finding.objects.filter(site__in=Site.objects.visible_to(request.user))
    people = ("recorded_by", "confirmed_by", "permit__application__applicant")
    return get_object_or_404(rows.select_related("site", "visit", "line", *people), key=key)


@login_required
@require_safe
def finding(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a finding to the holder of the case and to those who work for the city."""
    found = find_finding(request, key)
    with known.reading_once():
        return render(request, "findings/finding.html", page_context(request, found))


def page_context(request: HttpRequest, found: Finding) -> dict[str, Any]:
    """Return what the page shows; what a court could impose only to those of the city."""
    user = request.user
    days = list(found.days.select_related("visit").order_by("on"))
    return {
        "finding": found,
        "site": found.site,
        "on": clock.today(),
        "deadline": found.correction_deadline(),
        "standing": standing(found),
        "shown_photos": photos_of(found),
        "answers": list(
            found.answers.select_related("by").prefetch_related("photos__previews").order_by("pk")
        ),
        "days": days,
        "who_acts": who_acts(found),
        "exposure": exposure_of(found, days) if access.may_know_exposure(user) else None,
        "may_answer": found.is_open and access.holds(user, found.site),
        "may_judge": found.is_open and access.may_inspect(user),
        "nobody_told": found.application is None,
    }


def standing(found: Finding) -> tuple[str, str]:
    """Return how a finding stands, in a sentence, and the tone of it."""
    if found.status == Finding.Status.CORRECTED:
        return "Corrected.", "good"
    if found.status == Finding.Status.DROPPED:
        return "Dropped: it was recorded in error.", ""
    late = clock.today() > found.correct_by
    if found.status == Finding.Status.ANSWERED:
        return say("Answered; the {inspector_short} has to confirm it."), "soon"
    return ("Not corrected in time.", "late") if late else ("To be corrected.", "soon")


def in_a_word(found: Finding) -> tuple[str, str]:
    """Return how a finding stands in a word or two, and the tone of it."""
    tone = standing(found)[1]
    return ("late" if tone == "late" else found.get_status_display().lower()), tone or "shut"


def photos_of(found: Finding) -> list[VisitPhoto]:
    """Return the photos of the visit that show it: those of its line, else those of no line."""
    photos = VisitPhoto.objects.filter(visit=found.visit, line=found.line)
    return list(photos.select_related("upload").prefetch_related("upload__previews"))


def who_acts(found: Finding) -> str:
    """Name who must act: the person of that capacity in the application, where there is one."""
    application = found.application
    if application is None:
        return ""
    if found.who == Finding.Who.PERMITTEE:
        return str(application.applicant)
    party = application.parties.filter(role=found.who).first()
    return str(party) if party else ""


def exposure_of(found: Finding, days: Iterable[Any]) -> Exposure | None:
    """What a court could impose for the documented days; nothing for a dropped finding."""
    if not found.is_violation or found.status == Finding.Status.DROPPED:
        return None
    return exposure(day.on for day in days)


@login_required
@require_safe
def of_case(request: HttpRequest, number: str) -> HttpResponse:
    """List the findings of a site, the open ones first."""
    site = site_of(request, number)
    rows = site.findings.order_by(OPEN_FIRST, "-number")
    page = page_of(request, rows)
    context = {
        "site": site,
        "page": page,
        "rows": [(each, *in_a_word(each)) for each in page.object_list],
        "holder": access.holds(request.user, site),
    }
    return render(request, "findings/of_case.html", context)


# Acts -------------------------------------------------------------------------------------


class FindingAct(ActView):
    """What the acts on a finding have in common."""

    finding: Finding

    def find(self, key: Any) -> None:
        self.finding = find_finding(self.request, key)
        self.site = self.finding.site

    def may(self) -> bool:
        return access.may_inspect(self.user)

    def subject(self) -> str:
        return str(self.finding.key)

    def why_not(self) -> NotNow | None:
        if self.finding.is_open:
            return None
        return NotNow(f"The finding is {self.finding.get_status_display().lower()}.")

    def context(self) -> dict[str, Any]:
        application = self.finding.application
        return {
            "finding": self.finding,
            "deadline": self.finding.correction_deadline(),
            "recipients": notice_parties(application) if application else [],
        }

    def answer(self) -> FindingAnswer | None:
        """The newest answer."""
        return self.finding.answers.order_by("-pk").first()


class Answer(FindingAct):
    """The holder of the case says what was done, with photos."""

    act = "finding answer"
    template = "findings/answer.html"
    takes_photos = True
    done_message = worded(
        "Your answer is sent. The {inspector_short} confirms it, or asks for more."
    )

    def may(self) -> bool:
        return access.holds(self.user, self.site)

    def make_form(self, data: Any) -> AnswerForm:
        return AnswerForm(data)

    def run(self, form: Any) -> str:
        acts.answer(
            self.finding,
            by=self.user,
            on=clock.today(),
            text=form.cleaned_data["text"],
            photos=self.photos.uploads,
        )
        return self.finding.get_absolute_url()


class Confirm(FindingAct):
    """The inspector confirms that a finding is corrected."""

    act = "finding confirm"
    template = "findings/confirm.html"
    confirm_template = "findings/confirm_shown.html"
    done_message = "The finding is corrected, and the parties are told."

    def make_form(self, data: Any) -> ConfirmForm:
        answer = self.answer()
        answered_on = timezone.localdate(answer.at) if answer else None
        if self.finding.status != Finding.Status.ANSWERED:
            answered_on = None
        return ConfirmForm(
            data, finding=self.finding, visits=self.visits(), answered_on=answered_on
        )

    def visits(self) -> list[Visit]:
        """The visits at which it can have been seen, the newest first."""
        since = self.finding.found_on
        rows = Visit.objects.filter(site=self.site, visited_on__gte=since)
        return list(rows.order_by("-visited_on", "-pk")[:MOST_VISITS])

    def context(self) -> dict[str, Any]:
        return {**super().context(), "answer": self.answer()}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        day = form.cleaned_data["corrected_on"]
        return {
            "how": form.how_in_words,
            "corrected_on": day,
            "was_late": day > self.finding.correct_by,
        }

    def run(self, form: Any) -> str:
        acts.confirm(
            self.finding,
            by=self.user,
            on=clock.today(),
            how=form.how_in_words,
            corrected_on=form.cleaned_data["corrected_on"],
        )
        return self.finding.get_absolute_url()


class Refuse(FindingAct):
    """The inspector says why an answer does not show the correction."""

    act = "finding refuse"
    template = "findings/refuse.html"
    done_message = "The finding is open again, and the parties read your reason."

    def make_form(self, data: Any) -> RefuseForm:
        return RefuseForm(data)

    def why_not(self) -> NotNow | None:
        if self.finding.status == Finding.Status.OPEN:
            return NotNow("There is no answer to refuse.")
        return super().why_not()

    def context(self) -> dict[str, Any]:
        return {**super().context(), "answer": self.answer()}

    def run(self, form: Any) -> str:
        acts.refuse_answer(self.finding, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.finding.get_absolute_url()


class Drop(FindingAct):
    """The inspector drops a finding that was recorded in error."""

    act = "finding drop"
    template = "findings/drop.html"
    confirm_template = "findings/drop_shown.html"
    done_message = "The finding is dropped, and the parties are told."

    def make_form(self, data: Any) -> DropForm:
        return DropForm(data)

    def run(self, form: Any) -> str:
        acts.drop(self.finding, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.finding.get_absolute_url()
