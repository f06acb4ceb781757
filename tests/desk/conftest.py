"""Pages of the roof: the day stands still, and papers are quickly made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from portal import clock, papers
from portal.models import User
from tests import factory, scene


@pytest.fixture(autouse=True)
def monday(at: Callable[..., datetime]) -> None:
    """Every test begins on the factory's Monday."""
    at(factory.MONDAY)


@pytest.fixture(autouse=True)
def quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make papers without typesetting them; tests of the papers themselves do that."""

    monkeypatch.setattr(papers, "render", scene.quick_paper)


class Browser(Client):
    """A browser whose person signs in again whenever the test moves the clock."""

    def __init__(self, person: User | None) -> None:
        super().__init__()
        self.person = person
        self.signed_in_at: datetime | None = None

    def request(self, **request: Any) -> Any:
        now = clock.now()
        stale = self.signed_in_at is None or abs(now - self.signed_in_at) > timedelta(minutes=20)
        if self.person is not None and stale:
            self.signed_in_at = now
            self.force_login(self.person)
            request["HTTP_COOKIE"] = "; ".join(
                f"{morsel.key}={morsel.value}" for morsel in self.cookies.values()
            )
        return super().request(**request)


@pytest.fixture
def enter() -> Callable[[User | None], Browser]:
    """Return a browser in which somebody is signed in."""
    return Browser
