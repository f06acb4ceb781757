"""Acts on a destruction list: propose, approve, notice, withdraw. Wis. Stat. § 19.21(4)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.db import transaction

from permits.models import CaseEvent, NotNow, Site
from portal import numbers
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.desk.records import access, papers
from portal.desk.records.facts import facts_of, old_enough
from portal.desk.records.models import DestructionList, ListApproval, ListedCase, SocietyNotice
from portal.desk.records.models.destruction import AT_ONCE
from portal.formats import long_date
from portal.models import User
from portal.ordinance.records import destruction_opens
from portal.ordinance.retention import Retention, retention_of, schedule

__all__ = ["approve", "candidates", "mail_notice", "propose", "waive_notice", "withdraw"]

LOOKED_AT = 100
"""Old cases that are looked at on one page; the next page looks at the next of them."""

Candidate = tuple[Site, Retention]


class Looked(NamedTuple):
    """What was found among the old cases; `last` is the key after which there are more."""

    free: list[Candidate]
    kept: list[Candidate]
    last: int | None


def candidates(on: date, *, after: int = 0) -> Looked:
    """Return the old cases that may be destroyed, and those that something keeps.

    So many at once are looked at, those after a key: what is kept for good in front of the
    others does not hide them.
    """
    sites = list(old_enough(on).filter(pk__gt=after)[: LOOKED_AT + 1])
    last = sites[LOOKED_AT - 1].pk if len(sites) > LOOKED_AT else None
    sites = sites[:LOOKED_AT]
    facts = facts_of([site.pk for site in sites], on=on)
    found = [(site, retention_of(facts[site.pk])) for site in sites]
    free = [each for each in found if each[1].may_be_destroyed(on)]
    kept = [each for each in found if not each[1].may_be_destroyed(on)]
    return Looked(free[:AT_ONCE], kept, last)


def why_no_list(on: date) -> NotNow | None:
    """Say why no list can be made by the schedule on a day, or nothing."""
    if schedule().has_expired(on):
        day = long_date(schedule().expires_on)
        return NotNow(f"The retention schedule expired on {day}. Nothing is destroyed by it.")
    return None


@transaction.atomic
def propose(sites: Sequence[Site], *, by: User, on: date) -> DestructionList:
    """Propose cases for destruction; each is looked at anew under its lock."""
    if refused := why_no_list(on):
        raise refused
    if not 0 < len(sites) <= AT_ONCE:
        raise NotNow(f"Choose at least one case, and at most {AT_ONCE}.")
    locked = [site.lock() for site in sorted(sites, key=lambda each: each.pk)]
    facts = facts_of([site.pk for site in locked], on=on)
    free = set(old_enough(on).filter(pk__in=facts).values_list("pk", flat=True))
    number = numbers.next_number("DL", on=on)
    made = DestructionList.objects.create(
        number=number, schedule=schedule().version, proposed_on=on, proposed_by=by
    )
    for site in locked:
        _add(made, site, retention_of(facts[site.pk]), free=site.pk in free, on=on)
    CaseEvent.objects.append_many(
        CaseEvent.Kind.CASE_LISTED_FOR_DESTRUCTION,
        {site: {"list": number} for site in locked},
        by=by,
        on=on,
    )
    return made


def _add(made: DestructionList, site: Site, kept: Retention, *, free: bool, on: date) -> None:
    if (why := kept.why_not(on)) or not free:
        text = f"Case {site.number} cannot be on the list: something in it has changed."
        raise NotNow(text, why)
    assert kept.closed_on is not None  # what is open, or permanent, was refused above
    assert kept.until is not None
    ListedCase.objects.create(
        list=made,
        site=site,
        number=site.number,
        place=site.place[:300],
        series=kept.series.key,
        closed_on=kept.closed_on,
        kept_until=kept.until,
        steps=list(kept.steps),
    )


def _locked(found: DestructionList, *statuses: str) -> DestructionList:
    """Hold the list and refuse where it has gone on already."""
    now = DestructionList.objects.select_for_update().get(pk=found.pk)
    if now.status not in statuses:
        raise NotNow(f"List {now} is not at this step: {now.get_status_display().lower()}.")
    return now


def why_not_approve(found: DestructionList, user: User) -> NotNow | None:
    """Say why a person cannot approve a list, or nothing."""
    if found.status != DestructionList.Status.PROPOSED:
        return NotNow(f"List {found}: {found.get_status_display().lower()}.")
    if found.proposed_by_id == user.pk:
        return NotNow("You proposed this list. Two other persons approve it.")
    if found.approvals.filter(by=user).exists():
        return NotNow("You have approved it. The other approval is another person's.")
    if found.approvals.filter(role=user.role).exists():
        return NotNow(f"The {user.get_role_display().lower()} has approved it already.")
    return None


@transaction.atomic
def approve(found: DestructionList, *, by: User, on: date) -> ListApproval:
    """Approve a list: attorney and administrator, each once. The second makes the letter."""
    now = _locked(found, DestructionList.Status.PROPOSED)
    assert access.may_approve(by)
    if refused := why_not_approve(now, by):
        raise refused
    made = ListApproval.objects.create(list=now, role=by.role, by=by, on=on)
    if now.approvals.count() == 2:
        now.status = DestructionList.Status.APPROVED
        if now.needs_notice():
            now.letter = papers.letter(now)
        now.save(update_fields=["status", "letter"])
        if now.letter is None:
            words = "Every series on the list is waived (W) by the schedule."
            SocietyNotice.objects.create(
                list=now, on=on, opens_on=on, is_waiver=True, words=words, by=by
            )
    return made


@transaction.atomic
def mail_notice(
    found: DestructionList, *, mailed_on: date, tracking_number: str, by: User
) -> SocietyNotice:
    """Record that the letter went to the society by mail: its sixty days run from that day."""
    now = _locked(found, DestructionList.Status.APPROVED)
    _no_notice_yet(now)
    approved_on = now.approvals.latest("pk").on
    if mailed_on < approved_on:
        raise NotNow(f"The letter was made on {long_date(approved_on)}, not before.")
    period = destruction_opens(
        mailed_on, calendar=current_calendar(), edition=edition_on(mailed_on)
    )
    return SocietyNotice.objects.create(
        list=now, on=mailed_on, opens_on=period.on, tracking_number=tracking_number, by=by
    )


@transaction.atomic
def waive_notice(found: DestructionList, *, words: str, by: User, on: date) -> SocietyNotice:
    """Record that the society has waived its notice for this list, in its own words."""
    now = _locked(found, DestructionList.Status.APPROVED)
    _no_notice_yet(now)
    return SocietyNotice.objects.create(
        list=now, on=on, opens_on=on, is_waiver=True, words=words, by=by
    )


def _no_notice_yet(found: DestructionList) -> None:
    if SocietyNotice.objects.filter(list=found).exists():
        raise NotNow(f"The notice for list {found} is recorded already.")


@transaction.atomic
def withdraw(found: DestructionList, *, why: str, by: User, on: date) -> None:
    """Withdraw a list; nothing on it was destroyed, and each case says that it is kept."""
    now = _locked(found, *DestructionList.RUNNING)
    now.status, now.ended_on, now.ended_by = DestructionList.Status.WITHDRAWN, on, by
    now.ended_why = why
    now.save(update_fields=["status", "ended_on", "ended_by", "ended_why"])
    sites = [each.site.lock() for each in now.cases.select_related("site").order_by("site_id")]
    CaseEvent.objects.append_many(
        CaseEvent.Kind.CASE_KEPT,
        {site: {"list": now.number, "reasons": ["The list was withdrawn."]} for site in sites},
        by=by,
        on=on,
    )
