"""The affidavit of mailing: who swears, what was mailed, when, to whom, and where."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from permits.models import CasePaper, Site
from portal import papers
from portal.models import Mailing, MailingEvent

__all__ = ["affidavit"]


def affidavit(
    site: Site,
    letter: Mailing,
    facts: Mapping[str, MailingEvent],
    *,
    sworn: Mapping[str, str],
    on: date,
) -> CasePaper:
    """Render the affidavit for a letter and enter it in the case file."""
    kind = CasePaper.Kind.MAILING_AFFIDAVIT
    title = f"Affidavit of mailing to {letter.addressee}"[:200]
    application = site.applications.filter(number__isnull=False).order_by("-pk").first()
    document = papers.render(
        "papers/mail_affidavit.html",
        {
            "site": site,
            "letter": letter,
            "lines": [line for line in letter.address.splitlines() if line.strip()],
            "facts": facts,
            "sworn": sworn,
            "on": on,
            "reference": site.number,
        },
        kind=kind.value,
        title=title,
    )
    return CasePaper.objects.create(
        site=site, application=application, kind=kind, document=document
    )
