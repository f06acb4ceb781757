"""What the tests of the applicant's pages share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from permits.models import Application
from portal.models import User
from tests import factory


@pytest.fixture
def today(at: Callable[..., object]) -> None:
    """Noon of Monday, November 16, 2026."""
    at(factory.MONDAY)


@pytest.fixture
def vang(db: None, today: None) -> User:
    """The applicant."""
    return factory.applicant("Mai Vang")


@pytest.fixture
def client(vang: User) -> Client:
    """A browser in which the applicant is signed in."""
    client = Client()
    client.force_login(vang)
    return client


@pytest.fixture
def draft(vang: User) -> Application:
    """An application that was just begun."""
    return factory.draft(vang)


@pytest.fixture
def complete(vang: User) -> Application:
    """An application with every answer, not submitted."""
    return factory.complete_draft(vang)
