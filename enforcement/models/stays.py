"""The stays an appeal puts on the clocks of the act appealed. Former § 17.19(8)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import models

from portal.ordinance import Stay


def stays_of(subject: models.Model) -> tuple[Stay, ...]:
    """Return every stay of an act, past and present."""
    from .appeal import Appeal

    read: tuple[Stay, ...] | None = getattr(subject, "read_stays", None)
    if read is not None:
        return read

    appeals = Appeal.objects.filter(
        subject_type=ContentType.objects.get_for_model(subject), subject_pk=subject.pk
    ).select_related("peril")
    return tuple(stay for appeal in appeals if (stay := appeal.stay()) is not None)


def read_stays(subjects: Sequence[Any]) -> None:
    """Read the stays of acts of one kind in one query: for pages, not for acts."""
    from .appeal import Appeal

    if not subjects:
        return
    appeals = Appeal.objects.filter(
        subject_type=ContentType.objects.get_for_model(subjects[0]),
        subject_pk__in=[each.pk for each in subjects],
    ).select_related("peril")
    found: dict[int, list[Stay]] = {each.pk: [] for each in subjects}
    for appeal in appeals:
        if (stay := appeal.stay()) is not None:
            found[appeal.subject_pk].append(stay)
    for each in subjects:
        each.read_stays = tuple(found[each.pk])
