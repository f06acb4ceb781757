"""Drafting an agreement: begun from the case, filled part by part, looked at before it is sent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from permits.models import MaintenanceAgreement, NotNow
from permits.photos import Photos
from permits.views.site_acts import ActView, site_of
from portal import clock
from portal.models import Upload

from . import access, drafting
from .act_forms import ChangeForm
from .forms import LandForm, PartyForm
from .practice_forms import PracticesForm
from .views import find_agreement, wanting_permit

__all__ = ["Change", "Draft", "Land", "OfAgreement", "Party", "Practices", "one_file"]


GAPS = "What nobody knows yet can stay empty; it is asked for before the draft is sent."


def one_file(form: forms.Form, photos: Photos, *, needed: str = "", drawn: bool = False) -> bool:
    """Whether the files of a form are one at most; with `needed`, ask for it where none came."""
    error = ""
    if len(photos.uploads) > 1:
        error = "Take one file only: put all pages into one PDF, and untick the others."
    elif needed and not photos.uploads:
        error = needed
    elif drawn and any(not _can_be_drawn(each) for each in photos.uploads):
        error = "This file cannot be printed. Take a PDF or a picture."
    if error:
        form.add_error("photos", ValidationError(error, "files"))
    return not error


def _can_be_drawn(upload: Upload) -> bool:
    return upload.previews.exists()


class Draft(ActView):
    """The inspector or the clerk begins an agreement; the case fills it as far as it can."""

    act = "agreement draft"
    template = "agreements/draft.html"
    done_message = "The draft is begun with what the case says. Fill in what is missing."

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        self.permit = wanting_permit(self.site)

    def may(self) -> bool:
        return access.may_keep(self.user)

    def subject(self) -> str:
        return self.site.number

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)

    def why_not(self) -> NotNow | None:
        try:
            drafting.refuse_draft(self.site, permit=self.permit, before=None, on=clock.today())
        except NotNow as refused:
            return refused
        return None

    def context(self) -> dict[str, Any]:
        practices = drafting.from_grant(self.permit) if self.permit else []
        return {"permit": self.permit, "practices": practices}

    def run(self, form: Any) -> str:
        made = drafting.draft(self.site, by=self.user, on=clock.today(), permit=self.permit)
        return made.get_absolute_url()


class OfAgreement(ActView):
    """What the acts on an agreement have in common."""

    agreement: MaintenanceAgreement
    heading = ""
    button = "Go on: see what will happen"
    lede = ""

    def find(self, key: Any) -> None:
        self.agreement = find_agreement(self.request, key)
        self.site = self.agreement.site

    def may(self) -> bool:
        return access.may_keep(self.user)

    def subject(self) -> str:
        return str(self.agreement.key)

    def context(self) -> dict[str, Any]:
        return {
            "agreement": self.agreement,
            "heading": self.heading,
            "button": self.button,
            "lede": self.lede,
        }


class Edit(OfAgreement):
    """A part of the draft is written; nothing of it is a fact before it is sent."""

    button = "Save it"
    done_message = "The draft is saved."

    def why_not(self) -> NotNow | None:
        if self.agreement.status == self.agreement.Status.DRAFTED:
            return None
        own = self.agreement
        return NotNow(f"What it says is fixed: {own.number} is {own.standing_in_words}.")

    def run(self, form: Any) -> str:
        drafting.save_words(self.agreement, answers=form.answers())
        return self.agreement.get_absolute_url()


class Land(Edit):
    """Who signs, which land, and where the recorded original goes."""

    act = "agreement land"
    template = "agreements/act.html"
    heading = "Land and signature"
    lede = f"Who signs as owner, and the land as the deed describes it. {GAPS}"

    def make_form(self, data: Any) -> LandForm:
        return LandForm(data, agreement=self.agreement)


class Party(Edit):
    """Who is responsible, and what the city adds to each provision."""

    act = "agreement party"
    template = "agreements/act.html"
    heading = "Responsible party and provisions"
    lede = (
        "All seven provisions of the ordinance stand in every agreement. You can add to each of "
        "them, and take none away."
    )

    def make_form(self, data: Any) -> PartyForm:
        return PartyForm(data, agreement=self.agreement)


class RowsAct(OfAgreement):
    """An act whose form has rows of practices and of upkeep; a button adds empty ones."""

    takes_photos = True

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.POST.get("step") == "add":
            self.photos = Photos()
            form: Any = self.make_form(request.POST)
            form.add_rows()
            return self.show_form(form)
        return super().post(request, **kwargs)


class Practices(RowsAct, Edit):
    """The practices that stay, what drains to each, their upkeep, and the map."""

    act = "agreement practices"
    template = "agreements/practices.html"
    heading = "Practices, schedule and map"
    lede = (
        "What stays beyond the permit, what drains to it, and what is done at it: how often and "
        "by whom, as the plan says."
    )

    def make_form(self, data: Any) -> PracticesForm:
        return PracticesForm.of(data, self.agreement)

    def is_valid(self, form: Any) -> bool:
        return form.is_valid() and one_file(form, self.photos, drawn=True)

    def run(self, form: Any) -> str:
        new = self.photos.uploads[-1] if self.photos.uploads else None
        drafting.save_words(self.agreement, answers={}, practices=form.practices(), map_upload=new)
        return self.agreement.get_absolute_url()


class Change(OfAgreement):
    """The inspector or the clerk drafts an amendment or a release of what is in force."""

    act = "agreement change"
    template = "agreements/act.html"
    heading = "Amend or release it"
    button = "Begin the draft"
    done_message = "The draft is begun. Say what changes, and why."
    lede = (
        "What is recorded is not rewritten. An amendment or a release is an instrument of its own, "
        "signed and recorded as the first one was. Until it is recorded, this one binds."
    )

    def make_form(self, data: Any) -> ChangeForm:
        return ChangeForm(data)

    def why_not(self) -> NotNow | None:
        try:
            drafting.refuse_draft(self.site, permit=None, before=self.agreement, on=clock.today())
        except NotNow as refused:
            return refused
        return None

    def run(self, form: Any) -> str:
        made = drafting.draft(
            self.site,
            by=self.user,
            on=clock.today(),
            before=self.agreement,
            kind=form.cleaned_data["kind"],
        )
        return reverse("agreement", args=[made.key])
