"""Every field that other cities' forms ask is here, or deliberately not: docs/form-fields.md."""

from __future__ import annotations

import json
import re

import pytest

from permits.forms.people import BLOCKS
from permits.forms.site import SiteForm
from permits.forms.work import WorkForm

ROW = re.compile(r"^\| (\d+)\.(\d+) \| (.+?) \| (.+?) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def table(root) -> dict[tuple[int, int], tuple[str, str]]:
    """The table of the page: form and field, what it asks, where it is."""
    text = (root / "docs" / "form-fields.md").read_text(encoding="utf-8")
    found = ROW.findall(text)
    rows = {(int(form), int(field)): (asks, here) for form, field, asks, here in found}
    assert len(rows) == len(found), "a field stands in the table twice"
    return rows


def words(text: str) -> set[str]:
    """The beginnings of the words that tell what a field is about."""
    return {word[:5] for word in re.findall(r"[a-z]{3,}", text.lower())}


def test_every_field_of_the_sixteen_forms_has_its_row(table, cases):
    forms = json.loads((cases / "forms_fields.json").read_text(encoding="utf-8"))["forms"]
    asked = {
        (number, place): field
        for number, form in enumerate(forms, start=1)
        for place, field in enumerate(form["fields"], start=1)
    }
    assert len(forms) == 16
    assert table.keys() == asked.keys()
    for key, field in asked.items():
        if "(cut)" not in field:
            assert words(field) & words(table[key][0]), f"{key} is another field: {field}"


def test_every_row_says_where_the_field_is_or_why_not(table):
    places = re.compile(
        r"Steps? \d|the account|the decision|the grant|escrow|given by the portal|clerk|left out"
        r"|not asked|not part|not a question|nothing to answer|belongs to|permit card|known from"
        r"|do i need a permit|the seven steps|day of issue|when the permit is issued|told"
        r"|case number",
        re.IGNORECASE,
    )
    for key, (_, here) in table.items():
        assert places.search(here), f"{key}: {here}"


def test_what_the_table_names_is_really_asked(table):
    """The names of questions in the table are those on the pages."""
    told = " ".join(here for _, here in table.values())
    labels = {
        str(field.label) for form in (SiteForm, WorkForm) for field in form.base_fields.values()
    }
    for name in (
        "Survey description",
        "Name of the project",
        "What will be done?",
        "Zoning, now and proposed",
        "Utilities and easements on the land",
        "Other permits",
        "Where does fill come from, and where does spoil go?",
        "Which roads will the trucks use?",
    ):
        assert name in labels
        assert name in told
    assert {"landowner", "land_user", "contractor", "agent", "emergency", "controls"} == {
        block.role for block in BLOCKS
    }
