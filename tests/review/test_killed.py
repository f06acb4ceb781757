"""A process killed while it decides: decision, event, paper, mail and docket, all or none."""

from __future__ import annotations

import random
import sys
import time

import pytest

from permits.models import Application, Decision
from permits.verify import faults
from portal.models import Mailing, OutboxMessage
from tests import factory
from tests.ground.processes import database_url, running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("quick_papers"),
]

COMMAND = [sys.executable, "-m", "tests.review.decide_all"]
APPLICATIONS = 10
KILLS = 4


def test_nothing_is_ever_decided_by_half(settings) -> None:
    settings.MEDIA_ROOT = settings.VAR_DIR / "files"
    for _ in range(APPLICATIONS):
        factory.received()
    factory.inspector()
    chance = random.Random(20261116)
    for _ in range(KILLS):
        with running(COMMAND, DATABASE_URL=database_url()) as process:
            begun = _decided()
            deadline = time.monotonic() + 60
            while _decided() == begun and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.0, 0.6))
            process.kill()
            process.wait()
        _all_or_none()
    with running(COMMAND, DATABASE_URL=database_url()) as process:
        assert process.wait(timeout=120) == 0
    assert _decided() == APPLICATIONS
    _all_or_none()


def _decided() -> int:
    return Decision.objects.count()


def _all_or_none() -> None:
    for application in Application.objects.all():
        kinds = {"granted": "grant", "denied": "denial"}
        decided = application.status in kinds
        assert application.decisions.count() == decided
        events = application.site.events.filter(
            kind__in=["application.granted", "application.denied"]
        )
        assert events.count() == decided
        papers = application.papers.exclude(kind="receipt")
        assert [paper.kind for paper in papers] == ([kinds[application.status]] if decided else [])
        number = application.site.number
        told = {"reference": number, "cause__in": ["granted:1", "denied:1"]}
        mails, letters = OutboxMessage.objects.filter(**told), Mailing.objects.filter(**told)
        assert (mails.count(), letters.count()) == ((3, 3) if decided else (0, 0))
    assert not list(faults())
