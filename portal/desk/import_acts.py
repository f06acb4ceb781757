"""The ends of an import: taken over, put aside; the report and the file as it was sent."""

from __future__ import annotations

import csv
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from escrow.roll.columns import tame
from permits import access
from permits.imports import taking, tasks
from permits.imports.report import LINES, said_of_counts
from permits.models import EarlierStatus, ImportBatch, NotNow
from permits.views.doors import only, who
from portal import clock, files
from portal.models import User

from .acting import token_of
from .imports import AT_ONCE, act, batch_context, find_batch

__all__ = ["import_drop", "import_file", "import_report", "import_take"]

Status = ImportBatch.Status
GET_OR_POST = require_http_methods(["GET", "HEAD", "POST"])


@only(access.may_import)
@GET_OR_POST
def import_take(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what will happen, then import all good rows in one act."""
    batch = find_batch(key)
    if request.method == "POST":
        by = who(request)
        return act(
            request, f"import.take {batch.key}", lambda: _take(request, batch, by), batch.key
        )
    return _confirm(request, batch, "imports/take.html")


def _take(request: HttpRequest, batch: ImportBatch, by: User) -> str:
    counts = batch.report.get("counts", {})
    if batch.status != Status.READ or not counts.get("new"):
        raise NotNow("There is no row of this spreadsheet to import.")
    if len(batch.report["rows"]) <= AT_ONCE:
        taken = taking.take(batch, by=by, on=clock.today())
        messages.success(request, f"Imported: {taken:,} case{'' if taken == 1 else 's'}.")
    else:
        # Somebody may have put it aside, or begun to import it, since this page read it.
        if not ImportBatch.objects.filter(pk=batch.pk, status=Status.READ).update(
            status=Status.IMPORTING
        ):
            raise NotNow("This spreadsheet has been dealt with in the meantime.")
        tasks.take_later.enqueue(batch.pk, by.pk)
    return batch.get_absolute_url()


@only(access.may_import)
@GET_OR_POST
def import_drop(request: HttpRequest, key: UUID) -> HttpResponse:
    """Put a spreadsheet aside, after asking."""
    batch = find_batch(key)
    if request.method != "POST":
        return _confirm(request, batch, "imports/drop.html")

    def run() -> str:
        taking.drop(batch)
        messages.success(request, "The spreadsheet is put aside. Nothing of it was imported.")
        return batch.get_absolute_url()

    return act(request, f"import.drop {batch.key}", run, batch.key)


def _confirm(request: HttpRequest, batch: ImportBatch, template: str) -> HttpResponse:
    context: dict[str, Any] = {
        **batch_context(request, batch, ""),
        "operation": token_of(request),
        "on": clock.today(),
    }
    return render(request, template, context)


@only(access.may_see_imports)
@require_safe
def import_report(request: HttpRequest, key: UUID) -> HttpResponse:
    """The report row by row as a file for a spreadsheet; no cell of it can be a formula."""
    batch = find_batch(key)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="import-{batch.pk}.csv"'
    response.write("\ufeff")
    writer = csv.writer(response)
    writer.writerow(["Row", "What became of it", "Permit", "Case", "Status", "Column", "Reason"])
    labels = dict(EarlierStatus.choices)
    for row in batch.report.get("rows", ()):
        shared = [
            *(row["row"], LINES[row["outcome"]], tame(row["key"]), row["case"]),
            labels.get(row["status"], ""),
        ]
        for column, reason in row["why"] or [("", "")]:
            writer.writerow([*shared, tame(column), tame(reason)])
    if batch.report:
        writer.writerow([])
        writer.writerow(["", said_of_counts(batch.report["counts"])])
    return response


@only(access.may_see_imports)
@require_safe
def import_file(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Hand out the spreadsheet byte for byte as it was sent."""
    return files.serve(request, find_batch(key).upload)
