"""Permits of earlier books: their list, the page of such a case, and what became of one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from inspections.access import may_inspect
from permits import access
from permits.finding import find_site_keys
from permits.forms.counter import PastDayField
from permits.forms.fields import Paragraph
from permits.models import CaseEvent, DocketEntry, EarlierPermit, EarlierStatus, NotNow, Site
from permits.views.doors import only, who
from permits.views.ways import see_other
from portal import clock, drafts, operations
from portal.city_calendar import current_calendar
from portal.models import User
from portal.standing_words import standing_words

from .acting import CONFIRM, step_of, token_of
from .pages import page_of
from .story import story_of

__all__ = [
    "TONES",
    "earlier",
    "earlier_case",
    "earlier_rows",
    "earlier_settle",
    "find_earlier",
    "found_earlier",
]

Status = EarlierStatus
TONES = {Status.ISSUED: "good", Status.APPLIED: "soon", Status.UNKNOWN: "soon"}
EVENTS_PER_PAGE = 50


class EarlierFilter(django_filters.FilterSet):
    """What may be asked of the list; an answer that is not offered is ignored."""

    status = django_filters.ChoiceFilter(choices=EarlierStatus.choices)
    q = django_filters.CharFilter(max_length=200, strip=True)

    class Meta:
        model = EarlierPermit
        fields = ()


@only(access.may_see_desk)
@require_safe
def earlier(request: HttpRequest) -> HttpResponse:
    """List the permits of earlier books that fit, in pages."""
    form = EarlierFilter(request.GET, queryset=EarlierPermit.objects.none()).form
    form.is_valid()
    asked = {name: form.cleaned_data.get(name) or "" for name in ("status", "q")}
    rows, more = earlier_rows(), False
    if asked["q"]:
        keys, more = find_site_keys(asked["q"], Site.objects.all())
        rows = rows.filter(site_id__in=keys)
    if asked["status"]:
        rows = rows.filter(status=asked["status"])
    page = page_of(request, rows)
    context = {
        "page": page,
        "rows": found_earlier(list(page.object_list)),
        "asked": asked,
        "too_many": more,
        "statuses": EarlierStatus.choices,
        "sees_imports": access.may_see_imports(request.user),
    }
    return render(request, "earlier/list.html", context)


def earlier_rows() -> QuerySet[EarlierPermit]:
    """Return earlier permits with their land, the newest first; none whose case was destroyed."""
    kept = EarlierPermit.objects.filter(site__destroyed_on__isnull=True)
    rows = kept.select_related("site").prefetch_related("site__parcels")
    return rows.order_by("-pk")


def found_earlier(permits: Sequence[EarlierPermit]) -> list[tuple[EarlierPermit, str, str]]:
    """Return permits as lists show them: each with its place, and a tone for the eye."""
    return [(each, place_of(each.site), TONES.get(Status(each.status), "shut")) for each in permits]


def place_of(site: Site) -> str:
    """Return the site in a few words; where the books had no address, its parcel."""
    if site.address:
        return site.address
    parcels = ", ".join(parcel.number for parcel in site.parcels.all())
    return f"Parcel {parcels}" if parcels else site.place


# The page of a case -----------------------------------------------------------------------


def earlier_case(request: HttpRequest, permit: EarlierPermit, *, user: User) -> HttpResponse:
    """Show a case of which only the earlier books tell; what they do not say is said so."""
    on, site = clock.today(), permit.site
    events = CaseEvent.objects.filter(site=site).order_by("-occurred_on", "-sequence")
    page = page_of(request, events, per_page=EVENTS_PER_PAGE)
    cover = permit.permanent_cover_deadline(calendar=current_calendar())
    word, tone = standing_words(cover, on) if cover else ("", "")
    batch = permit.row.batch
    context = {
        "permit": permit,
        "site": site,
        "place": place_of(site),
        "on": on,
        "tone": TONES.get(Status(permit.status), "shut"),
        "cover": cover,
        "word": word,
        "word_tone": tone,
        "parcels": list(site.parcels.all()),
        "people": list(permit.parties.all()),
        "row": permit.row,
        "cells": [pair for pair in permit.row.content.items() if pair[1]],
        "batch": batch,
        "batch_url": batch.get_absolute_url() if access.may_see_imports(user) else "",
        "may_settle": access.may_settle_earlier(user) and bool(permit.NEXT[Status(permit.status)]),
        "may_inspect": may_inspect(user),
        "page": page,
        "story": story_of(page.object_list, [], whole=not page.has_other_pages()),
    }
    return render(request, "earlier/case.html", context)


# What became of it ------------------------------------------------------------------------


class SettleForm(forms.Form):
    """What became of an earlier permit, since when, and how that is known."""

    status = forms.ChoiceField(
        label="How does it stand?",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how the permit stands."},
    )
    day = PastDayField(
        label="Since which day?", required=False, help_text="Leave it empty if nobody knows."
    )
    why = Paragraph(
        label="How is that known?",
        help_text="Such as the final inspection of that day, or a letter in the old file.",
        error_messages={"required": "Write how that is known."},
    )

    def __init__(self, data: Any, *, permit: EarlierPermit) -> None:
        super().__init__(data)
        self.permit = permit
        after = permit.NEXT[Status(permit.status)]
        choices = [(each.value, each.label) for each in Status if each in after]
        self.fields["status"].choices = choices  # type: ignore[attr-defined]

    def clean_day(self) -> date | None:
        """Refuse a day before the permit was issued or applied for."""
        day: date | None = self.cleaned_data["day"]
        first = self.permit.issued_on or self.permit.applied_on
        if day and first and day < first:
            raise ValidationError(
                f"The permit's books begin on {first:%B} {first.day}, {first.year}."
            )
        return day


@only(access.may_settle_earlier)
@require_http_methods(["GET", "HEAD", "POST"])
def earlier_settle(request: HttpRequest, number: str) -> HttpResponse:
    """Record what became of an earlier permit: asked, shown, done once."""
    permit = find_earlier(get_object_or_404(Site, number=number))
    if permit is None:
        raise Http404
    form = SettleForm(drafts.data_for(request), permit=permit)
    over = not permit.NEXT[Status(permit.status)]
    refused = (
        NotNow(f"The permit is {permit.get_status_display().lower()} already.") if over else None
    )
    if request.method != "POST" or (refused and step_of(request) != CONFIRM):
        status = 409 if request.method == "POST" else 200
        return _settle_page(request, "settle", permit, form, refused, status)
    if step_of(request) == "change":
        return _settle_page(request, "settle", permit, form)
    if step_of(request) == CONFIRM:
        return _perform(request, permit, form, refused)
    name = "settle_confirm" if form.is_valid() else "settle"
    return _settle_page(request, name, permit, form)


class _NotValid(Exception):
    """What was entered must be looked at again."""


def _perform(
    request: HttpRequest, permit: EarlierPermit, form: SettleForm, over: NotNow | None
) -> HttpResponse:
    """Do it once; a repeat leads to its result, also when nothing more can be done."""

    def run() -> str:
        if not form.is_valid():
            raise _NotValid
        asked = form.cleaned_data
        permit.settle(
            Status(asked["status"]),
            day=asked["day"],
            why=asked["why"],
            by=who(request),
            on=clock.today(),
        )
        return permit.get_absolute_url()

    try:
        return see_other(operations.perform(request, f"earlier.settle {permit.pk}", run))
    except operations.TokenReused as reused:
        return render(request, "desk/sent_before.html", {"result_url": str(reused)}, status=409)
    except NotNow as refused:
        return _settle_page(request, "settle", permit, form, refused, 409)
    except _NotValid:
        return _settle_page(request, "settle", permit, form, over, 409 if over else 200)


def _settle_page(
    request: HttpRequest,
    name: str,
    permit: EarlierPermit,
    form: SettleForm,
    refused: NotNow | None = None,
    status: int = 200,
) -> HttpResponse:
    runs = DocketEntry.objects.of(permit).running().first()
    chosen = dict(Status.choices).get(form.data.get("status", ""), "") if form.is_bound else ""
    context = {
        "permit": permit,
        "site": permit.site,
        "place": place_of(permit.site),
        "form": form,
        "refused": refused,
        "refused_why": [],
        "chosen": chosen,
        "runs": runs,
        "operation": token_of(request),
        "case_url": reverse("case", args=[permit.site.number]),
        "on": clock.today(),
    }
    return render(request, f"earlier/{name}.html", context, status=status)


def find_earlier(site: Site) -> EarlierPermit | None:
    """Return the earlier permit of a site, if it has one."""
    related = ("site", "row__batch__upload", "row__source")
    rows = EarlierPermit.objects.filter(site=site).select_related(*related)
    return rows.defer("row__batch__report").order_by("-pk").first()
