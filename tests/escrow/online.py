"""Messages as the payment provider sends them: made and signed by its own library."""

from __future__ import annotations

import itertools
import json
import time
import uuid
from datetime import date
from decimal import Decimal
from typing import Any

import stripe
from django.http import HttpResponse
from django.test import Client

from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.models import Bill, OnlinePayment
from permits.models import Application
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money

TODAY = date(2026, 12, 14)
"""A Monday."""

PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999", "mai@example.test")
CALLBACK = "/callbacks/stripe/"
SECRETS = {
    "ONLINE_PAYMENT": True,
    "STRIPE_SECRET_KEY": "sk_test_siltfence",
    "STRIPE_WEBHOOK_SECRET": "whsec_siltfence",
}
_serial = itertools.count(1)


def switch_on(settings: Any) -> None:
    """Set both secrets, as the environment would."""
    for name, value in SECRETS.items():
        setattr(settings, name, value)


def make_ready(settings: Any, monkeypatch: Any, at: Any) -> None:
    """Switch it on, on the day of the tests, without rendering any paper."""
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    switch_on(settings)
    at(TODAY)


def a_bill() -> Bill:
    """A bill of $1,200.00 after a notice of intent, of today, due in thirty days."""
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    work = money.charge_work(factory.issued().permit.site)
    made = making.bill_work(work, PAYER, by=factory.clerk(), on=TODAY)
    made.refresh_from_db()
    return made


def pay_at_counter(bill: Bill, amount: str = "1200.00") -> None:
    """The same bill, paid in cash."""
    moving.pay(
        bill,
        amount=Decimal(amount),
        received_on=TODAY,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )


def begun(
    application: Application | None = None, bill: Bill | None = None, *, amount: str
) -> OnlinePayment:
    """A payment whose page was opened and that nobody has paid yet."""
    key = uuid.uuid4()
    holder = (application or bill.site.applications.get()).applicant  # type: ignore[union-attr]
    return OnlinePayment.objects.create(
        key=key,
        provider="stripe",
        reference=str(key),
        application=application,
        bill=bill,
        amount=Decimal(amount),
        begun_by=holder,
    )


def begun_with_code(bill: Bill, *, amount: str, name: str = "Ann Meyer") -> OnlinePayment:
    """A payment that somebody without an account began with the bill's code."""
    key = uuid.uuid4()
    return OnlinePayment.objects.create(
        key=key,
        provider="stripe",
        reference=str(key),
        bill=bill,
        amount=Decimal(amount),
        payer_name=name,
    )


def event(kind: str, about: dict[str, Any], *, event_id: str = "", at: float = 0) -> str:
    """The body of a message, through the library's own class of it."""
    values = {
        "id": event_id or f"evt_{next(_serial)}",
        "object": "event",
        "api_version": "2026-09-30",
        "created": int(at or time.time()),
        "type": kind,
        "data": {"object": about},
    }
    made = stripe.Event.construct_from(values, SECRETS["STRIPE_SECRET_KEY"])
    return json.dumps(made.to_dict())


def paid(reference: Any, amount: str, *, currency: str = "usd", **more: Any) -> str:
    """That a payment page was paid."""
    kind = more.pop("kind", "checkout.session.completed")
    about = {
        "id": "cs_test_1",
        "object": "checkout.session",
        "client_reference_id": str(reference),
        "metadata": {"reference": str(reference)},
        "amount_total": int(Decimal(amount) * 100),
        "currency": currency,
        "payment_status": more.pop("payment_status", "paid"),
        "payment_intent": "pi_1",
    }
    return event(kind, about, **more)


def refunded(reference: Any, so_far: str, *, currency: str = "usd", **more: Any) -> str:
    """That so much of a payment was given back in all."""
    about = {
        "id": "ch_1",
        "object": "charge",
        "amount": 999_99,
        "amount_refunded": int(Decimal(so_far) * 100),
        "currency": currency,
        "metadata": {"reference": str(reference)},
        "payment_intent": "pi_1",
    }
    return event("charge.refunded", about, **more)


def send(body: str, *, secret: str = "", signed_at: int | None = None) -> HttpResponse:
    """Send a message, signed by the library's own helper, from a browser without cookies."""
    header = stripe.WebhookSignature.generate_signature_header(
        body, secret or SECRETS["STRIPE_WEBHOOK_SECRET"], signed_at
    )
    return Client(enforce_csrf_checks=True).post(
        CALLBACK, body, content_type="application/json", headers={"Stripe-Signature": header}
    )
