"""The addresses of imports, of permits of earlier books, and of the open data."""

from __future__ import annotations

from django.urls import path

from .earlier import earlier, earlier_settle
from .import_acts import import_drop, import_file, import_report, import_take
from .imports import import_columns, import_new, import_page, import_words, imports
from .open_data import open_csv, open_data, open_geojson, open_schema

urlpatterns = [
    path("imports/", imports, name="imports"),
    path("imports/new/", import_new, name="import_new"),
    path("imports/<uuid:key>/", import_page, name="import"),
    path("imports/<uuid:key>/columns/", import_columns, name="import_columns"),
    path("imports/<uuid:key>/words/", import_words, name="import_words"),
    path("imports/<uuid:key>/take/", import_take, name="import_take"),
    path("imports/<uuid:key>/drop/", import_drop, name="import_drop"),
    path("imports/<uuid:key>/report.csv", import_report, name="import_report"),
    path("imports/<uuid:key>/file/", import_file, name="import_file"),
    path("open-data/", open_data, name="open_data"),
    path("open-data/<slug:name>.csv", open_csv, name="open_csv"),
    path("open-data/<slug:name>.geojson", open_geojson, name="open_geojson"),
    path("open-data/<slug:name>.csv-metadata.json", open_schema, name="open_schema"),
    path("earlier/", earlier, name="earlier"),
    path("cases/<str:number>/earlier/", earlier_settle, name="earlier_settle"),
]
