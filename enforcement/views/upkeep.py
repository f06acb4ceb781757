"""The pages of a notice of maintenance, from the inspection to its end. (4)(f)(6)"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enforcement import access
from enforcement.acts import corrections, work
from enforcement.acts import upkeep as acts
from enforcement.forms.notice import WithdrawNoticeForm
from enforcement.forms.upkeep import (
    ConfirmCorrectionForm,
    CorrectedForm,
    MoreTimeForm,
    RefuseCorrectionForm,
    UpkeepNoticeForm,
)
from enforcement.models import Addressee, UpkeepNotice, UpkeepStatus
from enforcement.models.stays import read_stays
from inspections.access import holds
from inspections.models import UpkeepInspection
from inspections.views.acting import ActView
from inspections.views.upkeep import find_inspection
from permits.models import NotNow, Site
from permits.views.doors import only
from permits.views.pages import page_of
from portal import city_calendar, clock, known
from portal.city import say, worded
from portal.ordinance import Obstacle

from .tell_view import TellView

__all__ = [
    "Confirm",
    "Corrected",
    "Extend",
    "New",
    "Refuse",
    "Withdraw",
    "all_notices",
    "notice",
]

REPORTED = "reported"
TONES = {
    UpkeepStatus.STANDING: "soon",
    UpkeepStatus.CORRECTED: "good",
    UpkeepStatus.DONE: "late",
    UpkeepStatus.WITHDRAWN: "shut",
    UpkeepStatus.REVERSED: "shut",
}


def find_upkeep_notice(request: HttpRequest, key: Any) -> UpkeepNotice:
    """Return a notice of maintenance at a site that the person may see."""
    rows = UpkeepNotice.objects.filter(site__in=Site.objects.visible_to(request.user))
    related = (
        "site",
        "agreement__permit__application",
        "inspection__inspector",
        "issued_by",
        "paper__document",
    )
    found = get_object_or_404(rows.select_related(*related), key=key)
    found.agreement.site = found.inspection.site = found.site
    found.inspection.agreement = found.agreement
    return found


@only(access.may_see_enforcement)
@require_safe
def all_notices(request: HttpRequest) -> HttpResponse:
    """List the notices of maintenance, the newest first; those that stand unless asked."""
    rows = UpkeepNotice.objects.with_time().select_related("site", "agreement")
    state = request.GET.get("state", UpkeepStatus.STANDING)
    if state == REPORTED:
        rows = rows.reported()
    elif state in UpkeepStatus.values:
        rows = rows.filter(status=state)
    page = page_of(request, rows)
    read_stays(list(page.object_list))
    calendar, on = city_calendar.current_calendar(), clock.today()
    with known.reading_once():
        context = {
            "page": page,
            "rows": [_row(each, calendar, on) for each in page.object_list],
            "state": state,
            "states": [*UpkeepStatus.choices, (REPORTED, "Reported, to be answered")],
            "on": on,
        }
        return render(request, "enforcement/upkeep/notices.html", context)


def _row(found: UpkeepNotice, calendar: Any, on: Any) -> dict[str, Any]:
    last = found.correction_deadline(calendar=calendar) if found.is_standing else None
    return {
        "notice": found,
        "last": last,
        "late": last is not None and last.is_late(on),
        "tone": TONES[UpkeepStatus(found.status)],
    }


@login_required
@require_safe
def notice(request: HttpRequest, key: Any) -> HttpResponse:
    """Show a notice: what to correct, by when, what was reported, and what may follow."""
    found = find_upkeep_notice(request, key)
    with known.reading_once():
        return render(request, "enforcement/upkeep/notice.html", page_context(request, found))


def page_context(request: HttpRequest, found: UpkeepNotice) -> dict[str, Any]:
    """Return what the page shows; the same for both sides, but for the buttons."""
    today, user = clock.today(), request.user
    may_act = access.may_enforce(user)
    opens, last = found.city_work_opens(), found.correction_deadline()
    reports = found.reports.select_related("by", "answer__by").prefetch_related("photos__previews")
    told = Addressee.objects.of(found).select_related("mailing__document")
    waiting = found.unanswered_report()
    return {
        "notice": found,
        "agreement": found.agreement,
        "inspection": found.inspection,
        "site": found.site,
        "on": today,
        "tone": TONES[UpkeepStatus(found.status)],
        "stands": found.is_standing,
        "last": last,
        "is_late": found.is_standing and last.is_late(today),
        "opens": opens,
        "lines": list(found.lines.select_related("practice")),
        "extensions": list(found.extensions.select_related("by")),
        "reports": list(reports),
        "waiting": waiting,
        "rows": list(told.prefetch_related("services").order_by("pk")),
        "work": getattr(found, "city_work", None),
        "why_not": _obstacles(found, today) if may_act and found.is_standing else [],
        "appeal": found.appeal_deadline(),
        "may_act": may_act,
        "may_report": found.is_standing
        and waiting is None
        and (holds(user, found.site) or may_act),
        "staff": access.may_see_enforcement(user),
    }


class New(TellView):
    """The inspector tells the responsible party what to correct, and by when."""

    act = "upkeep notice"
    template = "enforcement/upkeep/new.html"
    confirm_template = "enforcement/upkeep/new_shown.html"
    done_message = "The notice is issued; its letters wait in the mail room."
    inspection: UpkeepInspection

    def find(self, key: Any) -> None:
        self.inspection = find_inspection(self.request, key)
        self.site = self.inspection.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.inspection.key)

    def why_not(self) -> NotNow | None:
        found = acts.why_not_issue(self.inspection, on=clock.today())
        return NotNow("The notice of maintenance cannot be given yet.", found) if found else None

    def make_form(self, data: Any) -> UpkeepNoticeForm:
        return UpkeepNoticeForm(
            data,
            known=acts.persons_told(self.inspection.agreement, on=clock.today()),
            problems=self.inspection.problems(),
            more=self.more,
        )

    def context(self) -> dict[str, Any]:
        return {"inspection": self.inspection, "agreement": self.inspection.agreement}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        today = clock.today()
        draft = UpkeepNotice(
            site=self.site,
            agreement=self.inspection.agreement,
            inspection=self.inspection,
            issued_on=today,
            correct_by=form.cleaned_data["correct_by"],
        )
        draft.extended_until = draft.correct_by  # type: ignore[attr-defined]
        draft.read_stays = ()  # type: ignore[attr-defined]
        return {
            "last": draft.correction_deadline(),
            "opens": draft.city_work_opens(),
            "lines": list(enumerate(form.lines(), start=1)),
            "told": form.told_in_words(),
        }

    def run(self, form: Any) -> str:
        return acts.issue(
            self.inspection,
            by=self.user,
            on=clock.today(),
            correct_by=form.cleaned_data["correct_by"],
            why_enough=form.cleaned_data["why_enough"],
            lines=form.lines(),
            told=form.told(),
        ).get_absolute_url()


class NoticeAct(ActView):
    """What the acts on a notice that stands have in common."""

    template = "enforcement/upkeep/act.html"
    notice: UpkeepNotice
    heading = ""
    lede = ""
    button = ""

    def find(self, key: Any) -> None:
        self.notice = find_upkeep_notice(self.request, key)
        self.site = self.notice.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.notice.key)

    def why_not(self) -> NotNow | None:
        if self.notice.is_standing:
            return None
        words = self.notice.get_status_display().lower()
        return NotNow(f"Notice {self.notice} is closed: {words}.")

    def context(self) -> dict[str, Any]:
        return {
            "notice": self.notice,
            "lines": list(self.notice.lines.select_related("practice")),
            "last": self.notice.correction_deadline(),
            "heading": self.heading,
            "lede": self.lede,
            "button": self.button,
            "waiting": self.notice.unanswered_report(),
        }


class Extend(NoticeAct):
    """The inspector gives more time."""

    act = "upkeep more time"
    done_message = "More time is given, and everybody who has the notice is told."
    heading = "Give more time"
    lede = "The day before stays on record; the new one counts from now on, and the city’s own "
    lede += "day moves with it."
    button = "Give more time"

    def make_form(self, data: Any) -> MoreTimeForm:
        return MoreTimeForm(data, notice=self.notice)

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        acts.extend(
            self.notice,
            by=self.user,
            on=clock.today(),
            until=given["until"],
            reason=given["reason"],
        )
        return self.notice.get_absolute_url()


class Corrected(NoticeAct):
    """The holder of the case, or the inspector for whoever called, reports the correction."""

    act = "upkeep corrected"
    takes_photos = True
    done_message = worded("The report is sent. The {inspector_short} looks at it and answers.")
    heading = "Say that it is corrected"
    lede = worded(
        "The {inspector_short} looks at it and tells you whether it is corrected. Until then the "
        "city begins no work under the notice."
    )
    button = "Send the report"

    def may(self) -> bool:
        return holds(self.user, self.site) or access.may_enforce(self.user)

    def why_not(self) -> NotNow | None:
        if self.notice.is_standing and self.notice.unanswered_report() is not None:
            return NotNow(say("A report waits for the {inspector_short}’s answer already."))
        return super().why_not()

    def make_form(self, data: Any) -> CorrectedForm:
        return CorrectedForm(data)

    def run(self, form: Any) -> str:
        corrections.report(
            self.notice,
            by=self.user,
            on=clock.today(),
            text=form.cleaned_data["text"],
            photos=self.photos.uploads,
        )
        return self.notice.get_absolute_url()


class Confirm(NoticeAct):
    """The inspector confirms that everything is corrected."""

    act = "upkeep confirm"
    confirm_template = "enforcement/upkeep/confirm_shown.html"
    done_message = "It is corrected, and everybody who has the notice is told."
    heading = "Confirm that it is corrected"
    lede = "All of it: the notice ends, and no city work follows from it."
    button = "Go on: see what will happen"

    def make_form(self, data: Any) -> ConfirmCorrectionForm:
        return ConfirmCorrectionForm(data, notice=self.notice)

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        corrections.confirm(
            self.notice,
            by=self.user,
            on=clock.today(),
            corrected_on=given["corrected_on"],
            how=given["how"],
        )
        return self.notice.get_absolute_url()


class Refuse(NoticeAct):
    """The inspector answers a report: it is not corrected yet."""

    act = "upkeep refuse"
    done_message = "The answer is on record, and everybody who has the notice is told."
    heading = "Say what is still to be corrected"
    lede = "The last day stays as it is. To give more time as well, do so on the notice’s page."
    button = "Answer the report"

    def why_not(self) -> NotNow | None:
        found = super().why_not()
        if found is None and self.notice.unanswered_report() is None:
            return NotNow("No report waits for an answer.")
        return found

    def make_form(self, data: Any) -> RefuseCorrectionForm:
        return RefuseCorrectionForm(data)

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        corrections.refuse(self.notice, by=self.user, on=clock.today(), reason=reason)
        return self.notice.get_absolute_url()


class Withdraw(NoticeAct):
    """The inspector withdraws a notice under which no work was begun."""

    act = "upkeep withdraw"
    confirm_template = "enforcement/upkeep/withdraw_shown.html"
    done_message = "The notice is withdrawn, and everybody who has it is told."
    heading = "Withdraw the notice"
    lede = "Nothing follows from it any more. The agreement itself goes on."
    button = "Go on: see what will happen"

    def make_form(self, data: Any) -> WithdrawNoticeForm:
        return WithdrawNoticeForm(data)

    def run(self, form: Any) -> str:
        acts.withdraw(self.notice, by=self.user, on=clock.today(), why=form.cleaned_data["why"])
        return self.notice.get_absolute_url()


def _obstacles(found: UpkeepNotice, on: date) -> list[tuple[Obstacle, str]]:
    """Return why the city may not begin today, each with the page that removes it."""
    return [(each, cure_url(found, each)) for each in work.why_not_begin(found, on=on)]


def cure_url(found: UpkeepNotice, obstacle: Obstacle) -> str:
    """Return the page on which an obstacle to the city's work is removed."""
    pages = {
        "confirm or refuse the report": "upkeep_confirm",
        "extend the time": "upkeep_extend",
        "withdraw the notice": "upkeep_withdraw",
    }
    name = pages.get(obstacle.cure)
    return reverse(name, args=[found.key]) if name else ""
