"""The clerk's pages of what came in online and could not be booked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from escrow import access
from escrow.models import OnlineEvent
from permits.models import NotNow
from permits.views.casework import token_reused
from permits.views.doors import only, token_of, who
from permits.views.pages import page_of
from permits.views.ways import see_other
from portal import clock, operations

from . import booking, provider, settling
from .forms import SettleForm

__all__ = ["aside", "settle"]


@only(access.may_read_books)
@require_safe
def aside(request: HttpRequest) -> HttpResponse:
    """What was set aside: first what waits for the clerk, then what was done about the rest."""
    context = {
        "waiting": page_of(request, settling.waiting()),
        "settled": settling.set_aside().filter(done__isnull=False)[:25],
        "may_act": access.may_keep_money(request.user),
        "is_on": provider.is_on(),
    }
    return render(request, "escrow/online/aside.html", context)


@only(access.may_keep_money)
@require_http_methods(["GET", "HEAD", "POST"])
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """The clerk says how a payment was settled, or books it where it belongs."""
    event = get_object_or_404(settling.set_aside(), pk=pk)
    done = getattr(event, "done", None)
    form = SettleForm(request.POST if request.method == "POST" else None, event=event)

    def show(refused: str = "", status: int = 200) -> HttpResponse:
        context = {
            "event": event,
            "done": done,
            "form": form,
            "refused": refused,
            "operation": token_of(request),
        }
        return render(request, "escrow/online/settle.html", context, status=status)

    def run() -> str:
        messages.success(request, _settle(event, form, request))
        return reverse("online_aside")

    if request.method != "POST" or not form.is_valid():
        return show()
    try:
        return see_other(operations.perform(request, f"settle {event.pk}", run))
    except NotNow as refused:
        return show(booking.in_words(refused), 409)
    except operations.TokenReused as reused:
        return token_reused(request, reused)


def _settle(event: OnlineEvent, form: SettleForm, request: HttpRequest) -> str:
    by, on = who(request), clock.today()
    answers = form.cleaned_data
    if form.bill is not None:
        return settling.booked_to_bill(event, form.bill, by=by, on=on).what
    if form.application is not None:
        return settling.booked_to_fee(event, form.application, by=by, on=on).what
    if answers["how"] == SettleForm.REFUNDED:
        return settling.refunded(event, answers["number"], by=by, on=on).what
    return settling.settled(event, answers["words"], by=by, on=on).what
