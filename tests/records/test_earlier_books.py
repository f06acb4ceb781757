"""Cases of the city's earlier books are destroyed like others, several of one register."""

from __future__ import annotations

from typing import Any

import pytest

from permits import verify
from permits.models import EarlierPermit, ImportedRow, Site
from portal.desk.open_rows import DATASETS
from portal.desk.records.acts import destroying
from tests import factory
from tests.imports.sheets import csv_of, imported
from tests.records import scene

pytestmark = pytest.mark.django_db


def test_two_cases_of_one_register_are_destroyed_and_verified(at: Any) -> None:
    at(scene.LONG_AGO)
    blank = ("", "", "", "")
    rows = [
        (f"09-00{n}", "Closed", f"{n} Reed Street", "", "5/2/2009", "10/30/2009", *blank)
        for n in (1, 2)
    ]
    imported(csv_of(rows), by=factory.clerk())
    sites = list(Site.objects.order_by("pk"))
    found, on = scene.ready(at, *sites)
    done = destroying.carry_out(found, by=factory.clerk(), on=on)
    assert len(done.destroyed) == 2
    assert sorted(ImportedRow.objects.values_list("key", flat=True)) == ["09-001", "09-002"]
    assert not any("Reed" in str(row.content) for row in ImportedRow.objects.all())
    assert EarlierPermit.objects.count() == 2
    assert not DATASETS["permits"].earlier().exists()
    assert list(verify.faults()) == []
