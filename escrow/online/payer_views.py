"""The pages of a payer who does not hold the case: a bill by its number and its code. Public.

Number and code are sent by POST and never stand in an address, where a log or the next site would
read them. The bill is then open in this browser alone, and anybody else is asked for both.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from csp.decorators import csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from escrow.bills.code import find_bill_by_code, number_of
from escrow.models import NOTHING, Bill, OnlineEvent, OnlinePayment
from permits.models import NotNow
from permits.views.doors import step_of, token_of
from permits.views.ways import see_other
from portal import clock, files, known

from . import beginning, provider
from .beginning import Due
from .opened import MINUTES, NotOpened, find_opened, open_bill, shut_bill, to_door
from .payer_forms import MISMATCH, CodeForm, PayerForm
from .shown import receipts_paid_here, shown_of
from .views import NOT_REACHED, became, key_of_form, page_for

__all__ = ["bill", "close", "door", "payment", "receipt"]

logger = logging.getLogger(__name__)


# The door ---------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest) -> HttpResponse:
    """Ask for the number and the code of a bill, and open it where both are right. Public."""
    if request.method != "POST":
        number = request.GET.get("bill", "").replace("\x00", "")[:40]
        return _ask(request, CodeForm(initial={"number": number}))
    form = CodeForm(request.POST)
    if not form.is_valid():
        return _ask(request, form)
    place = get_adapter().get_client_ip(request)
    tried = f"{place}:{number_of(form.cleaned_data['number'])}"
    if not ratelimit.consume(request, action="bill_code", key=tried):
        return _ask(request, CodeForm(initial=form.cleaned_data), status=429)
    found = find_bill_by_code(form.cleaned_data["number"], form.cleaned_data["code"])
    if found is None:
        logger.warning("The code of a bill was refused", extra={"from": place})
        form.add_error("code", MISMATCH)
        return _ask(request, form)
    open_bill(request, found)
    return see_other(_wanted(request, reverse("pay_by_code", args=[found.key])))


def _wanted(request: HttpRequest, page: str) -> str:
    """Return the page of this bill that was asked for before; never any other."""
    wanted = request.POST.get("next", "")
    sent_away = wanted.startswith(f"{page}payments/") or wanted.startswith(f"{page}receipts/")
    return wanted if sent_away and wanted.isascii() and wanted.isprintable() else page


def _ask(request: HttpRequest, form: CodeForm, *, status: int = 200) -> HttpResponse:
    wanted = request.POST.get("next") or request.GET.get("next", "")
    context = {
        "form": form,
        "next": wanted[:300],
        "too_many": status == 429,
        "minutes": MINUTES,
        "is_on": provider.is_on(),
    }
    return render(request, "pay/door.html", context, status=status)


def opened(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Open a page to whoever has opened its bill; everybody else is asked for number and code."""

    @wraps(view)
    def inner(request: HttpRequest, key: UUID, **more: Any) -> HttpResponseBase:
        try:
            found = find_opened(request, key)
        except NotOpened:
            return to_door(request)
        return view(request, found, **more)

    return inner


@require_POST
def close(request: HttpRequest, key: UUID) -> HttpResponse:
    """Let the browser forget a bill. Public."""
    shut_bill(request, key)
    messages.success(request, "The bill is closed. This browser shows it no longer.")
    return see_other(reverse("pay"))


# The bill ---------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@opened
def bill(request: HttpRequest, found: Bill) -> HttpResponse:
    """Show a bill with its account and its dates; and pay it, once that was shown. Public."""
    with known.reading_once():
        return _bill(request, found)


def _bill(request: HttpRequest, found: Bill) -> HttpResponse:
    on = clock.today()
    due = beginning.of_bill(found, on=on)
    form = PayerForm(request.POST if request.method == "POST" else None, due=due, on=on)

    def show(refused: str = "", status: int = 200, template: str = "bill") -> HttpResponse:
        context = {
            "shown": shown_of(found, on=on),
            "due": due,
            "form": form,
            "refused": refused,
            "is_on": provider.is_on(),
            "operation": token_of(request),
            "on": on,
            "left": _left(form, due),
            "minutes": MINUTES,
        }
        return render(request, f"pay/{template}.html", context, status=status)

    if provider.is_on():
        # The answer to the form leads to the provider's page, and to no other.
        show = csp_update({"form-action": [provider.PAGES]})(show)  # type: ignore[arg-type,assignment]
    if request.method != "POST":
        return show()
    if due.why_not:
        return show(status=409)
    if not provider.is_on():
        return show("The city takes no payments online.", 409)
    if step_of(request) == "change" or not form.is_valid():
        return show()
    if step_of(request) != "confirm":
        return show(template="confirm")
    try:
        return see_other(_begin(request, due, form))
    except NotNow as refused:
        return show(refused.sentence, 409)
    except provider.NotReached:
        return show(NOT_REACHED, 503)


def _left(form: PayerForm, due: Due) -> Any:
    """What is left of the bill after the payment that is asked for."""
    paid = (
        form.cleaned_data.get("amount", NOTHING) if form.is_bound and form.is_valid() else NOTHING
    )
    return due.amount - paid


def _begin(request: HttpRequest, due: Due, form: PayerForm) -> str:
    """Write down the payment and open the provider's page for it; raises NotNow, NotReached."""
    assert due.bill is not None
    payment = beginning.begin(
        due,
        key=key_of_form(request),
        amount=form.cleaned_data["amount"],
        payer_name=form.cleaned_data["name"],
    )
    back = reverse("paid_by_code", args=[due.bill.key, payment.key])
    return page_for(payment, due, back=back, cancel=request.path)


# What became of it ------------------------------------------------------------------------


@require_safe
@opened
def payment(request: HttpRequest, found: Bill, payment: UUID) -> HttpResponse:
    """What became of a payment with the code, and its receipt. Public."""
    rows = OnlinePayment.objects.filter(bill=found, begun_by=None)
    asked = get_object_or_404(rows.select_related("bill__site"), key=payment)
    context = became(asked)
    booked: OnlineEvent | None = context["booked"]
    has_paper = booked is not None and booked.receipt is not None and booked.receipt.paper_id
    return render(request, "pay/payment.html", {**context, "has_paper": bool(has_paper)})


@require_safe
@opened
def receipt(request: HttpRequest, found: Bill, number: str) -> HttpResponseBase:
    """Hand out the receipt of what was paid with the code. Public."""
    rows = receipts_paid_here(found).select_related("paper__document")
    kept = get_object_or_404(rows, number=number)
    return files.serve(request, kept.paper.document, inline="download" not in request.GET)
