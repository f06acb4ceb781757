"""Parcel numbers are corrected; what the money names of them stays. § 40-886(b), LAW 3.3"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from escrow.bills import levying
from escrow.models import ParcelNote, RollLayout
from permits import parcels
from permits.models import Application, CaseEvent, NotNow, Parcel
from portal.models import CouncilValue
from tests import factory
from tests.apply.page import fill, send
from tests.escrow import money, rolls
from tests.review.pages import signed_in, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def filed(at: Any) -> Application:
    at(factory.MONDAY)
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    application = factory.received(on=factory.MONDAY)
    application.site.parcels.create(number="0251-17-0500")
    return application


def correct(client: Client, application: Application, *numbers: str) -> Any:
    """Write these parcel numbers, look at what will happen, and confirm."""
    url = reverse("correct_site", args=[application.key])
    answers = {"parcels": "\n".join(numbers), "reason": "A digit was wrong."}
    page = fill(client, url, step="check", **answers)
    return send(client, url, page, step="confirm") if page.status_code == 200 else page


def on_record(application: Application) -> dict[str, int]:
    return dict(application.site.parcels.order_by("pk").values_list("number", "pk"))


def note(parcel: Parcel) -> None:
    ParcelNote.objects.create(
        parcel=parcel, kind="confirmed", on=factory.MONDAY, by=factory.clerk()
    )


def divide(parcel: Parcel) -> None:
    """Divide a bill for city work at the site over all of its parcels."""
    levying.divide(
        rolls.billed(parcel.site),
        basis="equal",
        weights=dict.fromkeys(parcel.site.parcels.all(), Decimal(1)),
        why="As both owners asked.",
        by=factory.clerk(),
        on=rolls.TODAY,
    )


def put_on_the_roll(parcel: Parcel) -> None:
    """Certify the bill for city work at the site; each parcel has a line."""
    divide(parcel)
    rolls.certified(RollLayout.objects.get(name="CSV, all columns"))
    assert parcel.roll_lines.count() == 1


def test_unchanged_parcels_keep_their_rows_and_only_the_rest_comes_and_goes(
    filed: Application,
) -> None:
    first, second = on_record(filed)
    before = on_record(filed)
    client = signed_in(filed.applicant)
    assert correct(client, filed, "0251-17-0777", second).status_code == 302
    after = on_record(filed)
    assert list(after) == [second, "0251-17-0777"]
    assert after[second] == before[second]
    event = CaseEvent.objects.get(site=filed.site, kind="application.corrected")
    (change,) = event.facts["changes"]
    assert first in change["from"]
    assert "0251-17-0777" in change["to"]


def test_another_order_of_the_same_parcels_is_no_correction(filed: Application) -> None:
    first, second = on_record(filed)
    page = correct(signed_in(filed.applicant), filed, second, first)
    assert "Nothing is changed" in text_of(page)
    assert not CaseEvent.objects.filter(kind="application.corrected").exists()


@pytest.mark.parametrize(
    ("name", "what"),
    [(note, "a note of the city clerk"), (put_on_the_roll, "the tax roll"), (divide, "division")],
)
def test_a_parcel_that_the_money_names_is_kept_and_the_page_says_what_to_do(
    filed: Application, name: Any, what: str
) -> None:
    first, second = on_record(filed)
    name(Parcel.objects.get(site=filed.site, number=second))
    client, before = signed_in(filed.applicant), on_record(filed)
    url = reverse("correct_site", args=[filed.key])
    refused = fill(
        client, url, step="check", parcels=f"{first}\n0251-17-0777", reason="A digit was wrong."
    )
    words = text_of(refused)
    assert f"This must stay in the list: {second}." in words
    assert what in words
    assert "A digit was wrong." in refused.content.decode(), "what was typed is still there"
    assert on_record(filed) == before
    with pytest.raises(NotNow, match="stays on record"):  # named after the page was shown
        parcels.put_right(filed.site, [first])
    assert correct(client, filed, first, second, "0251-17-0777").status_code == 302
    after = on_record(filed)
    assert list(after) == [first, second, "0251-17-0777"]
    assert {number: after[number] for number in before} == before
