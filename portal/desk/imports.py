"""Earlier permits from spreadsheets: chosen, named, looked at row by row, imported once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from permits import access
from permits.imports import files, opening, reading, tasks
from permits.imports.reading import NEW
from permits.imports.report import LINES
from permits.models import EarlierStatus, ImportBatch, ImportSource, NotNow
from permits.views.doors import only, who
from permits.views.ways import see_other
from portal import clock, drafts, operations
from portal.models import Operation
from portal.stored import NotStored
from portal.tables import NotATable
from portal.uploads.complete import cut_off, is_whole

from .acting import token_of
from .import_forms import ColumnsForm, SpreadsheetForm, WordsForm
from .pages import page_of

__all__ = ["find_batch", "import_columns", "import_new", "import_page", "import_words", "imports"]

Status = ImportBatch.Status
GET_OR_POST = require_http_methods(["GET", "HEAD", "POST"])
AT_ONCE = 2_000
"""Rows that are read while somebody waits; longer tables are read by the worker."""
MOST_WORDS = 60
SHOWN = 25
NO_STORAGE = "The city's storage did not take the file, so nothing was done. Try again later."


def find_batch(key: UUID) -> ImportBatch:
    """Return a batch by its key, or 404."""
    return get_object_or_404(
        ImportBatch.objects.select_related("source", "upload", "made_by"), key=key
    )


@only(access.may_see_imports)
@require_safe
def imports(request: HttpRequest) -> HttpResponse:
    """List the spreadsheets that were imported, or are on their way."""
    rows = ImportBatch.objects.select_related("source", "upload", "made_by").defer("report")
    context = {
        "page": page_of(request, rows.order_by("-pk")),
        "may_import": access.may_import(request.user),
    }
    return render(request, "imports/list.html", context)


# The spreadsheet --------------------------------------------------------------------------


@only(access.may_import)
@GET_OR_POST
def import_new(request: HttpRequest) -> HttpResponse:
    """Take a spreadsheet: kept as it is, its columns guessed, nothing imported."""
    if request.method != "POST":
        return _show(request, "imports/new.html", {"form": SpreadsheetForm(), **_names()})
    if not is_whole(request):
        return cut_off(request)
    form = SpreadsheetForm(request.POST, request.FILES)
    done = _done_before(request, "import.new")
    if done:
        return see_other(done)
    if not form.is_valid():
        return _show(request, "imports/new.html", {"form": form, **_names()})
    try:
        upload, table = files.keep(form.cleaned_data["file"], by=who(request))
    except NotATable as error:
        form.add_error("file", forms.ValidationError(str(error)))
        return _show(request, "imports/new.html", {"form": form, **_names()})
    except NotStored as trouble:
        form.add_error("file", forms.ValidationError(NO_STORAGE))
        return _show(request, "imports/new.html", {"form": form, **_names()}, trouble.status)

    def run() -> str:
        source = form.cleaned_data["source"]
        batch = opening.begin(upload, table, source=source, by=who(request))
        return reverse("import_columns", args=[batch.key])

    return act(request, "import.new", run)


def _names() -> dict[str, Any]:
    return {"sources": list(ImportSource.objects.values_list("name", flat=True)[:50])}


def _done_before(request: HttpRequest, name: str) -> str:
    """Return where the same form led when it was sent before, so that no file is kept twice."""
    try:
        token = UUID(request.POST.get(operations.FIELD, ""))
    except ValueError:
        return ""
    found = Operation.objects.filter(token=token, act=name, by=who(request)).first()
    return found.result_url if found else ""


# Columns and words ------------------------------------------------------------------------


@only(access.may_import)
@GET_OR_POST
def import_columns(request: HttpRequest, key: UUID) -> HttpResponse:
    """Ask which heading holds which fact; guessed, or as it was the last time."""
    batch = find_batch(key)
    form = ColumnsForm(drafts.data_for(request), batch=batch)
    if request.method == "POST" and form.is_valid():

        def run() -> str:
            opening.name_columns(batch, form.cleaned_data)
            return reverse("import_words", args=[batch.key])

        return act(request, f"import.columns {batch.key}", run, key)
    try:
        table = files.open_table(batch)
    except NotATable as error:
        return _unreadable(request, batch, str(error))
    samples = [row.cells for row in table.rows[:3]]
    columns = list(zip(table.headings, zip(*samples, strict=False), strict=False))
    context = {"batch": batch, "form": form, "columns": columns, "rows": len(table.rows)}
    return _show(request, "imports/columns.html", context)


@only(access.may_import)
@GET_OR_POST
def import_words(request: HttpRequest, key: UUID) -> HttpResponse:
    """Ask what each word of the status column means; then the table is read."""
    batch = find_batch(key)
    if "number" not in batch.columns:
        return see_other(reverse("import_columns", args=[batch.key]))
    try:
        table = files.open_table(batch)
    except NotATable as error:
        return _unreadable(request, batch, str(error))
    heading = batch.columns.get("status")
    words = reading.words_of(table, heading) if heading else {}
    if len(words) > MOST_WORDS:
        return _show(request, "imports/words.html", {"batch": batch, "too_many": len(words)})
    form = WordsForm(drafts.data_for(request), words=words, known=batch.words)
    if request.method == "POST" and form.is_valid():
        return act(
            request,
            f"import.words {batch.key}",
            lambda: _read(batch, form.meant(), long=len(table.rows) > AT_ONCE),
            key,
        )
    return _show(request, "imports/words.html", {"batch": batch, "form": form})


def _read(batch: ImportBatch, words: dict[str, str], *, long: bool) -> str:
    """Keep the words and read the table, here or in the worker."""
    batch = opening.name_words(batch, words)
    if long:
        tasks.read_later.enqueue(batch.pk)
    else:
        tasks.read_now(batch)
    return batch.get_absolute_url()


def _unreadable(request: HttpRequest, batch: ImportBatch, why: str) -> HttpResponse:
    """The page of a batch whose file cannot be read any more."""
    batch.trouble = why
    return _show(request, "imports/batch.html", {"batch": batch}, status=409)


# Row by row -------------------------------------------------------------------------------


@only(access.may_see_imports)
@require_safe
def import_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what becomes, or became, of each row: refused first, each with its reason."""
    batch = find_batch(key)
    asked = request.GET.get("rows", "")
    return _show(request, "imports/batch.html", batch_context(request, batch, asked))


def batch_context(request: HttpRequest, batch: ImportBatch, asked: str) -> dict[str, Any]:
    """Return what the page of a batch shows."""
    report: dict[str, Any] = batch.report if batch.status in (Status.READ, Status.IMPORTED) else {}
    counts = report.get("counts", {})
    outcome = asked if asked in LINES else "refused" if counts.get("refused") else "new"
    if not counts.get(outcome):
        outcome = next((name for name in LINES if counts.get(name)), "new")
    rows = [row for row in report.get("rows", ()) if row["outcome"] == outcome]
    labels = dict(EarlierStatus.choices)
    tabs = LINES if batch.status == Status.IMPORTED else {**LINES, NEW: "to import"}
    page = page_of(request, rows, per_page=SHOWN)
    return {
        "batch": batch,
        "report": report,
        "counts": counts,
        "outcome": outcome,
        "tabs": [(name, words, counts.get(name, 0)) for name, words in tabs.items()],
        "page": page,
        "rows": [{**row, "stands": labels.get(row["status"], "")} for row in page.object_list],
        "statuses": [(labels[key], n) for key, n in report.get("statuses", {}).items()],
        "not_computed": report.get("standing", 0) - report.get("computed", 0),
        "may_import": access.may_import(request.user),
        "can_take": batch.status == Status.READ and counts.get("new", 0) > 0,
        "can_change": batch.status in opening.CHANGEABLE,
    }


# What the pages share ---------------------------------------------------------------------


def act(
    request: HttpRequest, name: str, run: Callable[[], str], key: UUID | None = None
) -> HttpResponse:
    """Do an act once; a spreadsheet that can no longer be acted on says so on its page."""
    try:
        return see_other(operations.perform(request, name, run))
    except operations.TokenReused as reused:
        return render(request, "desk/sent_before.html", {"result_url": str(reused)}, status=409)
    except NotNow as refused:
        if key is None:
            raise
        batch = find_batch(key)
        context = {**batch_context(request, batch, ""), "refused": refused}
        return _show(request, "imports/batch.html", context, status=409)


def _show(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"operation": token_of(request), "on": clock.today()}
    return render(request, template, shared | context, status=status)
