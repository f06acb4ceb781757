"""The pages of whoever pays: how to pay a fee or a bill, and what became of a payment."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from csp.decorators import csp_update
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from escrow import access
from escrow.bills.views import find_bill
from escrow.models import OnlineEvent, OnlinePayment
from permits.models import NotNow, Site
from permits.views.casework import find_application
from permits.views.doors import only, who
from permits.views.ways import see_other
from portal import clock, operations

from . import beginning, provider
from .beginning import Due
from .forms import AmountForm

__all__ = [
    "NOT_REACHED",
    "became",
    "key_of_form",
    "page_for",
    "pay_bill",
    "pay_fee",
    "payment_page",
]

NOT_REACHED = (
    "The payment page could not be opened just now, and nothing was paid. Try again in a few "
    "minutes, or pay in one of the other ways below."
)
Verdict = OnlineEvent.Verdict


@only(access.may_pay)
@require_http_methods(["GET", "HEAD", "POST"])
def pay_fee(request: HttpRequest, key: UUID) -> HttpResponse:
    """How the fee is paid: online where the city takes it, at the counter, by mail."""
    application = find_application(request, key)
    due = beginning.of_fee(application, on=clock.today())
    form = forms.Form(request.POST if request.method == "POST" else None)
    context = {"application": application, "site": application.site, "number": application.number}
    return _pay(request, due, form, context)


@only(access.may_pay)
@require_http_methods(["GET", "HEAD", "POST"])
def pay_bill(request: HttpRequest, key: UUID) -> HttpResponse:
    """How a bill is paid: online where the city takes it, at the counter, by mail."""
    bill = find_bill(request, key)
    on = clock.today()
    due = beginning.of_bill(bill, on=on)
    form = AmountForm(request.POST if request.method == "POST" else None, due=due, on=on)
    return _pay(request, due, form, {"bill": bill, "site": bill.site, "number": bill.number})


def _pay(request: HttpRequest, due: Due, form: Any, context: dict[str, Any]) -> HttpResponse:
    """Show the page; or send the person to the provider's page, which is opened in between.

    The provider is asked outside of any transaction: its answer may take seconds.
    """

    def show(refused: str = "", status: int = 200) -> HttpResponse:
        shown = {
            **context,
            "due": due,
            "form": form,
            "refused": refused,
            "is_on": provider.is_on(),
            "operation": key_of_form(request),
        }
        return render(request, "escrow/online/pay.html", shown, status=status)

    if provider.is_on():
        # The answer to the form leads to the provider's page, and to no other.
        show = csp_update({"form-action": [provider.PAGES]})(show)  # type: ignore[arg-type,assignment]
    if request.method != "POST" or due.why_not:
        return show(status=409 if request.method == "POST" else 200)
    if not provider.is_on():
        return show("The city takes no payments online.", 409)
    if not form.is_valid():
        return show()
    amount = form.cleaned_data.get("amount", due.amount)
    try:
        payment = beginning.begin(due, key=key_of_form(request), amount=amount, by=who(request))
        back = reverse("online_payment", args=[payment.key])
        return see_other(page_for(payment, due, back=back, cancel=request.path))
    except NotNow as refused:
        return show(refused.sentence, 409)
    except provider.NotReached:
        return show(NOT_REACHED, 503)


def page_for(payment: OnlinePayment, due: Due, *, back: str, cancel: str) -> str:
    """Open the provider's page for a payment and return its address; raises NotReached."""
    return provider.open_page(
        payment,
        title=f"{due.title}, {settings.CITY['name']}",
        back=settings.PUBLIC_URL + back,
        cancel=settings.PUBLIC_URL + cancel,
    )


def key_of_form(request: HttpRequest) -> UUID:
    """Return the form's operation token, which becomes the key of the payment."""
    try:
        return UUID(request.POST.get(operations.FIELD, ""))
    except ValueError:
        return uuid4()


@only(access.may_pay)
@require_safe
def payment_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """What became of an online payment; the provider's message may come a moment later."""
    visible = Site.objects.visible_to(request.user)
    payments = OnlinePayment.objects.select_related("application__site", "bill__site")
    payment = get_object_or_404(payments, key=key)
    about: Any = payment.application or payment.bill
    get_object_or_404(visible, pk=about.site.pk)
    return render(request, "escrow/online/payment.html", became(payment))


def became(payment: OnlinePayment) -> dict[str, Any]:
    """Return what is known of a payment: booked, refunded, set aside, or nothing yet."""
    about: Any = payment.application or payment.bill
    events = payment.events.select_related("receipt__bill_entry", "fee_entry", "done")
    return {
        "payment": payment,
        "about": about,
        "site": about.site,
        "booked": events.filter(verdict=Verdict.BOOKED).first(),
        "refunds": list(events.filter(verdict=Verdict.REFUNDED).order_by("pk")),
        "aside": events.filter(verdict__in=[Verdict.SET_ASIDE, Verdict.REFUSED]).first(),
    }
