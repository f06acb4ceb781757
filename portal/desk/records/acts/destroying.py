"""Carrying a destruction list out: each case whole or not at all, looked at anew.

What holds a case in the last moment takes it off the list. What is destroyed leaves its
certificate: the number, the series, the periods, every file by its hash, and the head of the
chain of its record. Wis. Stat. § 19.21(4)
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction

from permits.models import CaseEvent, NotNow, Site
from portal import clock
from portal.desk.records import erasing, files, papers
from portal.desk.records.facts import retention_for
from portal.desk.records.models import (
    DestroyedFile,
    Destruction,
    DestructionList,
    KeptCase,
    ListedCase,
)
from portal.models import User
from portal.ordinance.retention import schedule

from .lists import why_no_list

__all__ = ["Outcome", "carry_out", "why_not"]


@dataclass(frozen=True)
class Outcome:
    """What came of a list."""

    destroyed: list[Destruction]
    kept: list[KeptCase]


def why_not(found: DestructionList, *, on: date) -> NotNow | None:
    """Say why a list cannot be carried out on a day, or nothing."""
    if found.status == DestructionList.Status.PROPOSED:
        return NotNow("Two approvals come first: the attorney's and the administrator's.")
    if found.status != DestructionList.Status.APPROVED:
        return NotNow(f"List {found}: {found.get_status_display().lower()}.")
    notice = getattr(found, "notice", None)
    if notice is None:
        return NotNow("The notice to the historical society comes first, by mail.")
    if not notice.is_open(on):
        return NotNow(f"The society's sixty days run. {notice.opens()}.")
    return why_no_list(on)


def carry_out(found: DestructionList, *, by: User, on: date) -> Outcome:
    """Destroy what is on a list and still may be; the bytes go after the commit."""
    with transaction.atomic():
        now = DestructionList.objects.select_for_update().get(pk=found.pk)
        if refused := why_not(now, on=on):
            raise refused
        destroyed: list[Destruction] = []
        kept: list[KeptCase] = []
        for listed in now.cases.select_related("site", "list").order_by("site_id"):
            done = _one(listed, by=by, on=on)
            if isinstance(done, Destruction):
                destroyed.append(done)
            else:
                kept.append(done)
        now.status, now.ended_on, now.ended_by = DestructionList.Status.DONE, on, by
        now.save(update_fields=["status", "ended_on", "ended_by"])
        keys = [each.pk for each in destroyed]
        transaction.on_commit(lambda: _remove(keys))
    return Outcome(destroyed, kept)


def _remove(keys: list[int]) -> None:
    """Remove the bytes of what was just destroyed; the daily round finishes what is left."""
    files.remove_bytes(DestroyedFile.objects.filter(destruction__in=keys))


def _one(listed: ListedCase, *, by: User, on: date) -> Destruction | KeptCase:
    """Destroy one case, or keep it with each reason; all of it or nothing."""
    with transaction.atomic():
        site = listed.site.lock()
        if reasons := [str(each) for each in retention_for(site, on=on).why_not(on)]:
            return _keep(listed, site, reasons, by=by, on=on)
        return _destroy(listed, site, by=by, on=on)


def _keep(listed: ListedCase, site: Site, reasons: list[str], *, by: User, on: date) -> KeptCase:
    made = KeptCase.objects.create(listed=listed, reasons=reasons, by=by, on=on)
    site.record("case.kept", by=by, on=on, facts={"list": listed.list.number, "reasons": reasons})
    return made


def _destroy(listed: ListedCase, site: Site, *, by: User, on: date) -> Destruction:
    last = CaseEvent.objects.filter(site=site).order_by("-sequence").first()
    assert last is not None  # a case without a record is on no list
    made = Destruction.objects.create(
        listed=listed, site=site, on=on, by=by, events=last.sequence, chain_head=last.hash
    )
    listed_files = files.list_files(made, site)
    site.record("case.destroyed", by=by, on=on, facts=_facts(made, len(listed_files)))
    uploads = files.uploads_of(site)
    made.erased = erasing.erase(site, through=made.events, files=uploads)
    erasing.erase_titles([row.name for row in listed_files])
    made.certificate = papers.certificate(_context(made, listed_files), number=listed.number)
    site.destroyed_on = on
    site.save(update_fields=["destroyed_on"])
    made.erased_at = clock.now()
    made.save(update_fields=["erased", "certificate", "erased_at"])
    return made


def _facts(made: Destruction, count: int) -> dict[str, Any]:
    return {
        "list": made.listed.list.number,
        "through": made.events,
        "head": made.chain_head,
        "files": count,
    }


def _context(made: Destruction, listed_files: list[Any]) -> dict[str, Any]:
    found = made.listed.list
    return {
        "destruction": made,
        "listed": made.listed,
        "list": found,
        "series": schedule().series[made.listed.series],
        "schedule": schedule(),
        "approvals": list(found.approvals.select_related("by")),
        "notice": found.notice,
        "files": listed_files,
        "parcels": list(made.site.parcels.values_list("number", flat=True)),
        "on": made.on,
    }
