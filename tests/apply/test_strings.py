"""Strings that break software: kept as typed in every text field, or refused in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from permits.models import Application, Site
from permits.views.steps import PAGES
from tests.apply.page import fill

TEXTS = {
    "site": ("address", "survey_description"),
    "people": tuple(
        f"{role}-{name}"
        for role in ("landowner", "contractor", "agent", "land_user")
        for name in ("organization", "name", "mailing_address")
    ),
    "work": (
        "project_name",
        "description",
        "existing_land_use",
        "fill_source",
        "haul_routes",
        "utilities",
        "other_permits",
    ),
    "plan": ("factors_on_site", "factors_adjacent", "devices-0-place", "devices-0-quantity"),
}
LONGEST = {"devices-0-quantity": 60}


def stored(application: Application, step: str, name: str) -> str:
    """Return what the record holds in a field."""
    if step == "site":
        return str(getattr(Site.objects.get(pk=application.site_id), name))
    if step == "people":
        role, field = name.split("-")
        party = application.parties.filter(role=role).first()
        return str(getattr(party, field, ""))
    if step == "work":
        return str(getattr(Application.objects.get(pk=application.pk), name))
    revision = application.latest_revision()
    if name.startswith("devices"):
        return str(getattr(revision.devices.get(), name.rpartition("-")[2]))
    return str(getattr(revision, name))


@pytest.fixture(scope="module")
def strings(cases) -> list[str]:
    texts: list[str] = json.loads((cases / "strings.json").read_text(encoding="utf-8"))
    assert len(texts) == 485
    return texts


def batches(strings: list[str], step: str) -> Iterator[dict[str, str]]:
    """Deal the strings out to the text fields of a step, as often as it takes."""
    rest = iter(strings)
    while batch := list(islice(rest, len(TEXTS[step]))):
        typed = dict(zip(TEXTS[step], batch, strict=False))
        names = [name for name in typed if name.endswith("-name")]
        typed |= {name: typed[name].strip() or "Mai Vang" for name in names}
        # An address is kept with any street, as long as it ends like an address.
        places = [name for name in typed if name.endswith("mailing_address")]
        yield typed | {name: f"1 Mill Street {typed[name]}\nExample, WI 54999" for name in places}


def check_kept(application: Application, step: str, typed: dict[str, str]) -> None:
    """Every string that fits stands on record as it was typed."""
    for name, text in typed.items():
        if len(text) <= LONGEST.get(name, 200):
            kept = text.strip().replace("\r\n", "\n").replace("\r", "\n")
            assert stored(application, step, name) == kept or not kept


def test_every_string_is_kept_as_it_was_typed_through_the_page(client, draft, strings):
    url = draft.get_step_url("people")
    for typed in batches(strings, "people"):
        assert fill(client, url, **typed).status_code in (200, 303)
        check_kept(draft, "people", typed)
    assert client.get(draft.get_step_url("check")).status_code == 200


@pytest.mark.parametrize("step", ["site", "work", "plan"])
def test_every_string_is_kept_as_it_was_typed_in_every_field(client, draft, strings, step):
    fixed = {"devices-0-device": "other", "devices-total": "1"} if step == "plan" else {}
    for typed in batches(strings, step):
        if step == "plan":
            draft.latest_revision().devices.all().delete()
        with draft.acting():
            PAGES[step].build(draft, QueryDict(urlencode({**fixed, **typed}), mutable=True)).save()
        check_kept(draft, step, typed)
    for page in (step, "check"):
        assert client.get(draft.get_step_url(page)).status_code == 200


def test_a_nul_character_is_refused_in_plain_words_in_every_text_field(client, draft):
    for step, names in TEXTS.items():
        fixed = {"devices-0-device": "other"} if step == "plan" else {}
        for name in names:
            answer = fill(client, draft.get_step_url(step), **{**fixed, name: "Mill\x00Street"})
            assert answer.status_code == 200
            assert "a character in this answer that cannot be kept" in answer.content.decode()
