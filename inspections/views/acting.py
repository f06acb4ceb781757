"""What the pages of an act on a site stand on, and the permit that inspections are about."""

from __future__ import annotations

from django.http import Http404

from permits.models import Permit, Site
from permits.views.site_acts import ActView, site_of

__all__ = ["ActView", "issued_permit", "site_of"]


def issued_permit(site: Site) -> Permit:
    """Return the newest permit that was issued for a site, or 404."""
    issued = site.permits.filter(issued_on__isnull=False).select_related("application__applicant")
    permit = issued.order_by("-pk").first()
    if permit is None:
        raise Http404
    permit.site = permit.application.site = site
    return permit
