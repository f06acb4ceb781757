"""Writing a visit: each answer once, two inspectors beside each other, without scripts too."""

from __future__ import annotations

import uuid
from datetime import date

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.files.uploadedfile import SimpleUploadedFile

from inspections.acts import visits as acts
from inspections.models import LineAnswer
from portal import clock

from .factory import MONDAY, clerk, inspector
from .visiting import JSON, form_of, photo, send, send_photo, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


def test_an_answer_sent_twice_is_one_answer_and_a_later_one_is_a_new_row(as_inspector, visit, line):
    key = str(uuid.uuid4())
    for _ in range(3):
        answer = send(as_inspector, visit, line=line.ref, outcome="missing", key=key)
        assert answer.json()["line"] == line.ref
    send(as_inspector, visit, line=line.ref, outcome="in_place", note="Put up meanwhile.")
    assert [row.outcome for row in LineAnswer.objects.all()] == ["missing", "in_place"]


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"outcome": "broken"}, "Choose one of the answers offered"),
        ({"outcome": ""}, "Choose how it is"),
        ({"outcome": "", "note": "x"}, "Choose how it is"),
        ({"outcome": "missing", "note": "x" * 4001}, "Write at most 4000 characters"),
        ({"outcome": "missing", "note": "a\x00b"}, "cannot be kept"),
        ({"outcome": "missing", "line": "999999"}, "no such line"),
        ({"outcome": "missing", "line": "zaun"}, "no such line"),
        ({"outcome": "missing", "key": "7"}, "without its key"),
        ({"kind": "description", "weather": "hail"}, "Choose one of the answers"),
        ({"kind": "description", "stockpile_since": "2026-11-17"}, "write that day or an earlier"),
        ({"kind": "description", "stockpile_since": "31/12/2026"}, "Write a day of the calendar"),
    ],
)
def test_what_cannot_be_kept_is_said_in_plain_words(as_inspector, visit, line, item, words):
    answer = send(as_inspector, visit, **{"line": line.ref, **item})
    assert answer.status_code == 422
    assert words in answer.json()["problem"]
    assert not LineAnswer.objects.exists()
    assert not visit.descriptions.exists()


@pytest.mark.parametrize("body", ["{", "[]", "7", '"x"', "\\ud800", "[" * 5000])
def test_what_is_no_json_is_refused_and_not_a_fault(as_inspector, visit, body):
    answer = as_inspector.post(
        url("visit_save", visit), body, content_type="application/json", **JSON
    )
    assert answer.status_code == 422


def test_the_device_asks_who_is_signed_in_before_it_sends(as_inspector, visit):
    said = as_inspector.get(url("visit_save", visit), **JSON).json()
    assert said["person"] == str(inspector().pk)
    assert said["csrf"]
    assert said["status"] == "open"
    assert as_inspector.get(url("visit_save", visit)).status_code == 303


def test_a_device_whose_clock_is_wrong_keeps_the_order_within_the_visit(as_inspector, visit, line):
    for at in ("1999-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "yesterday", ""):
        send(as_inspector, visit, line=line.ref, outcome="missing", at=at)
    for row in LineAnswer.objects.all():
        assert visit.began_at <= row.answered_at <= clock.now()
    assert LineAnswer.objects.count() == 4


# Without scripts --------------------------------------------------------------------------


def test_one_save_keeps_the_whole_page_and_a_second_one_adds_nothing(as_inspector, visit, line):
    def data():
        return form_of(
            visit,
            **{
                f"line-{line.ref}-outcome": "needs_correction",
                f"line-{line.ref}-note": "Leans.",
                f"line-{line.ref}-photos": [photo(), photo("IMG_2.jpg", 99)],
                "visit-weather": "rain",
                "visit-note": "Mud on Mill Street.",
                "visit-stockpile_since": "11/2/2026",
                "then": line.ref,
            },
        )

    for _ in range(2):
        answer = as_inspector.post(url("visit_save", visit), data())
        assert answer["Location"] == f"{visit.get_absolute_url()}#line-{line.ref}"
    visit.refresh_from_db()
    assert (visit.weather, visit.note) == ("rain", "Mud on Mill Street.")
    assert visit.stockpile_since == date(2026, 11, 2)
    assert LineAnswer.objects.get().note == "Leans."
    assert line.photos.count() == 2
    assert visit.descriptions.count() == 1


def test_what_is_good_is_kept_where_something_else_needs_another_look(as_inspector, visit):
    first, second = visit.lines.all()[:2]
    text = SimpleUploadedFile("plan.txt", b"text", "text/plain")
    data = form_of(
        visit,
        **{
            f"line-{first.ref}-outcome": "in_place",
            f"line-{second.ref}-note": "A note alone.",
            f"line-{second.ref}-photos": [photo(), text],
            "visit-stockpile_since": "2027-01-01",
        },
    )
    page = as_inspector.post(url("visit_save", visit), data).content.decode()
    assert "<title>Error: " in page
    assert "Choose how it is, so that the note is kept with it." in page
    assert "A note alone." in page
    assert "write that day or an earlier one" in page
    assert "plan.txt: it is not a photo." in page
    assert LineAnswer.objects.get().line == first
    assert second.photos.count() == 1


def test_something_on_no_plan_becomes_a_line_of_its_own_once(as_inspector, visit):
    key = str(uuid.uuid4())
    data = form_of(visit)
    data["line"] = [*data["line"], key]
    data |= {f"line-{key}-outcome": "needs_correction", f"line-{key}-note": "Fuel tank."}
    for _ in range(2):
        assert as_inspector.post(url("visit_save", visit), data).status_code == 303
    line = visit.lines.get(kind="extra")
    assert (line.ref, line.position) == (key, 6)
    assert line.answers.get().note == "Fuel tank."
    page = as_inspector.get(visit.get_absolute_url()).content.decode()
    assert f'id="line-{key}"' in page


def test_a_form_cut_off_on_its_way_is_not_acted_upon(as_inspector, visit, line):
    data = {f"line-{line.ref}-outcome": "missing", f"line-{line.ref}-photos": photo()}
    answer = as_inspector.post(url("visit_save", visit), data)
    assert answer.status_code == 400
    assert not LineAnswer.objects.exists()


def test_what_was_typed_survives_the_end_of_the_session(as_inspector, visit, line):
    as_inspector.get(visit.get_absolute_url())  # the browser remembers whose it is
    as_inspector.cookies.pop("sessionid")
    data = form_of(
        visit,
        **{
            f"line-{line.ref}-outcome": "missing",
            f"line-{line.ref}-note": "Taken away.",
            f"line-{line.ref}-photos": photo(),
        },
    )
    assert as_inspector.post(url("visit_save", visit), data).status_code == 302
    kept = as_inspector.cookies["sessionid"].value
    held = SessionStore(kept)["kept_forms"]
    as_inspector.force_login(inspector())
    session = as_inspector.session
    session["kept_forms"] = held
    session.save()
    page = as_inspector.get(visit.get_absolute_url()).content.decode()
    assert "Taken away." in page
    assert "Nothing was sent yet" in page
    assert line.photos.count() == 1


# Two inspectors ---------------------------------------------------------------------------


def test_both_texts_are_kept_and_shown_with_names(client, visit, line, other):
    for who, outcome, note in ((inspector(), "in_place", "Stands."), (other, "missing", "Gone.")):
        client.force_login(who)
        send(client, visit, line=line.ref, outcome=outcome, note=note)
        send(client, visit, kind="description", weather="dry", note=f"Note of {who}.")
    page = client.get(visit.get_absolute_url()).content.decode()
    assert "<strong>Dana Olson:</strong> In place. Stands." in page
    assert "<strong>Dana Olson:</strong> Note of Dana Olson." in page
    assert page.count("checked") == 2  # Sam's own answer, and the weather
    visit.refresh_from_db()
    assert visit.note == "Dana Olson: Note of Dana Olson.\n\nSam Reyes: Note of Sam Reyes."
    acts.finish(visit, by=other)
    client.force_login(clerk())
    page = client.get(visit.get_absolute_url()).content.decode()
    for words in ("Stands.", "Gone.", "Dana Olson", "Sam Reyes"):
        assert words in page


def test_what_waited_on_a_device_comes_in_after_the_other_inspector_finished(
    client, visit, line, other, at
):
    at(MONDAY, "13:00")
    acts.answer(line, by=other, outcome="in_place")
    acts.finish(visit, by=other)
    at(MONDAY, "18:00")
    client.force_login(inspector())
    before = "2026-11-16T12:30:00-06:00"
    late = send(client, visit, line=line.ref, outcome="missing", note="From the wood.", at=before)
    assert late.status_code == 200
    assert send_photo(client, visit, photo(), line=line.ref, at=before).status_code == 200
    after = "2026-11-16T17:00:00-06:00"
    refused = send(client, visit, line=line.ref, outcome="in_place", at=after)
    assert refused.status_code == 409
    assert "begin a new visit" in refused.json()["problem"]
    assert send_photo(client, visit, photo(shade=9), at=after).status_code == 409
    page = client.get(visit.get_absolute_url()).content.decode()
    assert "From the wood." in page
    assert page.count("arrived after the report") == 2
