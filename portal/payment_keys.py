"""The two secrets of online payment: both are set and look right, or the portal does not start."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

__all__ = ["online_payment_is_set"]

KEYS = ("sk_", "rk_")
WEBHOOK_SECRETS = ("whsec_",)


def online_payment_is_set(key: str, webhook_secret: str) -> bool:
    """Return whether online payment is on; refuse half of it, and secrets in each other's place.

    With the key alone people could pay, and the city would never learn of it.
    """
    if not key and not webhook_secret:
        return False
    if not webhook_secret:
        raise ImproperlyConfigured(
            "Set STRIPE_WEBHOOK_SECRET as well, or take STRIPE_SECRET_KEY away: without it "
            "people could pay online and the city would never learn of it."
        )
    if not key:
        raise ImproperlyConfigured(
            "Set STRIPE_SECRET_KEY as well, or take STRIPE_WEBHOOK_SECRET away: without it no "
            "payment page can be opened."
        )
    if not key.startswith(KEYS):
        raise ImproperlyConfigured(
            "STRIPE_SECRET_KEY is no secret key: one begins with sk_ or rk_."
        )
    if not webhook_secret.startswith(WEBHOOK_SECRETS):
        raise ImproperlyConfigured(
            "STRIPE_WEBHOOK_SECRET is no signing secret of a webhook: one begins with whsec_."
        )
    return True
