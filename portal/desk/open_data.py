"""Open data: lists that anybody may have, streamed, cached, and described on a page. Public."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from escrow.roll.columns import tame
from permits.models import CaseEvent
from portal import clock

from .open_fields import FIELDS
from .open_rows import DATASETS, Dataset, rows_of

__all__ = ["open_csv", "open_data", "open_geojson", "open_schema"]

FRESH_SECONDS = 300
ROWS_AT_ONCE = 200
VERSION = "1"
"""Raised when the columns change, so that nobody keeps the old ones."""


FREE = "Anybody may use these data for any purpose, with the city named as their source."


def terms() -> str:
    """Return under what terms the data are given: the city's own, or free to use."""
    return settings.CITY["license"] or FREE


@require_safe
def open_data(request: HttpRequest) -> HttpResponse:
    """Describe the lists, their columns and under what terms they are given. Public."""
    context = {
        "datasets": list(DATASETS.values()),
        "fields": FIELDS,
        "license": terms(),
        "positions": settings.CITY["positions"],
    }
    return render(request, "lookup/open_data.html", context)


# Whether it has changed -------------------------------------------------------------------


def _moment() -> tuple[int, datetime]:
    """Return the newest fact of any case, and since when the lists are as they are.

    Each act records a fact, so the lists change only after one. Facts that are recorded at the
    same time may be seen out of their order: so no answer is called fresh beyond its hour.
    """
    newest = CaseEvent.objects.order_by("-pk").values_list("pk", "recorded_at").first()
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    pk, at = newest or (0, hour)
    return pk, max(at.replace(microsecond=0), hour)


def _etag(request: HttpRequest, name: str) -> str:
    pk, _ = _moment()
    hour = clock.now().strftime("%Y%m%d%H")
    said = [VERSION, request.path, pk, hour, settings.CITY["positions"], settings.CITY["name"]]
    return f'W/"{hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]}"'


def _changed_at(request: HttpRequest, name: str) -> datetime:
    return _moment()[1]


unless_known = condition(etag_func=_etag, last_modified_func=_changed_at)
fresh = cache_control(public=True, max_age=FRESH_SECONDS)


def _find(name: str) -> Dataset:
    if name not in DATASETS:
        raise Http404
    return DATASETS[name]


# The files --------------------------------------------------------------------------------


@fresh
@require_safe
@unless_known
def open_csv(request: HttpRequest, name: str) -> HttpResponseBase:
    """Give out a list as CSV, written as it is read. Public."""
    lines = _in_parts(_csv(rows_of(_find(name))))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8; header=present")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    metadata = request.build_absolute_uri(reverse("open_schema", args=[name]))
    response.headers["Link"] = f'<{metadata}>; rel="describedby"; type="application/csvm+json"'
    return response


class _Echo:
    """A file that hands each line back to who writes it."""

    def write(self, text: str) -> str:
        return text


def _csv(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow([field.name for field in FIELDS])
    for row in rows:
        yield writer.writerow([_cell(value) for value in row.values()])


def _cell(value: Any) -> Any:
    """Return a value as a cell; text is harmless to a spreadsheet, numbers stay as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    return tame(value) if isinstance(value, str) else value


@fresh
@require_safe
@unless_known
def open_geojson(request: HttpRequest, name: str) -> HttpResponseBase:
    """Give out a list as GeoJSON (RFC 7946), written as it is read. Public."""
    parts = _in_parts(_geojson(rows_of(_find(name))))
    response = StreamingHttpResponse(parts, content_type="application/geo+json")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.geojson"'
    return response


def _geojson(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield '{"type": "FeatureCollection", "features": ['
    comma = ""
    for row in rows:
        yield comma + json.dumps(_feature(row), ensure_ascii=False, default=_plain)
        comma = ",\n"
    yield "]}\n"


def _feature(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as a feature; without a position it has none, as the standard allows."""
    latitude, longitude = row["Latitude"], row["Longitude"]
    point = {"type": "Point", "coordinates": [longitude, latitude]}
    return {
        "type": "Feature",
        "id": f"{row['SiteNum']}/{row['PermitNum']}",
        "geometry": None if latitude is None else point,
        "properties": row,
    }


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value.isoformat()


def _in_parts(lines: Iterator[str]) -> Iterator[bytes]:
    """Put lines together into parts that are worth sending."""
    held: list[str] = []
    for line in lines:
        held.append(line)
        if len(held) >= ROWS_AT_ONCE:
            yield "".join(held).encode()
            held = []
    yield "".join(held).encode()


@fresh
@require_safe
def open_schema(request: HttpRequest, name: str) -> HttpResponse:
    """Describe a CSV list for programs, as CSV on the Web asks. Public."""
    dataset = _find(name)
    columns = [
        {
            "name": field.name,
            "titles": field.name,
            "datatype": field.datatype,
            "dc:description": field.text,
        }
        for field in FIELDS
    ]
    described = {
        "@context": "http://www.w3.org/ns/csvw",
        "url": f"{dataset.slug}.csv",
        "dc:title": f"{dataset.title}, {settings.CITY['name']}",
        "dc:description": dataset.text,
        "dc:publisher": settings.CITY["name"],
        "dc:rights": terms(),
        "dialect": {"header": True, "encoding": "utf-8"},
        "tableSchema": {"columns": columns, "primaryKey": ["SiteNum", "PermitNum"]},
    }
    return JsonResponse(
        described, json_dumps_params={"indent": 1}, content_type="application/csvm+json"
    )
