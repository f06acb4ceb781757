"""City work: begun, its costs, its photos, closed with a fixed total."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement import access
from enforcement.acts import work as acts
from enforcement.forms.work import BeginForm, CloseWorkForm, CostForm, PhotosForm, ReverseForm
from enforcement.models import (
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
    UpkeepNotice,
    WorkCost,
)
from inspections.photos import FIELD
from inspections.views.acting import ActView
from permits.models import NotNow, Site
from permits.views.doors import only
from permits.views.pages import page_of
from portal import city, clock, known

__all__ = ["AddCost", "AddPhotos", "Begin", "Close", "ReverseCost", "all_work", "city_work"]


def find_work(request: HttpRequest, key: Any) -> CityWork:
    """Return city work at a site that the person may see."""
    rows = CityWork.objects.filter(site__in=Site.objects.visible_to(request.user))
    related = (
        "site",
        "notice_of_intent__order",
        "owner_notice__permit",
        "upkeep_notice__agreement__permit__application",
        "begun_by",
        "closed_by",
        "statement__document",
    )
    return get_object_or_404(rows.select_related(*related), key=key)


def find_notice(request: HttpRequest, key: Any) -> acts.Notice:
    """Return any notice under which the city works, at a site that the person may see."""
    sites = Site.objects.visible_to(request.user)
    for rows in (
        NoticeOfIntent.objects.select_related("site", "order__permit"),
        OwnerNotice.objects.select_related("site", "permit"),
        UpkeepNotice.objects.select_related("site", "agreement__permit__application"),
    ):
        found = rows.filter(site__in=sites, key=key).first()
        if isinstance(found, (NoticeOfIntent, OwnerNotice, UpkeepNotice)):
            return found
    raise Http404


@only(access.may_see_enforcement)
@require_safe
def all_work(request: HttpRequest) -> HttpResponse:
    """List city work, the newest first; what is under way stands out."""
    rows = CityWork.objects.select_related(
        "site", "notice_of_intent", "owner_notice", "upkeep_notice"
    )
    state = request.GET.get("state", "")
    if state in CityWork.Status.values:
        rows = rows.filter(status=state)
    context = {"page": page_of(request, rows), "state": state, "states": CityWork.Status.choices}
    return render(request, "enforcement/works/all_work.html", context)


def ended_order(found: CityWork) -> StopWorkOrder | None:
    """Return the order that ended while work under its notice is still under way."""
    intent = found.notice_of_intent
    if intent is None or intent.order.is_standing or found.status != CityWork.Status.BEGUN:
        return None
    return intent.order


@login_required
@require_safe
def city_work(request: HttpRequest, key: Any) -> HttpResponse:
    """Show the work with every cost, its photos and its total."""
    found = find_work(request, key)
    costs = found.costs.select_related("proof", "recorded_by", "reversed_by", "reverses")
    may_enter = access.may_enter_costs(request.user) and found.status == CityWork.Status.BEGUN
    context = {
        "work": found,
        "notice": found.notice,
        "ended_order": ended_order(found),
        "site": found.site,
        "on": clock.today(),
        "costs": list(costs),
        "sum": found.sum_of_costs(),
        "before": list(found.photos_before.prefetch_related("previews")),
        "after": list(found.photos_after.prefetch_related("previews")),
        "payers": found.payers(),
        "citation": found.path.citation(city.edition_on(found.begun_on)),
        "may_enter": may_enter,
        "nobody_told": not found.site.filed_on,
        "may_close": access.may_enforce(request.user) and found.status == CityWork.Status.BEGUN,
    }
    with known.reading_once():
        return render(request, "enforcement/works/work.html", context)


# Acts -------------------------------------------------------------------------------------


class Begin(ActView):
    """The inspector enters the land and begins the work under one notice."""

    act = "city work new"
    template = "enforcement/works/begin.html"
    confirm_template = "enforcement/works/begin_shown.html"
    done_message = "The work is under way. Add each cost with its proof."
    takes_photos = True
    notice: acts.Notice

    def find(self, key: Any) -> None:
        self.notice = find_notice(self.request, key)
        self.site = self.notice.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.notice.key)

    def why_not(self) -> NotNow | None:
        found = acts.why_not_begin(self.notice, on=clock.today())
        return NotNow("The city may not begin the work today.", found) if found else None

    def make_form(self, data: Any) -> BeginForm:
        return BeginForm(data, opens=acts.opens_of(self.notice), today=clock.today())

    def context(self) -> dict[str, Any]:
        return {
            "notice": self.notice,
            "path": acts.path_of(self.notice),
            "opens": acts.opens_of(self.notice),
            "asks_reason": acts.asks_reason(self.notice, on=clock.today()),
            "nobody_told": not self.site.filed_on,
        }

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        return acts.begin(
            self.notice,
            by=self.user,
            on=clock.today(),
            begun_on=given["begun_on"],
            done_by=given["done_by"],
            doer=given["doer"],
            before_safe_why=given["before_safe_why"],
            photos=self.photos.uploads,
        ).get_absolute_url()


class WorkAct(ActView):
    """What the acts on work that is under way have in common."""

    work: CityWork

    def find(self, key: Any) -> None:
        self.work = find_work(self.request, key)
        self.site = self.work.site

    def may(self) -> bool:
        return access.may_enter_costs(self.user)

    def subject(self) -> str:
        return str(self.work.key)

    def why_not(self) -> NotNow | None:
        if self.work.status == CityWork.Status.BEGUN:
            return None
        return NotNow("The work is closed and its total is fixed.")

    def context(self) -> dict[str, Any]:
        return {
            "work": self.work,
            "notice": self.work.notice,
            "sum": self.work.sum_of_costs(),
            "nobody_told": not self.site.filed_on,
        }


class AddCost(WorkAct):
    """The inspector or the clerk adds a cost with its proof."""

    act = "work cost"
    template = "enforcement/works/cost.html"
    done_message = "The cost is recorded."
    takes_photos = True

    def make_form(self, data: Any) -> CostForm:
        return CostForm(data, work=self.work)

    def is_valid(self, form: Any) -> bool:
        valid = super().is_valid(form)
        return bool(form.check_proof(len(self.photos.uploads))) and valid

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        acts.add_cost(
            self.work,
            acts.Cost(
                kind=given["kind"],
                day=given["on"],
                description=given["description"],
                quantity=given["quantity"],
                unit=given["unit"],
                rate=given["rate"],
                proof=next(iter(self.photos.uploads), None),
                proof_words=given["proof_words"],
            ),
            by=self.user,
            on=clock.today(),
        )
        return self.work.get_absolute_url()


class ReverseCost(WorkAct):
    """A cost is taken back by a row that reverses it."""

    act = "work cost reverse"
    template = "enforcement/works/cost_reverse.html"
    done_message = "The cost is taken back."
    cost: WorkCost

    def find(self, key: Any) -> None:
        super().find(key)
        costs = self.work.costs.filter(reverses__isnull=True)
        self.cost = get_object_or_404(costs, pk=self.kwargs["pk"])

    def subject(self) -> str:
        return f"cost {self.cost.pk}"

    def why_not(self) -> NotNow | None:
        if WorkCost.objects.filter(reverses=self.cost).exists():
            return NotNow("This cost is taken back already.")
        return super().why_not()

    def make_form(self, data: Any) -> ReverseForm:
        return ReverseForm(data)

    def context(self) -> dict[str, Any]:
        return {**super().context(), "cost": self.cost}

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        acts.reverse_cost(self.cost, by=self.user, on=clock.today(), reason=reason)
        return self.work.get_absolute_url()


class AddPhotos(WorkAct):
    """Photos of the land before or after the work."""

    act = "work photos"
    template = "enforcement/works/photos.html"
    done_message = "The photos are kept."
    takes_photos = True

    def make_form(self, data: Any) -> PhotosForm:
        return PhotosForm(data)

    def is_valid(self, form: Any) -> bool:
        valid = super().is_valid(form)
        if valid and not self.photos.uploads:
            form.add_error(FIELD, "Choose at least one photo.")
        return valid and not form.errors

    def run(self, form: Any) -> str:
        after = form.cleaned_data["when"] == "after"
        acts.add_photos(self.work, self.photos.uploads, after=after)
        return self.work.get_absolute_url()


class Close(WorkAct):
    """The inspector closes the work: its total is fixed, and the statement is made."""

    act = "work close"
    template = "enforcement/works/close.html"
    confirm_template = "enforcement/works/close_shown.html"
    done_message = "The work is closed and its total is fixed."
    takes_photos = True

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def why_not(self) -> NotNow | None:
        found = acts.why_not_close(self.work, on=clock.today())
        return NotNow("The work cannot be closed today.", found) if found else None

    def make_form(self, data: Any) -> CloseWorkForm:
        return CloseWorkForm(data)

    def is_valid(self, form: Any) -> bool:
        valid = super().is_valid(form)
        shown = self.photos.uploads or self.work.photos_after.exists()
        if valid and not form.cleaned_data["note"] and not shown:
            form.add_error("note", "Say how the land was left, or add a photo that shows it.")
        return valid and not form.errors

    def context(self) -> dict[str, Any]:
        return {**super().context(), "payers": self.work.payers()}

    def run(self, form: Any) -> str:
        note, photos = form.cleaned_data["note"], self.photos.uploads
        acts.close(self.work, by=self.user, on=clock.today(), note=note, photos=photos)
        return self.work.get_absolute_url()
