"""Case data in Django's admin: to read only."""

from __future__ import annotations

from permits import models
from portal.admin import ReadOnly, site

site.register(
    [
        models.Application,
        models.CaseEvent,
        models.CasePaper,
        models.Decision,
        models.DocketEntry,
        models.FeeEntry,
        models.HandOver,
        models.Parcel,
        models.Party,
        models.Permit,
        models.PlanRevision,
        models.PlanSheet,
        models.RequiredChange,
        models.Site,
    ],
    ReadOnly,
)
