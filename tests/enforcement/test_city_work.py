"""City work: begun under exactly one notice, its costs, its fixed total. Former § 17.19(7)(e)"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction

from enforcement.acts import notices, owner_notices, work
from enforcement.models import (
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
    WorkCost,
)
from permits.models import DocketEntry, NotNow

from . import works
from .appealing import appealed
from .factory import clerk, inspector, lifted, photo

pytestmark = pytest.mark.django_db

# Issued Saturday, November 28, 2026: after day 14, Saturday, December 12, from December 13.
ISSUED, FIRST = date(2026, 11, 28), date(2026, 12, 13)


@pytest.fixture
def notice(order: StopWorkOrder) -> NoticeOfIntent:
    """A notice of intent that stands."""
    return works.intent(order, on=ISSUED)


@pytest.fixture
def owners(order: StopWorkOrder, at) -> OwnerNotice:
    """A notice to the owner whose letter the post accepted on the day it was made."""
    at(date(2026, 11, 16))
    assert order.permit is not None
    made = works.owner_notice(order.permit, on=date(2026, 11, 16))
    (letter,) = owner_notices.letters_of(made)
    works.mailed(letter, on=date(2026, 11, 16))
    made.refresh_from_db()
    return made


@pytest.fixture
def begun(notice: NoticeOfIntent) -> CityWork:
    """Work that is under way."""
    return works.begun(notice, on=FIRST)


def kinds(made: CityWork | NoticeOfIntent | OwnerNotice) -> list[str]:
    return list(made.site.events.values_list("kind", flat=True))  # type: ignore[attr-defined]


def refused(notice: NoticeOfIntent | OwnerNotice, on: date, **fields: object) -> NotNow:
    before = kinds(notice)
    with pytest.raises(NotNow) as refusal:
        works.begun(notice, on=on, **fields)
    assert kinds(notice) == before
    assert not CityWork.objects.exists()
    return refusal.value


# Begin ------------------------------------------------------------------------------------


def test_before_its_day_it_is_refused_with_the_first_lawful_day(notice: NoticeOfIntent) -> None:
    refusal = refused(notice, date(2026, 12, 12))
    assert "Sunday, December 13, 2026" in refusal.obstacles[0].text


def test_on_its_first_day_it_is_begun(notice: NoticeOfIntent) -> None:
    made = works.begun(notice, on=FIRST)
    notice.refresh_from_db()
    assert notice.status == "done"
    assert (made.opened_on, made.begun_on) == (FIRST, FIRST)
    assert not DocketEntry.objects.of(notice).running().exists()
    assert kinds(made).count("city_work.begun") == 1
    assert made.photos_before.count() == 1


def test_a_day_that_is_still_to_come_is_refused(notice: NoticeOfIntent) -> None:
    with pytest.raises(NotNow):
        work.begin(
            notice,
            by=inspector(),
            on=FIRST,
            begun_on=FIRST + timedelta(days=1),
            done_by="crew",
            doer="Street department",
        )


def test_under_a_stay_it_is_refused(notice: NoticeOfIntent) -> None:
    appealed(notice, on=date(2026, 12, 1))
    refusal = refused(notice, date(2027, 2, 1))
    assert [each.key for each in refusal.obstacles] == ["stayed"]


def test_under_a_withdrawn_notice_it_is_refused(notice: NoticeOfIntent) -> None:
    notices.withdraw(notice, by=inspector(), on=date(2026, 12, 1), why="Wrong.")
    assert "withdrawn" in refused(notice, FIRST).obstacles[0].text


def test_under_a_fallen_notice_it_is_refused(notice: NoticeOfIntent) -> None:
    lifted(notice.order, on=date(2026, 12, 1))
    assert "fallen" in refused(notice, FIRST).obstacles[0].text


def test_once_under_one_notice(begun: CityWork) -> None:
    notice = begun.notice_of_intent
    assert notice is not None
    with pytest.raises(NotNow) as refusal:
        works.begun(notice, on=FIRST + timedelta(days=1))
    assert refusal.value.obstacles[0].key == "begun"
    assert CityWork.objects.count() == 1


def test_after_the_mailed_notice_the_safe_day_reckons_with_the_mail(owners: OwnerNotice) -> None:
    # Accepted Monday, November 16: from Friday, November 27; safe from Monday, November 30.
    assert "November 27" in refused(owners, date(2026, 11, 26)).obstacles[0].text
    assert "November 30" in refused(owners, date(2026, 11, 27)).sentence
    made = works.begun(owners, on=date(2026, 11, 27), before_safe_why="Rain tomorrow.")
    assert made.before_safe_why == "Rain tomorrow."
    event = made.site.events.get(kind="city_work.begun")  # type: ignore[attr-defined]
    assert (event.section, event.reason) == ("draws", "Rain tomorrow.")


def test_once_the_order_is_lifted_the_notice_to_the_owner_opens_nothing(
    owners: OwnerNotice, order: StopWorkOrder
) -> None:
    lifted(order, on=date(2026, 11, 20))
    (obstacle,) = refused(owners, date(2026, 12, 7)).obstacles
    assert obstacle.key == "nothing-required"


def row(**fields: object) -> CityWork:
    given = {
        "done_by": "crew",
        "doer": "Crew",
        "begun_on": FIRST,
        "opened_on": FIRST,
        "safe_on": FIRST,
        "begun_by": inspector(),
    }
    return CityWork(**{**given, **fields})


def test_sql_cannot_begin_it_before_its_day(notice: NoticeOfIntent) -> None:
    early = row(site=notice.site, notice_of_intent=notice, begun_on=date(2026, 12, 12))
    with pytest.raises(IntegrityError), transaction.atomic():
        early.save()
    # A first day that was written down falsely: not before the notice was issued.
    false = row(
        site=notice.site,
        notice_of_intent=notice,
        begun_on=ISSUED,
        opened_on=ISSUED,
        safe_on=ISSUED,
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        false.save()


def test_sql_cannot_begin_it_under_no_notice_or_under_two(
    notice: NoticeOfIntent, owners: OwnerNotice
) -> None:
    for fields in ({}, {"notice_of_intent": notice, "owner_notice": owners}):
        with pytest.raises(IntegrityError), transaction.atomic():
            row(site=notice.site, **fields).save()


def test_sql_cannot_begin_it_under_a_notice_that_fell(notice: NoticeOfIntent) -> None:
    lifted(notice.order, on=date(2026, 12, 1))
    with pytest.raises(IntegrityError), transaction.atomic():
        row(site=notice.site, notice_of_intent=notice).save()


# Costs ------------------------------------------------------------------------------------


def test_a_cost_is_quantity_times_rate_to_the_cent(begun: CityWork) -> None:
    cost = works.cost(FIRST, quantity=Decimal("2.50"), rate=Decimal("33.33"))
    made = work.add_cost(begun, cost, by=clerk(), on=FIRST)
    assert made.amount == Decimal("83.33")  # 83.325, half a cent up
    assert begun.sum_of_costs() == Decimal("83.33")
    assert kinds(begun)[-1] == "city_work.cost"


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"proof_words": " "}, "proof"),
        ({"day": date(2026, 12, 12)}, "December 13"),
        ({"day": date(2026, 12, 16)}, "today"),
        ({"quantity": Decimal("0.01"), "rate": Decimal("0.01")}, "one cent"),
    ],
)
def test_a_cost_that_cannot_be_is_refused(begun: CityWork, changes, word: str) -> None:
    cost = works.cost(FIRST, **changes)
    with pytest.raises(NotNow, match=word):
        work.add_cost(begun, cost, by=inspector(), on=date(2026, 12, 15))
    assert not begun.costs.exists()


def test_a_cost_is_taken_back_by_another_row_and_only_once(begun: CityWork) -> None:
    made = work.add_cost(begun, works.cost(FIRST), by=inspector(), on=FIRST)
    with pytest.raises(NotNow):
        work.reverse_cost(made, by=inspector(), on=FIRST, reason="")
    back = work.reverse_cost(made, by=inspector(), on=FIRST, reason="Entered twice.")
    assert back.amount == -made.amount
    assert begun.sum_of_costs() == 0
    assert kinds(begun)[-1] == "city_work.cost_reversed"
    for each in (made, back):
        with pytest.raises(NotNow):
            work.reverse_cost(each, by=inspector(), on=FIRST, reason="Again.")


def test_costs_are_never_changed_or_removed(begun: CityWork) -> None:
    made = work.add_cost(begun, works.cost(FIRST), by=inspector(), on=FIRST)
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkCost.objects.filter(pk=made.pk).update(amount=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkCost.objects.filter(pk=made.pk).delete()


# The end ----------------------------------------------------------------------------------


def test_closing_fixes_the_total_and_makes_the_statement(begun: CityWork) -> None:
    made = works.closed(begun)
    assert (made.status, made.total) == ("closed", Decimal("289.50"))
    assert made.statement is not None
    event = made.site.events.get(kind="city_work.closed")  # type: ignore[attr-defined]
    assert event.facts["total"] == "289.50"
    assert event.facts["path"] == "special-charge"


def test_after_closing_no_cost_is_added_or_taken_back(begun: CityWork) -> None:
    made = works.closed(begun)
    cost = made.costs.get()
    with pytest.raises(NotNow):
        work.add_cost(made, works.cost(FIRST), by=inspector(), on=made.closed_on)  # type: ignore[arg-type]
    with pytest.raises(NotNow):
        work.reverse_cost(cost, by=inspector(), on=made.closed_on, reason="Why.")  # type: ignore[arg-type]
    with pytest.raises(NotNow):
        work.add_photos(made, [photo()], after=True)
    with pytest.raises(NotNow):
        works.closed(made)


def test_sql_cannot_add_a_cost_to_closed_work_or_change_its_total(begun: CityWork) -> None:
    made = works.closed(begun)
    late = WorkCost(
        work=made,
        kind="labor",
        on=FIRST,
        description="x",
        quantity=1,
        unit="hours",
        rate=1,
        amount=1,
        proof_words="x",
        recorded_by=inspector(),
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        late.save()
    statement = "UPDATE enforcement_citywork SET total = 1 WHERE id = %s"
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, [made.pk])


def test_without_a_cost_or_without_a_word_it_is_not_closed(begun: CityWork) -> None:
    with pytest.raises(NotNow) as refusal:
        work.close(begun, by=inspector(), on=FIRST, note="Seeded.")
    assert refusal.value.obstacles[0].key == "no-cost"
    work.add_cost(begun, works.cost(FIRST), by=inspector(), on=FIRST)
    with pytest.raises(NotNow):
        work.close(begun, by=inspector(), on=FIRST, note=" ")
    assert begun.status == "begun"


def test_what_the_money_reads(begun: CityWork, owners: OwnerNotice) -> None:
    charged = works.closed(begun)
    drawn = works.begun(owners, on=date(2026, 12, 14))
    assert list(CityWork.objects.closed()) == [charged]
    drawn = works.closed(drawn)
    assert {each.path for each in CityWork.objects.closed()} == {"special-charge", "escrow"}
    assert list(CityWork.objects.closed().by_path(drawn.path)) == [drawn]
    assert {row.role for row in charged.payers()} <= {"landowner", "permittee"}
    assert [row.role for row in drawn.payers()] == ["landowner"]
    assert sum(cost.amount for cost in charged.costs.all()) == charged.total
