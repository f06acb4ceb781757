"""former § 17.19(7)(e) Notice of intent, city work, and the special charge."""

from datetime import date

import pytest

from portal.ordinance import Standing
from portal.ordinance.city_work import city_work_opens, notice_of_intent_opens
from portal.ordinance.special_charge import cutoff_on, delivery_on, payable_on


def test_notice_may_issue_on_the_tenth_day_after_posting(calendar):
    clock = notice_of_intent_opens(date(2026, 6, 1), calendar=calendar)
    assert (clock.on, clock.safe_on) == (date(2026, 6, 11), date(2026, 6, 12))
    assert clock.standing(date(2026, 6, 10)) is Standing.CLOSED
    assert clock.standing(date(2026, 6, 11)) is Standing.OPENED
    assert not clock.is_safe(date(2026, 6, 11))
    assert clock.is_safe(date(2026, 6, 12))


def test_it_counts_from_posting_and_says_so(calendar):
    text = notice_of_intent_opens(date(2026, 11, 18), calendar=calendar).explanation
    assert "Stop-work order posted on the site Wednesday, November 18, 2026; not counted." in text
    assert "The notice may be issued from Saturday, November 28, 2026." in text
    assert "Safe date Sunday, November 29, 2026" in text


def test_work_may_begin_on_the_fifteenth_day_from_issuing_the_notice(calendar):
    clock = city_work_opens(date(2026, 6, 11), calendar=calendar)
    assert clock.on == clock.safe_on == date(2026, 6, 26)
    assert clock.standing(date(2026, 6, 25)) is Standing.CLOSED
    assert clock.standing(date(2026, 6, 26)) is Standing.OPENED
    assert clock.standing(date(2026, 6, 27)) is Standing.OPENED


@pytest.mark.parametrize(
    ("posted", "opens", "safe"),
    [
        (date(2026, 7, 2), date(2026, 7, 12), date(2026, 7, 14)),
        (date(2026, 12, 22), date(2027, 1, 1), date(2027, 1, 3)),
        (date(2028, 2, 19), date(2028, 2, 29), date(2028, 3, 1)),
    ],
)
def test_the_safe_date_of_the_notice_waits_for_the_tenth_day_to_move(posted, opens, safe, calendar):
    clock = notice_of_intent_opens(posted, calendar=calendar)
    assert (clock.on, clock.safe_on) == (opens, safe)


def test_the_safe_date_of_the_work_waits_for_the_fourteenth_day_to_move(calendar):
    clock = city_work_opens(date(2026, 12, 11), calendar=calendar)
    assert (clock.on, clock.safe_on) == (date(2026, 12, 26), date(2026, 12, 27))


def test_closures_change_neither(closed):
    assert notice_of_intent_opens(date(2026, 11, 17), calendar=closed).on == date(2026, 11, 27)
    assert city_work_opens(date(2026, 12, 17), calendar=closed).on == date(2027, 1, 1)


def test_the_cut_off_is_the_editions_or_the_councils():
    assert cutoff_on(2026) == date(2026, 11, 15)
    assert cutoff_on(2026, cutoff=date(2020, 12, 1)) == date(2026, 12, 1)


def test_a_charge_on_the_roll_is_paid_in_full_by_january_31():
    assert payable_on(2026) == date(2027, 1, 31)
    assert payable_on(2027) == date(2028, 1, 31)


def test_the_roll_is_delivered_on_the_third_monday_of_december():
    assert [delivery_on(year) for year in (2026, 2027, 2028)] == [
        date(2026, 12, 21),
        date(2027, 12, 20),
        date(2028, 12, 18),
    ]
