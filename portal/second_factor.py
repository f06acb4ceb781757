"""The second factor's own words; how it works is the accounts package's."""

from __future__ import annotations

from allauth.mfa.adapter import DefaultMFAAdapter

__all__ = ["SecondFactorAdapter"]


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Errors that say what to do next."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": (
            "Take the second factor away first, add the address, then set it up again."
        ),
        "cannot_delete_authenticator": "The second factor of this account cannot be taken away.",
        "cannot_generate_recovery_codes": "Set up the authenticator app first.",
        "incorrect_code": (
            "This code is not right, or it was already used. Wait for the next one."
        ),
        "unverified_email": "Confirm your e-mail address first: open the link we sent to it.",
    }
