"""The daily round lets SQLite learn the size of its tables."""

from __future__ import annotations

import pytest
from django.db import connection

from portal import clock, rounds, upkeep
from portal.models import CouncilValue
from tests import factory


@pytest.mark.django_db
def test_the_round_lets_sqlite_learn_the_size_of_its_tables() -> None:
    if connection.vendor != "sqlite":
        assert upkeep.refresh_figures(clock.today()) == 0
        return
    by = factory.clerk()
    for number in range(200):
        CouncilValue.objects.create(
            key="fee", value="25.00", effective_on="2020-01-01", resolution=f"{number}",
            entered_by=by,
        )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_schema")
        cursor.execute("DELETE FROM sqlite_stat1")
        assert rounds.run_all(clock.today())["figures of the database"] == 1
        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = 'portal_councilvalue'")
        assert cursor.fetchone()[0].startswith("200 ")
