"""/healthz: red with the reason, and without a secret, when the portal cannot do its work."""

from __future__ import annotations

import json
import shutil
from collections import namedtuple
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.http import JsonResponse
from django.test import RequestFactory
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from portal import clock, delivery, outbox, tasks
from portal.models import OutboxMessage
from portal.views.health import healthz

MAIL = {"recipient": "a@b.example", "subject": "S", "body": "B", "cause": "test"}
Usage = namedtuple("Usage", "total used free")

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _a_worker_ran() -> None:
    tasks.send_outbox.enqueue()
    DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL, finished_at=clock.now())


def _look() -> tuple[int, dict[str, str]]:
    answer: JsonResponse = healthz(RequestFactory().get("/healthz"))
    found = json.loads(answer.content)
    assert found["status"] == ("ok" if answer.status_code == 200 else "red")
    return answer.status_code, found["checks"]


def test_all_is_well() -> None:
    assert _look() == (
        200,
        {"database": "ok", "disk": "ok", "outbox": "ok", "worker": "ok"},
    )


def test_the_answer_is_never_stored_and_only_read() -> None:
    answer = healthz(RequestFactory().get("/healthz"))
    assert "no-store" in answer["Cache-Control"]
    assert healthz(RequestFactory().post("/healthz")).status_code == 405


def test_a_database_that_does_not_answer_is_named_without_its_password(monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise OperationalError("postgres://siltfence:hunter2@10.0.0.3 refused")

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", fails)
    status, checks = _look()
    assert status == 503
    assert checks["database"] == "The database does not answer."
    assert "hunter2" not in json.dumps(checks)
    assert "10.0.0.3" not in json.dumps(checks)


def test_a_database_that_is_away_is_503_through_every_layer(client, monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", fails)
    assert client.get("/healthz").status_code == 503


@pytest.mark.parametrize(
    ("free", "found"),
    [
        pytest.param(4, "Only 4% of the disk is free.", id="below"),
        pytest.param(5, "ok", id="at the bound"),
    ],
)
def test_a_full_disk_is_red(monkeypatch, free: int, found: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(100, 100 - free, free))
    assert _look()[1]["disk"] == found


def test_a_mail_that_waits_for_an_hour_is_red() -> None:
    row = outbox.queue(key="k", **MAIL)
    OutboxMessage.objects.filter(pk=row.pk).update(created_at=clock.now() - timedelta(minutes=59))
    assert _look()[0] == 200
    OutboxMessage.objects.filter(pk=row.pk).update(created_at=clock.now() - timedelta(minutes=61))
    status, checks = _look()
    assert status == 503
    assert checks["outbox"] == "E-mails that have waited for more than an hour: 1."


def test_a_wrong_address_is_not_the_machines_fault() -> None:
    row = outbox.queue(key="k", **MAIL)
    OutboxMessage.objects.filter(pk=row.pk).update(
        created_at=clock.now() - timedelta(days=3), last_error=f"{delivery.REFUSED}: 550"
    )
    assert _look()[0] == 200


def test_a_worker_that_is_gone_is_red() -> None:
    DBTaskResult.objects.update(finished_at=clock.now() - timedelta(minutes=12, seconds=5))
    status, checks = _look()
    assert status == 503
    assert checks["worker"] == "No worker has run for 12 minutes."
    DBTaskResult.objects.all().delete()
    assert _look()[1]["worker"] == "No worker has run yet."


def test_a_worker_with_a_long_task_is_well() -> None:
    DBTaskResult.objects.update(finished_at=clock.now() - timedelta(hours=1))
    tasks.enqueue_daily_round(clock.today())
    DBTaskResult.objects.filter(finished_at=None).update(
        status=TaskResultStatus.RUNNING, started_at=clock.now() - timedelta(minutes=1)
    )
    assert _look()[0] == 200
