"""What the tests of the review share: the day, and papers that are quick to make."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from portal import papers
from tests import factory


@pytest.fixture
def quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a stand-in for each paper, where the test is not about papers."""
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)


@pytest.fixture
def monday(at: Callable[..., datetime], quick_papers: None) -> datetime:
    """Monday, November 16, 2026, at noon; papers are quick."""
    return at(factory.MONDAY)
