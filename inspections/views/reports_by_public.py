"""Reports by the public: sent by anybody, read and answered by those who work for the city."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from allauth.core import ratelimit
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from inspections import access
from inspections.acts import complaints
from inspections.forms.report import MOST_PHOTOS, AnswerForm, ReportForm, SiteForm
from inspections.models import Complaint
from inspections.nearby import positions_of, sites_near
from permits.models import NotNow, Site
from permits.views.doors import act_once, only, step_of, token_of, who
from permits.views.pages import page_of
from portal import clock, drafts, files
from portal.models import Preview, Upload
from portal.uploads.collect import Collected, Refusal, collect
from portal.uploads.complete import whole_form_required

__all__ = [
    "report",
    "report_answer",
    "report_case",
    "report_link",
    "report_photo",
    "report_photo_file",
    "report_received",
    "report_site",
    "reports",
]

KEPT = "report photos"
KEPT_SECONDS = 24 * 60 * 60
TOO_MANY = "too_many"


# Anybody ----------------------------------------------------------------------------------


@whole_form_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """Take a report by anybody, without an account; nobody can read what others sent."""
    if request.method != "POST":
        place = request.GET.get("place", "").replace("\x00", "")[:300]
        return _ask(request, ReportForm(kept=[], initial={"place": place}))
    kept = _kept(request)
    if not ratelimit.consume(request, action="report"):
        return _ask(request, ReportForm(request.POST, kept=kept), status=429, too_many=True)
    collected = _collect(request, kept)
    kept = [*kept, *collected.stored]
    form = ReportForm(request.POST, kept=kept)
    form.fields["photos"].take(collected, kept=len(kept))  # type: ignore[attr-defined]
    if not form.is_valid():
        return _ask(request, form, status=collected.status)
    return act_once(request, "report.take", lambda: _take(form))


def _ask(
    request: HttpRequest, form: ReportForm, *, status: int = 200, too_many: bool = False
) -> HttpResponse:
    context = {
        "form": form,
        "kept": form.kept,
        "kept_signed": signing.dumps([upload.pk for upload in form.kept], salt=KEPT),
        "too_many": too_many,
        "operation": token_of(request),
    }
    return render(request, "report/report.html", context, status=status)


def _kept(request: HttpRequest) -> list[Upload]:
    """Return the photos that an earlier try of this form has stored."""
    signed = request.POST.get("kept", "")
    try:
        keys = signing.loads(signed, salt=KEPT, max_age=KEPT_SECONDS) if signed else []
    except signing.BadSignature:
        keys = []
    return list(Upload.objects.filter(pk__in=keys, uploaded_by=None, complaints=None))


def _collect(request: HttpRequest, kept: list[Upload]) -> Collected:
    """Store the photos, as many as there is room for; anything else is refused."""
    sent = request.FILES.getlist("photos")
    room = max(0, MOST_PHOTOS - len(kept))
    request.FILES.setlist("photos", sent[:room])
    collected = collect(request, "photos", by=None, existing=kept)
    for file in sent[room:]:
        why = f"at most {MOST_PHOTOS} photos can be sent with a report."
        collected.refused.append(Refusal(str(file.name), why))
    for upload in [u for u in collected.stored if u.family != Upload.Family.IMAGE]:
        collected.stored.remove(upload)
        why = "only photos can be sent with a report: JPEG, PNG or HEIC."
        collected.refused.append(Refusal(upload.original_name, why))
    return collected


def _take(form: ReportForm) -> str:
    answers, position = form.cleaned_data, form.found_position()
    complaint = complaints.take(
        on=clock.today(),
        what=answers["what"],
        place=answers["place"] or f"At {position}",
        text=answers["text"],
        name=answers["name"],
        contact=answers["contact"],
        latitude=position.latitude if position else None,
        longitude=position.longitude if position else None,
        photos=form.kept,
    )
    return reverse("report_received", args=[complaint.key])


@require_safe
def report_received(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the number of a report and what to do meanwhile; nothing of what was sent."""
    complaint = get_object_or_404(Complaint.objects.only("number", "received_on"), key=key)
    context = {"number": complaint.number, "received_on": complaint.received_on}
    return render(request, "report/received.html", context)


# Those who work for the city --------------------------------------------------------------


@only(access.may_see_visits)
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """List the reports that wait for an answer, the newest first; the others on request."""
    answered = request.GET.get("list") == "answered"
    found = Complaint.objects.filter(answered_on__isnull=not answered).order_by("-pk")
    page = page_of(request, found.select_related("site"))
    return render(request, "report/reports.html", {"page": page, "answered": answered})


@only(access.may_see_visits)
@require_safe
def report_case(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a report with its photos, and the sites that may be meant."""
    return _show(request, _find(key))


def _find(key: UUID) -> Complaint:
    found = Complaint.objects.select_related("site", "answered_by")
    return get_object_or_404(found.prefetch_related("photos__previews"), key=key)


def _show(
    request: HttpRequest, complaint: Complaint, *, status: int = 200, **forms: Any
) -> HttpResponse:
    """Return the page of a report; `forms` are those that need another look."""
    text = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    answer_path = reverse("report_answer", args=[complaint.key])
    context = {
        "complaint": complaint,
        "email": complaints.email_of(complaint),
        "telephone": complaint.contact if _is_telephone(complaint.contact) else "",
        "positions": positions_of(complaint),
        "photos": [(photo, photo.previews.all()[:1]) for photo in complaint.photos.all()],
        "near": sites_near(complaint, text=text),
        "asked": text,
        "may_act": access.may_inspect(request.user),
        "site_form": forms.get("site_form") or SiteForm(initial={"address": complaint.place}),
        "answer_form": forms.get("answer_form") or AnswerForm(drafts.kept(request, answer_path)),
        "refused": forms.get("refused"),
        "operation": token_of(request),
    }
    context["form"] = [form for name, form in forms.items() if name.endswith("form")]
    return render(request, "report/case.html", context, status=status)


def _is_telephone(contact: str) -> bool:
    """Whether somebody left a number that can be called, and nothing else."""
    digits = sum(sign.isdigit() for sign in contact)
    return 7 <= digits <= 15 and not any(sign.isalpha() for sign in contact)


def _act(
    request: HttpRequest, complaint: Complaint, act: str, run: Callable[[], object], said: str
) -> HttpResponse:
    """Do an act on a report once, say what was done, and return to its page."""

    def once() -> str:
        run()
        messages.success(request, said)
        return reverse("report_case", args=[complaint.key])

    try:
        return act_once(request, act, once)
    except NotNow as refused:
        return _show(request, complaint, status=409, refused=refused)


@only(access.may_inspect)
@require_POST
def report_link(request: HttpRequest, key: UUID) -> HttpResponse:
    """Link a report to a site, which is then worth a visit."""
    complaint = _find(key)
    kept = Site.objects.filter(destroyed_on__isnull=True)
    site = get_object_or_404(kept, number=request.POST.get("site", ""))
    by, on = who(request), clock.today()
    said = f"{complaint.number} is linked to {site.place}, which is on the round now."
    return _act(
        request,
        complaint,
        "report.link",
        lambda: complaints.link(complaint, site, by=by, on=on),
        said,
    )


@only(access.may_inspect)
@require_POST
def report_site(request: HttpRequest, key: UUID) -> HttpResponse:
    """Open a site for a report where the city knows none."""
    complaint, form = _find(key), SiteForm(request.POST)
    if not form.is_valid():
        return _show(request, complaint, site_form=form)
    by, on, address = who(request), clock.today(), form.cleaned_data["address"]
    return _act(
        request,
        complaint,
        "report.site",
        lambda: complaints.open_site(complaint, by=by, on=on, address=address),
        f"A site is opened at {address}; it is on the round now.",
    )


@only(access.may_inspect)
@require_http_methods(["GET", "HEAD", "POST"])
def report_answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Answer a report: shown first as it will be sent, then sent once."""
    complaint = _find(key)
    if request.method != "POST":
        return HttpResponseRedirect(reverse("report_case", args=[key]))
    form = AnswerForm(request.POST)
    if not form.is_valid() or step_of(request) == "change":
        return _show(request, complaint, answer_form=form)
    email = complaints.email_of(complaint)
    if step_of(request) != "confirm":
        context = {"complaint": complaint, "form": form, "email": email}
        context |= {"answers": form.cleaned_data, "operation": token_of(request)}
        return render(request, "report/answer.html", context)
    by, on, answers = who(request), clock.today(), form.cleaned_data
    sent = f"The answer goes to {email}." if email else "The answer is on record."
    return _act(
        request,
        complaint,
        "report.answer",
        lambda: complaints.answer(complaint, by=by, on=on, **answers),
        sent,
    )


@only(access.may_see_visits)
@require_safe
def report_photo(request: HttpRequest, key: UUID, photo: UUID) -> HttpResponseBase:
    """Show the picture of a photo that came with a report."""
    found = Preview.objects.filter(upload__key=photo, upload__complaints__key=key)
    return files.serve(request, get_object_or_404(found, page=1))


@only(access.may_see_visits)
@require_safe
def report_photo_file(request: HttpRequest, key: UUID, photo: UUID) -> HttpResponseBase:
    """Hand out a photo as it was sent."""
    return files.serve(request, get_object_or_404(Upload, key=photo, complaints__key=key))
