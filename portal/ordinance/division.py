"""Dividing one amount over several parcels, to the cent.

former § 17.19(7)(e) charges "the property"; § 66.0627(2) allocates "all or part of the cost
of the service to the property served". How it is divided is the city's decision; that the
parts add up is arithmetic.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

CENT = Decimal("0.01")


def divide(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """The parts of an amount by weight; they add up to it exactly.

    Each part is the share cut to the cent. The cents that are left go one each to the parts
    that lost most by the cut, the earlier one first. Works for amounts below zero, too.
    Raises ValueError where the weights cannot divide anything.
    """
    if not weights or any(weight < 0 for weight in weights) or not any(weights):
        raise ValueError("an amount is divided by weights of which one is above zero")
    cents = int((abs(amount) / CENT).to_integral_exact())
    if cents * CENT != abs(amount):
        raise ValueError("only whole cents can be divided")
    total = sum(map(Fraction, weights))
    exact = [cents * Fraction(weight) / total for weight in weights]
    parts = [int(share) for share in exact]
    lost = sorted(range(len(parts)), key=lambda at: parts[at] - exact[at])
    for at in lost[: cents - sum(parts)]:
        parts[at] += 1
    sign = -1 if amount < 0 else 1
    return [sign * part * CENT for part in parts]
