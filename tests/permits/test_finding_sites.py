"""A site is found by address, parcel or number, as people write them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from permits.finding import find_site_keys
from permits.models import Site, search_words
from portal import numbers
from tests import factory

pytestmark = pytest.mark.django_db


def site(address: str, *parcels: str) -> Site:
    made = Site.objects.create(number=numbers.next_number("S", on=factory.MONDAY), address=address)
    for parcel in parcels:
        made.parcels.create(number=parcel)
    made.index_words()
    return made


def test_a_grid_number_is_found_with_and_without_its_blank() -> None:
    here = site("N170 W20019 Hunters Rd, Jackson, WI 53037")
    assert list(Site.objects.found_by("N170W20019")) == [here]
    assert list(Site.objects.found_by("n170 w20019 hunters")) == [here]


def test_a_parcel_is_found_with_and_without_punctuation() -> None:
    here = site("County Road Y", "024-1029-10-350")
    site("County Road Z", "024-1029-10-351")
    for typed in ("024-1029-10-350", "0241029103500"[:-1], "024 1029 10 350"):
        assert list(Site.objects.found_by(typed)) == [here], typed


def test_every_word_must_fit() -> None:
    here = site("100 Mill Street, Example")
    site("200 Mill Street, Example")
    assert list(Site.objects.found_by("100 mill st")) == [here]
    assert not Site.objects.found_by("300 mill")


def test_nothing_typed_finds_nothing() -> None:
    site("100 Mill Street")
    assert not Site.objects.found_by("   ")


def test_a_number_is_found_whole() -> None:
    application = factory.issued()
    for typed in (application.number, application.permit.number, application.site.number):
        assert application.site in Site.objects.found_by(typed)


@pytest.mark.parametrize("table", ["addresses_wisconsin.csv"])
def test_every_address_as_written_is_found_again(cases: Path, table: str) -> None:
    with (cases / table).open(encoding="utf-8", newline="") as file:
        written = [row["address"] for row in csv.DictReader(file)]
    for address in written:
        here = site(address)
        assert here in Site.objects.found_by(address), address


def test_every_parcel_number_as_written_is_found_again(cases: Path) -> None:
    with (cases / "parcel_numbers.csv").open(encoding="utf-8", newline="") as file:
        written = [row["example_as_written"] for row in csv.DictReader(file)]
    numbers = [text for text in written if any(map(str.isdigit, text))]
    assert len(numbers) == len(written) - 1  # one row tells a rule and has no number
    for number in numbers:
        here = site("", number)
        assert here.parcels.get().number == number
        assert here in Site.objects.found_by(number), number


def test_words_of_an_address() -> None:
    assert search_words("N79W5412 Bywater Ln") == ["n79", "w5412", "bywater", "ln"]


@pytest.mark.parametrize("typed", ["9548", "9552", "9554 example"])
def test_a_house_number_within_a_range_is_found(typed: str) -> None:
    for here in (site("9548-9554 Example Street"), site("9548-54 Example Street")):
        assert here in Site.objects.found_by(typed)
        assert here.pk in find_site_keys(typed, Site.objects.all()).keys
    for other in ("9550 mill", "9549", "9556"):
        assert not Site.objects.found_by(other)


def test_a_permit_number_is_found_without_its_zeros_and_dashes() -> None:
    application = factory.issued()
    assert application.permit.number == "EC-2026-0001"
    for typed in ("ec 2026 1", "EC-2026-1", "ec2026-0001", "ec 2026 0001"):
        assert application.site in Site.objects.found_by(typed), typed
        assert application.site.pk in find_site_keys(typed, Site.objects.all()).keys
