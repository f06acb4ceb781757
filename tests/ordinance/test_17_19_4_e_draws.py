"""former § 17.19(4)(e) Notice by mail, draws, forfeiture and assessment."""

from datetime import date
from decimal import Decimal

import pytest

from portal.ordinance import Calendar, Standing, Stay, with_stays
from portal.ordinance.assessment import Assessment, anniversary, interest, term
from portal.ordinance.cover import permanent_cover_deadline
from portal.ordinance.draws import obstacles_to_draw, obstacles_to_forfeit
from portal.ordinance.mailed_notice import draw_opens

HELD = Decimal("2500.00")


def test_the_city_may_act_on_the_eleventh_day_and_safely_three_days_later(calendar):
    clock = draw_opens(date(2026, 5, 4), calendar=calendar)
    assert (clock.on, clock.safe_on) == (date(2026, 5, 15), date(2026, 5, 18))
    assert clock.standing(date(2026, 5, 14)) is Standing.CLOSED
    assert clock.standing(date(2026, 5, 15)) is Standing.OPENED
    assert clock.standing(date(2026, 5, 16)) is Standing.OPENED


@pytest.mark.parametrize(
    ("handed_in", "opens"),
    [
        pytest.param(date(2026, 7, 4), date(2026, 7, 17), id="a holiday on a Saturday"),
        pytest.param(date(2026, 7, 5), date(2026, 7, 17), id="a Sunday"),
        pytest.param(date(2028, 2, 20), date(2028, 3, 4), id="a Sunday before a holiday"),
        pytest.param(date(2026, 10, 10), date(2026, 10, 21), id="an ordinary Saturday"),
        pytest.param(date(2026, 11, 3), date(2026, 11, 14), id="the post works on election day"),
        pytest.param(date(2027, 1, 1), date(2027, 1, 13), id="New Year's Day"),
    ],
)
def test_it_counts_from_the_day_the_post_accepts_the_letter(handed_in, opens, calendar):
    assert draw_opens(handed_in, calendar=calendar).on == opens


def test_a_closure_of_city_hall_does_not_stop_the_post(closed):
    assert draw_opens(date(2026, 11, 27), calendar=closed).on == date(2026, 12, 8)


def test_the_count_in_sentences(calendar):
    clock = draw_opens(date(2026, 7, 4), calendar=calendar)
    assert clock.steps[0].text == (
        "Handed in on Saturday, July 4, 2026, Independence Day, a postal holiday. The post "
        "accepts it on Monday, July 6, 2026; that day is not counted."
    )
    assert (
        "when the post takes no mail"
        in draw_opens(date(2026, 7, 5), calendar=calendar).steps[0].text
    )
    assert clock.steps[-1].text == (
        "Safe date Monday, July 20, 2026: three days are added for the letter to arrive."
    )
    assert "property owner" in clock.note


def test_no_draw_without_notice_nor_before_it_has_run_out(calendar):
    notice = draw_opens(date(2026, 5, 4), calendar=calendar)
    cost = Decimal("900.00")
    keys = [o.key for o in obstacles_to_draw(None, cost, HELD, on=date(2026, 5, 20))]
    assert keys == ["no-notice"]
    early = obstacles_to_draw(notice, cost, HELD, on=date(2026, 5, 14))
    assert early[0].text == "The notice to the owner runs until Friday, May 15, 2026."
    assert obstacles_to_draw(notice, cost, HELD, on=date(2026, 5, 15)) == []


def test_no_draw_during_an_appeal_of_nothing_or_of_more_than_is_held(calendar):
    notice = draw_opens(date(2026, 5, 4), calendar=calendar)
    stayed = with_stays(notice, [Stay(date(2026, 5, 10))], calendar)
    on = date(2026, 6, 1)
    assert [o.key for o in obstacles_to_draw(stayed, HELD, HELD, on=on)] == ["stayed"]
    over = [o.key for o in obstacles_to_draw(notice, Decimal("2500.01"), HELD, on=on)]
    assert over == ["over-held"]
    assert [o.key for o in obstacles_to_draw(notice, Decimal(0), HELD, on=on)] == ["no-amount"]


def test_the_escrow_is_forfeited_only_when_the_timeline_is_missed(calendar):
    cover = permanent_cover_deadline(date(2026, 11, 2), calendar=calendar)
    in_time, late = date(2027, 7, 15), date(2027, 7, 16)
    assert [o.key for o in obstacles_to_forfeit(cover, HELD, on=in_time)] == ["not-late"]
    assert obstacles_to_forfeit(cover, HELD, on=late) == []
    assert [o.key for o in obstacles_to_forfeit(cover, HELD, on=late, met_on=in_time)] == [
        "not-late"
    ]
    assert [o.key for o in obstacles_to_forfeit(None, Decimal(0), on=late)] == [
        "no-timeline",
        "nothing-held",
    ]
    stayed = with_stays(cover, [Stay(date(2027, 7, 1))], calendar)
    assert [o.key for o in obstacles_to_forfeit(stayed, HELD, on=late)] == ["stayed"]


@pytest.mark.parametrize(
    ("levied", "ends"),
    [
        (date(2026, 10, 5), date(2027, 10, 5)),
        (date(2028, 2, 29), date(2029, 2, 28)),
        (date(2027, 2, 28), date(2028, 2, 28)),
        (date(2026, 12, 31), date(2027, 12, 31)),
    ],
)
def test_an_assessment_runs_for_one_year_at_most(levied, ends):
    clock = term(levied, calendar=Calendar())
    assert clock.on == clock.safe_on == ends


def test_february_29_ends_on_february_28_and_says_so(calendar):
    assert "That year has no February 29" in term(date(2028, 2, 29), calendar=calendar).explanation
    assert anniversary(date(2028, 2, 29), 4) == date(2032, 2, 29)


def test_interest_is_simple_and_the_day_of_the_levy_bears_none():
    levied, principal, rate = date(2026, 10, 5), Decimal("1000.00"), Decimal("6")
    assert interest(principal, rate, levied, date(2026, 10, 5)) == Decimal("0.00")
    assert interest(principal, rate, levied, date(2026, 10, 6)) == Decimal("0.16")
    assert interest(principal, rate, levied, date(2027, 10, 5)) == Decimal("60.00")
    assert interest(principal, rate, levied, date(2026, 10, 1)) == Decimal("0.00")


def test_no_interest_after_the_year():
    levied, principal, rate = date(2026, 10, 5), Decimal("1000.00"), Decimal("6")
    assert interest(principal, rate, levied, date(2029, 1, 1)) == Decimal("60.00")


def test_half_a_cent_rounds_up():
    assert interest(Decimal("91.25"), Decimal("2"), date(2026, 1, 1), date(2026, 1, 2)) == Decimal(
        "0.01"
    )


def test_the_councils_fee_becomes_part_of_the_assessment():
    assert Assessment(Decimal("600.50"), Decimal("75.00")).principal == Decimal("675.50")
