"""Fixtures of the tests about records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from portal.models import User


@pytest.fixture
def enter() -> Callable[[User], Client]:
    """A browser in which a person is signed in."""

    def sign_in(person: User) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return sign_in


@pytest.fixture
def today(at: Any) -> None:
    """The day of the scene."""
    at("2026-11-16")
