"""What a visit's page sends: the whole form without scripts, or one thing at a time with them.

A device that had no signal sends what it kept, each thing under the key it made then. Answers
are JSON: 422 and 409 say what is amiss with one thing, anything else may be sent again.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from inspections import access
from inspections.acts import answers as answer_acts
from inspections.acts import findings as finding_acts
from inspections.acts import visits as acts
from inspections.forms.visit import DescriptionForm, FindingForm, LineForm, SeenForm
from inspections.models import Finding, Visit, VisitPhoto
from inspections.photo_doubts import doubts
from permits.models import NotNow
from permits.views.ways import see_other
from portal import clock, operations
from portal.formats import short_date
from portal.models import Upload, User
from portal.stored import measure
from portal.uploads.collect import collect
from portal.uploads.complete import cut_off, is_whole
from portal.uploads.names import clean_name

from .doors import only, who
from .visit_page import WHOLE, VisitPage, extra_key, find_line
from .visit_saving import NOT_A_PHOTO, is_photo, save_page, take_photos
from .visits import find_visit, show_writing

__all__ = ["visit_finding", "visit_photo", "visit_save", "visit_seen"]

NO_LINE = "This visit has no such line."
FINISH = "finish"
"""What the button says that keeps the page and goes on to the last look."""


class Amiss(Exception):
    """One thing that was sent cannot be kept as it is; says why."""


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, and not a person's browser by itself."""
    return "application/json" in request.headers.get("Accept", "")


def said(**facts: Any) -> JsonResponse:
    """Tell the device that something is kept, and when."""
    return JsonResponse({"at": round(clock.now().timestamp() * 1000), **facts})


def problem(sentence: str, *, status: int = 422, again: bool = False) -> JsonResponse:
    """Tell the device what is amiss; with `again` it sends the same thing once more."""
    return JsonResponse({"problem": sentence, "again": again}, status=status)


def first_error(form: Any) -> str:
    """Return the first thing that is amiss, with the question it belongs to."""
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        return f"{label}: {errors[0]}" if label else str(errors[0])
    return ""


def moment_of(text: Any) -> datetime | None:
    """Read the moment that a device noted; an unreadable one is none."""
    try:
        moment = datetime.fromisoformat(str(text or ""))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def key_of(text: Any) -> uuid.UUID:
    """Read the key of a thing."""
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise Amiss("This came without its key. Enter it again.") from None


# Answers and descriptions -----------------------------------------------------------------


@only(access.may_inspect)
def visit_save(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Keep the page, or one answer; asked with GET, say who is signed in and what stands."""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if request.method != "POST":
        if not wants_json(request):
            return see_other(visit.get_absolute_url())
        status = {"status": visit.status, "number": visit.number or ""}
        return said(person=str(user.pk), csrf=get_token(request), **status)
    if request.content_type == "application/json":
        return _answered(lambda: _save_one(request, visit, user))
    if not is_whole(request):
        return cut_off(request)
    return _save_all(request, visit, user)


def _answered(run: Callable[[], dict[str, Any]]) -> JsonResponse:
    """Do one thing for a device, and tell it how that went."""
    try:
        return said(**run())
    except Amiss as amiss:
        return problem(str(amiss))
    except NotNow as refused:
        return problem(refused.sentence, status=409)
    except operations.TokenReused:
        return problem("This was sent before with other contents.", status=409)


def _save_one(request: HttpRequest, visit: Visit, user: User) -> dict[str, Any]:
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise Amiss("This arrived in a form that cannot be read. Enter it again.")
    texts = {name: "" if value is None else str(value) for name, value in sent.items()}
    key, at = key_of(texts.get("key")), moment_of(texts.get("at"))
    if texts.get("kind") == "description":
        return _keep_description(visit, user, texts, key, at)
    return _keep_answer(visit, user, texts, key, at)


def _keep_description(
    visit: Visit, user: User, texts: dict[str, str], key: uuid.UUID, at: datetime | None
) -> dict[str, Any]:
    form = DescriptionForm(visit, texts)
    if not form.is_valid():
        raise Amiss(first_error(form))
    acts.describe(visit, by=user, key=key, written_at=at, **form.cleaned_data)
    return {"key": str(key)}


def _keep_answer(
    visit: Visit, user: User, texts: dict[str, str], key: uuid.UUID, at: datetime | None
) -> dict[str, Any]:
    form = LineForm(texts)
    if not form.is_valid() or not form.cleaned_data["outcome"]:
        raise Amiss(first_error(form) or "Choose how it is.")
    line = find_line(visit, texts.get("line", ""), at=at)
    if line is None:
        raise Amiss(NO_LINE)
    outcome, note = form.given
    acts.answer(line, by=user, outcome=outcome, note=note, key=key, answered_at=at)
    return {"key": str(key), "line": line.ref}


def _save_all(request: HttpRequest, visit: Visit, user: User) -> HttpResponse:
    """Keep everything of the page that is valid; show it again where something is amiss."""
    refusals: list[tuple[str, str]] = []
    try:
        refusals = take_photos(request, visit, user)
        page = VisitPage(visit, user, request.POST)
        page.refusals = refusals
        good = save_page(page)
    except NotNow as refused:
        return _again(request, visit, user, refusals, refused)
    if not good or refusals:
        return _again(request, visit, user, refusals)
    messages.success(request, "Saved.")
    return see_other(_place(visit, request.POST.get("then", "")))


def _again(
    request: HttpRequest,
    visit: Visit,
    user: User,
    refusals: list[tuple[str, str]],
    refused: NotNow | None = None,
) -> HttpResponse:
    """Show the page again with everything that was typed."""
    page = VisitPage(visit, user, request.POST)
    page.refusals = refusals
    return show_writing(request, page, refused=refused, status=409 if refused else 200)


def _place(visit: Visit, ref: str) -> str:
    """Return where on the page to go on."""
    url = visit.get_absolute_url()
    if ref == FINISH:
        return reverse("visit_finish", args=[visit.key])
    return f"{url}#line-{ref}" if ref.replace("-", "").isalnum() else url


# Photos -----------------------------------------------------------------------------------


@only(access.may_inspect)
@require_POST
def visit_photo(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Keep one photo byte for byte, and answer with the hash of what is stored."""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if not is_whole(request):
        return problem("The line broke while the photo was sent.", status=400, again=True)
    try:
        return _keep_photo(request, visit, user)
    except Amiss as amiss:
        return problem(str(amiss))
    except NotNow as refused:
        return problem(refused.sentence, status=409)


def _keep_photo(request: HttpRequest, visit: Visit, user: User) -> JsonResponse:
    key, at = key_of(request.POST.get("key")), moment_of(request.POST.get("at"))
    known = visit.photos.select_related("upload").filter(key=key).first()
    if known is not None:
        return _photo_kept(known)
    answer_acts.check_open(visit, at)
    ref = request.POST.get("line") or WHOLE
    if ref != WHOLE and not extra_key(ref) and find_line(visit, ref) is None:
        raise Amiss(NO_LINE)
    taken = _take(request, user)
    if isinstance(taken, JsonResponse):
        return taken
    line = None if ref == WHOLE else find_line(visit, ref, at=at)
    photo = acts.attach_photo(visit, taken, by=user, line=line, key=key, taken_at=at)
    return _photo_kept(photo)


def _take(request: HttpRequest, user: User) -> Upload | JsonResponse:
    """Store the photo if it is one and arrived as it was sent."""
    file, told = request.FILES.get("photo"), request.POST.get("sha256", "")
    if file is None:
        raise Amiss("No photo came with this.")
    if not is_photo(file):
        raise Amiss(f"{clean_name(file.name)}: {NOT_A_PHOTO}")
    whole = file.size and not getattr(file, "disk_full", False)
    if told and whole and _arrived(file) and measure(file)[0] != told:
        return problem("The photo arrived damaged.", status=400, again=True)
    collected = collect(request, "photo", by=user)
    if collected.stored:
        return collected.stored[0]
    again = collected.status != 200  # the storage's fault, not the photo's
    status = collected.status if again else 422
    return problem(str(collected.refused[0]), status=status, again=again)


def _arrived(file: Any) -> bool:
    """Whether the whole file was taken; of one that is too big only the size is known."""
    file.seek(0, 2)
    arrived = file.tell() == file.size
    file.seek(0)
    return bool(arrived)


def _photo_kept(photo: VisitPhoto) -> JsonResponse:
    upload = photo.upload
    return said(
        key=str(photo.key),
        sha256=upload.sha256,
        size=upload.size,
        doubts=doubts(upload, photo.visit),
    )


# Findings ---------------------------------------------------------------------------------


@only(access.may_inspect)
@require_POST
def visit_finding(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Record what is wrong on a line, and by when it must be right. Former § 17.19(7)(a)"""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if wants_json(request):
        return _answered(lambda: _record_one(request, visit, user))
    if not is_whole(request):
        return cut_off(request)
    ref = request.POST.get("finding", "")
    return _with_the_page(
        request, visit, f"finding-{ref}", lambda: _record_from_page(request, visit, ref)
    )


def _record_one(request: HttpRequest, visit: Visit, user: User) -> dict[str, Any]:
    at = moment_of(request.POST.get("at"))

    def run() -> str:
        line = find_line(visit, request.POST.get("line", ""), at=at)
        form = FindingForm(visit, line, request.POST, note=request.POST.get("note", ""))
        return _record(visit, user, form, at)

    url = operations.perform(request, f"finding.record {visit.key}", run)
    finding = visit.findings.get(number=int(url.rpartition("-")[2]))
    return {"url": url, "text": in_words(finding)}


def in_words(finding: Finding) -> str:
    """Say in a sentence what was recorded."""
    what = f"Finding {finding.number}, to be corrected by {short_date(finding.correct_by)}"
    return f"{what}: {finding.what}"


def _record(visit: Visit, user: User, form: FindingForm, at: datetime | None) -> str:
    if form.line is None:
        raise Amiss(NO_LINE)
    if not form.is_valid():
        raise Amiss(first_error(form))
    answer_acts.check_open(visit, at)
    finding = finding_acts.record(visit, by=user, line=form.line, **form.cleaned_data)
    return finding.visit.get_absolute_url() + f"#finding-{finding.number}"


def _record_from_page(request: HttpRequest, visit: Visit, ref: str) -> str:
    user = who(request)
    note = request.POST.get(f"line-{ref}-note", "")
    line = find_line(visit, ref)
    form = FindingForm(visit, line, request.POST, prefix=f"finding-{ref}", note=note)
    return _record(visit, user, form, None)


def _with_the_page(
    request: HttpRequest, visit: Visit, part: str, run: Callable[[], str]
) -> HttpResponse:
    """Keep the page first, so that nothing typed is lost, then do one part of it once."""
    user = who(request)
    refusals: list[tuple[str, str]] = []
    try:
        refusals = take_photos(request, visit, user)
        if not save_page(VisitPage(visit, user, request.POST)) or refusals:
            return _again(request, visit, user, refusals)
        _choose_token(request, part)
        url = operations.perform(request, f"visit {visit.key}", run)
    except Amiss:
        return _again(request, visit, user, refusals)
    except NotNow as refused:
        return _again(request, visit, user, refusals, refused)
    except operations.TokenReused as reused:
        context = {"result_url": str(reused)}
        return render(request, "desk/sent_before.html", context, status=409)
    messages.success(request, "Saved.")
    return see_other(url)


def _choose_token(request: HttpRequest, part: str) -> None:
    """Let the token of the part that was sent stand for the whole form."""
    post = request.POST.copy()
    post[operations.FIELD] = post.get(f"{part}-{operations.FIELD}", "")
    request.POST = post  # type: ignore[assignment]


@only(access.may_inspect)
@require_POST
def visit_seen(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Say of an earlier finding that it still stands, or that it is corrected."""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if wants_json(request):
        finding, what = request.POST.get("finding"), request.POST.get("seen", "")
        how, at = request.POST.get("how", ""), moment_of(request.POST.get("at"))

        def run() -> str:
            return _see(visit, user, finding, what, how, at)

        return _answered(
            lambda: {
                "url": operations.perform(request, f"finding.seen {visit.key}", run),
                "text": "",
            }
        )
    if not is_whole(request):
        return cut_off(request)
    what, _, finding = request.POST.get("seen", "").partition(":")
    how = request.POST.get(f"seen-{finding}-how", "")
    return _with_the_page(
        request,
        visit,
        f"seen-{finding}",
        lambda: _see(visit, who(request), finding, what, how, None),
    )


def _see(visit: Visit, user: User, key: Any, what: str, how: str, at: datetime | None) -> str:
    form = SeenForm({"how": how})
    if not form.is_valid():
        raise Amiss(first_error(form))
    finding = get_object_or_404(Finding, key=key_of(key), site=visit.site)
    answer_acts.check_open(visit, at)
    if what == "corrected":
        finding_acts.confirm(
            finding,
            by=user,
            on=clock.today(),
            how=form.cleaned_data["how"] or f"Seen at the visit of {short_date(visit.visited_on)}",
            corrected_on=visit.visited_on,
        )
    elif what == "again":
        finding_acts.see_again(finding, visit, by=user)
    else:
        raise Amiss("Say whether it still stands or is corrected.")
    return visit.get_absolute_url() + "#earlier"
