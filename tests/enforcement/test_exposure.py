"""What a court could impose: documented days only, paused under a stay. Former § 17.19(9)"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement import exposure as work
from enforcement.acts import violations
from enforcement.models import Violation
from permits.models import CasePaper, Permit

from . import factory
from .appealing import appealed, decided
from .factory import MONDAY, inspector, order_of_permit, photo, violation

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def on_monday(at: Callable[..., Any]) -> None:
    at(MONDAY)


@pytest.fixture
def seen(permit: Permit) -> Violation:
    """A violation that was seen on two days, a week apart."""
    found = violation(permit.site, on=MONDAY, permit=permit)
    see(found, MONDAY + timedelta(days=7))
    return found


def see(found: Violation, on: Any) -> None:
    violations.see_again(
        found, by=inspector(), on=on, seen_on=on, seen="Still graded.", photos=[photo()]
    )


def test_two_documented_days_are_two_counts_however_many_went_by(seen: Violation) -> None:
    found = work.at_stake(seen, on=MONDAY + timedelta(days=9))
    assert (found.exposure.low, found.exposure.high) == (Decimal("100.00"), Decimal("200.00"))
    municipal, circuit = found.estimates
    assert (municipal.low, municipal.high) == (Decimal("248.00"), Decimal("374.00"))
    assert (circuit.low, circuit.high) == (Decimal("401.00"), Decimal("527.00"))


def test_days_documented_under_a_stay_are_not_counted_and_the_page_says_paused(
    seen: Violation, permit: Permit, at: Callable[..., Any]
) -> None:
    order = order_of_permit(permit, violations=[seen], on=MONDAY + timedelta(days=8))
    appeal = appealed(order, on=MONDAY + timedelta(days=9))
    see(seen, MONDAY + timedelta(days=10))
    today = MONDAY + timedelta(days=11)
    found = work.at_stake(seen, on=today)
    assert len(found.exposure.days) == 2
    assert list(found.held_days) == [MONDAY + timedelta(days=10)]
    assert list(found.paused_by) == [appeal]
    at(today)
    client = Client()
    client.force_login(factory.attorney())
    page = client.get(reverse("exposure", args=[permit.site.number])).content.decode()
    assert "Paused." in page
    assert "The city assesses nothing here." in page
    decided(appeal, on=MONDAY + timedelta(days=12))
    see(seen, MONDAY + timedelta(days=14))
    found = work.at_stake(seen, on=MONDAY + timedelta(days=14))
    assert (len(found.exposure.days), list(found.paused_by)) == (3, [])


def test_a_dropped_violation_is_nothing(seen: Violation, permit: Permit) -> None:
    violations.drop(seen, by=inspector(), on=MONDAY + timedelta(days=7), reason="Another lot.")
    assert work.of_site(permit.site, on=MONDAY + timedelta(days=7)) == []


def test_only_the_city_sees_it_and_the_sheet_stays_inside(
    seen: Violation, permit: Permit, at: Callable[..., Any]
) -> None:
    at(MONDAY + timedelta(days=8))
    attorney, holder = Client(), Client()
    attorney.force_login(factory.attorney())
    holder.force_login(permit.application.applicant)
    url = reverse("exposure", args=[permit.site.number])
    page = attorney.get(url).content.decode()
    assert "$100.00 to $200.00" in page
    assert "Wis. Stat. § 757.05(1)(a)" in page
    assert "to be confirmed" in page
    assert holder.get(url).status_code == 404
    sheet = reverse("citation_sheet", args=[seen.key])
    assert holder.post(sheet).status_code == 404
    assert attorney.get(sheet).status_code == 200
    attorney.post(sheet)
    paper = CasePaper.objects.get(kind="citation_sheet")
    assert attorney.get(reverse("paper", args=[paper.document.key])).status_code == 200
    assert holder.get(reverse("paper", args=[paper.document.key])).status_code == 404
    event = permit.site.events.latest("sequence")
    assert (event.kind, event.facts["days"]) == ("citation_sheet.made", 2)
    said = "A citation data sheet was made for the city attorney."
    staff = attorney.get(permit.site.get_absolute_url()).content.decode()
    assert said in staff
    assert paper.get_absolute_url() in staff
    told = holder.get(permit.site.get_absolute_url()).content.decode()
    assert "The story so far" in told
    assert "itation" not in told
    assert paper.get_absolute_url() not in told
