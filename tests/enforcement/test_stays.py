"""An appeal stays every clock under the act appealed; the days left run on. Former § 17.19(8)"""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from enforcement.acts import appeals, board, notices, owner_notices, revocation
from enforcement.models import Appeal, NoticeOfIntent, Revocation, StopWorkOrder
from permits.holds import Act
from permits.holds import holds as held
from permits.models import NotNow, Permit
from portal.models import CouncilValue

from . import factory
from .appealing import appealed, date_of, decided, entry_of, holds_true
from .factory import MONDAY, active_permit, inspector, order_standing, order_without_permit, told

pytestmark = pytest.mark.django_db


def days(number: int) -> timedelta:
    return timedelta(days=number)


def test_the_worked_pair_of_the_law_comes_out_on_the_docket() -> None:
    """Issued June 1, appealed June 5, decided July 20: six days left, July 26 is a Sunday."""
    permit = active_permit(issued_on=date(2026, 5, 4))
    order = order_standing(permit, on=date(2026, 6, 1))
    assert date_of(order, "stop-work-compliance") == date(2026, 6, 11)
    appeal = appealed(order, on=date(2026, 6, 5))
    decided(appeal, on=date(2026, 7, 20))
    entry = entry_of(order, "stop-work-compliance")
    assert (entry.on, entry.stayed_days) == (date(2026, 7, 27), 45)
    assert date_of(order, "revocation") == date(2026, 7, 28)
    assert date_of(order, "notice-of-intent") == date(2026, 7, 26)
    count = order.compliance_deadline()
    assert count is not None
    assert "six of ten days left" in count.explanation
    assert "the days that were left run on" in count.explanation
    assert holds_true() == []


def test_at_every_moment_docket_and_models_say_the_same(permit: Permit) -> None:
    order = order_standing(permit)
    assert holds_true() == []
    appeal = appealed(order, on=MONDAY + days(2))
    entry = entry_of(order, "revocation")
    assert (entry.stayed_since, entry.on) == (MONDAY + days(2), MONDAY + days(12))
    assert holds_true() == []
    board.certify_peril(
        appeal, by=inspector(), on=MONDAY + days(5), facts="The slope slides into the creek."
    )
    entry = entry_of(order, "revocation")
    assert (entry.stayed_since, entry.stayed_days) == (None, 3)
    assert holds_true() == []
    decided(appeal, on=MONDAY + days(30))
    assert entry_of(order, "revocation").stayed_days == 3  # the peril had ended the stay
    assert holds_true() == []


def test_a_withdrawn_appeal_lets_the_days_run_on(permit: Permit) -> None:
    order = order_standing(permit)
    appeal = appealed(order, on=MONDAY + days(4))
    appeals.withdraw(appeal, by=factory.board(), on=MONDAY + days(8), reason="By letter.")
    assert entry_of(order, "stop-work-compliance").stayed_days == 4
    assert holds_true() == []


def test_while_it_is_stayed_nothing_is_late_and_nothing_has_opened(permit: Permit) -> None:
    order = order_standing(permit)
    appealed(order, on=MONDAY + days(2))
    later = MONDAY + days(60)
    assert not entry_of(order, "stop-work-compliance").is_late(later)
    assert not entry_of(order, "revocation").has_opened(later)
    opens = order.revocation_opens()
    assert opens is not None
    assert not opens.is_open(later)


def test_two_appeals_by_different_people_are_one_stay_as_long_as_either(permit: Permit) -> None:
    order = order_standing(permit)
    first = appealed(order, on=MONDAY + days(2))
    second = appealed(order, on=MONDAY + days(4))
    decided(first, on=MONDAY + days(10))
    entry = entry_of(order, "stop-work-compliance")
    assert entry.stayed_since == MONDAY + days(4)
    assert holds_true() == []
    appeals.withdraw(second, by=factory.board(), on=MONDAY + days(20))
    entry = entry_of(order, "stop-work-compliance")
    assert (entry.stayed_since, entry.stayed_days) == (None, 18)
    assert holds_true() == []


def test_an_appeal_of_the_order_holds_the_notice_of_intent_and_the_entry(permit: Permit) -> None:
    order = order_standing(permit)
    opens = order.notice_of_intent_opens()
    assert opens is not None
    notice = _notice(order, on=opens.safe_on)
    before = date_of(notice, "city-work")
    appeal = appealed(order, on=opens.safe_on + days(1))
    assert entry_of(notice, "city-work").stayed_since == opens.safe_on + days(1)
    decided(appeal, on=opens.safe_on + days(11))
    assert date_of(notice, "city-work") == before + days(10)
    assert holds_true() == []


def test_an_appeal_of_the_notice_alone_holds_the_entry_and_not_the_order(permit: Permit) -> None:
    order = order_standing(permit)
    opens = order.notice_of_intent_opens()
    assert opens is not None
    notice = _notice(order, on=opens.safe_on)
    appealed(notice, on=opens.safe_on + days(3))
    assert entry_of(notice, "city-work").is_stayed
    assert not entry_of(order, "revocation").is_stayed
    assert holds_true() == []


def _notice(order: StopWorkOrder, *, on: date) -> NoticeOfIntent:
    return notices.issue(
        order,
        by=inspector(),
        on=on,
        work="Put up 240 feet of silt fence and clean the street.",
        estimated_cost=1_800,  # type: ignore[arg-type]
        told=[pair for pair in told(order.site, order.permit) if pair[1] == "us_mail"],
    )


def test_an_appeal_of_order_or_revocation_holds_the_notice_to_the_owner(permit: Permit) -> None:
    order = order_standing(permit)
    notice = owner_notices_row(permit, order)
    before = date_of(notice, "mailed-notice")
    appeal = appealed(order, on=MONDAY + days(3))
    assert entry_of(notice, "mailed-notice").is_stayed
    decided(appeal, on=MONDAY + days(8))
    assert date_of(notice, "mailed-notice") == before + days(5)
    opens = order.revocation_opens()
    assert opens is not None
    revoked = _revoked(order, on=opens.safe_on)
    appealed(revoked, on=opens.safe_on)
    assert entry_of(notice, "mailed-notice").is_stayed
    assert [each.key for each in held(permit.site, Act.DRAW, on=opens.safe_on)] != []
    assert holds_true() == []


def owner_notices_row(permit: Permit, order: StopWorkOrder) -> owner_notices.OwnerNotice:
    """A notice whose letters the post has accepted on the Monday."""
    from enforcement.docketing import settle

    notice = owner_notices.OwnerNotice.objects.create(
        number="ON-2026-T001",
        site=permit.site,
        permit=permit,
        because="The north slope is bare since its date.",
        work="Seed and mat the north slope.",
        estimated_cost=900,
        made_on=MONDAY,
        made_by=inspector(),
        accepted_on=MONDAY,
    )
    settle(notice, on=MONDAY)
    return notice


def _revoked(order: StopWorkOrder, *, on: date) -> Revocation:
    return revocation.revoke(
        order,
        by=inspector(),
        on=on,
        facts="Grading went on.",
        told=told(order.site, order.permit),
    )


def test_an_act_under_a_stay_is_refused_however_many_days_have_passed(permit: Permit) -> None:
    order = order_standing(permit)
    appealed(order, on=MONDAY + days(2))
    with pytest.raises(NotNow):
        _revoked(order, on=MONDAY + days(100))
    permit.refresh_from_db()
    assert permit.status == Permit.Status.ISSUED


# Edges ------------------------------------------------------------------------------------


def test_a_late_appeal_brings_no_stay(permit: Permit) -> None:
    order = order_standing(permit)
    last = order.appeal_deadline().on
    appeal = appealed(order, on=last + days(1))
    assert appeal.is_late
    assert appeal.stay() is None
    assert not entry_of(order, "revocation").is_stayed
    assert appeal.receipt is not None
    event = permit.site.events.latest("sequence")
    assert (event.kind, event.facts["late"], event.facts["stays"]) == ("appeal.filed", True, False)
    assert holds_true() == []


def test_an_appeal_on_a_saturday_that_is_the_last_day_rolls_to_monday() -> None:
    order = order_standing(active_permit(issued_on=date(2026, 5, 4)), on=date(2026, 5, 28))
    deadline = order.appeal_deadline()
    assert date(2026, 5, 28) + days(30) == date(2026, 6, 27)  # a Saturday
    assert deadline.on == date(2026, 6, 29)
    assert not appealed(order, on=date(2026, 6, 29)).is_late
    assert appealed(order, on=date(2026, 6, 30)).is_late


def test_a_stay_lifted_on_a_friday_before_a_holiday_runs_on_over_it() -> None:
    """Two days left on Friday, July 2, 2027: Sunday, July 4; Monday, July 5 is its holiday."""
    permit = active_permit(issued_on=date(2027, 5, 3))
    order = order_standing(permit, on=date(2027, 6, 1))
    appeal = appealed(order, on=date(2027, 6, 9))
    decided(appeal, on=date(2027, 7, 2))
    assert date_of(order, "stop-work-compliance") == date(2027, 7, 6)
    assert date_of(order, "revocation") == date(2027, 7, 7)
    assert holds_true() == []


def test_a_reversed_order_ends_and_its_clocks_with_it(permit: Permit) -> None:
    order = order_standing(permit)
    appeal = appealed(order, on=MONDAY + days(3))
    decided(appeal, on=MONDAY + days(20), outcome="reversed")
    order.refresh_from_db()
    assert order.status == StopWorkOrder.Status.REVERSED
    assert order.clocks() == []
    assert not appeal.is_a_task
    kinds = list(permit.site.events.order_by("sequence").values_list("kind", flat=True))
    assert kinds[-2:] == ["appeal.decided", "stop_work.reversed"]
    assert holds_true() == []


def test_a_decision_entered_after_the_steps_that_it_undoes_undoes_them(permit: Permit) -> None:
    """Filed on a day before the revocation and the notice, which nobody knew then."""
    order = order_standing(permit)
    opens = order.revocation_opens()
    assert opens is not None
    appeal = appealed(order, on=MONDAY + days(2))
    board.certify_peril(appeal, by=inspector(), on=MONDAY + days(2), facts="The slope slides.")
    acted_on = opens.safe_on + days(1)
    revoked, notice = _revoked(order, on=acted_on), _notice(order, on=acted_on)
    decided(appeal, on=acted_on + days(2), filed_on=acted_on - days(1), outcome="reversed")
    for each in (permit, revoked, notice):
        each.refresh_from_db()
    assert permit.status == Permit.Status.ISSUED
    assert (revoked.reversed_on, notice.ended_on) == (acted_on, acted_on)
    assert notice.status == NoticeOfIntent.Status.FALLEN
    assert holds_true() == []


def test_a_reversed_revocation_reinstates_the_permit(permit: Permit) -> None:
    order = order_standing(permit)
    opens = order.revocation_opens()
    assert opens is not None
    revoked = _revoked(order, on=opens.safe_on)
    permit.refresh_from_db()
    assert permit.status == Permit.Status.REVOKED
    appeal = appealed(revoked, on=opens.safe_on + days(1))
    decided(appeal, on=opens.safe_on + days(30), outcome="reversed")
    permit.refresh_from_db()
    revoked.refresh_from_db()
    assert permit.status == Permit.Status.ISSUED
    assert revoked.reversed_on == opens.safe_on + days(30)
    assert holds_true() == []


def test_a_reversed_notice_of_intent_falls_and_its_order_stands(permit: Permit) -> None:
    order = order_standing(permit)
    opens = order.notice_of_intent_opens()
    assert opens is not None
    notice = _notice(order, on=opens.safe_on)
    decided(appealed(notice, on=opens.safe_on), on=opens.safe_on + days(9), outcome="reversed")
    notice.refresh_from_db()
    order.refresh_from_db()
    assert (notice.status, order.is_standing) == (NoticeOfIntent.Status.FALLEN, True)
    assert holds_true() == []


def test_an_order_without_a_permit_is_held_as_well() -> None:
    order = order_without_permit()
    appealed(order, on=MONDAY + days(1))
    assert entry_of(order, "permit-after-stop-work").is_stayed
    assert entry_of(order, "cease-and-desist").is_stayed
    assert holds_true() == []


def test_an_order_posted_while_it_is_appealed_opens_nothing_until_the_appeal_ends() -> None:
    order = factory.order_of_permit(active_permit())
    appeal = appealed(order, on=MONDAY)
    factory.posted_order(order, on=MONDAY + days(1))
    assert entry_of(order, "notice-of-intent").is_stayed
    assert holds_true() == []
    decided(appeal, on=MONDAY + days(5))
    assert date_of(order, "notice-of-intent") == MONDAY + days(15)
    assert holds_true() == []


def test_an_appealed_grant_holds_the_issue_and_an_appealed_denial_nothing(permit: Permit) -> None:
    appeal = appealed(permit.grant, on=permit.grant.decided_on + days(1))
    found = held(permit.site, Act.ISSUE, on=MONDAY)
    assert [each.key for each in found] == [f"appeal-{appeal.number}"]
    assert "before the board" in found[0].text
    appeals.withdraw(appeal, by=factory.board(), on=MONDAY)
    assert held(permit.site, Act.ISSUE, on=MONDAY) == []


def test_the_fee_that_the_council_set_on_the_day_is_due() -> None:
    CouncilValue.objects.create(
        key="appeal_fee", value="150.00", effective_on=MONDAY + days(2), resolution="2026-9"
    )
    order = order_standing(active_permit())
    assert appealed(order, on=MONDAY + days(1)).fee_due == 0
    appeal: Appeal = appealed(order, on=MONDAY + days(2))
    assert (appeal.fee_due, appeal.owes_fee) == (150, True)
    clerk = factory.clerk()
    appeals.pay(appeal, by=clerk, on=MONDAY + days(3), paid_on=MONDAY + days(3), receipt_number="R")
    assert not appeal.owes_fee
    with pytest.raises(NotNow):
        appeals.pay(appeal, by=clerk, on=MONDAY, paid_on=MONDAY, receipt_number="R")
