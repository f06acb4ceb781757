"""The ten days' notice by U.S. mail to the property owner. Former § 17.19(4)(e)

It opens work that is paid from the escrow. Each owner gets a letter, and the days run from
the day on which the post accepted the last of them; the mail room tells it. A notice of
intent never opens this path, and this notice never opens a special charge.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.db import transaction

from enforcement import works_papers
from enforcement.docketing import settle
from enforcement.models import Addressee, NoticeStatus, OwnerNotice, StopWorkOrder
from enforcement.persons import Person, persons_of, plain
from enforcement.telling import refuse_without_address, tell, told_of
from permits.models import DocketEntry, NotNow, OwnerChange, Permit
from portal import city, numbers
from portal.formats import long_date
from portal.mailroom import Fact
from portal.models import Mailing, MailingEvent, User
from portal.ordinance import Deadline, Obstacle
from portal.ordinance.owner_notice import OwnerNoticeFacts, grounds, obstacles_to_owner_notice

__all__ = [
    "CAUSE",
    "MEANS",
    "facts_of",
    "letters_of",
    "make",
    "on_accepted",
    "on_returned",
    "owners_of",
    "parcels_without_owner",
    "why_not",
    "why_required",
    "withdraw",
]

CAUSE = "owner_notice"
MEANS = (Mailing.Means.US_MAIL, Mailing.Means.CERTIFIED)
"""The ordinance says U.S. mail: neither an e-mail nor a messenger takes its place."""


# Facts and reasons ------------------------------------------------------------------------


def facts_of(permit: Permit) -> OwnerNoticeFacts:
    """Gather what the rule asks of a permit.

    Beside the date of a certificate the permit's own is a condition of the permit only: the
    escrow, from which the work would be paid, is not at stake for it. Former § 17.19(4)(d)
    """
    covers: list[Deadline] = []
    for certificate in permit.certificates.all():
        certificate.permit = permit
        covers += certificate.clocks()
    if not covers and (own := permit.permanent_cover_deadline()):
        covers = [own]
    running = permit.owner_notices.filter(status=NoticeStatus.STANDING).first()
    orders = StopWorkOrder.objects.standing().filter(permit=permit)
    return OwnerNoticeFacts(
        issued=permit.status in (Permit.Status.ISSUED, Permit.Status.REVOKED),
        closed=permit.status == Permit.Status.CLOSED,
        covers=tuple(covers),
        cover_met_on=permit.final_inspection_passed_on,
        standing_orders=tuple(orders.order_by("pk").values_list("number", flat=True)),
        running=running.number if running else "",
    )


def why_not(permit: Permit, *, on: date) -> list[Obstacle]:
    """Return every reason why the notice cannot be made on a day."""
    return obstacles_to_owner_notice(facts_of(permit), on=on, edition=city.edition_on(on))


def why_required(permit: Permit, *, on: date) -> list[str]:
    """Return why work is required that the city may complete."""
    return grounds(facts_of(permit), on=on)


def owners_of(permit: Permit) -> list[Person]:
    """Return the owners of the land as known; permittee, user and contractor are others."""
    people = persons_of(permit.site, permit)
    return [person for person in people if person.role == Addressee.Role.LANDOWNER]


def parcels_without_owner(permit: Permit, owners: Sequence[Person]) -> list[str]:
    """Return the parcels of the site for which nobody gets a letter.

    An owner without a parcel number owns all of the site.
    """
    if any(not owner.parcel_number.strip() for owner in owners):
        return []
    covered = {owner.parcel_number.strip() for owner in owners}
    numbers_of_site = permit.site.parcels.values_list("number", flat=True)
    return [number for number in numbers_of_site if number not in covered]


# Acts -------------------------------------------------------------------------------------


@transaction.atomic
def make(
    permit: Permit,
    *,
    by: User,
    on: date,
    work: str,
    estimated_cost: Decimal,
    told: Sequence[tuple[Person, str]],
) -> OwnerNotice:
    """Make the notice with a letter to each owner; no day runs before the post has them."""
    with permit.acting():
        if found := why_not(permit, on=on):
            raise NotNow("The notice to the owner cannot be made yet.", found)
        _refuse(permit, told, work, estimated_cost, on=on)
        because = why_required(permit, on=on)
        notice = OwnerNotice.objects.create(
            number=numbers.next_number("ON", on=on),
            site=permit.site,
            permit=permit,
            because="\n".join(because),
            work=work,
            estimated_cost=estimated_cost,
            made_on=on,
            made_by=by,
        )
        _send(notice, told)
        permit.site.record(
            "owner_notice.made",
            by=by,
            on=on,
            section="draws",
            facts={
                "notice": notice.number,
                "permit": permit.number,
                "because": because,
                "work": work,
                "estimated_cost": estimated_cost,
                "told": [person.name for person, _ in told],
            },
        )
        return notice


def _refuse(
    permit: Permit, told: Sequence[tuple[Person, str]], work: str, cost: Decimal, *, on: date
) -> None:
    refuse_without_address(told, requires_us_mail=True)
    for person, _ in told:
        if person.role != Addressee.Role.LANDOWNER:
            raise NotNow(f"This notice goes to the property owner; {person.name} is not named so.")
    if sold := _left_out(permit, told, on=on):
        raise NotNow(f"The land belongs to {sold}. The notice goes to the property owner.")
    if left := parcels_without_owner(permit, [person for person, _ in told]):
        raise NotNow(f"Nobody is named as owner of parcel {', '.join(left)}.")
    if not work.strip() or cost <= 0:
        raise NotNow("The notice names the work and what it is estimated to cost.")


def _left_out(permit: Permit, told: Sequence[tuple[Person, str]], *, on: date) -> str:
    """Return the owner by a change on record whom the notice would not reach, else nothing."""
    change = OwnerChange.objects.standing(permit.site, on=on)
    if change is None:
        return ""
    name = plain(str(change.owner))
    reached = any(person.plain_name == name for person, _ in told)
    return "" if reached else f"{change.owner} since {long_date(change.from_on)}"


def _send(notice: OwnerNotice, told: Sequence[tuple[Person, str]]) -> None:
    """Make a letter for each owner; each waits in the mail room."""
    for person, means in told:
        paper = works_papers.owner_letter(notice, person, means)
        tell(
            notice,
            [(person, means)],
            cause=f"{CAUSE}:{notice.number}",
            subject_line=f"Notice to the property owner {notice.number}",
            on=notice.made_on,
            paper=paper,
            template="owner_notice",
            requires_us_mail=True,
            notice=notice,
            permit=notice.permit,
            **works_papers.days_of(notice),
        )
        if notice.paper_id is None:
            notice.paper = paper
    notice.save(update_fields=["paper"])


def withdraw(notice: OwnerNotice, *, by: User, on: date, why: str) -> None:
    """Withdraw a notice under which no work was begun; its days end."""
    with notice.acting():
        notice.demand(NoticeStatus.WITHDRAWN)
        if on < notice.made_on:
            raise NotNow(f"The notice was made on {long_date(notice.made_on)}; not before that.")
        if not why.strip():
            raise NotNow("Say why the notice is withdrawn.")
        notice.move_to(NoticeStatus.WITHDRAWN)
        notice.ended_on, notice.ended_why = on, why
        notice.save(update_fields=["status", "ended_on", "ended_why"])
        settle(notice, on=on)
        notice.site.record(
            "owner_notice.withdrawn",
            by=by,
            on=on,
            section="draws",
            reason=why,
            facts={"notice": notice.number, "permit": notice.permit.number},
        )
        _tell_withdrawn(notice, on, why)


def _tell_withdrawn(notice: OwnerNotice, on: date, why: str) -> None:
    """Tell the owners; whoever has the letter must know that it does not stand any more."""
    tell(
        notice,
        told_of(notice),
        cause=f"notice_ended:{notice.number}",
        subject_line=f"Notice to the property owner {notice.number} does not stand any more",
        on=on,
        paper=None,
        template="notice_ended",
        notice=notice,
        why=why,
    )


# What the mail room tells -----------------------------------------------------------------


def letters_of(notice: OwnerNotice) -> list[Mailing]:
    """Return the letters of a notice; one that was served anew counts in place of its first."""
    letters = Mailing.objects.filter(
        reference=notice.site.number, cause=f"{CAUSE}:{notice.number}"
    ).exclude(stage=Mailing.Stage.REPLACED)
    return list(letters.order_by("pk"))


def on_accepted(fact: Fact) -> None:
    """Take note that the post accepted a letter, or that its day is corrected."""
    _count_again(fact)


def on_returned(fact: Fact) -> None:
    """Take note that a letter is served anew: the days wait for the new one."""
    if fact.kind == MailingEvent.Kind.RESERVED:
        _count_again(fact)


def _count_again(fact: Fact) -> None:
    """Let the days run from the last letter accepted, once the post has every one."""
    number = fact.mailing.cause.partition(":")[2]
    notice = OwnerNotice.objects.select_related("site", "permit").get(number=number)
    with notice.acting():
        if notice.status != NoticeStatus.STANDING:
            return  # the days have done their work, or do none any more
        days = [letter.accepted_on for letter in letters_of(notice)]
        known = [day for day in days if day is not None]
        accepted_on = max(known) if known and len(known) == len(days) else None
        if accepted_on == notice.accepted_on:
            return
        _set_accepted(notice, accepted_on, fact)


def _set_accepted(notice: OwnerNotice, accepted_on: date | None, fact: Fact) -> None:
    """Set the day, start the clock anew, and record what the days run from."""
    was, notice.accepted_on = notice.accepted_on, accepted_on
    notice.save(update_fields=["accepted_on"])
    on = fact.on or accepted_on or was
    assert on is not None  # one of them has changed
    DocketEntry.objects.drop(notice, on=on)
    opens = notice.draw_opens()
    settle(notice, on=on)
    notice.site.record(
        "owner_notice.accepted",
        by=fact.by,
        on=on,
        section="draws",
        facts={
            "notice": notice.number,
            "accepted_on": accepted_on,
            "before": was,
            "first_day": opens.on if opens else None,
        },
    )
