"""Papers of the money: each rendered once, in the act that makes it, and kept with its hash."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings

from permits.models import Application, CasePaper, Site
from portal import city, papers

__all__ = ["store"]


def store(
    site: Site,
    kind: CasePaper.Kind,
    title: str,
    *,
    on: date,
    reference: str,
    addressee: dict[str, str] | None = None,
    application: Application | None = None,
    **context: Any,
) -> CasePaper:
    """Render `templates/papers/<kind>.html` and enter it in the case file.

    It works for land where nobody applied, too. `addressee` has name and address, for the
    window of the envelope.
    """
    document = papers.render(
        f"papers/{kind.value}.html",
        {
            "site": site,
            "application": application,
            "parcels": list(site.parcels.all()),
            "addressee": addressee,
            "on": on,
            "title": title[:200],
            "reference": reference,
            "edition": city.edition_on(on),
            "city": settings.CITY,
            **context,
        },
        kind=kind.value,
        title=title[:200],
    )
    return CasePaper.objects.create(
        site=site, application=application, kind=kind, document=document
    )
