"""The clerk's counter: what waits to be taken, and what came in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

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
