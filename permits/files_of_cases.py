"""Which files belong to which case: each part of the house names its own.

A file may be read by whoever may see its case. A part above this one registers where it keeps
files when it starts, so that this one need not know it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from permits.models import PlanSheet, Site
from portal.models import Upload, User

__all__ = ["of_sites", "register", "visible_to"]

Source = Callable[[QuerySet[Site]], QuerySet[Any]]


def _sheets(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the files of the plans."""
    return PlanSheet.objects.filter(revision__application__site__in=sites).values("upload")


_sources: list[Source] = [_sheets]


def register(source: Source) -> None:
    """Add a function from sites to the keys of the uploads that belong to them."""
    _sources.append(source)


def of_sites(sites: QuerySet[Site]) -> QuerySet[Upload]:
    """Return the files of some cases."""
    belongs = Q()
    for source in _sources:
        belongs |= Q(pk__in=source(sites))
    return Upload.objects.filter(belongs)


def visible_to(user: User | AnonymousUser) -> QuerySet[Upload]:
    """Return the files of the cases that a person may see."""
    return of_sites(Site.objects.visible_to(user))
