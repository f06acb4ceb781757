"""Every page of applicants, desk and accounts: without barriers, and on a phone."""

from __future__ import annotations

import pytest

from tests.browser.everywhere import Everywhere

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class TestThePagesOfPermits(Everywhere):
    part = "permits"
