"""The lengths of the desk's lists: as many as there are, in one query."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal import counting
from portal.desk import lengths
from portal.desk.docket import WHEN, Docket, Question
from portal.desk.waiting import WAITING
from tests import factory

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 16)
EVERY: list[lengths.Wanted] = [(key, ()) for key in (*WHEN, *WAITING)]


@pytest.fixture(autouse=True)
def _cases() -> None:
    for make in (factory.submitted, factory.received, factory.denied, factory.granted):
        for _ in range(3):
            make()


@pytest.mark.parametrize("on", [DAY, date(2026, 12, 1), date(2027, 3, 1)])
@pytest.mark.parametrize("who", ["city", "holder", "all"])
def test_each_list_is_as_long_as_it_is(on: date, who: str) -> None:
    docket = Docket(Question(who=who), on=on)
    with CaptureQueriesContext(connection) as caught:
        found = lengths.lengths(docket, EVERY)
    assert len(caught) == 1
    plain = {(key, ()): len(docket.listed(key)) for key in WHEN}
    plain |= {(key, ()): waiting.found().count() for key, waiting in WAITING.items()}
    assert found == plain
    assert sum(found.values()) > 0


def test_a_search_counts_its_own_sites_and_none_where_there_is_none() -> None:
    number = factory.received().site.number
    of_one = lengths.lengths(Docket(Question(text=number), on=DAY), EVERY)
    assert sum(of_one.values()) == 1
    of_none = lengths.lengths(Docket(Question(text="nowhere at all"), on=DAY), EVERY)
    assert set(of_none.values()) == {0}


def test_nobody_counts_beyond_a_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MANY", 2)
    lengths._kept.cache_clear()
    found = lengths.lengths(Docket(Question(), on=DAY), [("fee", ())])
    lengths._kept.cache_clear()
    assert found == {("fee", ()): 3}
    assert lengths.written(3) == "2+"
