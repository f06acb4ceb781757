"""What a certificate of occupancy makes of the permit's own date, for the reminders of that date.

Both dates run; before July 15 the permit's own is a condition of the permit only, or, by the
inspector's recorded choice, is not enforced at all. Former § 17.19(4)(d)
"""

from __future__ import annotations

from datetime import date

from inspections.models import Certificate
from permits.models import DocketEntry, Permit
from permits.reminders import Beside

__all__ = ["beside_permit_date"]

RULE = "permanent-cover"


def beside_permit_date(entry: DocketEntry, on: date) -> Beside | None:
    """Return how the permit's date stands on a day; None where it stands alone.

    After the limit of a certificate the certificate says no more about it.
    """
    permit = entry.subject if entry.rule == RULE else None
    if not isinstance(permit, Permit):
        return None
    found = [each for each in permit.certificates.all() if _speaks(each, permit, on)]  # type: ignore[attr-defined]
    if not found:
        return None
    words = " ".join(f"{each.building}: {each.beside()}" for each in found)
    return Beside(words, enforced=any(each.is_condition for each in found))


def _speaks(certificate: Certificate, permit: Permit, on: date) -> bool:
    certificate.permit = permit
    winter = certificate.cover_deadline()
    return winter is not None and on <= winter.on and bool(certificate.beside())
