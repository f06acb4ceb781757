"""The bills that a browser has opened by their codes: in its session, and for two hours."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode

from escrow.bills.code import payable_rows
from escrow.models import Bill
from portal import clock

__all__ = ["MINUTES", "NotOpened", "find_opened", "open_bill", "shut_bill", "to_door"]

OPENED = "bills opened"
MINUTES = 120
"""Longer than the provider's payment page stays open, so that whoever pays comes back to it."""
MOST = 10
"""So many at once; the one that was opened first is shut."""


class NotOpened(Exception):
    """The bill is not open in this browser, or there is none; which of the two is not told."""


def open_bill(request: HttpRequest, bill: Bill) -> None:
    """Open a bill in this browser. The session gets a new key: nobody can have set it before."""
    before = _opened(request)
    before.pop(str(bill.key), None)
    request.session.cycle_key()
    if not request.user.is_authenticated:
        request.session.set_expiry(0)  # a shared computer forgets when its browser closes
    kept = dict(list(before.items())[-(MOST - 1) :])
    request.session[OPENED] = {**kept, str(bill.key): clock.now().timestamp()}


def shut_bill(request: HttpRequest, key: UUID) -> None:
    """Let this browser forget a bill."""
    opened = _opened(request)
    if opened.pop(str(key), None) is not None:
        request.session[OPENED] = opened


def find_opened(request: HttpRequest, key: UUID) -> Bill:
    """Return a bill that is open in this browser; raises NotOpened."""
    if str(key) not in _opened(request):
        raise NotOpened
    try:
        return get_object_or_404(payable_rows(), key=key)
    except Http404 as error:
        raise NotOpened from error


def _opened(request: HttpRequest) -> dict[str, float]:
    """Return the bills that are open, and since when."""
    rows: dict[str, float] = request.session.get(OPENED, {})
    since = clock.now().timestamp() - MINUTES * 60
    return {key: at for key, at in rows.items() if at > since}


def to_door(request: HttpRequest) -> HttpResponse:
    """Ask for number and code first; afterwards the page that was wanted is shown."""
    return HttpResponseRedirect(f"{reverse('pay')}?{urlencode({'next': request.path})}")
