"""The page on which a case is put in one file, and where earlier files are found again."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from permits.forms.fields import OneOf
from permits.models import CaseExport, NotNow, Site
from permits.views.doors import only, who
from portal import clock, files, operations
from portal.desk.acting import token_of
from portal.desk.pages import page_of
from portal.models import User
from portal.stored import NotStored

from .access import audiences_for, may_export, may_see_exports
from .content import find_head
from .making import NOTHING, export
from .tasks import is_large, make_later, waiting_for

__all__ = ["case_file", "case_file_zip"]

NO_STORAGE = (
    "The city\u2019s storage did not answer or did not take the file, so nothing was made. Try "
    "again in a few minutes."
)
LATER = "It is large, so it is made in the background. It stands here when it is ready."

logger = logging.getLogger(__name__)


class AudienceForm(forms.Form):
    """For whom the file is."""

    audience = OneOf(
        label="For whom is it?",
        error_messages={"required": "Choose for whom the file is."},
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = audiences_for(user)
        field: Any = self.fields["audience"]
        field.choices = [
            (value, label) for value, label in CaseExport.Audience.choices if value in allowed
        ]


@only(may_see_exports)
@require_http_methods(["GET", "HEAD", "POST"])
def case_file(request: HttpRequest, number: str) -> HttpResponse:
    """List the files of a case, and make another one."""
    user = who(request)
    site = get_object_or_404(Site.objects.visible_to(user), number=number)
    form = AudienceForm(request.POST if request.method == "POST" else None, user=user)
    refused, status = None, 200
    if request.method == "POST" and form.is_valid():
        try:
            return _make(request, site, form.cleaned_data["audience"], user)
        except NotNow as why:
            refused, status = str(why), 409
        except NotStored as trouble:
            logger.exception("A case file was not made for want of the storage.")
            refused, status = NO_STORAGE, trouble.status
    return _page(request, site, user, form, refused=refused, status=status)


def _make(request: HttpRequest, site: Site, audience: str, user: User) -> HttpResponse:
    """Make the file once for the form that was sent, at once or in the background."""
    here = reverse("case_file", args=[site.number])
    said: list[str] = []

    def run() -> str:
        if is_large(site):
            make_later.enqueue(site.pk, audience, user.pk, clock.today().isoformat())
            said.append(LATER)
        else:
            result = export(site, audience, by=user, on=clock.today())
            said.append(
                f"Nothing has happened in this case since {result.export} was made: it is the same "
                "file, and it stands below."
                if result.again
                else f"{result.export} is made. It stands below, with its hash."
            )
        return here

    try:
        url = operations.perform(request, "export case", run)
    except operations.TokenReused as reused:
        context = {"result_url": str(reused)}
        return render(request, "desk/sent_before.html", context, status=409)
    for sentence in said:
        messages.success(request, sentence)
    return HttpResponseRedirect(url)


def _page(
    request: HttpRequest,
    site: Site,
    user: User,
    form: AudienceForm,
    *,
    refused: str | None,
    status: int,
) -> HttpResponse:
    rows = CaseExport.objects.filter(site=site).select_related("made_by", "document")
    words = dict(CaseExport.Audience.choices)
    context = {
        "site": site,
        "form": form,
        "refused": refused,
        "page": page_of(request, rows),
        "waiting": [(words.get(each, each), why) for each, why in waiting_for(site)],
        "nothing": "" if find_head(site) else NOTHING,
        "may_court": may_export(user, CaseExport.Audience.COURT),
        "has_case": site.applications.exists(),
        "operation": token_of(request),
    }
    return render(request, "case/file.html", context, status=status)


@only(may_see_exports)
@require_safe
def case_file_zip(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Give out a case file that was made, byte for byte."""
    found = CaseExport.objects.select_related("site", "document")
    made = get_object_or_404(found, key=key, site__in=Site.objects.visible_to(request.user))
    if made.document is None:
        raise Http404
    return files.serve(request, made.document, name=f"{made.name}.zip", kind="application/zip")
