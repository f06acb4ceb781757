"""`manage.py export_case` and `export_all`: by any number, begun again, loaded without us."""

from __future__ import annotations

import csv
import hashlib
import shutil
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from permits.models import Application, CaseExport, Site
from portal.models import Upload
from tests import factory
from tests.escrow import money

pytestmark = pytest.mark.django_db


def say(command: str, *args: Any, **options: Any) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out, stderr=out, **options)
    return out.getvalue()


@pytest.fixture
def drawn(at) -> Application:
    """A case with orders, work, a draw: with many numbers."""
    at(factory.MONDAY)
    application = factory.issued()
    application.permit.refresh_from_db()
    return application


def test_any_number_of_the_case_finds_it(drawn, tmp_path: Path) -> None:
    permit = drawn.permit.number
    typed = permit.lower().replace("-", " ").replace(" 0", " ", 1)
    numbers = [drawn.site.number, drawn.number, permit, typed, drawn.site.parcels.get().number]
    for number in numbers:
        assert drawn.site.number in say("export_case", number, out=tmp_path), number


def test_the_number_of_a_draw_or_a_notice_finds_it(at, tmp_path: Path) -> None:
    at(factory.MONDAY)
    application = factory.issued(on=factory.MONDAY.replace(month=8))
    application.permit.refresh_from_db()
    draw = money.drawn(application.permit, "500.00", on=factory.MONDAY.replace(month=10))
    for number in (draw.number, draw.owner_notice.number):
        assert application.site.number in say("export_case", number, out=tmp_path)


def test_an_unknown_number_ends_with_status_2(drawn, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No case has the number 'EC-2026-9999'") as refused:
        say("export_case", "EC-2026-9999", out=tmp_path)
    assert refused.value.returncode == 2


def test_a_parcel_of_two_cases_names_both(drawn, tmp_path: Path) -> None:
    other = Site.objects.create(number="S-2026-0500", address="5 Other Road")
    other.parcels.create(number=drawn.site.parcels.get().number)
    with pytest.raises(CommandError, match=r"fits 2 cases: .*S-2026-0500") as refused:
        say("export_case", drawn.site.parcels.get().number, out=tmp_path)
    assert refused.value.returncode == 2


def test_for_a_court_it_needs_the_clerk(drawn, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Only the city clerk"):
        say("export_case", drawn.number, out=tmp_path, audience="court")
    with pytest.raises(CommandError, match="Nobody who works for the city") as refused:
        say("export_case", drawn.number, out=tmp_path, audience="court", by="who@example.test")
    assert refused.value.returncode == 2
    say("export_case", drawn.number, out=tmp_path, audience="court", by=factory.clerk().email)
    assert CaseExport.objects.get().made_by == factory.clerk()


def test_it_prints_the_hash_and_says_when_it_is_the_same_file(drawn, tmp_path: Path) -> None:
    first = say("export_case", drawn.number, out=tmp_path)
    (archive,) = tmp_path.glob("*.zip")
    assert hashlib.sha256(archive.read_bytes()).hexdigest() in first
    assert "the same file" in say("export_case", drawn.number, out=tmp_path)
    assert list(tmp_path.glob("*.part")) == []


# All of it --------------------------------------------------------------------------------


def all_of_it(out: Path, **options: Any) -> str:
    return say("export_all", out=out, **{"processes": 1, **options})


def listed(out: Path) -> dict[str, dict[str, str]]:
    with (out / "bags.csv").open(newline="") as file:
        return {row["case"]: row for row in csv.DictReader(file)}


def test_every_case_and_every_table_are_in_the_folder(drawn, tmp_path: Path) -> None:
    factory.denied()
    said = all_of_it(tmp_path)
    bags = listed(tmp_path)
    assert set(bags) == set(Site.objects.values_list("number", flat=True))
    for row in bags.values():
        assert zipfile.ZipFile(tmp_path / row["file"]).testzip() is None
        content = (tmp_path / row["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == row["sha256"]
    assert "2 of 2 cases" in said
    with (tmp_path / "tables" / "permits.Party.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 8
    users = (tmp_path / "tables" / "portal.User.csv").read_text()
    assert "argon2" not in users
    assert factory.clerk().feed_key not in users


def test_broken_off_it_goes_on_and_makes_nothing_twice(drawn, tmp_path: Path) -> None:
    other = factory.denied()
    all_of_it(tmp_path)
    before = listed(tmp_path)
    shutil.move(tmp_path / before[other.site.number]["file"], tmp_path / "lost.zip")
    assert "1 cases to pack; 1 bags are there already" in all_of_it(tmp_path)
    again = listed(tmp_path)
    assert again == before  # nothing has happened: the same bag under the same number
    assert CaseExport.objects.count() == 2
    assert "0 cases to pack; 2 bags" in all_of_it(tmp_path)


def test_a_newer_fact_overtakes_a_bag(drawn, tmp_path: Path) -> None:
    all_of_it(tmp_path)
    before = listed(tmp_path)[drawn.site.number]
    drawn.site.record("log.entered", by=drawn.applicant, on=factory.MONDAY, facts={})
    all_of_it(tmp_path)
    after = listed(tmp_path)[drawn.site.number]
    assert after["number"] != before["number"]
    assert not (tmp_path / before["file"]).exists()
    assert (tmp_path / after["file"]).exists()


def test_a_missing_file_is_named_in_its_bag_or_keeps_the_case_back(drawn, tmp_path: Path) -> None:
    other = factory.denied()
    default_storage.delete(Upload.objects.earliest("pk").file.name)
    with pytest.raises(CommandError, match="1 cases have no bag"):
        all_of_it(tmp_path / "strict", refuse_gaps=True)
    assert set(listed(tmp_path / "strict")) == {other.site.number}
    all_of_it(tmp_path / "all")
    assert len(listed(tmp_path / "all")) == 2
