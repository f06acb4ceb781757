"""The owner's notice, its letters and city work, as a random walk can try them.

Former § 17.19(4)(e), (7)(e)
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from enforcement.acts import owner_notices, work
from enforcement.models import (
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
    WorkCost,
)
from permits import mailroom
from permits.models import Permit
from portal.models import Mailing
from tests.ordinance import slow

from . import slowly, works
from .walked_acts import INSPECTOR, WHY, Act
from .walking import Attempt, Case, Choice

__all__ = ["WORKS"]

CLERK = frozenset({"clerk"})


# The notice to the owner, and the post ----------------------------------------------------


def tell_owner(case: Case, choice: Choice) -> Attempt | None:
    if case.permit is None:
        return None
    permit = Permit.objects.get(pk=case.permit.pk)

    def run() -> None:
        owner_notices.make(
            permit,
            by=case.people["inspector"],
            on=case.today,
            work=works.FENCE,
            estimated_cost=Decimal(1800),
            told=works.told_by_mail(owner_notices.owners_of(permit)),
        )

    late = case.today > slow.rolled(permit.permanent_controls_by)
    standing = StopWorkOrder.objects.filter(permit=permit, status="standing").exists()
    running = OwnerNotice.objects.filter(permit=permit, status="standing").exists()
    return Attempt(
        case.at("owner_notice_new", case.site.number),
        INSPECTOR,
        run,
        (late or standing) and not running,
        ["owner_notice.made"],
    )


def hand_in(case: Case, choice: Choice) -> Attempt | None:
    waiting = Mailing.objects.filter(
        means="us_mail", deposited_on__isnull=True, requires_us_mail=True
    )
    letter = case.one(waiting, choice.which)
    if letter is None:
        return None
    day = case.before(choice.back)

    def run() -> None:
        mailroom.deposit([letter], by=case.people["clerk"], on=day, today=case.today)

    return Attempt(
        case.at("mailing_deposit", letter.pk),
        CLERK,
        run,
        day >= letter.written_on(),
        ["mailing.deposited"],
    )


def take_in(case: Case, choice: Choice) -> Attempt | None:
    rows = Mailing.objects.filter(deposited_on__isnull=False, accepted_on__isnull=True)
    letter = case.one(rows, choice.which)
    if letter is None:
        return None
    day = case.before(choice.back)

    def run() -> None:
        mailroom.accept([letter], by=case.people["clerk"], on=day, today=case.today)

    notice = OwnerNotice.objects.get(number=letter.cause.partition(":")[2])
    last = not rows.filter(cause=letter.cause).exclude(pk=letter.pk).exists()
    starts = ["owner_notice.accepted"] if last and notice.status == "standing" else []
    lawful = day >= letter.deposited_on and slowly.taken_by_the_post(day)
    events = ["mailing.accepted", *starts]
    return Attempt(case.at("mailing_accept", letter.pk), CLERK, run, lawful, events)


# City work --------------------------------------------------------------------------------


def enter(case: Case, choice: Choice) -> Attempt | None:
    found = [
        *NoticeOfIntent.objects.order_by("pk"),
        *OwnerNotice.objects.order_by("pk"),
    ]
    if not found:
        return None
    notice = found[choice.which % len(found)]
    day = case.before(choice.back)

    def run() -> None:
        work.begin(
            notice,
            by=case.people["inspector"],
            on=case.today,
            begun_on=day,
            done_by="crew",
            doer="Street department",
            before_safe_why=WHY if choice.reason else "",
        )

    return Attempt(
        case.at("city_work_new", notice.key),
        INSPECTOR,
        run,
        _may_enter(notice, day, reason=choice.reason),
        ["city_work.begun"],
    )


def _may_enter(notice: NoticeOfIntent | OwnerNotice, day: date, *, reason: bool) -> bool:
    if notice.status != "standing":
        return False
    if isinstance(notice, NoticeOfIntent):
        days, spans = slowly.city_work(notice), slowly.stays(notice.order, notice)
        return notice.order.is_standing and slowly.may(day, days, spans, reason=reason)
    if notice.accepted_on is None or not _still_required(notice, day):
        return False
    spans = slowly.stays_of_owner_notice(notice)
    return slowly.may(day, slowly.draw(notice), spans, reason=reason)


def _still_required(notice: OwnerNotice, day: date) -> bool:
    """Whether an order still stands under the permit, or its own date has passed."""
    standing = StopWorkOrder.objects.filter(permit=notice.permit, status="standing")
    return standing.exists() or day > notice.permit.permanent_controls_by


def add_cost(case: Case, choice: Choice) -> Attempt | None:
    made = case.one(CityWork.objects.all(), choice.which)
    if made is None:
        return None
    day = case.before(choice.back)

    def run() -> None:
        work.add_cost(made, works.cost(day), by=case.people["clerk"], on=case.today)

    lawful = made.status == "begun" and made.begun_on <= day
    roles = INSPECTOR | CLERK
    return Attempt(case.at("work_cost", made.key), roles, run, lawful, ["city_work.cost"])


def take_cost_back(case: Case, choice: Choice) -> Attempt | None:
    cost = case.one(WorkCost.objects.all(), choice.which)
    if cost is None:
        return None

    def run() -> None:
        work.reverse_cost(cost, by=case.people["clerk"], on=case.today, reason="Entered twice.")

    reversed_already = WorkCost.objects.filter(reverses=cost).exists()
    return Attempt(
        case.at("work_cost_reverse", cost.pk),
        INSPECTOR | CLERK,
        run,
        cost.work.status == "begun" and cost.reverses_id is None and not reversed_already,
        ["city_work.cost_reversed"],
    )


def close(case: Case, choice: Choice) -> Attempt | None:
    made = case.one(CityWork.objects.all(), choice.which)
    if made is None:
        return None

    def run() -> None:
        work.close(made, by=case.people["inspector"], on=case.today, note="Seeded.")

    lawful = made.status == "begun" and made.costs.exists()
    return Attempt(case.at("work_close", made.key), INSPECTOR, run, lawful, ["city_work.closed"])


WORKS: tuple[Act, ...] = (
    tell_owner,
    hand_in,
    take_in,
    enter,
    add_cost,
    take_cost_back,
    close,
)
