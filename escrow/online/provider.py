"""The provider of online payment: opening its payment page, and reading its signed messages.

The only module that knows the provider's library. Nothing here touches the database, so that
no transaction waits for another city's network.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

import stripe
from django.conf import settings

from escrow.models import OnlinePayment
from portal import clock

__all__ = [
    "NAME",
    "PAGES",
    "Message",
    "NotReached",
    "NotSigned",
    "What",
    "is_on",
    "open_page",
    "read",
]

NAME = "stripe"
PAGES = "https://checkout.stripe.com"
"""Where the provider's payment pages are: people are sent there and nowhere else."""

ADDRESSES: dict[str, str] = {}
"""Where the provider's interface is, if not at its own address."""

CURRENCY = "USD"
CENTS = Decimal(100)
SECONDS = 10
"""How long a person waits for the provider before they are told of other ways."""

OPEN_FOR = timedelta(hours=1)
"""A page that stays open longer would meet a bill that was paid at the counter meanwhile."""

logger = logging.getLogger(__name__)


class NotReached(Exception):
    """The provider opened no payment page; nothing was paid."""


class NotSigned(Exception):
    """A message that is not the provider's, or is too old; nothing of it was kept."""


class What(StrEnum):
    """What a message tells."""

    PAID = "paid"
    REFUNDED = "refunded"
    TROUBLE = "trouble"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Message:
    """A signed message. `amount` is in dollars; of a refund it is all that was given back so far.

    `amount` is None where the currency is not the dollar; `words` say what came then. `on` is
    the day in the city on which it happened at the provider.
    """

    event_id: str
    kind: str
    what: What
    reference: str
    on: date
    amount: Decimal | None = None
    currency: str = ""
    words: str = ""


def is_on() -> bool:
    """Whether the city takes payments online."""
    return bool(settings.ONLINE_PAYMENT)


# The payment page -------------------------------------------------------------------------


def open_page(payment: OnlinePayment, *, title: str, back: str, cancel: str) -> str:
    """Open the provider's page for one payment and return its address; raises NotReached.

    The payment's key goes along as idempotency key: asked again, the provider answers with
    the same page. `back` and `cancel` are where the person comes back to.
    """
    tag = {"reference": payment.reference}
    asked: dict[str, Any] = {
        "mode": "payment",
        "client_reference_id": payment.reference,
        "metadata": tag,
        "payment_intent_data": {"metadata": tag, "description": title},
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": payment.currency.lower(),
                    "unit_amount": int(payment.amount * CENTS),
                    "product_data": {"name": title},
                },
            }
        ],
        "success_url": back,
        "cancel_url": cancel,
        "expires_at": int((payment.begun_at + OPEN_FOR).timestamp()),
    }
    try:
        page = _client().v1.checkout.sessions.create(
            asked, options={"idempotency_key": str(payment.key)}
        )
    except stripe.StripeError as error:
        logger.warning("No payment page was opened: %s", type(error).__name__)
        raise NotReached from error
    url = str(page.url or "")
    if not url.startswith(f"{PAGES}/"):
        logger.error("The payment page is not where the provider's pages are.")
        raise NotReached
    return url


def _client() -> Any:
    stripe.enable_telemetry = False
    return stripe.StripeClient(
        settings.STRIPE_SECRET_KEY,
        http_client=stripe.RequestsClient(timeout=SECONDS),
        max_network_retries=1,
        base_addresses=ADDRESSES,
    )


# Messages ---------------------------------------------------------------------------------

PAID = {"checkout.session.completed", "checkout.session.async_payment_succeeded"}
REFUNDED = "charge.refunded"
TROUBLE = {
    "refund.failed": "A refund failed at the provider: the money is still with the city.",
    "charge.dispute.created": "The card's bank took the payment back for now: it is disputed.",
}


def read(payload: bytes, signature: str) -> Message:
    """Return what a message says, once the library has checked its signature and its age.

    Raises NotSigned.
    """
    try:
        event = stripe.Webhook.construct_event(payload, signature, settings.STRIPE_WEBHOOK_SECRET)
        said: dict[str, Any] = event.to_dict()
        return _message(said, dict(said["data"]["object"]))
    except (
        stripe.SignatureVerificationError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
    ) as error:
        raise NotSigned from error


def _message(said: dict[str, Any], about: dict[str, Any]) -> Message:
    kind = str(said["type"])
    what, minor = _what(kind, about)
    currency = str(about.get("currency") or "").upper()[:3]
    amount = Decimal(minor) / CENTS if minor is not None and currency == CURRENCY else None
    words = TROUBLE.get(kind, "")
    if minor is not None and amount is None:
        words = f"{minor} came in {currency or 'an unknown currency'}, in its smallest unit."
    return Message(
        event_id=_text(said["id"], 200),
        kind=_text(kind, 80),
        what=what,
        reference=_text(_reference(about), 200),
        on=_day(int(said["created"])),
        amount=amount,
        currency=currency,
        words=words,
    )


def _what(kind: str, about: dict[str, Any]) -> tuple[What, int | None]:
    """Return what a message tells, and the amount in cents that it tells of."""
    if kind in PAID and about.get("payment_status") == "paid":
        return What.PAID, int(about["amount_total"])
    if kind == REFUNDED:
        return What.REFUNDED, int(about["amount_refunded"])
    if kind in TROUBLE:
        return What.TROUBLE, int(about["amount"])
    return What.NOTHING, None


def _reference(about: dict[str, Any]) -> str:
    """Return our own reference; where there is none, the provider's, so that it can be found."""
    tag = about.get("metadata") or {}
    names = (
        about.get("client_reference_id"),
        tag.get("reference"),
        about.get("payment_intent"),
        about.get("id"),
    )
    return next((str(name) for name in names if name), "")


def _text(value: Any, most: int) -> str:
    """Return what a column can keep."""
    return str(value).replace("\0", "")[:most]


def _day(moment: int) -> date:
    """Return the day in the city; a clock that is ahead of ours brings no day to come."""
    return min(clock.local_day(datetime.fromtimestamp(moment, UTC)), clock.today())
