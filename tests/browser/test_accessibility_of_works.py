"""Every page of inspections and enforcement: without barriers, and on a phone."""

from __future__ import annotations

import pytest

from tests.browser.everywhere import Everywhere

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class TestThePagesOfWorks(Everywhere):
    part = "works"
