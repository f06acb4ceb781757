"""The appeals and revision orders that a random walk can try. Former § 17.19(7)(b), (8)"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from enforcement.acts import appeals, board, revision_orders
from enforcement.appealable import acts_of
from enforcement.models import (
    Appeal,
    NoticeOfIntent,
    RevisionOrder,
    RevisionOrderLine,
    Revocation,
    StopWorkOrder,
)
from permits.models import Permit
from tests.ordinance import slow

from . import factory, slowly
from .appealing import NEIGHBOR
from .walked_acts import INSPECTOR, WHY, Act, falls, reinstates
from .walking import ROLES, Attempt, Case, Choice

__all__ = ["REVIEW"]

ANYBODY, BOARD, HOLDER = frozenset(ROLES), frozenset({"board"}), frozenset({"holder"})
OUTCOMES = ("affirmed", "reversed", "modified", "dismissed")


# Appeals ----------------------------------------------------------------------------------


def appeal(case: Case, choice: Choice) -> Attempt | None:
    found = acts_of(case.site)
    if not found:
        return None
    act = found[choice.which % len(found)]
    day = case.before(choice.back)
    paper = {"received_on": day, "paper_reason": "It came by mail."} if choice.back else {}

    def run() -> None:
        appeals.file(
            case.site,
            act.token,
            on=case.today,
            appellant=NEIGHBOR,
            grounds="The fence was never down.",
            by=case.people["board"] if paper else None,
            **paper,
        )

    lawful = day >= slowly.made_on(act.subject)
    address = case.at("appeal_paper" if paper else "appeal_new", case.site.number)
    roles = frozenset({"board", "inspector", "clerk"}) if paper else ANYBODY
    return Attempt(address, roles, run, lawful, ["appeal.filed"])


def certify_peril(case: Case, choice: Choice) -> Attempt | None:
    made = case.one(Appeal.objects.all(), choice.which)
    if made is None:
        return None

    def run() -> None:
        board.certify_peril(made, by=case.people["inspector"], on=case.today, facts=WHY)

    in_time = made.filed_on <= slow.appeal(slowly.made_on(made.subject), 30)[0]
    lawful = made.status == "filed" and in_time and getattr(made, "peril", None) is None
    return Attempt(case.at("appeal_peril", made.key), INSPECTOR, run, lawful, ["appeal.peril"])


def decide(case: Case, choice: Choice) -> Attempt | None:
    made = case.one(Appeal.objects.all(), choice.which)
    if made is None:
        return None
    day = case.before(choice.back)
    outcome = OUTCOMES[choice.how % len(OUTCOMES)]

    def run() -> None:
        board.decide(
            made,
            by=case.people["board"],
            on=case.today,
            filed_on=day,
            outcome=outcome,
            text="The board has heard everybody.",
        )

    undone = _undone(made.subject) if outcome == "reversed" else []
    lawful = made.status == "filed" and made.filed_on <= day
    events = ["appeal.decided", *undone]
    return Attempt(case.at("appeal_decide", made.key), BOARD, run, lawful, events)


def _undone(act: Any) -> list[str]:
    """What falls with an act that the board reverses, as far as it still stands."""
    if isinstance(act, StopWorkOrder) and act.status == "standing":
        return ["stop_work.reversed", *falls(act), *reinstates(act)]
    if isinstance(act, Revocation) and act.reversed_on is None:
        return ["permit.reinstated"]
    if isinstance(act, NoticeOfIntent) and act.status == "standing":
        return ["notice_of_intent.fell"]
    if isinstance(act, RevisionOrder) and act.status == "standing":
        return ["revision_order.reversed"]
    return []


def withdraw_appeal(case: Case, choice: Choice) -> Attempt | None:
    made = case.one(Appeal.objects.all(), choice.which)
    if made is None:
        return None
    day = case.before(choice.back)

    def run() -> None:
        appeals.withdraw(
            made, by=case.people["board"], on=case.today, withdrawn_on=day, reason="By letter."
        )

    lawful = made.status == "filed" and made.filed_on <= day
    address = case.at("appeal_withdraw", made.key)
    return Attempt(address, BOARD, run, lawful, ["appeal.withdrawn"])


# Revision orders --------------------------------------------------------------------------


def order_devices(case: Case, choice: Choice) -> Attempt | None:
    if case.permit is None:
        return None
    permit = Permit.objects.get(pk=case.permit.pk)
    due_on = case.today + timedelta(days=choice.how - 1)

    def run() -> None:
        revision_orders.issue(
            permit,
            by=case.people["inspector"],
            on=case.today,
            cause="rain",
            facts="Mud runs over the north line.",
            lines=[
                revision_orders.Line("silt-fence", "North line", due_on),
                revision_orders.Line("sod", "North slope", case.today + timedelta(days=9)),
            ],
            told=factory.told(case.site, permit),
        )

    lawful = permit.status == "issued" and due_on >= case.today
    address = case.at("revision_order_new", case.site.number)
    return Attempt(address, INSPECTOR, run, lawful, ["revision_order.issued"])


def _line(case: Case, choice: Choice) -> RevisionOrderLine | None:
    found: RevisionOrderLine | None = case.one(
        RevisionOrderLine.objects.select_related("order__site"), choice.which
    )
    return found


def report_device(case: Case, choice: Choice) -> Attempt | None:
    line = _line(case, choice)
    if line is None:
        return None

    def run() -> None:
        revision_orders.report(
            line,
            by=case.people["holder"],
            on=case.today,
            text="Installed.",
            photos=[factory.photo()],
        )

    return Attempt(
        case.at("revision_line_report", line.order.key, line.number),
        HOLDER,
        run,
        line.order.status == "standing" and line.done_on is None,
        ["revision_order.line_reported"],
    )


def confirm_device(case: Case, choice: Choice) -> Attempt | None:
    line = _line(case, choice)
    if line is None:
        return None
    visit = factory.finished_visit(case.site, on=case.today, note="Seen.")
    day = case.before(choice.back)

    def run() -> None:
        revision_orders.confirm(
            line, by=case.people["inspector"], on=case.today, visit=visit, done_on=day
        )

    order = line.order
    left = order.lines.filter(done_on__isnull=True).exclude(pk=line.pk).exists()
    standing = order.status == "standing" and line.done_on is None
    return Attempt(
        case.at("revision_line_confirm", order.key, line.number),
        INSPECTOR,
        run,
        standing and order.issued_on <= day,
        ["revision_order.line_done" if left else "revision_order.done"],
    )


def withdraw_devices(case: Case, choice: Choice) -> Attempt | None:
    order = case.one(RevisionOrder.objects.all(), choice.which)
    if order is None:
        return None

    def run() -> None:
        revision_orders.withdraw(order, by=case.people["inspector"], on=case.today, why="In error.")

    return Attempt(
        case.at("revision_order_withdraw", order.key),
        INSPECTOR,
        run,
        order.status == "standing",
        ["revision_order.withdrawn"],
    )


REVIEW: tuple[Act, ...] = (
    appeal,
    certify_peril,
    decide,
    withdraw_appeal,
    order_devices,
    report_device,
    confirm_device,
    withdraw_devices,
)
