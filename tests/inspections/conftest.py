"""A visit being written, and who writes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from inspections.models import ChecklistLine, Visit
from permits.models import Permit
from portal import papers
from portal.models import Role, User

from .factory import MONDAY, active_permit, inspector, open_visit, user


@pytest.fixture(autouse=True)
def blank_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports have tests of their own; elsewhere blank ones do."""
    monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(b"%PDF-1.7\n", 1))


@pytest.fixture
def monday(at: Callable[..., object]) -> None:
    """The day on which most tests of visits play."""
    at(MONDAY)


@pytest.fixture
def permit(db: None) -> Permit:
    """A permit that was issued a month before."""
    return active_permit(issued_on=MONDAY - timedelta(days=30))


@pytest.fixture
def visit(permit: Permit) -> Visit:
    """A visit that was just begun."""
    return open_visit(permit.site, on=MONDAY)


@pytest.fixture
def line(visit: Visit) -> ChecklistLine:
    """The first line of its checklist: a silt fence."""
    found = visit.lines.first()
    assert found is not None
    return found


@pytest.fixture
def as_inspector(client: Client, db: None) -> Client:
    """The inspector who began it."""
    client.force_login(inspector())
    return client


@pytest.fixture
def other(db: None) -> User:
    """Another inspector at the same site."""
    return user(Role.INSPECTOR, "other@example.test", "Sam Reyes")
