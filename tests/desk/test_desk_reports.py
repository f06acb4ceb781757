"""Reports by the public on the desk of the inspector, and the ways to the site's own pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from inspections.acts import complaints
from inspections.models import Complaint
from portal.desk.lengths import MANY
from tests import factory

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 16)


def report(number: int = 1) -> Complaint:
    return complaints.take(on=DAY, what="mud", place=f"{number} Prairie Road")


@pytest.fixture
def inspector(enter: Callable[..., Client]) -> Client:
    return enter(factory.inspector())


def test_an_open_report_stands_on_the_inspectors_desk_until_it_is_answered(
    inspector: Client,
) -> None:
    waiting = report()
    page = inspector.get("/desk/").content.decode()
    assert "One report by the public is open." in page
    assert reverse("report_case", args=[waiting.key]) in page
    assert "1 Prairie Road" in page
    complaints.answer(waiting, by=factory.inspector(), on=DAY, text="Swept.")
    page = inspector.get("/desk/").content.decode()
    assert "1 Prairie Road" not in page
    assert "Nothing is due or waiting." in page


def test_the_newest_are_shown_and_all_are_counted(inspector: Client) -> None:
    for number in range(1, 6):
        report(number)
    response = inspector.get("/desk/")
    assert "Five reports by the public are open." in response.content.decode()
    newest = [each.place for each in response.context["reports"].newest]
    assert newest == ["5 Prairie Road", "4 Prairie Road", "3 Prairie Road"]


def test_nobody_counts_beyond_a_hundred(inspector: Client) -> None:
    Complaint.objects.bulk_create(
        Complaint(number=f"RP-{n}", what="mud", place="x", received_on=DAY) for n in range(MANY + 5)
    )
    assert inspector.get("/desk/").context["reports"].count == "100+"


def test_other_desks_lead_to_them(enter: Callable[..., Client]) -> None:
    report()
    page = enter(factory.clerk()).get("/desk/").content.decode()
    assert "1 Prairie Road" not in page
    for name in ("round", "reports", "season", "annual"):
        assert f'href="{reverse(name)}"' in page


def test_the_round_leads_to_a_site_without_a_permit(
    inspector: Client, enter: Callable[..., Any]
) -> None:
    address = reverse("unpermitted_visit")
    assert address in inspector.get(reverse("round")).content.decode()
    assert address not in enter(factory.clerk()).get(reverse("round")).content.decode()
