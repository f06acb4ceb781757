"""Whatever a part of the house writes about a case is erased with it, or named as kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import models

from permits.models import FeeEntry, RecordSeal, SearchWord
from portal import guards
from portal.desk.records.erasing import KEPT, KEPT_IN, PARTS, STAYS, tables
from portal.desk.records.facts import MATTERS


def all_models() -> list[Any]:
    return [model for part in PARTS for model in apps.get_app_config(part).get_models()]


NOT_OF_A_CASE = {"inspections_rainreading", "permits_importbatch", "permits_importsource"}
"""Tables that tell of the whole city: rain, and the sheets from which earlier permits came."""


def test_every_table_of_a_case_is_reached() -> None:
    reached = {table.model for table in tables()} | STAYS
    bare = {model for model in all_models() if not texts(model)}
    missed = {model._meta.db_table for model in all_models() if model not in reached | bare}
    assert missed == NOT_OF_A_CASE


def texts(model: Any) -> list[str]:
    kept = KEPT | KEPT_IN.get(model._meta.db_table, frozenset())
    return [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField | models.JSONField)
        and not (field.name in kept or field.unique or field.choices)
    ]


@pytest.mark.parametrize("model", all_models(), ids=lambda model: model.__name__)
def test_every_text_of_a_table_is_erased_unless_it_is_named_as_kept(model: Any) -> None:
    table = next((each for each in tables() if each.model is model), None)
    if table is None:
        assert model in STAYS or not texts(model) or model._meta.db_table in NOT_OF_A_CASE
    else:
        assert set(texts(model)) <= set(table.erased)


def test_what_stays_whole_is_money_seals_and_words_that_are_deleted() -> None:
    assert {FeeEntry, RecordSeal, SearchWord} == STAYS


def test_every_append_only_table_of_a_case_has_its_door() -> None:
    names = set(guards.registered())
    for table in tables():
        assert f"{table.name}_no_update" not in names
    assert "permits_caseevent_but_destroyed" in names
    assert "permits_feeentry_no_update" in names
    assert "escrow_receipt_no_update" in names


def test_no_name_of_a_guard_is_too_long_for_postgresql() -> None:
    assert [name for name in guards.registered() if len(f"siltfence_{name}") > 63] == []


@pytest.mark.django_db
def test_every_matter_is_a_query_that_runs() -> None:
    for matter in MATTERS:
        assert list(matter.found([0])) == []
        assert matter.text.endswith(".")
