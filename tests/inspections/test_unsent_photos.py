"""Photos of a report that was never completed go again; whatever is on record stays."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from inspections.acts import complaints
from inspections.unsent_photos import KEPT, forget_unsent_photos
from portal import clock
from portal.models import Preview, Upload
from portal.uploads.store import store
from tests.floor.sample_files import jpeg, pdf, sent
from tests.inspections import factory

from .test_reports_sent import send

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at("2026-11-23")


def grow_old() -> None:
    Upload.objects.update(uploaded_at=clock.now() - KEPT - timedelta(minutes=1))


def path_of(upload: Upload | Preview) -> Path:
    return Path(settings.MEDIA_ROOT) / str(upload.file.name)


def test_photos_of_a_refused_report_go_after_a_week_with_their_files(client: Client) -> None:
    send(client, what="", photos=[sent("mud.jpg", jpeg())])  # no kind was chosen: asked again
    upload = Upload.objects.get()
    files = [path_of(upload), *(path_of(preview) for preview in upload.previews.all())]
    assert len(files) == 2
    assert all(file.exists() for file in files)
    assert forget_unsent_photos(clock.today()) == 0, "the form can still be completed"
    grow_old()
    assert forget_unsent_photos(clock.today()) == 1
    assert not Upload.objects.exists()
    assert not Preview.objects.exists()
    assert not any(file.exists() for file in files)
    assert forget_unsent_photos(clock.today()) == 0


def test_what_a_report_may_not_have_goes_too(client: Client) -> None:
    send(client, photos=[sent("plan.pdf", pdf())])
    assert Upload.objects.count() == 1
    grow_old()
    assert forget_unsent_photos(clock.today()) == 1


def test_photos_of_a_report_and_of_an_account_stay(client: Client) -> None:
    send(client, photos=[sent("mud.jpg", jpeg())])
    store(sent("draft.jpg", jpeg()), by=factory.inspector())
    grow_old()
    assert forget_unsent_photos(clock.today()) == 0
    assert Upload.objects.count() == 2


def test_a_photo_that_a_report_takes_at_the_last_moment_stays() -> None:
    upload = store(sent("mud.jpg", jpeg()), by=None)
    grow_old()
    complaints.take(on=clock.today(), what="mud", place="Mill Street", photos=[upload])
    assert forget_unsent_photos(clock.today()) == 0
    assert path_of(upload).exists()
    assert connection.in_atomic_block is False
