"""Writing a visit: each answer and photo once, two inspectors beside each other, no script."""

from __future__ import annotations

import hashlib
import json
import uuid
from datetime import date, timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from PIL import Image

from inspections.acts import visits as acts
from inspections.models import DocumentedDay, Finding, LineAnswer, Visit, VisitPhoto
from portal import clock
from portal.models import Role, Upload

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

pytestmark = pytest.mark.django_db

JSON = {"headers": {"accept": "application/json"}}


@pytest.fixture(autouse=True)
def _monday(at):
    at(MONDAY)


@pytest.fixture
def permit():
    return active_permit(issued_on=MONDAY - timedelta(days=30))


@pytest.fixture
def visit(permit) -> Visit:
    return open_visit(permit.site, on=MONDAY)


@pytest.fixture
def line(visit):
    return visit.lines.first()


@pytest.fixture
def as_inspector(client):
    client.force_login(inspector())
    return client


@pytest.fixture
def other():
    return user(Role.INSPECTOR, "other@example.test", "Sam Reyes")


def photo(name: str = "IMG_1.jpg", shade: int = 40, **exif) -> SimpleUploadedFile:
    data = BytesIO()
    Image.new("RGB", (40, 30), (shade, 90, 120)).save(data, "JPEG", **exif)
    return SimpleUploadedFile(name, data.getvalue(), "image/jpeg")


def url(name: str, visit: Visit) -> str:
    return reverse(name, args=[visit.key])


def send(client, visit, **item):
    item = {"key": str(uuid.uuid4()), "kind": "answer", **item}
    return client.post(
        url("visit_save", visit), json.dumps(item), content_type="application/json", **JSON
    )


def send_photo(client, visit, file, **fields):
    data = {"key": str(uuid.uuid4()), "photo": file, **fields, "end_of_form": ""}
    return client.post(url("visit_photo", visit), data, **JSON)


def form_of(visit, **changed) -> dict:
    """The page's form as a browser without scripts sends it."""
    data = {"line": [line.ref for line in visit.lines.all()], "end_of_form": ""}
    return {**data, **changed}


# One thing at a time ----------------------------------------------------------------------


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


# Photos -----------------------------------------------------------------------------------


def test_a_photo_is_kept_byte_for_byte_and_answered_with_its_hash(as_inspector, visit, line):
    file = photo()
    data, key = file.read(), str(uuid.uuid4())
    told = hashlib.sha256(data).hexdigest()
    for _ in range(2):
        file.seek(0)
        answer = send_photo(as_inspector, visit, file, key=key, line=line.ref, sha256=told)
        assert answer.json()["sha256"] == told
    kept = VisitPhoto.objects.get()
    assert kept.line == line
    assert kept.upload.file.read() == data
    assert kept.upload.previews.count() == 1
    assert Upload.objects.count() == 1
    page = as_inspector.get(visit.get_absolute_url()).content.decode()
    picture = reverse("preview", args=[kept.upload.key, 1])
    assert picture in page
    assert as_inspector.get(picture).status_code == 200


def test_the_same_picture_under_another_key_is_one_photo_of_the_line(as_inspector, visit, line):
    send_photo(as_inspector, visit, photo(), line=line.ref)
    assert send_photo(as_inspector, visit, photo(), line=line.ref).status_code == 200
    send_photo(as_inspector, visit, photo())
    assert sorted(str(row.line_id) for row in visit.photos.all()) == sorted([str(line.pk), "None"])


def test_a_damaged_photo_is_sent_again_and_one_that_is_none_is_not(as_inspector, visit):
    answer = send_photo(as_inspector, visit, photo(), sha256="0" * 64)
    assert (answer.status_code, answer.json()["again"]) == (400, True)
    for name, data in (
        ("letter.jpg", b"Dear city"),
        ("empty.jpg", b""),
        ("cut.jpg", b"\xff\xd8\xff"),
    ):
        answer = send_photo(as_inspector, visit, SimpleUploadedFile(name, data, "image/jpeg"))
        assert (answer.status_code, answer.json()["again"]) == (422, False)
        assert answer.json()["problem"].startswith(name)
    assert not Upload.objects.exists()


def test_a_photo_that_was_cut_off_on_its_way_is_sent_again(as_inspector, visit):
    data = {"key": str(uuid.uuid4()), "photo": photo()}
    answer = as_inspector.post(url("visit_photo", visit), data, **JSON)
    assert (answer.status_code, answer.json()["again"]) == (400, True)
    assert not Upload.objects.exists()


def test_a_photo_from_another_continent_is_told_to_staff(as_inspector, visit, permit, client):
    exif = Image.Exif()
    exif.get_ifd(0x8825).update({1: "S", 2: (33.0, 51.0, 0.0), 3: "E", 4: (151.0, 12.0, 0.0)})
    exif.get_ifd(0x8769)[0x9003] = "2026:03:02 10:00:00"
    answer = send_photo(as_inspector, visit, photo(exif=exif))
    assert answer.json()["doubts"] == [
        "Its camera says that it was taken outside the state.",
        "Its camera says that it was taken on Monday, March 2, 2026.",
    ]
    acts.finish(visit, by=inspector())
    client.force_login(clerk())
    assert "outside the state" in client.get(visit.get_absolute_url()).content.decode()
    client.force_login(permit.application.applicant)
    page = client.get(visit.get_absolute_url()).content.decode()
    assert "IMG_1.jpg" in page
    assert "outside the state" not in page


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
    from django.contrib.sessions.backends.db import SessionStore

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


# Findings ---------------------------------------------------------------------------------


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
