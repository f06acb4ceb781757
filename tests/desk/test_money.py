"""The clerk's counter: what waits to be taken, and what came in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from escrow import acts as escrow_acts
from escrow.models import Instrument
from tests import factory

pytestmark = pytest.mark.django_db


def test_the_clerk_sees_what_waits_and_what_came_in(
    enter: Callable[..., Client], django_assert_max_num_queries: Any
) -> None:
    waiting, granted, posted = factory.submitted(), factory.granted(), factory.posted()
    clerk = enter(factory.clerk())
    clerk.get("/account/")
    with django_assert_max_num_queries(25):
        response = clerk.get("/money/")
    rows = {each.key: [row.title for row in each.rows] for each in response.context["lists"]}
    assert rows == {
        "fee": [f"Fee of $25.00 for {waiting.number}"],
        "escrow": [f"Escrow of $2,500.00 for {granted.number}"],
        "issue": [f"Issue the permit for {posted.number}"],
    }
    assert len(response.context["fees"]) == 2
    assert [entry.amount for entry in response.context["escrow"]] == [posted.permit.escrow_amount]


def test_an_empty_counter_says_so(enter: Callable[..., Client]) -> None:
    page = enter(factory.clerk()).get("/money/").content.decode()
    assert "No application waits for its fee." in page
    assert "No fee was taken yet." in page


def test_money_is_listed_and_told_by_the_day_it_came_in(
    enter: Callable[..., Client], at: Callable[..., object]
) -> None:
    """Entered last, but in first: the day of the fact counts, not that of the entry."""
    early, late = factory.MONDAY - timedelta(days=6), factory.MONDAY
    application = factory.granted(on=early - timedelta(days=1))
    newer = factory.posted(on=late)
    cash = Instrument(
        form="cash",
        amount=application.permit.escrow_amount,
        received_on=early,
        receipt_number="E-late",
    )
    escrow_acts.post(application.permit, [cash], by=factory.clerk(), on=late)
    at(late)
    clerk = enter(factory.clerk())
    listed = clerk.get("/money/").context
    assert [entry.permit.pk for entry in listed["escrow"]] == [
        newer.permit.pk,
        application.permit.pk,
    ]
    assert [entry.received_on for entry in listed["fees"]] == [late, early - timedelta(days=1)]
    page = clerk.get(application.get_absolute_url())
    assert "The $2,500.00 came in on Tuesday, November 10, 2026." in page.content.decode()
    days = [line.day for line in page.context["story"]]
    assert days == sorted(days, reverse=True)
    assert early in days
