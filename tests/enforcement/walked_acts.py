"""The acts that a random walk can try, each with its page, its people and what is right."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from enforcement.acts import notices, orders, requests, revocation
from enforcement.models import (
    CeaseAndDesistRequest,
    NoticeOfIntent,
    RequestStep,
    Revocation,
    StopWorkOrder,
)
from permits.models import Permit

from . import factory, slowly, works
from .walking import Attempt, Case, Choice

__all__ = ["ATTORNEY", "INSPECTOR", "LADDER", "WHY", "Act", "falls", "reinstates"]

INSPECTOR, ATTORNEY = frozenset({"inspector"}), frozenset({"attorney"})
WHY = "The slope slides into the creek."
Act = Callable[[Case, Choice], Attempt | None]


# Orders -----------------------------------------------------------------------------------


def issue(case: Case, choice: Choice) -> Attempt:
    permit = Permit.objects.get(pk=case.permit.pk) if case.permit and choice.how % 4 else None
    told = factory.told(case.site, permit) or [(factory.owner(), "us_mail")]

    def run() -> None:
        orders.issue(
            case.site,
            by=case.people["inspector"],
            on=case.today,
            ground="plan-not-followed" if permit else "no-permit",
            permit=permit,
            told=told,
            **factory.WORDS,
        )

    return Attempt(
        case.at("order_new", case.site.number),
        INSPECTOR,
        run,
        permit is None or permit.status == "issued",
        ["stop_work.issued"],
    )


def post(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(StopWorkOrder.objects.all(), choice.which)
    if order is None:
        return None
    day = case.before(choice.back)

    def run() -> None:
        by, photo = case.people["inspector"], factory.photo()
        orders.post(order, by=by, on=case.today, posted_on=day, place="Gate", photos=[photo])

    lawful = order.is_standing and order.issued_on <= day
    return Attempt(case.at("order_post", order.key), INSPECTOR, run, lawful, ["stop_work.posted"])


def falls(order: StopWorkOrder) -> list[str]:
    standing = NoticeOfIntent.objects.filter(order=order, status="standing").exists()
    return ["notice_of_intent.fell"] if standing else []


def reinstates(order: StopWorkOrder) -> list[str]:
    revoked = Revocation.objects.filter(order=order, reversed_on__isnull=True).exists()
    return ["permit.reinstated"] if revoked else []


def lift(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(StopWorkOrder.objects.all(), choice.which)
    if order is None:
        return None
    visit = factory.finished_visit(case.site, on=case.today, note="All is in order.")

    def run() -> None:
        orders.lift(order, by=case.people["inspector"], on=case.today, visit=visit, why="Obeyed.")

    events = ["stop_work.lifted", *falls(order)]
    return Attempt(case.at("order_lift", order.key), INSPECTOR, run, order.is_standing, events)


def withdraw(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(StopWorkOrder.objects.all(), choice.which)
    if order is None:
        return None

    def run() -> None:
        orders.withdraw(order, by=case.people["inspector"], on=case.today, why="In error.")

    events = ["stop_work.withdrawn", *falls(order), *reinstates(order)]
    return Attempt(case.at("order_withdraw", order.key), INSPECTOR, run, order.is_standing, events)


# What may follow --------------------------------------------------------------------------


def revoke(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(StopWorkOrder.objects.filter(permit__isnull=False), choice.which)
    if order is None:
        return None

    def run() -> None:
        revocation.revoke(
            order,
            by=case.people["inspector"],
            on=case.today,
            facts="Grading went on.",
            told=factory.told(case.site, order.permit),
            before_safe_why=WHY if choice.reason else "",
        )

    days, spans = slowly.revocation(order), slowly.stays(order)
    lawful = (
        order.is_standing
        and order.permit.status == "issued"
        and not Revocation.objects.filter(order=order).exists()
        and slowly.may(case.today, days, spans, reason=choice.reason)
    )
    return Attempt(case.at("revoke", order.key), INSPECTOR, run, lawful, ["permit.revoked"])


def ask_attorney(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(StopWorkOrder.objects.all(), choice.which)
    if order is None:
        return None

    def run() -> None:
        requests.make(
            order,
            by=case.people["inspector"],
            on=case.today,
            facts="Grading went on.",
            before_safe_why=WHY if choice.reason else "",
        )

    days, spans = slowly.request(order), slowly.stays(order)
    lawful = (
        order.is_standing
        and order.permit_id is None
        and not CeaseAndDesistRequest.objects.filter(order=order).exists()
        and slowly.may(case.today, days, spans, reason=choice.reason)
    )
    events = ["cease_and_desist.requested"]
    return Attempt(case.at("request_new", order.key), INSPECTOR, run, lawful, events)


def answer_request(case: Case, choice: Choice) -> Attempt | None:
    request = case.one(CeaseAndDesistRequest.objects.all(), choice.which)
    if request is None:
        return None
    kinds = [kind.value for kind in RequestStep.Kind]
    kind = kinds[choice.how % len(kinds)]
    done = list(request.steps.values_list("kind", flat=True))

    def run() -> None:
        requests.take_step(
            request,
            kind,
            by=case.people["attorney"],
            on=case.today,
            day=case.today,
            court_case="26 CV 114",
            note="As ordered.",
        )

    lawful = "closed" not in done and (
        kind == "closed" if done[-1:] == ["obtained"] else kind in {kinds[len(done)], "closed"}
    )
    return Attempt(
        case.at("request_step", request.key), ATTORNEY, run, lawful, [f"cease_and_desist.{kind}"]
    )


def give_notice(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(StopWorkOrder.objects.all(), choice.which)
    if order is None:
        return None

    def run() -> None:
        notices.issue(
            order,
            by=case.people["inspector"],
            on=case.today,
            work=works.FENCE,
            estimated_cost=Decimal(1800),
            told=works.told_by_mail(notices.persons_for(order)),
            before_safe_why=WHY if choice.reason else "",
        )

    lawful = (
        order.is_standing
        and order.posted_on is not None
        and not order.notices.filter(status__in=["standing", "done"]).exists()
        and slowly.may(
            case.today,
            slowly.notice_of_intent(order),
            slowly.stays(order),
            reason=choice.reason,
        )
    )
    return Attempt(
        case.at("notice_new", order.key), INSPECTOR, run, lawful, ["notice_of_intent.issued"]
    )


def withdraw_notice(case: Case, choice: Choice) -> Attempt | None:
    notice = case.one(NoticeOfIntent.objects.all(), choice.which)
    if notice is None:
        return None

    def run() -> None:
        notices.withdraw(notice, by=case.people["inspector"], on=case.today, why="Not needed.")

    return Attempt(
        case.at("notice_withdraw", notice.key),
        INSPECTOR,
        run,
        notice.status == "standing",
        ["notice_of_intent.withdrawn"],
    )


LADDER: tuple[Act, ...] = (
    issue,
    post,
    lift,
    withdraw,
    revoke,
    ask_attorney,
    answer_request,
    give_notice,
    withdraw_notice,
)
