"""The report of fees that differ from the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from escrow.access import may_read_books
from escrow.books.fees import explained, fee_table, fees_that_differ
from permits.views.doors import only
from permits.views.pages import page_of
from portal import known

__all__ = ["page"]


@only(may_read_books)
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Fees beside the table in force on the day of filing: empty, or explained."""
    with known.reading_once():
        shown = page_of(request, fees_that_differ())
        context = {"page": shown, "fees": list(explained(shown.object_list)), "table": fee_table()}
        return render(request, "escrow/books/fees.html", context)
