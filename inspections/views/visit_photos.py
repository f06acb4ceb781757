"""Photos of a visit, sent one by one, each answered with the hash of what is stored."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from inspections import access
from inspections.acts import answers as answer_acts
from inspections.acts import visits as acts
from inspections.models import Visit, VisitPhoto
from inspections.photo_doubts import doubts
from permits.models import NotNow
from permits.views.doors import only, who
from portal.models import Upload, User
from portal.stored import measure
from portal.uploads.collect import collect
from portal.uploads.complete import is_whole
from portal.uploads.names import clean_name

from .visit_page import WHOLE, extra_key, find_line
from .visit_replies import NO_LINE, Amiss, key_of, moment_of, problem, said
from .visit_saving import NOT_A_PHOTO, is_photo
from .visits import find_visit

__all__ = ["visit_photo"]


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
