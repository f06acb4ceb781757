"""The trial balance as a page, as CSV and as PDF."""

from __future__ import annotations

import csv
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from escrow.access import may_read_books
from escrow.books.forms import BalanceForm
from escrow.books.trial import TrialBalance, trial_balance
from escrow.models import Instrument
from permits.models import Permit
from permits.views.doors import only
from portal import papers

__all__ = ["as_csv", "as_pdf", "page"]

MOST_INSTRUMENTS = 100
"""A permit has a few; the list of a parcel that was permitted often ends here."""


@only(may_read_books)
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every account of what was asked, and what disagrees with its source rows."""
    form = BalanceForm(request.GET)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        context |= {
            "balance": _balance(form),
            "instruments": _instruments(form),
            "title": form.title(),
            "query": urlencode(form.questions()),
        }
    return render(request, "escrow/books/balance.html", context)


@only(may_read_books)
@require_safe
def as_csv(request: HttpRequest) -> HttpResponse:
    """The same accounts as a file for a spreadsheet; no cell of it is a person's text."""
    form = _asked(request)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{_name(form)}.csv"'
    writer = csv.writer(response)
    writer.writerow(["Account", "Name", "Debit", "Credit", "Balance"])
    balance = _balance(form)
    for each in balance.accounts:
        row = [each.account.value, each.account.words, each.debit, each.credit, each.balance]
        writer.writerow(row)
    writer.writerow(["", "Total", balance.debit, balance.credit, balance.total])
    return response


@only(may_read_books)
@require_safe
def as_pdf(request: HttpRequest) -> HttpResponse:
    """The same accounts to print and sign."""
    form = _asked(request)
    title = form.title()
    made = papers.make(
        "papers/trial_balance.html",
        {
            "title": title,
            "balance": _balance(form),
            "instruments": _instruments(form),
            "on": form.span()[1],
            "made_by": request.user,
        },
    )
    response = HttpResponse(made.content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{_name(form)}.pdf"'
    return response


def _asked(request: HttpRequest) -> BalanceForm:
    form = BalanceForm(request.GET)
    if not form.is_valid():
        raise Http404  # the page says what is wrong with the question
    return form


def _balance(form: BalanceForm) -> TrialBalance:
    since, on = form.span()
    scope = form.scope()
    return trial_balance(on=on, since=since, scope=scope, proved=not scope)


def _instruments(form: BalanceForm) -> QuerySet[Instrument] | None:
    """Return each instrument of the scope with what is held of it; none without a scope."""
    scope = form.scope()
    permits = Permit.objects.all()
    if not scope:
        return None
    if permit := scope.get("permit"):
        permits = permits.filter(pk=permit.pk)
    if "sites" in scope:
        permits = permits.filter(site__in=scope["sites"])
    found = Instrument.objects.filter(permit__in=permits, entries__on__lte=form.span()[1])
    summed = found.annotate(left=Sum("entries__amount")).select_related("permit__application")
    return summed.order_by("pk")[:MOST_INSTRUMENTS]


def _name(form: BalanceForm) -> str:
    return f"trial-balance-{form.span()[1].isoformat()}"
