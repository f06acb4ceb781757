"""Photos sent with a report by the public that was never completed.

Such a photo is stored before the rest of the form is known to be right, so that nobody has to
send it again; whoever goes away leaves it behind, and nothing on record refers to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from portal import clock
from portal.models import Preview, Upload

__all__ = ["forget_unsent_photos"]

KEPT = timedelta(days=7)
"""A form can be completed within a day; a backup that lists the photo finds it for a week."""
AT_ONCE = 500


def forget_unsent_photos(on: date) -> int:
    """Delete photos that nobody's account sent and nothing on record refers to.

    Row and pictures first, the files once that is committed. Returns how many photos went.
    """
    keys = list(_unsent(on).values_list("pk", flat=True)[:AT_ONCE])
    return sum(_forget(key, on) for key in keys)


def _unsent(on: date) -> QuerySet[Upload]:
    old = Upload.objects.filter(uploaded_by=None, uploaded_at__lt=clock.now() - KEPT)
    relations: Iterable[Any] = Upload._meta.related_objects
    for relation in relations:
        if relation.related_model is Preview:
            continue
        model = relation.through if relation.many_to_many else relation.related_model
        name = "upload" if relation.many_to_many else relation.field.name
        old = old.filter(~Exists(model.objects.filter(**{name: OuterRef("pk")})))
    return old.order_by("pk")


@transaction.atomic
def _forget(key: int, on: date) -> int:
    upload = _unsent(on).select_for_update(of=("self",)).filter(pk=key).first()
    if upload is None:  # a report has taken it meanwhile
        return 0
    previews = list(upload.previews.all())
    names = [upload.file.name, *(preview.file.name for preview in previews)]
    for row in (*previews, upload):
        row.delete()
    transaction.on_commit(lambda: _delete_files(names), robust=True)
    return 1


def _delete_files(names: list[str | None]) -> None:
    for name in filter(None, names):
        default_storage.delete(name)
