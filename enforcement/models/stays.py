"""The stays an appeal puts on the clocks of the act appealed. Former § 17.19(8)"""

from __future__ import annotations

from django.contrib.contenttypes.models import ContentType
from django.db import models

from portal.ordinance import Stay


def stays_of(subject: models.Model) -> tuple[Stay, ...]:
    """Return every stay of an act, past and present."""
    from .appeal import Appeal

    appeals = Appeal.objects.filter(
        subject_type=ContentType.objects.get_for_model(subject), subject_pk=subject.pk
    ).select_related("peril")
    return tuple(stay for appeal in appeals if (stay := appeal.stay()) is not None)
