"""Saving the page of a visit as one form: everything valid is kept, the rest is asked again."""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from inspections.acts import visits as acts
from inspections.models import ChecklistLine, Visit
from portal import drafts
from portal.models import User
from portal.uploads.collect import Collected, collect
from portal.uploads.names import clean_name

from .visit_page import WHOLE, LinePart, VisitPage, extra_key, find_line

__all__ = ["NOT_A_PHOTO", "attach_kept", "is_photo", "save_page", "take_photos"]

NOT_A_PHOTO = "it is not a photo. Photos are JPEG, PNG or HEIC."
JPEG_HEAD, PNG_HEAD = b"\xff\xd8\xff", b"\x89PNG"


def is_photo(file: UploadedFile) -> bool:
    """Whether a file begins as a photo does; what it really is, is looked at when it is stored."""
    if not file.size:
        return True  # the one who stores it says that it is empty, or too big
    file.seek(0)
    head = file.read(12)
    file.seek(0)
    return bool(head.startswith((JPEG_HEAD, PNG_HEAD)) or head[4:8] == b"ftyp")


def take_photos(request: HttpRequest, visit: Visit, user: User) -> list[tuple[str, str]]:
    """Store the good photos of the page and bind them; return what was not taken, and why."""
    refused: list[tuple[str, str]] = []
    for name in list(request.FILES):
        if not (name.startswith("line-") and name.endswith("-photos")):
            continue
        ref = name.removeprefix("line-").removesuffix("-photos")
        sent = request.FILES.getlist(name)
        photos = [file for file in sent if is_photo(file)]
        request.FILES.setlist(name, photos)
        refused += [
            (ref, f"{clean_name(file.name)}: {NOT_A_PHOTO}") for file in sent if file not in photos
        ]
        collected = collect(request, name, by=user)
        refused += [(ref, str(refusal)) for refusal in collected.refused]
        _attach(visit, collected, _line(visit, ref, collected), user)
    return refused


def _line(visit: Visit, ref: str, collected: Collected) -> ChecklistLine | None:
    if ref == WHOLE or not collected.stored:
        return None
    return find_line(visit, ref)


def _attach(visit: Visit, collected: Collected, line: ChecklistLine | None, user: User) -> None:
    for upload in collected.stored:
        acts.attach_photo(visit, upload, by=user, line=line)


def attach_kept(request: HttpRequest, visit: Visit, path: str, refs: list[str]) -> None:
    """Bind the photos that came when the session had ended, once their sender is back."""
    user = request.user
    assert isinstance(user, User)
    for ref in [*refs, WHOLE]:
        for upload in drafts.kept_uploads(request, f"line-{ref}-photos", path):
            line = None if ref == WHOLE else find_line(visit, ref)
            acts.attach_photo(visit, upload, by=user, line=line)


def save_page(page: VisitPage) -> bool:
    """Keep every valid answer that is new; return whether nothing needs another look."""
    described = _save_description(page)
    answered = [_save_line(page, part) for part in [*page.parts, *page.extra]]
    return described and all(answered)


def _save_description(page: VisitPage) -> bool:
    form = page.description
    if form.is_valid() and form.has_changed():
        acts.describe(page.visit, by=page.user, **form.cleaned_data)
    return not form.errors


def _save_line(page: VisitPage, part: LinePart) -> bool:
    form = part.form
    if not form.is_valid():
        return False
    outcome, _ = form.given
    before = (part.mine.outcome, part.mine.note) if part.mine else ("", "")
    if outcome and form.given != before:
        line = part.line or _new_line(page.visit, part.ref)
        outcome, note = form.given
        acts.answer(line, by=page.user, outcome=outcome, note=note)
    return True


def _new_line(visit: Visit, ref: str) -> ChecklistLine:
    key = extra_key(ref)
    assert key is not None
    return acts.extra_line(visit, key)
