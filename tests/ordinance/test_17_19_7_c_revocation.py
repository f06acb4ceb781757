"""former § 17.19(7)(c) Revocation, when the permittee's ten days have passed."""

from datetime import date

from portal.ordinance import Kind, Standing
from portal.ordinance.revocation import revocation_opens


def test_it_opens_the_day_after_the_last_day_to_comply(calendar):
    clock = revocation_opens(date(2026, 6, 1), calendar=calendar)
    assert clock.kind is Kind.WAITING
    assert clock.on == clock.safe_on == date(2026, 6, 12)
    assert clock.standing(date(2026, 6, 11)) is Standing.CLOSED
    assert clock.standing(date(2026, 6, 12)) is Standing.OPENED
    assert clock.is_open(date(2026, 6, 13))


def test_the_safe_date_waits_for_a_filing_that_a_saturday_moves(calendar):
    clock = revocation_opens(date(2026, 7, 1), calendar=calendar)
    assert (clock.on, clock.safe_on) == (date(2026, 7, 12), date(2026, 7, 14))
    assert clock.is_open(date(2026, 7, 12))
    assert not clock.is_safe(date(2026, 7, 13))
    assert clock.is_safe(date(2026, 7, 14))


def test_over_the_new_year(calendar):
    clock = revocation_opens(date(2026, 12, 22), calendar=calendar)
    assert (clock.on, clock.safe_on) == (date(2027, 1, 3), date(2027, 1, 5))


def test_a_closure_changes_nothing(closed):
    assert revocation_opens(date(2026, 11, 16), calendar=closed).on == date(2026, 11, 28)


def test_the_law_says_may(calendar):
    text = revocation_opens(date(2026, 6, 1), calendar=calendar).explanation
    assert "The permittee's last day to comply is Thursday, June 11, 2026." in text
    assert "The permit may be revoked from Friday, June 12, 2026." in text
    assert "Nothing is revoked by itself." in text
