"""Open data: the figures of the public page, in the shape of a standard, and nothing more."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from permits.models import EarlierPermit, Permit, Site
from portal.desk.lookup import public_sites
from portal.desk.open_fields import FIELDS
from portal.desk.open_rows import DATASETS, rows_of
from tests import factory
from tests.enforcement import factory as enforced
from tests.imports.sheets import GOOD, csv_of, imported

pytestmark = pytest.mark.django_db
NAMES = [field.name for field in FIELDS]
BLDS = {
    *("PermitNum", "Description", "AppliedDate", "IssuedDate", "CompletedDate", "StatusCurrent"),
    *("OriginalAddress1", "OriginalCity", "OriginalState", "Jurisdiction", "PermitClass"),
    *("PermitClassMapped", "StatusCurrentMapped", "PermitType", "PermitTypeMapped", "TotalSqFt"),
    *("Link", "Latitude", "Longitude", "PIN", "Publisher"),
}
MAPPED = {"Permit Issued", "Permit Finaled", "Permit Cancelled", ""}


@pytest.fixture
def anybody(enter: Callable[..., Client]) -> Client:
    return enter(None)


@pytest.fixture
def town() -> list[Site]:
    """Sites of every kind: open, stopped, drafts, and those of the earlier books."""
    for make in factory.STATES.values():
        make()
    enforced.order_of_permit(factory.issued().permit)
    imported(csv_of(GOOD))
    return list(Site.objects.order_by("pk"))


def body(response: Any) -> str:
    return b"".join(response.streaming_content).decode()


def read_csv(client: Client, name: str) -> list[dict[str, str]]:
    response = client.get(f"/open-data/{name}.csv")
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(body(response), newline="")))


@pytest.mark.parametrize("name", DATASETS)
def test_each_row_says_what_the_public_page_says(
    anybody: Client, town: list[Site], name: str
) -> None:
    shown = {each.number: each for each in public_sites(town, with_dates=True)}
    rows = read_csv(anybody, name)
    for row in rows:
        site = shown[row["SiteNum"]]
        dates = {title: getattr(day, "on", day) for title, day in site.dates}
        assert row["PermitNum"] == site.permit_number
        assert row["ApplicationNum"] == site.application_number
        assert row["OriginalAddress1"] == site.place
        assert row["Answer"] == site.answer
        assert row["WorkAllowed"] == str(site.may_dig).lower()
        assert row["PIN"] == "; ".join(site.parcels)
        assert row["Description"] == "; ".join(site.activities)
        assert row["PermitClass"] == site.building
        assert row["Link"].endswith(site.url)
        for column, title in (
            *(("AppliedDate", "Applied for"), ("IssuedDate", "Issued")),
            ("CompletedDate", "Closed"),
        ):
            assert row[column] == (dates[title].isoformat() if title in dates else ""), column
        assert row["TotalSqFt"] == (str(round(site.area)) if site.area else "")
        assert row["StatusCurrentMapped"] in MAPPED
        assert anybody.get(site.url).context["shown"].answer == row["Answer"]
    assert "Work stopped" in {row["StatusCurrent"] for row in rows}
    numbers = {row["PermitNum"] for row in rows}
    issued = {each.permit_number for each in shown.values() if each.permit_number}
    assert numbers == issued if name == "permits" else numbers < issued


def test_active_sites_are_those_where_work_may_go_on_or_is_stopped(
    anybody: Client, town: list[Site]
) -> None:
    numbers = {row["PermitNum"] for row in read_csv(anybody, "active-sites")}
    ours = Permit.objects.filter(status="issued", final_inspection_passed_on=None)
    earlier = EarlierPermit.objects.filter(status="issued")
    assert numbers == {each.number for each in [*ours, *earlier]}


def test_the_columns_are_those_of_the_standard(anybody: Client, town: list[Site]) -> None:
    rows = read_csv(anybody, "permits")
    assert rows
    assert list(rows[0]) == NAMES == list(next(rows_of(DATASETS["permits"])))
    assert {field.name for field in FIELDS if not field.ours} == BLDS
    described = anybody.get("/open-data/permits.csv-metadata.json").json()
    assert [c["name"] for c in described["tableSchema"]["columns"]] == NAMES
    assert described["url"] == "permits.csv"
    page = anybody.get("/open-data/").content.decode()
    assert all(f'<th scope="row">{name}</th>' in page for name in NAMES)


def test_no_name_and_no_way_to_reach_somebody_is_in_them(anybody: Client, town: list[Site]) -> None:
    whole = body(anybody.get("/open-data/permits.csv"))
    whole += body(anybody.get("/open-data/permits.geojson"))
    for kept in ("Ada", "555 0101", "@", "Prairie Homes", "Mai Vang", "Meyer"):
        assert kept not in whole


def test_the_map_is_geojson(anybody: Client, town: list[Site], settings: Any) -> None:
    settings.CITY = settings.CITY | {"positions": True}
    placed = Permit.objects.filter(status="issued").first()
    assert placed is not None
    Site.objects.filter(pk=placed.site_id).update(
        latitude=Decimal("43.038900"), longitude=Decimal("-87.906500")
    )
    response = anybody.get("/open-data/permits.geojson")
    assert response["Content-Type"].startswith("application/geo+json")
    found = json.loads(body(response))
    check_geojson(found)
    rows = read_csv(anybody, "permits")
    assert [f["properties"]["PermitNum"] for f in found["features"]] == [
        row["PermitNum"] for row in rows
    ]
    points = [f for f in found["features"] if f["geometry"]]
    assert [f["geometry"]["coordinates"] for f in points] == [[-87.9065, 43.0389]]
    place = next(row for row in rows if row["Latitude"])
    assert (place["Latitude"], place["Longitude"]) == ("43.038900", "-87.906500")
    page = anybody.get(placed.site.get_public_url()).content.decode()
    assert "43.038900, -87.906500" in page


def check_geojson(found: Any) -> None:
    """RFC 7946, sections 3, 3.1.1, 3.1.2, 3.2, 3.3, 4 and 7.1, as far as points go."""
    assert set(found) == {"type", "features"}
    assert found["type"] == "FeatureCollection"
    assert isinstance(found["features"], list)
    ids = [feature["id"] for feature in found["features"]]
    assert len(ids) == len(set(ids))
    for feature in found["features"]:
        assert set(feature) == {"type", "id", "geometry", "properties"}
        assert feature["type"] == "Feature"
        assert isinstance(feature["properties"], dict)
        if feature["geometry"] is None:
            continue
        assert set(feature["geometry"]) == {"type", "coordinates"}
        assert feature["geometry"]["type"] == "Point"
        longitude, latitude = feature["geometry"]["coordinates"]
        assert -180 <= longitude <= 180
        assert -90 <= latitude <= 90


def test_positions_stay_inside_unless_the_city_publishes_them(
    anybody: Client, town: list[Site], settings: Any
) -> None:
    settings.CITY = settings.CITY | {"positions": False}
    Site.objects.update(latitude=Decimal("43.038900"), longitude=Decimal("-87.906500"))
    assert "43.0389" not in body(anybody.get("/open-data/permits.geojson"))
    assert "43.0389" not in body(anybody.get("/open-data/permits.csv"))
    site = Permit.objects.filter(status="issued").latest("pk").site
    assert "43.0389" not in anybody.get(site.get_public_url()).content.decode()


def test_no_cell_is_a_formula_and_numbers_stay_numbers(anybody: Client, settings: Any) -> None:
    settings.CITY = settings.CITY | {"positions": True}
    rows = [("=1+1", "Active", "@SUM(A1)", "-17;+18", "1/2/2022", "", "", "", "", "")]
    imported(csv_of(rows))
    Site.objects.update(latitude=Decimal("43.0389"), longitude=Decimal("-87.9065"))
    row = read_csv(anybody, "permits")[0]
    assert row["PermitNum"] == "'=1+1"
    assert row["OriginalAddress1"] == "'@SUM(A1)"
    assert row["PIN"] == "'-17; +18"
    assert row["Longitude"] == "-87.906500"


def test_what_has_not_changed_is_not_sent_again(anybody: Client, at: Callable[..., Any]) -> None:
    factory.issued()
    for name in ("permits.csv", "active-sites.geojson"):
        first = anybody.get(f"/open-data/{name}")
        assert first["Cache-Control"] == "public, max-age=300"
        assert first["Last-Modified"]
        with CaptureQueriesContext(connection) as asked:
            again = anybody.get(f"/open-data/{name}", headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 304
        assert again["Cache-Control"] == "public, max-age=300"
        assert len(asked) <= 2
        since = anybody.get(
            f"/open-data/{name}", headers={"If-Modified-Since": first["Last-Modified"]}
        )
        assert since.status_code == 304
        factory.issued()
        later = anybody.get(f"/open-data/{name}", headers={"If-None-Match": first["ETag"]})
        assert later.status_code == 200
        assert later["ETag"] != first["ETag"]


def test_no_answer_is_fresh_beyond_its_hour(anybody: Client, at: Callable[..., Any]) -> None:
    factory.issued()
    first = anybody.get("/open-data/permits.csv")["ETag"]
    at(factory.MONDAY, "14:05")
    assert anybody.get("/open-data/permits.csv")["ETag"] != first


@pytest.mark.parametrize("name", DATASETS)
def test_a_list_asks_as_little_however_long_it_is(anybody: Client, name: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            read_csv(anybody, name)
        return len(asked)

    factory.issued()
    imported(csv_of(GOOD[:1]))
    few = queries()
    for _ in range(5):
        factory.issued()
    imported(csv_of(GOOD))
    assert queries() == few <= 8


def test_an_unknown_list_is_an_unknown_page(anybody: Client) -> None:
    for name in ("people.csv", "people.geojson", "people.csv-metadata.json"):
        assert anybody.get(f"/open-data/{name}").status_code == 404
