"""Imports at the same moment: each spreadsheet once, and each row of a register once."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from permits.imports import taking
from permits.models import ImportBatch, ImportedRow, Site
from permits.verify import faults
from tests import factory
from tests.escrow.at_once import all_at_once

from .sheets import GOOD, csv_of, opened

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_the_same_rows_sent_four_times_and_taken_twice_each_come_in_once(at: Any) -> None:
    at(factory.MONDAY)
    batches = [opened(csv_of(GOOD)) for _ in range(4)]
    acts = [partial(taking.take, each, by=None, on=factory.MONDAY) for each in batches]
    went = all_at_once(*acts, times=8, words=["is imported"])
    assert went == {"done": 4, "refused": 4}
    assert Site.objects.count() == ImportedRow.objects.count() == 3
    assert sorted(ImportBatch.objects.values_list("taken", flat=True)) == [0, 0, 0, 3]
    assert list(faults()) == []
