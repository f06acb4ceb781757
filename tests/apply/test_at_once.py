"""Impatient clicks arrive at once: one application, one number, one message. § 40-886(b)"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connections
from django.test import Client

from permits.models import Application
from portal.models import NumberCounter, OutboxMessage, User
from tests import factory
from tests.apply.page import fields_of

pytestmark = pytest.mark.django_db(transaction=True)

CLICKS = 8


def click_at_once(user: User, url: str, data: dict[str, Any]) -> list[tuple[int, str]]:
    """Send one form from several connections in the same moment."""
    start = Barrier(CLICKS)
    body = urlencode(data, doseq=True)

    def click(_: int) -> tuple[int, str]:
        client = Client()
        client.force_login(user)
        start.wait()
        try:
            answer = client.post(url, body, content_type="application/x-www-form-urlencoded")
            return answer.status_code, answer.headers.get("Location", "")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(CLICKS) as pool:
        return list(pool.map(click, range(CLICKS)))


def test_eight_clicks_in_the_same_moment_file_one_application(today):
    complete = factory.complete_draft()
    vang = complete.applicant
    client = Client()
    client.force_login(vang)
    url = complete.get_step_url("check")
    data = {**fields_of(client.get(url)), "signed_name": "Mai Vang", "capacity": "Landowner"}
    answers = click_at_once(vang, url, data)
    assert set(answers) == {(303, f"/applications/{complete.key}/receipt/")}
    assert NumberCounter.objects.get(series="AP").last == 1
    mails = OutboxMessage.objects.filter(cause="submitted")
    assert mails.count() == mails.values("recipient").distinct().count() > 0


def test_eight_clicks_in_the_same_moment_begin_one_application(today):
    vang = factory.applicant()
    client = Client()
    client.force_login(vang)
    answers = click_at_once(vang, "/apply/", fields_of(client.get("/apply/")))
    assert len(set(answers)) == 1
    assert Application.objects.count() == 1


def test_eight_clicks_in_the_same_moment_make_one_row_of_the_plan(today):
    draft = factory.draft()
    client = Client()
    client.force_login(draft.applicant)
    url = draft.get_step_url("plan")
    data = fields_of(client.get(url)) | {"devices-0-device": "mulch", "devices-0-place": "All"}
    # Without files the form may come without its envelope for them.
    answers = click_at_once(draft.applicant, url, data)
    assert {status for status, _ in answers} == {303}
    assert draft.latest_revision().devices.count() == 1
