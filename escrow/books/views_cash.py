"""The cash book as a page and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from escrow.access import may_read_books
from escrow.books.cash import Asked, Entry, Summed, entries, hydrated
from escrow.books.forms import CashForm
from escrow.models import DayClose
from escrow.online.settling import waiting
from inspections.views.reports import harmless
from permits.views.doors import only
from permits.views.pages import page_of

__all__ = ["as_csv", "page"]

CHUNK = 500
COLUMNS = (
    *("Day", "Entered at", "For", "Of", "Proof", "Way", "By", "Received", "Paid or taken back"),
    *("After the close", "Why"),
)


@only(may_read_books)
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every receipt and payment of a day or a span of days, with sums by kind, way, person."""
    form = CashForm(request.GET)
    context: dict[str, Any] = {"form": form, "aside": waiting().count()}
    if form.is_valid():
        asked = form.asked()
        shown = page_of(request, entries(asked))
        context |= {
            "asked": asked,
            "page": shown,
            "entries": hydrated(list(shown.object_list), asked),
            "summed": Summed.of(asked),
            "closed": DayClose.objects.filter(on=asked.until).select_related("by").first()
            if asked.since == asked.until
            else None,
            "query": urlencode(form.questions()),
        }
    return render(request, "escrow/books/cash.html", context)


@only(may_read_books)
@require_safe
def as_csv(request: HttpRequest) -> HttpResponseBase:
    """The same entries as a file; it is written as it is read, however long it is."""
    form = CashForm(request.GET)
    if not form.is_valid():
        raise Http404  # the page says what is wrong with the question
    asked = form.asked()
    response = StreamingHttpResponse(_lines(asked), content_type="text/csv; charset=utf-8")
    name = f"cash-book-{asked.since.isoformat()}-{asked.until.isoformat()}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


class _Echo:
    """A file that hands each line back to who writes it."""

    def write(self, text: str) -> str:
        return text


def _lines(asked: Asked) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for found in _chunks(entries(asked).iterator(chunk_size=CHUNK)):
        for entry in hydrated(found, asked):
            yield writer.writerow(_cells(entry))


def _chunks(rows: Iterator[Any]) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _cells(entry: Entry) -> list[Any]:
    words = entry.words
    return [
        entry.day.isoformat(),
        entry.at.isoformat(timespec="seconds"),
        *(harmless(text) for text in (words.what, words.who, words.proof, entry.way)),
        harmless(str(entry.by or "")),
        entry.came_in or "",
        entry.went_out or "",
        "late" if entry.is_late else "",
        harmless(words.why),
    ]
