"""Every page of escrow, bills, tax roll and books: without barriers, and on a phone."""

from __future__ import annotations

import pytest

from tests.browser.everywhere import Everywhere

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class TestThePagesOfMoney(Everywhere):
    part = "money"
