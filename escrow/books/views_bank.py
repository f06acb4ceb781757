"""Taking money to the bank, and closing a day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from escrow.access import may_keep_money, may_read_books
from escrow.books import bank, closing
from escrow.books.cash import Asked, Summed
from escrow.books.forms import BankForm, CloseForm, DepositForm
from escrow.models import DayClose, Deposit
from permits.models import NotNow
from permits.views.casework import token_reused
from permits.views.doors import only
from portal import clock, files, operations

__all__ = ["close_day", "deposits", "slip"]

SHOWN = 25


@only(may_keep_money)
@require_http_methods(["GET", "HEAD", "POST"])
def deposits(request: HttpRequest) -> HttpResponse:
    """The clerk takes everything of some days to the bank, and gets the slip."""
    asked = BankForm(request.POST or request.GET)
    sent = DepositForm(request.POST if request.method == "POST" else None)

    def show(refused: str = "", status: int = 200) -> HttpResponse:
        context = {"form": asked, "refused": refused, "operation": _token(request)}
        if asked.is_valid():
            since, until = asked.span()
            context |= {
                "since": since,
                "until": until,
                "takings": bank.takings(since, until),
                "earlier": bank.offered(since, until),
            }
        context["deposits"] = Deposit.objects.select_related("slip", "by")[:SHOWN]
        return render(request, "escrow/books/bank.html", context, status=status)

    def run() -> str:
        since, until = asked.span()
        total = sent.cleaned_data["total"]
        made = bank.deposit(
            since=since, until=until, total=total, by=_who(request), on=clock.today()
        )
        messages.success(request, f"Deposit {made.number} is made. Print its slip below.")
        return reverse("deposits")

    if request.method == "POST" and asked.is_valid() and sent.is_valid():
        return _do(request, "deposit", run, show)
    return show()


@only(may_read_books)
@require_safe
def slip(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """The slip of a deposit, as it went to the bank."""
    made = get_object_or_404(Deposit.objects.select_related("slip"), key=key, slip__isnull=False)
    assert made.slip is not None
    return files.serve(request, made.slip, inline="download" not in request.GET)


@only(may_keep_money)
@require_http_methods(["GET", "HEAD", "POST"])
def close_day(request: HttpRequest) -> HttpResponse:
    """The clerk counts the drawer and closes a day; the books say what they expect."""
    form = CloseForm(request.POST or {"day": request.GET.get("day") or clock.today().isoformat()})
    day = form.asked_day()
    is_sent = request.method == "POST"

    def show(refused: str = "", status: int = 200) -> HttpResponse:
        template = "close.html"
        context: dict[str, Any] = {
            "refused": refused,
            "operation": _token(request),
            "form": form,
        }
        if day is not None:
            context |= _standing(day)
            context["form"] = form if is_sent else _empty(context)
        if is_sent and not refused and form.is_valid() and request.POST.get("step") == "check":
            template = "close_confirm.html"
        return render(request, f"escrow/books/{template}", context, status=status)

    def run() -> str:
        answers = form.cleaned_data
        closing.close(
            answers["day"],
            expected=closing.Drawer(answers["expected_cash"], answers["expected_checks"]),
            counted=closing.Drawer(answers["counted_cash"], answers["counted_checks"]),
            why=answers["why"],
            by=_who(request),
            on=clock.today(),
        )
        messages.success(request, "The day is closed.")
        return reverse("day_close") + "?" + urlencode({"day": answers["day"].isoformat()})

    if is_sent and request.POST.get("step") == "confirm" and form.is_valid():
        return _do(request, "close the day", run, show)
    return show()


def _standing(day: Any) -> dict[str, Any]:
    """Return what a day's page shows: the close if there is one, and what came after it."""
    closed = DayClose.objects.select_related("by").filter(on=day).first()
    return {
        "day": day,
        "closed": closed,
        "drawer": closing.drawer(day),
        "summed": Summed.of(Asked(day, day)),
        "why_not": "" if closed else closing.why_not_close(day, on=clock.today()),
    }


def _empty(standing: dict[str, Any]) -> CloseForm:
    """Return the form for a day, with what the books expect at this moment."""
    expected = standing["drawer"]
    return CloseForm(
        initial={
            "day": standing["day"],
            "expected_cash": expected.cash,
            "expected_checks": expected.checks,
        }
    )


def _do(request: HttpRequest, act: str, run: Callable[[], str], show: Any) -> HttpResponse:
    """Do an act once; a refusal shows the same page again, with all that was typed."""
    try:
        url = operations.perform(request, act, run)
    except NotNow as refused:
        answer: HttpResponse = show(str(refused), 409)
        return answer
    except operations.TokenReused as reused:
        return token_reused(request, reused)
    return HttpResponseRedirect(url)


def _token(request: HttpRequest) -> str:
    return request.POST.get(operations.FIELD) or operations.new_token()


def _who(request: HttpRequest) -> Any:
    return request.user
