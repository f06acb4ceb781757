"""former § 17.19(7)(d) Asking for a cease and desist order."""

from datetime import date

from portal.ordinance import Standing
from portal.ordinance.cease_and_desist import referral_opens


def test_it_opens_the_day_after_the_last_day_to_obtain_a_permit(calendar):
    clock = referral_opens(date(2026, 6, 9), calendar=calendar)
    assert clock.on == clock.safe_on == date(2026, 6, 23)
    assert clock.standing(date(2026, 6, 22)) is Standing.CLOSED
    assert clock.standing(date(2026, 6, 23)) is Standing.OPENED
    assert clock.standing(date(2026, 6, 24)) is Standing.OPENED


def test_over_the_new_year(calendar):
    assert referral_opens(date(2026, 12, 22), calendar=calendar).on == date(2027, 1, 5)


def test_a_closure_changes_nothing(closed):
    assert referral_opens(date(2026, 11, 16), calendar=closed).on == date(2026, 11, 28)


def test_the_count_in_sentences(calendar):
    text = referral_opens(date(2026, 6, 1), calendar=calendar).explanation
    assert "The request may be made from Friday, June 12, 2026." in text
    assert "may ask the city attorney for a cease and desist order" in text
