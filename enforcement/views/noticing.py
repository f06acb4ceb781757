"""The city's two notices, each with the money that it opens and the one that it does not."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement import access, ladder
from enforcement.acts import notices, owner_notices, work
from enforcement.forms.notice import IntentForm, OwnerNoticeForm, WithdrawNoticeForm
from enforcement.models import Addressee, NoticeOfIntent, NoticeStatus, OwnerNotice, StopWorkOrder
from inspections.views.acting import ActView, site_of
from permits.models import NotNow, Permit, Site
from portal import clock, known
from portal.ordinance import Obstacle

from .order_acts import TellView
from .rows import find_order

__all__ = [
    "NewIntent",
    "NewOwnerNotice",
    "WithdrawIntent",
    "WithdrawOwnerNotice",
    "notice",
    "owner_notice",
]


def find_intent(request: HttpRequest, key: Any) -> NoticeOfIntent:
    """Return a notice of intent at a site that the person may see."""
    rows = NoticeOfIntent.objects.filter(site__in=Site.objects.visible_to(request.user))
    related = ("site", "order__permit__application", "issued_by", "paper__document")
    return get_object_or_404(rows.select_related(*related), key=key)


def find_owner_notice(request: HttpRequest, key: Any) -> OwnerNotice:
    """Return a notice to the owner at a site that the person may see."""
    rows = OwnerNotice.objects.filter(site__in=Site.objects.visible_to(request.user))
    related = ("site", "permit__application", "made_by", "paper__document")
    return get_object_or_404(rows.select_related(*related), key=key)


# The pages --------------------------------------------------------------------------------


@login_required
@require_safe
def notice(request: HttpRequest, key: Any) -> HttpResponse:
    """Show a notice of intent: the work, the first day, to whom it went, how it stands."""
    found = find_intent(request, key)
    with known.reading_once():
        return render(request, "enforcement/works/notice.html", _shown(request, found))


@login_required
@require_safe
def owner_notice(request: HttpRequest, key: Any) -> HttpResponse:
    """Show a notice to the owner: its letters, and the day the last one was accepted."""
    found = find_owner_notice(request, key)
    with known.reading_once():
        return render(request, "enforcement/works/owner_notice.html", _shown(request, found))


def _shown(request: HttpRequest, found: NoticeOfIntent | OwnerNotice) -> dict[str, Any]:
    today = clock.today()
    may_act = access.may_enforce(request.user)
    opens = work.opens_of(found)
    rows = Addressee.objects.of(found).select_related("mailing__document")
    return {
        "notice": found,
        "site": found.site,
        "on": today,
        "opens": opens,
        "stands": found.status == NoticeStatus.STANDING,
        "is_stayed": opens is not None and opens.is_stayed(today),
        "rows": list(rows.prefetch_related("services").order_by("pk")),
        "work": getattr(found, "city_work", None),
        "why_not": work.why_not_begin(found, on=today) if may_act else [],
        "may_act": may_act,
        "staff": access.may_see_enforcement(request.user),
        "nobody_told": not found.site.filed_on,
    }


# The notice of intent ---------------------------------------------------------------------


class NewIntent(TellView):
    """The inspector issues a notice of intent under a posted order."""

    act = "notice new"
    template = "enforcement/works/notice_new.html"
    confirm_template = "enforcement/works/notice_new_shown.html"
    done_message = "The notice is issued; its letters wait in the mail room."
    order: StopWorkOrder

    def find(self, key: Any) -> None:
        self.order = find_order(self.request, key)
        self.site = self.order.site
        self.step = ladder.step(self.order, "notice-of-intent", on=clock.today())

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.order.key)

    def why_not(self) -> NotNow | None:
        found = self.step.obstacles
        return NotNow("The notice of intent cannot be issued today.", found) if found else None

    def cure_of(self, obstacle: Obstacle) -> str:
        return _cure(self.order, obstacle)

    def make_form(self, data: Any) -> IntentForm:
        return IntentForm(
            data,
            known=notices.persons_for(self.order),
            needs_reason=self.step.needs_reason,
            more=self.more,
        )

    def context(self) -> dict[str, Any]:
        return {
            "order": self.order,
            "law_step": self.step,
            "nobody_told": not self.site.filed_on,
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        draft = NoticeOfIntent(order=self.order, issued_on=clock.today())
        return {"told": form.told_in_words(), "entry": draft.city_work_opens()}

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        return notices.issue(
            self.order,
            by=self.user,
            on=clock.today(),
            work=given["work"],
            estimated_cost=given["estimated_cost"],
            told=form.told(),
            before_safe_why=given.get("before_safe_why", ""),
            left_out_why=given["left_out_why"],
        ).get_absolute_url()


def _cure(order: StopWorkOrder, obstacle: Obstacle) -> str:
    """Return the page that removes an obstacle, or shows what stands in the way."""
    if obstacle.key == "notice-stands":
        standing = order.notices.order_by("-pk").first()
        return standing.get_absolute_url() if standing else ""
    return ""


class WithdrawIntent(ActView):
    """The inspector withdraws a notice of intent that stands."""

    act = "notice withdraw"
    template = "enforcement/works/notice_withdraw.html"
    done_message = "The notice is withdrawn, and everybody who has it is told."
    notice: NoticeOfIntent | OwnerNotice

    def find(self, key: Any) -> None:
        self.notice = find_intent(self.request, key)
        self.site = self.notice.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.notice.key)

    def why_not(self) -> NotNow | None:
        if self.notice.status == NoticeStatus.STANDING:
            return None
        return NotNow(f"Notice {self.notice} is {self.notice.get_status_display().lower()}.")

    def make_form(self, data: Any) -> WithdrawNoticeForm:
        return WithdrawNoticeForm(data)

    def context(self) -> dict[str, Any]:
        return {"notice": self.notice, "nobody_told": not self.site.filed_on}

    def run(self, form: Any) -> str:
        assert isinstance(self.notice, NoticeOfIntent)
        why = form.cleaned_data["why"]
        notices.withdraw(self.notice, by=self.user, on=clock.today(), why=why)
        return self.notice.get_absolute_url()


# The notice to the owner ------------------------------------------------------------------


class NewOwnerNotice(TellView):
    """The inspector makes the ten days' notice by mail to the owners of the land."""

    act = "owner notice new"
    template = "enforcement/works/owner_notice_new.html"
    confirm_template = "enforcement/works/owner_notice_new_shown.html"
    done_message = "The letters wait in the mail room. No day runs before the post has them."
    permit: Permit | None

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        issued = self.site.permits.filter(issued_on__isnull=False)
        self.permit = issued.select_related("application__applicant").order_by("-pk").first()
        if self.permit is not None:
            self.permit.site = self.permit.application.site = self.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return self.site.number

    def why_not(self) -> NotNow | None:
        if self.permit is None:
            text = "No permit was issued here; only a permit has an escrow that could pay."
            return NotNow(text)
        found = owner_notices.why_not(self.permit, on=clock.today())
        return NotNow("The notice to the owner cannot be made today.", found) if found else None

    def make_form(self, data: Any) -> OwnerNoticeForm:
        permit = self.permit
        return OwnerNoticeForm(
            data,
            known=owner_notices.owners_of(permit) if permit else [],
            parcels=lambda owners: (
                owner_notices.parcels_without_owner(permit, owners) if permit else []
            ),
            more=self.more,
        )

    def context(self) -> dict[str, Any]:
        today = clock.today()
        required = owner_notices.why_required(self.permit, on=today) if self.permit else []
        return {
            "permit": self.permit,
            "required": required,
            "parcels": list(self.site.parcels.all()),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {"told": form.told_in_words(), "earliest": self._earliest(clock.today())}

    def _earliest(self, today: date) -> Any:
        """The first day if the post accepted every letter today."""
        return OwnerNotice(permit=self.permit, accepted_on=today).draw_opens()

    def run(self, form: Any) -> str:
        if self.permit is None:
            raise NotNow("No permit was issued here; only a permit has an escrow that could pay.")
        return owner_notices.make(
            self.permit,
            by=self.user,
            on=clock.today(),
            work=form.cleaned_data["work"],
            estimated_cost=form.cleaned_data["estimated_cost"],
            told=form.told(),
        ).get_absolute_url()


class WithdrawOwnerNotice(WithdrawIntent):
    """The inspector withdraws a notice to the owner under which no work was begun."""

    act = "owner notice withdraw"

    def find(self, key: Any) -> None:
        self.notice = find_owner_notice(self.request, key)
        self.site = self.notice.site

    def run(self, form: Any) -> str:
        assert isinstance(self.notice, OwnerNotice)
        why = form.cleaned_data["why"]
        owner_notices.withdraw(self.notice, by=self.user, on=clock.today(), why=why)
        return self.notice.get_absolute_url()
