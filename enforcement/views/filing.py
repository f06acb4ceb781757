"""Filing an appeal: by anybody, with an account or without; and what came on paper.

Nobody can read here what others filed. Former § 17.19(8)
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from allauth.core import ratelimit
from django import forms
from django.core import signing
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from enforcement import appeal_access
from enforcement.acts import appeals as acts
from enforcement.appealable import acts_of
from enforcement.forms.appeal import MOST_FILES, AppealForm, PaperAppealForm
from enforcement.models import Appeal
from inspections.views.acting import site_of
from permits.forms.fields import Line
from permits.models import NotNow, Site
from permits.views.doors import act_once, only, step_of, token_of
from portal import clock, council, known
from portal.models import Upload, User
from portal.uploads.collect import Collected, Refusal, collect
from portal.uploads.complete import whole_form_required

__all__ = ["appeal_begin", "appeal_filed", "appeal_new", "appeal_paper"]

KEPT = "appeal files"
KEPT_SECONDS = 24 * 60 * 60
FILES = "files"


def public_sites() -> Any:
    """Sites of which anybody may know: an application was filed, or work was stopped."""
    known_to_all = Q(filed_on__isnull=False) | Q(stop_work_orders__isnull=False)
    kept = Site.objects.filter(destroyed_on__isnull=True)
    return kept.filter(known_to_all).distinct()


def place_of(site: Site) -> str:
    """Return where a site is: its address, else its parcels; never what was written freely."""
    parcels = ", ".join(site.parcels.values_list("number", flat=True))
    return site.address or (f"Parcel {parcels}" if parcels else f"Site {site.number}")


class FindForm(forms.Form):
    """The number under which the city knows the site."""

    site = Line(
        label="Number of the site",
        max_length=20,
        help_text="It begins with S- and stands on every paper and on the site's public page.",
        error_messages={"required": "Write the number of the site."},
    )

    def clean_site(self) -> str:
        """Refuse a number that the city does not know."""
        number: str = self.cleaned_data["site"].strip().upper()
        if not public_sites().filter(number=number).exists():
            self.add_error("site", "The city knows no such site. Look the site up by its address.")
        return number


@require_safe
def appeal_begin(request: HttpRequest) -> HttpResponse:
    """Say who may appeal what and until when, and lead to the site. Public."""
    form = FindForm(request.GET if "site" in request.GET else None)
    if form.is_bound and form.is_valid():
        return HttpResponseRedirect(reverse("appeal_new", args=[form.cleaned_data["site"]]))
    on = clock.today()
    context = {"form": form, "days": council.appeal_days(on=on), "fee": council.appeal_fee(on=on)}
    return render(request, "appeals/begin.html", context)


@whole_form_required
@require_http_methods(["GET", "HEAD", "POST"])
def appeal_new(request: HttpRequest, number: str) -> HttpResponse:
    """Take an appeal by anybody: shown first with its dates, then filed once. Public."""
    site = get_object_or_404(public_sites(), number=number)
    with known.reading_once():
        return _file(request, site, AppealForm, "appeals/new.html")


@only(appeal_access.may_enter_appeal)
@whole_form_required
@require_http_methods(["GET", "HEAD", "POST"])
def appeal_paper(request: HttpRequest, number: str) -> HttpResponse:
    """Enter an appeal that came on paper, by the day on which it came in."""
    with known.reading_once():
        return _file(request, site_of(request, number), PaperAppealForm, "appeals/paper.html")


def _file(request: HttpRequest, site: Site, kind: type[AppealForm], template: str) -> HttpResponse:
    acts_now, on = acts_of(site), clock.today()
    if not acts_now or request.method != "POST":
        form = kind(acts=acts_now, on=on, initial=_initial(request, kind))
        return _ask(request, site, form, template)
    kept = _kept(request)
    if kind is AppealForm and not ratelimit.consume(request, action="appeal"):
        form = kind(request.POST, acts=acts_now, on=on, kept=kept)
        return _ask(request, site, form, template, status=429, too_many=True)
    collected = _collect(request, kept)
    form = kind(request.POST, acts=acts_now, on=on, kept=[*kept, *collected.stored])
    form.fields[FILES].take(collected, kept=len(form.kept))  # type: ignore[attr-defined]
    if not form.is_valid() or step_of(request) == "change":
        return _ask(request, site, form, template, status=collected.status)
    if step_of(request) != "confirm":
        return _confirm(request, site, form)
    try:
        return act_once(request, "appeal.file", lambda: _take(request, site, form))
    except NotNow as refused:
        return _ask(request, site, form, template, status=409, refused=refused)


def _initial(request: HttpRequest, kind: type[AppealForm]) -> dict[str, Any]:
    """What a person with an account need not type again, and the act a link names."""
    initial = {"act": request.GET.get("act", "")} if request.GET.get("act") else {}
    user = request.user
    if kind is AppealForm and isinstance(user, User) and not user.is_city_staff:
        initial |= {"name": user.name, "email": user.email, "telephone": user.telephone}
    return initial


def _ask(
    request: HttpRequest,
    site: Site,
    form: AppealForm,
    template: str,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {**_shared(request, site, form), "fee": council.appeal_fee(on=clock.today()), **more}
    return render(request, template, context, status=status)


def _confirm(request: HttpRequest, site: Site, form: AppealForm) -> HttpResponse:
    on = form.cleaned_data.get("received_on") or clock.today()
    act = form.chosen
    context = {
        **_shared(request, site, form),
        "act": act,
        "filed_on": on,
        "late": act.is_late(on),
        "answers": form.cleaned_data,
        "fee": council.appeal_fee(on=on),
        "on_paper": isinstance(form, PaperAppealForm),
    }
    return render(request, "appeals/confirm.html", context)


def _shared(request: HttpRequest, site: Site, form: AppealForm) -> dict[str, Any]:
    return {
        "site": site,
        "place": place_of(site),
        "form": form,
        "acts": list(form.acts.values()),
        "kept": form.kept,
        "kept_signed": signing.dumps([upload.pk for upload in form.kept], salt=KEPT),
        "operation": token_of(request),
        "on": clock.today(),
    }


def _take(request: HttpRequest, site: Site, form: AppealForm) -> str:
    answers = form.cleaned_data
    by = request.user if isinstance(request.user, User) else None
    appeal = acts.file(
        site,
        answers["act"],
        appellant=form.appellant(),
        grounds=answers["grounds"],
        relief=answers["relief"],
        on=clock.today(),
        by=by,
        received_on=answers.get("received_on"),
        paper_reason=answers.get("paper_reason", ""),
        attachments=form.kept,
    )
    if isinstance(form, PaperAppealForm):
        return appeal.get_absolute_url()
    return reverse("appeal_filed", args=[appeal.key])


def _kept(request: HttpRequest) -> list[Upload]:
    """Return the files that an earlier try of this form has stored."""
    signed = request.POST.get("kept", "")
    try:
        keys = signing.loads(signed, salt=KEPT, max_age=KEPT_SECONDS) if signed else []
    except signing.BadSignature:
        keys = []
    by = request.user if request.user.is_authenticated else None
    return list(Upload.objects.filter(pk__in=keys, uploaded_by=by))


def _collect(request: HttpRequest, kept: list[Upload]) -> Collected:
    """Store the files, as many as there is room for; the others are refused."""
    sent = request.FILES.getlist(FILES)
    room = max(0, MOST_FILES - len(kept))
    request.FILES.setlist(FILES, sent[:room])
    by = request.user if isinstance(request.user, User) else None
    collected = collect(request, FILES, by=by, existing=kept)
    for file in sent[room:]:
        why = f"at most {MOST_FILES} files can be sent with an appeal."
        collected.refused.append(Refusal(str(file.name), why))
    for upload in [u for u in collected.stored if u.family == Upload.Family.DRAWING]:
        collected.stored.remove(upload)
        why = "send a drawing as a PDF."
        collected.refused.append(Refusal(upload.original_name, why))
    return collected


@require_safe
def appeal_filed(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show where an appeal stands to whoever knows its address; nothing of what was sent."""
    found = Appeal.objects.select_related("site", "peril").defer("grounds", "relief")
    appeal = get_object_or_404(found, key=key)
    if not public_sites().filter(pk=appeal.site_id).exists():
        raise Http404
    context = {
        "appeal": appeal,
        "place": place_of(appeal.site),
        "hearing": appeal.next_hearing(),
        "review": appeal.further_review(),
        "sees_all": appeal_access.may_see_appeal(request.user, appeal),
        "on": clock.today(),
    }
    return render(request, "appeals/filed.html", context)
