"""The notice of intent to perform work. Former § 17.19(7)(e)"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction

from enforcement.acts import notices, orders
from enforcement.models import Addressee, NoticeOfIntent, StopWorkOrder
from permits.models import DocketEntry, NotNow, Permit
from portal.models import Mailing, OutboxMessage

from . import works
from .factory import (
    active_permit,
    finished_visit,
    inspector,
    lifted,
    order_of_permit,
    order_standing,
    owner,
    posted_order,
)

pytestmark = pytest.mark.django_db

# The factory's Monday is November 16, 2026. Posted that day, day 10 is Thanksgiving,
# November 26: the notice may be issued from that day, safely from Saturday, November 28.
FIRST, SAFE = date(2026, 11, 26), date(2026, 11, 28)


def kinds(order: StopWorkOrder) -> list[str]:
    return list(order.site.events.values_list("kind", flat=True))  # type: ignore[attr-defined]


def refused(order: StopWorkOrder, **fields: object) -> NotNow:
    before = kinds(order)
    with pytest.raises(NotNow) as refusal:
        works.intent(order, **fields)  # type: ignore[arg-type]
    assert kinds(order) == before
    assert not NoticeOfIntent.objects.exists()
    return refusal.value


# When -------------------------------------------------------------------------------------


def test_the_days_are_those_of_the_calendar(order: StopWorkOrder) -> None:
    opens = order.notice_of_intent_opens()
    assert opens is not None
    assert (opens.on, opens.safe_on) == (FIRST, date(2026, 11, 28))


def test_before_its_day_it_is_refused_with_the_first_lawful_day(order: StopWorkOrder) -> None:
    refusal = refused(order, on=date(2026, 11, 25))
    assert any("Thursday, November 26, 2026" in each.text for each in refusal.obstacles)


def test_between_the_first_and_the_safe_day_it_wants_a_reason(order: StopWorkOrder) -> None:
    assert "say why it cannot wait" in refused(order, on=FIRST).sentence
    notice = works.intent(order, on=FIRST, before_safe_why="Rain is forecast for Saturday.")
    assert notice.before_safe_why == "Rain is forecast for Saturday."
    (event,) = order.site.events.filter(kind="notice_of_intent.issued")  # type: ignore[attr-defined]
    assert event.reason == "Rain is forecast for Saturday."


def test_a_reason_that_was_not_needed_is_not_kept(order: StopWorkOrder) -> None:
    assert works.intent(order, on=SAFE, before_safe_why="Rain.").before_safe_why == ""


def test_issued_saturday_posted_monday_the_days_count_from_monday() -> None:
    order = order_of_permit(active_permit(), on=date(2026, 10, 17))
    posted_order(order, on=date(2026, 10, 19))
    opens = order.notice_of_intent_opens()
    assert opens is not None
    assert opens.on == date(2026, 10, 29)
    with pytest.raises(NotNow):
        works.intent(order, on=date(2026, 10, 28))


def test_an_order_that_was_not_posted_opens_no_notice(permit: Permit) -> None:
    order = order_of_permit(permit)
    with pytest.raises(NotNow) as refusal:
        notices.issue(
            order,
            by=inspector(),
            on=date(2027, 3, 1),
            work=works.FENCE,
            estimated_cost=Decimal(100),
            told=works.told_by_mail(notices.persons_for(order)),
        )
    assert "not-posted" in [each.key for each in refusal.value.obstacles]


def test_sql_cannot_issue_it_before_its_day(order: StopWorkOrder) -> None:
    notice = works.intent(order)
    notices.withdraw(notice, by=inspector(), on=SAFE, why="A test.")
    row = NoticeOfIntent(
        number="NI-X",
        site=order.site,
        order=order,
        work="w",
        estimated_cost=1,
        issued_by=inspector(),
        issued_on=date(2026, 11, 20),
        opened_on=FIRST,
        safe_on=SAFE,
        before_safe_why="why",
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()
    # A first day that was written down falsely: it cannot lie before the posting.
    row.issued_on = row.opened_on = row.safe_on = date(2026, 11, 16)
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


def test_sql_cannot_move_the_days_of_a_notice(order: StopWorkOrder) -> None:
    notice = works.intent(order)
    statement = "UPDATE enforcement_noticeofintent SET issued_on = %s WHERE id = %s"
    with (
        pytest.raises(IntegrityError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, [date(2026, 12, 31), notice.pk])


# To whom ----------------------------------------------------------------------------------


def test_it_goes_to_permittee_landowner_and_land_user_and_not_to_the_contractor(
    order: StopWorkOrder,
) -> None:
    assert {person.role for person in notices.persons_for(order)} <= {
        "permittee",
        "landowner",
        "land_user",
    }


def test_each_addressee_has_a_letter_that_waits_in_the_mail_room(order: StopWorkOrder) -> None:
    notice = works.intent(order)
    letters = Mailing.objects.filter(cause=f"notice_of_intent:{notice.number}")
    rows = Addressee.objects.of(notice)
    assert letters.waiting().count() == rows.count() > 0
    assert all(letter.document is not None for letter in letters)
    assert not letters.filter(requires_us_mail=True).exists()
    assert notice.paper is not None


def test_an_e_mail_is_no_notice_of_intent(order: StopWorkOrder) -> None:
    person = owner(email="owner@example.test")
    assert "by mail or in person" in refused(order, told=[(person, "email")]).sentence


def test_a_mailing_without_an_address_is_refused(order: StopWorkOrder) -> None:
    person = owner(mailing_address="")
    assert "no mailing address" in refused(order, told=[(person, "us_mail")]).sentence


def test_nobody_told_is_refused(order: StopWorkOrder) -> None:
    assert "Nobody is named" in refused(order, told=[]).sentence


def test_personal_service_needs_no_address(order: StopWorkOrder) -> None:
    notice = works.intent(order, told=[(owner(mailing_address=""), "personal")])
    (row,) = Addressee.objects.of(notice)
    assert row.means == "personal"


def test_landowner_changed_between_order_and_notice_both_are_told(order: StopWorkOrder) -> None:
    application = order.permit.application  # type: ignore[union-attr]
    application.parties.filter(role="landowner").update(
        name="Noa Feld", organization="", email="new@example.test"
    )
    owners = [p.name for p in notices.persons_for(order) if p.role == "landowner"]
    assert owners == ["Noa Feld", "Northfield Builders LLC (Mai Vang)"]
    notice = works.intent(order)
    told = set(Addressee.objects.of(notice).values_list("name", flat=True))
    assert {"Noa Feld", "Northfield Builders LLC (Mai Vang)"} <= told


def test_permit_holder_dead_or_company_dissolved_the_landowner_only(order: StopWorkOrder) -> None:
    notice = works.intent(
        order,
        told=[(owner(), "certified")],
        left_out_why="Northfield Builders LLC was dissolved on November 2, 2026.",
    )
    assert [row.role for row in Addressee.objects.of(notice)] == ["landowner"]
    event = order.site.events.get(kind="notice_of_intent.issued")  # type: ignore[attr-defined]
    assert "dissolved" in event.facts["left_out_why"]


# One at a time, and its end ---------------------------------------------------------------


def test_one_notice_stands_per_order(order: StopWorkOrder) -> None:
    works.intent(order)
    with pytest.raises(NotNow):
        works.intent(order, on=date(2026, 12, 5))
    assert NoticeOfIntent.objects.count() == 1


def test_order_lifted_on_the_day_the_notice_of_intent_was_issued_the_notice_falls(
    order: StopWorkOrder,
) -> None:
    notice = works.intent(order, on=SAFE)
    lifted(order, on=SAFE)
    notice.refresh_from_db()
    assert (notice.status, notice.ended_on) == ("fallen", SAFE)
    assert not DocketEntry.objects.of(notice).running().exists()
    assert kinds(order).count("notice_of_intent.fell") == 1
    with pytest.raises(NotNow):
        works.begun(notice, on=date(2027, 1, 4))


def test_everybody_with_the_notice_is_told_of_its_fall(order: StopWorkOrder) -> None:
    notice = works.intent(order)
    lifted(order, on=date(2026, 12, 1))
    told = Mailing.objects.filter(cause=f"notice_ended:{notice.number}").count()
    assert told == Mailing.objects.filter(cause=f"notice_of_intent:{notice.number}").count()
    assert OutboxMessage.objects.filter(cause=f"notice_ended:{notice.number}").exists()


def test_withdrawn_with_a_reason_and_a_new_one_is_possible(order: StopWorkOrder) -> None:
    notice = works.intent(order)
    with pytest.raises(NotNow):
        notices.withdraw(notice, by=inspector(), on=SAFE, why=" ")
    notices.withdraw(notice, by=inspector(), on=date(2026, 12, 1), why="The cost was wrong.")
    assert notice.status == "withdrawn"
    assert kinds(order)[-1] == "notice_of_intent.withdrawn"
    with pytest.raises(NotNow):
        notices.withdraw(notice, by=inspector(), on=date(2026, 12, 1), why="Again.")
    again = works.intent(order, on=date(2026, 12, 2))
    assert again.number != notice.number
    assert again.status == "standing"


def test_an_order_withdrawn_in_error_takes_its_notice_along(order: StopWorkOrder) -> None:
    notice = works.intent(order)
    orders.withdraw(order, by=inspector(), on=date(2026, 12, 1), why="The wrong site.")
    notice.refresh_from_db()
    assert notice.status == "fallen"


def test_its_clock_is_on_the_docket_as_the_model_counts_it(order: StopWorkOrder) -> None:
    notice = works.intent(order, on=SAFE)
    (entry,) = DocketEntry.objects.of(notice).running().filter(rule="city-work")
    # Fourteen days from November 28 is December 12, a Saturday, which does not roll.
    assert (entry.on, entry.safe_on) == (date(2026, 12, 13), date(2026, 12, 13))
    assert entry.fits(notice.city_work_opens())


def test_a_second_order_has_a_notice_of_its_own() -> None:
    permit = active_permit()
    first, second = order_standing(permit), order_standing(permit)
    works.intent(first)
    assert works.intent(second).order == second


def test_lifting_needs_no_notice_to_fall(order: StopWorkOrder) -> None:
    finished_visit(order.site, on=date(2026, 11, 18))
    lifted(order, on=date(2026, 11, 18))
    assert "notice_of_intent.fell" not in kinds(order)
