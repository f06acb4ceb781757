"""Findings at a visit, its end, and who may read and write it."""

from __future__ import annotations

import json
import uuid
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.acts import visits as acts
from inspections.models import DocumentedDay, Finding, LineAnswer
from portal.models import Role

from .factory import (
    MONDAY,
    active_permit,
    clerk,
    finding,
    finished_visit,
    inspector,
    open_visit,
    user,
)
from .visiting import JSON, form_of, photo, send_photo, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


def fields_of(at_line, **changed) -> dict:
    return {
        "line": at_line.ref,
        "what": "The fence is down.",
        "section": "plan",
        "correct_by": "2026-11-17",
        "who": "permittee",
        "is_violation": "yes",
        "operation": str(uuid.uuid4()),
        **changed,
    }


def test_a_finding_sent_twice_is_one_finding(as_inspector, visit, line):
    data = fields_of(line)
    for _ in range(2):
        answer = as_inspector.post(url("visit_finding", visit), data, **JSON)
        assert "to be corrected by Tue, Nov 17: The fence is down." in answer.json()["text"]
    found = Finding.objects.get()
    assert (found.line, found.is_violation, found.days.count()) == (line, True, 1)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"what": " ", "note": ""}, "Say what is wrong."),
        ({"correct_by": "2026-11-15"}, "write that day or a later one"),
        ({"correct_by": ""}, "Please answer this."),
        ({"is_violation": ""}, "Say whether it is a violation."),
        ({"section": "penal code"}, "Choose one of the answers offered."),
        ({"line": "7777777"}, "no such line"),
    ],
)
def test_a_finding_that_cannot_be_recorded_says_why(as_inspector, visit, line, changed, words):
    answer = as_inspector.post(url("visit_finding", visit), fields_of(line, **changed), **JSON)
    assert answer.status_code == 422
    assert words in answer.json()["problem"]
    assert not Finding.objects.exists()


def test_without_scripts_a_finding_keeps_the_page_and_takes_the_note(as_inspector, visit, line):
    other_line = visit.lines.last()
    data = form_of(
        visit,
        **{
            f"line-{line.ref}-outcome": "missing",
            f"line-{line.ref}-note": "No fence at all.",
            f"line-{other_line.ref}-outcome": "in_place",
            f"finding-{line.ref}-what": "",
            f"finding-{line.ref}-section": "devices",
            f"finding-{line.ref}-correct_by": "11/18/2026",
            f"finding-{line.ref}-who": "contractor",
            f"finding-{line.ref}-is_violation": "no",
            f"finding-{line.ref}-operation": str(uuid.uuid4()),
            "finding": line.ref,
        },
    )
    for _ in range(2):
        answer = as_inspector.post(url("visit_finding", visit), data)
        assert answer.status_code == 303
    found = Finding.objects.get()
    assert answer["Location"] == f"{visit.get_absolute_url()}#finding-{found.number}"
    assert (found.what, found.who, found.correct_by) == (
        "No fence at all.",
        "contractor",
        date(2026, 11, 18),
    )
    assert LineAnswer.objects.count() == 2


def test_without_scripts_a_finding_that_is_amiss_is_asked_again_with_its_words(
    as_inspector, visit, line
):
    data = form_of(
        visit,
        **{
            f"finding-{line.ref}-what": "The fence is down.",
            f"finding-{line.ref}-section": "devices",
            f"finding-{line.ref}-correct_by": "11/1/2026",
            f"finding-{line.ref}-who": "contractor",
            "finding": line.ref,
        },
    )
    page = as_inspector.post(url("visit_finding", visit), data).content.decode()
    assert "The fence is down." in page
    assert "Say whether it is a violation." in page
    assert "It was found on Mon, Nov 16" in page
    assert not Finding.objects.exists()


def test_an_earlier_finding_is_seen_again_once_a_day_or_corrected(as_inspector, permit):
    earlier = finding(permit.site, on=MONDAY - timedelta(days=3))
    visit = open_visit(permit.site, on=MONDAY)
    page = as_inspector.get(visit.get_absolute_url()).content.decode()
    assert earlier.what in page
    where, key = url("visit_seen", visit), str(earlier.key)
    for _ in range(2):
        data = form_of(visit, seen=f"again:{key}")
        assert as_inspector.post(where, data)["Location"].endswith("#earlier")
    assert [day.on for day in DocumentedDay.objects.all()] == [MONDAY]
    data = {
        "finding": key,
        "seen": "corrected",
        "how": "New fence.",
        "operation": str(uuid.uuid4()),
    }
    for _ in range(2):
        assert as_inspector.post(where, data, **JSON).status_code == 200
    earlier.refresh_from_db()
    assert (earlier.status, earlier.confirmed_how) == ("corrected", "New fence.")
    assert as_inspector.post(where, {**data, "operation": ""}, **JSON).status_code == 409
    elsewhere = open_visit(active_permit().site, on=MONDAY)
    data["operation"] = str(uuid.uuid4())
    assert as_inspector.post(url("visit_seen", elsewhere), data, **JSON).status_code == 404


# Finishing, and who may see what ----------------------------------------------------------


def test_finishing_shows_what_is_reported_and_is_done_once(as_inspector, visit, line):
    where = url("visit_finish", visit)
    assert "Nothing is recorded yet." in as_inspector.get(where).content.decode()
    assert as_inspector.post(where).status_code == 409
    acts.answer(line, by=inspector(), outcome="missing")
    page = as_inspector.get(where).content.decode()
    assert "no finding is recorded" in page
    token = {"operation": str(uuid.uuid4())}
    for _ in range(2):
        assert as_inspector.post(where, token)["Location"] == visit.get_absolute_url()
    visit.refresh_from_db()
    assert (visit.status, visit.number) == ("finished", "IN-2026-0001")
    assert visit.site.events.filter(kind="visit.finished").count() == 1
    answer = as_inspector.get(visit.get_absolute_url())
    assert "Keep-Offline" not in answer
    assert b"visit.js" not in answer.content


def test_save_and_finish_leads_to_the_last_look(as_inspector, visit):
    answer = as_inspector.post(url("visit_save", visit), form_of(visit, then="finish"))
    assert answer["Location"] == url("visit_finish", visit)


def test_who_reads_and_who_writes(client, visit, permit, line):
    holder, stranger = permit.application.applicant, user()
    names = ["visit_save", "visit_photo", "visit_finding", "visit_seen", "visit_finish"]
    for person in (holder, stranger, clerk(), user(Role.ATTORNEY)):
        client.force_login(person)
        for name in [*names, "visit_discard"]:
            assert client.post(url(name, visit)).status_code == 404, (person, name)
    for person, status in ((holder, 404), (stranger, 404), (clerk(), 200), (user(Role.BOARD), 200)):
        client.force_login(person)
        assert client.get(visit.get_absolute_url()).status_code == status
    acts.answer(line, by=inspector(), outcome="in_place")
    acts.finish(visit, by=inspector())
    for person, status in ((holder, 200), (stranger, 404), (clerk(), 200)):
        client.force_login(person)
        assert client.get(visit.get_absolute_url()).status_code == status
    client.logout()
    for name in ["visit", *names]:
        answer = client.post(url(name, visit)) if name != "visit" else client.get(url(name, visit))
        assert answer.status_code == 302


def test_the_visits_of_a_site_are_listed_and_open_ones_only_for_staff(client, permit):
    finished_visit(permit.site, on=MONDAY - timedelta(days=7))
    open_visit(permit.site, on=MONDAY)
    where = reverse("visits", args=[permit.site.number])
    for person, shown in ((clerk(), True), (permit.application.applicant, False)):
        client.force_login(person)
        page = client.get(where).content.decode()
        assert "IN-2026-0001" in page
        assert ("Being written" in page) is shown
        assert "Begin a visit" not in page
    client.force_login(user())
    assert client.get(where).status_code == 404


def test_the_worker_keeps_files_that_are_there_and_names_nobody(client):
    answer = client.get(reverse("service_worker"))
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Service-Worker-Allowed"] == "/visits/"
    source = answer.content.decode()
    config = json.loads(source.split("const CONFIG = ")[1].split(";\n")[0])
    for file in config["files"]:
        assert client.get(file).status_code == 200, file
    assert "worker-src 'self'" in answer["Content-Security-Policy"]


def test_a_long_checklist_costs_no_more_queries_than_a_short_one(as_inspector, visit, permit):
    def cost() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            as_inspector.get(visit.get_absolute_url())
        return len(asked)

    send_photo(as_inspector, visit, photo(shade=200))
    before = cost()
    for number in range(12):
        key = uuid.uuid4()
        line = acts.extra_line(visit, key)
        acts.answer(line, by=inspector(), outcome="missing", note=f"Thing {number}")
        send_photo(as_inspector, visit, photo(shade=number), line=str(key))
    assert cost() == before <= 25
