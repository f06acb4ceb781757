"""Nothing is forgotten: every model that leads to a site is in the case file."""

from __future__ import annotations

from django.apps import apps
from django.db import models

from permits.models import Site
from portal.desk.export.tables import (
    HOUSE,
    LEFT_ASIDE,
    NOT_OF_A_CASE,
    house_models,
    tables,
)


def leads_to_site(model: type[models.Model], behind: tuple[type, ...] = ()) -> bool:
    """Whether a foreign key, or one behind it, points at a site: found in another way."""
    if model is Site:
        return True
    targets = {field.related_model for field in model._meta.concrete_fields if field.is_relation}
    return any(
        leads_to_site(target, (*behind, model))
        for target in targets
        if isinstance(target, type)
        and target not in behind
        and target is not model
        and target._meta.app_label in HOUSE
    )


def test_every_model_that_leads_to_a_site_is_exported() -> None:
    exported = {table.model for table in tables()} | set(LEFT_ASIDE)
    forgotten = [m for m in house_models() if leads_to_site(m) and m not in exported]
    assert forgotten == []


def test_every_other_model_is_named_with_its_reason() -> None:
    """A new model without a way to a site must be looked at: may it belong to a case?"""
    exported = {table.model for table in tables()} | set(LEFT_ASIDE)
    unnamed = {m._meta.label for m in house_models() if m not in exported} - set(NOT_OF_A_CASE)
    assert unnamed == set(), "name each in NOT_OF_A_CASE (portal/desk/export/tables.py), or why not"


def test_all_the_house_is_walked() -> None:
    """Whatever else is installed keeps nothing of a case: sign-in, sessions, the queue."""
    others = {config.label for config in apps.get_app_configs() if list(config.get_models())}
    known = {"account", "admin", "auth", "contenttypes", "django_tasks_database", "mfa"}
    assert others - set(HOUSE) - known == {"sessions"}


def test_each_way_leads_to_the_site_by_an_index() -> None:
    assert len(tables()) > 75
    for table in tables():
        for way in table.ways:
            assert way == "pk" or way.endswith(("site", "reference")), (table.label, way)
