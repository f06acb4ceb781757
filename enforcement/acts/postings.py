"""A posting that was recorded wrong: its correction is a row of its own. Former § 17.19(7)(a), (e)

The old row stays. The days to a notice of intent are counted again from the corrected day,
and everybody who was told of the order is told.
"""

from __future__ import annotations

from datetime import date

from django.db import transaction

from enforcement import papers, telling
from enforcement.docketing import settle
from enforcement.models import NoticeStatus, Posting, StopWorkOrder
from permits.models import CaseEvent, DocketEntry, NotNow
from portal.city import say
from portal.formats import long_date
from portal.models import User

__all__ = ["correct", "why_not_correct"]


def why_not_correct(posting: Posting) -> str:
    """Return why a posting cannot be corrected any more, or nothing while it can.

    Once a later step stands, people rely on the day it was counted from.
    """
    order = posting.order
    if not order.is_standing:
        return f"The order is {order.get_status_display().lower()}."
    if Posting.objects.filter(corrects=posting).exists():
        return "This entry was corrected already; correct the newer one."
    later = _later_steps(order)
    if not later:
        return ""
    verb = "stands" if len(later) == 1 else "stand"
    return f"{' and '.join(later)} {verb} on order {order} as it was posted."


def _later_steps(order: StopWorkOrder) -> list[str]:
    found = []
    revocation = getattr(order, "revocation", None)
    if revocation is not None and revocation.reversed_on is None:
        found.append(f"The revocation of {long_date(revocation.revoked_on)}")
    if request := getattr(order, "request", None):
        day = long_date(request.requested_on)
        found.append(say("The request to the {attorney} of ") + day)
    live = (NoticeStatus.STANDING, NoticeStatus.DONE)
    found += [f"Notice of intent {each}" for each in order.notices.filter(status__in=live)]
    return found


@transaction.atomic
def correct(
    posting: Posting, *, by: User, on: date, posted_on: date, place: str, reason: str
) -> Posting:
    """Record the right day and place of a posting; the photos stay its proof.

    Raises NotNow where a later step stands on it, or where nothing is changed.
    """
    order = posting.order
    with order.acting():
        if why := why_not_correct(posting):
            raise NotNow(why)
        if posted_on < order.issued_on:
            issued = long_date(order.issued_on)
            raise NotNow(f"The order was issued on {issued}; it cannot have been posted before.")
        if posted_on > on:
            raise NotNow(f"{long_date(posted_on)} is still to come.")
        if not reason.strip() or not place.strip():
            raise NotNow("Say where the placard hangs, and why the entry is corrected.")
        if (posted_on, place) == (posting.posted_on, posting.place):
            raise NotNow("Nothing is changed: this is what stands on record already.")
        row = Posting.objects.create(
            order=order,
            posted_on=posted_on,
            place=place,
            posted_by=by,
            corrects=posting,
            reason=reason,
        )
        row.photos.set(posting.photos.all())
        counts = _root(row) == _first(order)
        if counts:
            order.posted_on = posted_on
            order.save(update_fields=["posted_on"])
            settle(order, on=on)
            _count_again(order)
        _record(row, by=by, on=on, counts=counts)
        _tell(row, on=on, counts=counts)
        return row


def _root(posting: Posting) -> Posting:
    while posting.corrects is not None:
        posting = posting.corrects
    return posting


def _first(order: StopWorkOrder) -> Posting | None:
    """The posting that counts, as it was first recorded."""
    return order.postings.filter(corrects__isnull=True).order_by("pk").first()


def _count_again(order: StopWorkOrder) -> None:
    DocketEntry.objects.count_again(order)
    for count in order.clocks():
        running = DocketEntry.objects.of(order).running().filter(rule=count.key)
        running.update(started_on=count.started_on)


def _record(row: Posting, *, by: User, on: date, counts: bool) -> None:
    order, old = row.order, row.corrects
    assert old is not None
    order.site.record(
        "stop_work.posted",
        by=by,
        on=on,
        section="enforcement",
        reason=row.reason,
        facts={
            "order": order.number,
            "place": row.place,
            "day": row.posted_on,
            "photos": [photo.sha256 for photo in row.photos.all()],
            "first": counts,
            "posting": row.pk,
            "corrects": _event_of(old),
            "was_place": old.place,
            "was_day": old.posted_on,
        },
    )


def _event_of(posting: Posting) -> int | None:
    """The place in the record of the event that told of a posting."""
    events = posting.order.site.events.filter(
        kind=CaseEvent.Kind.STOP_WORK_POSTED, facts__order=posting.order.number
    )
    for event in events.order_by("-sequence"):
        named = event.facts.get("posting")
        on_its_day = event.occurred_on == posting.posted_on
        here = event.facts.get("place", posting.place) == posting.place
        if named == posting.pk or (named is None and on_its_day and here):
            return int(event.sequence)
    return None


def _tell(row: Posting, *, on: date, counts: bool) -> None:
    order = row.order
    told = telling.told_of(order)
    if not told:
        return
    telling.tell(
        order,
        told,
        cause=f"posting_corrected:{order.number}:{row.pk}",
        subject_line=f"When stop-work order {order.number} was posted is corrected",
        on=on,
        paper=None,
        template="posting_corrected",
        order=order,
        order_url=papers.public_url(order),
        posting=row,
        was=row.corrects,
        clock=order.notice_of_intent_opens() if counts else None,
    )
