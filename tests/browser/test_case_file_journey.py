"""The clerk has a case put in one file, saves it, and another program finds it whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bagit
import pytest

from permits.models import CaseExport
from tests import factory
from tests.browser.person import Wardrobe

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def wardrobe(browser: Any, live_server: Any) -> Iterator[Wardrobe]:
    opened = Wardrobe(browser, live_server.url, script=False)
    yield opened
    opened.close()


def test_from_the_case_page_to_a_bag_that_validates(
    wardrobe: Wardrobe, at: Any, tmp_path: Path
) -> None:
    at(factory.MONDAY)
    application = factory.issued()
    clerk = wardrobe.somebody(width=360)
    clerk.enter_as(factory.clerk())
    clerk.go(application.get_absolute_url())
    clerk.follow("Case file")
    clerk.press("Make the file")
    clerk.sees("Choose for whom the file is.")
    clerk.tick("For a court")
    clerk.press("Make the file")
    made = CaseExport.objects.get()
    clerk.sees(f"{made} is made.", made.sha256)
    answer = clerk.context.request.get(
        str(clerk.main.get_by_role("link", name=str(made)).get_attribute("href"))
    )
    archive = tmp_path / "case.zip"
    archive.write_bytes(answer.body())
    shutil.unpack_archive(archive, tmp_path)
    assert bagit.Bag(str(tmp_path / made.name)).validate() is True
    clerk.go(application.get_absolute_url())
    clerk.sees("The whole case was put in one file for a court")
    assert wardrobe.complaints == []
