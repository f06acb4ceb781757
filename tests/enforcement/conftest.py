"""Land with and without a permit, and an order that stands on it."""

from __future__ import annotations

import pytest
from django.test import Client

from enforcement.models import StopWorkOrder
from permits.models import Permit
from portal import papers

from .factory import active_permit, inspector, order_standing


@pytest.fixture(autouse=True)
def blank_papers(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Papers have tests of their own (`real_papers`); elsewhere blank ones do."""
    if "real_papers" not in request.fixturenames:
        monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(b"%PDF-1.7\n", 1))


@pytest.fixture
def real_papers() -> None:
    """Papers are rendered as they are."""


@pytest.fixture
def permit(db: None) -> Permit:
    """A permit that was issued on the factory's Monday."""
    return active_permit()


@pytest.fixture
def order(permit: Permit) -> StopWorkOrder:
    """An order against a permittee, posted on the day of its issue."""
    return order_standing(permit)


@pytest.fixture
def as_inspector(client: Client, db: None) -> Client:
    """The inspector, signed in."""
    client.force_login(inspector())
    return client
