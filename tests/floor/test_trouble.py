"""A held case, a full storage and a database that is down: a page in plain words, 503 or 507."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from permits.models import Site
from portal import operations
from portal.stored import NotStored, StorageFull
from portal.trouble import TroubleMiddleware
from tests import factory


@pytest.mark.parametrize(
    ("trouble", "status", "words"),
    [
        (StorageFull("x"), 507, "storage for files"),
        (NotStored("x"), 503, "storage for files"),
        (OperationalError("database is locked"), 503, "Somebody else"),
        (OperationalError("canceling statement due to lock timeout"), 503, "Somebody else"),
        (OperationalError("connection refused"), 503, "database does not answer"),
    ],
)
def test_each_trouble_has_its_page(trouble: Exception, status: int, words: str) -> None:
    middleware = TroubleMiddleware(lambda request: HttpResponse())
    answer = middleware.process_exception(RequestFactory().post("/x/"), trouble)
    assert answer is not None
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert "not saved" in answer.content.decode()


def test_a_fault_of_ours_stays_a_fault() -> None:
    middleware = TroubleMiddleware(lambda request: HttpResponse())
    assert middleware.process_exception(RequestFactory().get("/x/"), ValueError()) is None


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_case_held_by_somebody_else_is_told_within_six_seconds() -> None:
    application = factory.received()
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Site.objects.select_for_update().get(pk=application.site_id)
            held.set()
            release.wait(20)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert held.wait(5)
        client = Client()
        client.force_login(application.applicant)
        began = time.monotonic()
        answer = client.post(
            reverse("withdraw", args=[application.key]),
            {"reason": "x", "confirmed": "on", operations.FIELD: operations.new_token()},
        )
        assert time.monotonic() - began < 6.5
        assert answer.status_code == 503
    finally:
        release.set()
        holder.join()
    application.refresh_from_db()
    assert application.status == "under_review"
