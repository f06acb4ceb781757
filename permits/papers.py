"""Papers of a case: each rendered once, in the act that makes it, and kept with its hash."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings

from permits.models import Application, CasePaper, Decision, Party, Permit, PlanRevision
from portal import papers

__all__ = ["denial", "grant_notice", "permit_card", "receipt", "store"]


def receipt(application: Application, *, on: date) -> CasePaper:
    """The receipt of application: all is in, and the date of the decision with its count."""
    return store(
        application,
        CasePaper.Kind.RECEIPT,
        f"Receipt of application {application.number}",
        on=on,
        deadline=application.decision_deadline(),
        fees=list(application.fee_entries.all()),
    )


def denial(decision: Decision) -> CasePaper:
    """The denial with its numbered required changes and the right to appeal. § 40-886(c)"""
    application = decision.application
    return store(
        application,
        CasePaper.Kind.DENIAL,
        f"Denial of application {application.number}, plan revision {decision.revision.number}",
        on=decision.decided_on,
        decision=decision,
        changes=list(decision.changes.all()),
        appeal=decision.appeal_deadline(),
    )


def grant_notice(decision: Decision) -> CasePaper:
    """The notice of grant: conditions, the escrow to post, and the right to appeal."""
    application = decision.application
    return store(
        application,
        CasePaper.Kind.GRANT,
        f"Notice of grant, application {application.number}",
        on=decision.decided_on,
        decision=decision,
        practices=list(decision.practices.all()),
        appeal=decision.appeal_deadline(),
    )


def permit_card(permit: Permit, *, on: date) -> CasePaper:
    """The card to post on the site, with a QR code to its public page. § 40-886"""
    url = settings.PUBLIC_URL + permit.site.get_public_url()
    return store(
        permit.application,
        CasePaper.Kind.PERMIT_CARD,
        f"Erosion control permit {permit.number}",
        on=on,
        permit=permit,
        decision=permit.grant,
        cover=permit.permanent_cover_deadline(),
        permittee=permittee(permit.application),
        device_names=device_names(permit.grant.revision),
        public_url=url,
        qr=papers.qr_code(url),
    )


def permittee(application: Application) -> str:
    """The name on the card: the landowner's, or who else the permit is for; never a number."""
    parties = {party.role: party for party in application.parties.all()}
    for role in (Party.Role.LANDOWNER, Party.Role.LAND_USER, Party.Role.CONTRACTOR):
        if role in parties:
            return parties[role].organization or parties[role].name
    return str(application.applicant)


def device_names(revision: PlanRevision) -> list[str]:
    """The kinds of control devices of a plan, each once."""
    return list(dict.fromkeys(line.get_device_display() for line in revision.devices.all()))


def store(
    application: Application, kind: CasePaper.Kind, title: str, *, on: date, **context: Any
) -> CasePaper:
    """Render `templates/papers/<kind>.html` for a case and enter it in the case file."""
    site = application.site
    document = papers.render(
        f"papers/{kind.value}.html",
        {
            "application": application,
            "site": site,
            "parties": list(application.parties.all()),
            "parcels": list(site.parcels.all()),
            "addressee": addressee(application),
            "on": on,
            "title": title,
            "reference": application.number,
            **context,
        },
        kind=kind.value,
        title=title,
    )
    return CasePaper.objects.create(
        site=site, application=application, kind=kind, document=document
    )


def addressee(application: Application) -> dict[str, str]:
    """Name and address for the envelope's window: the agent's, else the landowner's."""
    parties = {party.role: party for party in application.parties.all()}
    party = parties.get(Party.Role.AGENT) or parties.get(Party.Role.LANDOWNER)
    if party is None:
        return {"name": str(application.applicant), "address": ""}
    return {"name": str(party), "address": party.mailing_address}
