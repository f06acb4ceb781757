"""The mail room on the factory's Monday, with whoever listens to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from portal import mailroom
from portal.mailroom import Fact
from tests import factory


@pytest.fixture(autouse=True)
def _monday(at: Callable[..., datetime]) -> None:
    at(factory.MONDAY)


@pytest.fixture
def told() -> Iterator[list[Fact]]:
    """What somebody whose clock hangs on an `test_notice` is told."""
    heard: list[Fact] = []
    registries = (mailroom._accepted, mailroom._returned)
    before = [dict(registry) for registry in registries]
    for registry in registries:
        registry["test_notice"] = heard.append
    yield heard
    for registry, was in zip(registries, before, strict=True):
        registry.clear()
        registry.update(was)
