"""Photos that come with a form: stored at once, shown again while the rest is amiss.

A photo that was sent stays with the form, whatever else needs another look; its box can be
unticked to leave it out.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from portal import drafts
from portal.models import Upload, User
from portal.uploads.collect import Collected, collect
from portal.uploads.fields import UploadsField

__all__ = ["FIELD", "KEPT", "Photos", "PhotosField", "kept_of", "take"]

FIELD = "photos"
KEPT = "kept_photos"


class PhotosField(UploadsField):
    """Photos from the camera or the album, several at once."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label="Photos",
            required=False,
            help_text="As your phone takes them, HEIC too; several at once. They are kept even if "
            "another answer needs another look.",
            **kwargs,
        )
        self.widget.attrs["accept"] = "image/*,.heic,.heif,.pdf"


@dataclass
class Photos:
    """Photos sent before with this form, and what became of those that come now."""

    kept: list[Upload] = field(default_factory=list)
    collected: Collected = field(default_factory=Collected)

    @property
    def uploads(self) -> list[Upload]:
        """All photos of the form, each once."""
        again = [repeat.upload for repeat in self.collected.repeated]
        found = {each.pk: each for each in [*self.kept, *self.collected.stored, *again]}
        return list(found.values())


def kept_of(request: HttpRequest, by: User) -> Photos:
    """Return the photos that the person sent with this form before, and left ticked."""
    keys = [key for key in map(_read, request.POST.getlist(KEPT)) if key is not None]
    uploads = list(Upload.objects.filter(key__in=keys, uploaded_by=by)) if keys else []
    return Photos([*uploads, *drafts.kept_uploads(request, FIELD)])


def take(request: HttpRequest, by: User) -> Photos:
    """Store the good photos of a form; call it outside a transaction."""
    photos = kept_of(request, by)
    if request.FILES.getlist(FIELD):
        photos.collected = collect(request, FIELD, by=by, existing=photos.kept)
    return photos


def _read(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
