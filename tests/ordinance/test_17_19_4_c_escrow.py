"""former § 17.19(4)(c) The guarantee: before the permit, in three forms, whole."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from portal.ordinance.escrow import (
    EscrowForm,
    Instrument,
    ReleaseFacts,
    coverage,
    obstacles_to_issue,
    obstacles_to_release,
)

REQUIRED = Decimal("2500.00")


def cash(amount):
    return Instrument(EscrowForm.CASH, Decimal(amount))


def bond(amount, expires_on=None):
    return Instrument(EscrowForm.BOND, Decimal(amount), expires_on)


def credit(amount):
    return Instrument(EscrowForm.LETTER_OF_CREDIT, Decimal(amount))


def test_the_exact_amount_covers():
    assert coverage(REQUIRED, [cash("2500.00")]).ok
    assert coverage(REQUIRED, [cash("1000.00"), bond("1500.00")]).ok


def test_a_cent_short_is_short():
    held = coverage(REQUIRED, [cash("1000.00"), bond("1499.99")])
    assert not held.ok
    assert held.shortfall == Decimal("0.01")


def test_only_a_bond_or_a_letter_of_credit_may_exceed_the_amount():
    assert coverage(REQUIRED, [bond("5000.00")]).ok
    assert coverage(REQUIRED, [cash("1000.00"), credit("2000.00")]).ok
    too_much = coverage(REQUIRED, [cash("2500.01")])
    assert not too_much.ok
    assert too_much.excess_refused == Decimal("0.01")


def test_an_instrument_covers_through_the_day_it_expires():
    expiring = [bond("2500.00", date(2026, 12, 31))]
    assert coverage(REQUIRED, expiring, on=date(2026, 12, 31)).ok
    assert not coverage(REQUIRED, expiring, on=date(2027, 1, 1)).ok
    renewed = [bond("2500.00", date(2027, 12, 31))]
    assert coverage(REQUIRED, renewed, on=date(2027, 1, 1)).ok


def test_no_permit_is_issued_without_amount_or_guarantee():
    assert [o.key for o in obstacles_to_issue(None, [])] == ["escrow-amount"]
    assert [o.key for o in obstacles_to_issue(REQUIRED, [])] == ["escrow-short"]
    short = obstacles_to_issue(REQUIRED, [cash("2499.99")])[0]
    assert short.text == "The escrow is $0.01 short: $2,499.99 of $2,500.00 is posted."
    assert str(short.citation) == "former § 17.19(4)(c)"
    assert [o.key for o in obstacles_to_issue(REQUIRED, [cash("2600")])] == ["escrow-excess"]
    assert obstacles_to_issue(REQUIRED, [cash("2500.00")]) == []


READY = ReleaseFacts(
    devices_complete=True,
    cover_established=True,
    cover_density_percent=Decimal(70),
    final_inspection_passed_on=date(2027, 7, 1),
    held=REQUIRED,
)


def keys(facts):
    return [obstacle.key for obstacle in obstacles_to_release(facts)]


def test_all_done_and_the_whole_escrow_is_released():
    assert keys(READY) == []
    assert keys(replace(READY, asked=REQUIRED)) == []


def test_every_reason_against_release_is_told():
    assert keys(ReleaseFacts()) == ["devices", "permanent-cover", "final-inspection"]
    assert keys(replace(READY, open_orders=1)) == ["open-order"]
    assert keys(replace(READY, unpaid_bills=Decimal("0.01"))) == ["unpaid-bill"]
    assert keys(replace(READY, certificates_open=1)) == ["certificate"]


def test_seventy_percent_of_cover_is_enough_and_less_is_not():
    assert keys(replace(READY, cover_density_percent=Decimal("69.9"))) == ["permanent-cover"]


def test_no_release_in_part():
    partial = obstacles_to_release(replace(READY, asked=Decimal("1000.00")))
    assert partial[0].text == "The city releases the escrow whole: $2,500.00 or nothing."
