"""The law pages: every section, its rules, and the calculator. Public."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from portal.models import Closure
from portal.ordinance import RULES, SECTION_KEYS, newest_sections

pytestmark = pytest.mark.django_db


def test_the_law_lists_every_section(client: Client) -> None:
    page = client.get(reverse("law")).content.decode()
    for section in newest_sections().values():
        assert section.title in page
        assert reverse("law_section", args=[section.key]) in page


@pytest.mark.parametrize("section", SECTION_KEYS)
def test_each_section_has_its_page_with_its_rules(client: Client, section: str) -> None:
    response = client.get(reverse("law_section", args=[section]))
    page = response.content.decode()
    assert response.status_code == 200
    for key in newest_sections()[section].rules:
        assert RULES[key].title in page
        assert f'value="{key}"' in page


def test_an_unknown_section_is_an_unknown_page(client: Client) -> None:
    assert client.get(reverse("law_section", args=["parking"])).status_code == 404


def test_the_calculator_counts_as_the_portal_does(client: Client) -> None:
    Closure.objects.create(day="2026-11-27", name="Day after Thanksgiving", resolution="2026-1")
    response = client.get(reverse("law"), {"rule": "decision", "day": "2026-11-13"})
    page = response.content.decode()
    assert response.context["result"]["clock"].on.isoformat() == "2026-12-01"
    assert "Thanksgiving Day, a legal holiday" in page
    assert "Day after Thanksgiving, city hall closed" in page


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_can_be_worked_out(client: Client, rule: str) -> None:
    response = client.get(reverse("law"), {"rule": rule, "day": "11/30/2026"})
    result = response.context["result"]
    assert result["clock"] is not None
    assert result["clock"].key == rule


def test_a_rule_that_does_not_apply_says_why(client: Client) -> None:
    asked = {"rule": "permanent-cover", "day": "2026-06-01"}
    response = client.get(reverse("law_section", args=["completion"]), asked)
    assert response.context["result"]["clock"] is None
    assert "does not apply" in response.content.decode()


@pytest.mark.parametrize("day", ["31/12/2026", "13/13/2026", "2026-02-30", "1776-07-04", ""])
def test_a_day_that_cannot_be_meant_is_asked_again(client: Client, day: str) -> None:
    response = client.get(reverse("law"), {"rule": "decision", "day": day})
    assert response.status_code == 200
    assert response.context["result"] is None
    assert "Error: " in response.content.decode()


def test_an_unknown_rule_is_asked_again(client: Client) -> None:
    response = client.get(reverse("law"), {"rule": "1 OR 1=1", "day": "2026-11-30"})
    assert response.status_code == 200
    assert response.context["result"] is None
