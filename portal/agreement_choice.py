"""What waits for a maintenance agreement that is required: the city's choice in its settings."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured

__all__ = ["CHOICES", "agreement_before"]

CHOICES = ("issue", "certificate", "release")


def agreement_before(chosen: Sequence[str]) -> frozenset[str]:
    """Return the acts that wait until the agreement is recorded. Former § 17.19(4)(f)

    The ordinance requires the agreement and does not say which act waits for it. If none
    did, nothing would hold the duty.
    """
    found = frozenset(each.strip().lower() for each in chosen if each.strip())
    if not found or not found <= set(CHOICES):
        raise ImproperlyConfigured(
            "Set AGREEMENT_BEFORE to what waits for a recorded maintenance agreement: "
            "issue, certificate or release, or several of them, separated by commas."
        )
    return found
