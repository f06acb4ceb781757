"""The clock of each bond and letter of credit that expires, kept on the docket.

Called under the site's lock by every act that posts, renews, replaces or empties one.
"""

from __future__ import annotations

from datetime import date

from escrow.models import Instrument
from permits.models import DocketEntry, Permit

__all__ = ["keep_docket"]


def keep_docket(permit: Permit, *, on: date) -> None:
    """Let a clock run for each instrument held that expires, and end every other one."""
    for item in Instrument.objects.filter(permit=permit, expires_on__isnull=False):
        item.permit = permit
        _keep(item, on)


def _keep(item: Instrument, on: date) -> None:
    wanted = item.clocks()
    running = DocketEntry.objects.of(item).running()
    entry = running.first()
    if entry is not None and not (wanted and entry.fits(wanted[0])):
        running.update(closed_on=on)
        entry = None
    if wanted and entry is None:
        title = f"{item.get_form_display()} {item.instrument_number} of {item.issuer} expires"
        DocketEntry.objects.start(item, wanted[0], title=title[:200])
