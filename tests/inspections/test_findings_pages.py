"""The pages of findings: who sees what, answers with photos, what is said before it is done."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.acts import findings as acts
from inspections.models import FindingAnswer
from permits.models import CaseEvent
from portal import operations
from tests.floor.sample_files import jpeg, sent
from tests.inspections import factory

pytestmark = pytest.mark.django_db

MONDAY = factory.MONDAY
TUESDAY = MONDAY + timedelta(days=1)
NEEDS_PHOTOS = pytest.mark.slow


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(MONDAY + timedelta(days=1))


@pytest.fixture
def permit():
    return factory.active_permit(issued_on=MONDAY)


@pytest.fixture
def finding(permit):
    return factory.finding(permit.site, on=MONDAY, correct_by=TUESDAY, is_violation=True)


@pytest.fixture
def holder(client, permit):
    client.force_login(permit.application.applicant)
    return client


@pytest.fixture
def inspector(client):
    client.force_login(factory.inspector())
    return client


def url(finding, name: str = "finding") -> str:
    return reverse(name, args=[finding.key])


def send(client, address: str, **fields):
    return client.post(address, {operations.FIELD: operations.new_token(), **fields})


def answered(finding) -> None:
    acts.answer(
        finding,
        by=finding.permit.application.applicant,
        on=MONDAY,
        text="The fence stands again.",
        photos=[],
    )


# Who sees what ----------------------------------------------------------------------------

PAGES = ["finding", "finding_answer", "finding_confirm", "finding_refuse", "finding_drop"]


@pytest.mark.parametrize("name", PAGES)
def test_a_stranger_finds_no_such_page_and_anybody_else_signs_in(client, finding, name) -> None:
    assert client.get(url(finding, name)).status_code == 302
    client.force_login(factory.user())
    assert client.get(url(finding, name)).status_code == 404


@pytest.mark.parametrize("role", ["clerk", "administrator", "attorney", "board"])
def test_others_of_the_city_read_the_finding_and_judge_nothing(client, finding, role) -> None:
    client.force_login(factory.user(role))
    page = client.get(url(finding)).content.decode()
    assert "A court could impose" in page
    assert url(finding, "finding_confirm") not in page
    for name in PAGES[1:]:
        assert client.get(url(finding, name)).status_code == 404
        assert send(client, url(finding, name), text="x", reason="x").status_code == 404


def test_the_holder_reads_all_of_it_but_no_exposure(holder, finding) -> None:
    page = holder.get(url(finding)).content.decode()
    assert "The silt fence on the north line is down." in page
    assert "Tuesday, November 17, 2026" in page
    assert "How we count" in page
    assert "Documented on 1 day." in page
    assert "$50" not in page
    assert "court could impose" not in page
    assert url(finding, "finding_answer") in page
    assert holder.get(url(finding, "finding_confirm")).status_code == 404


def test_the_inspector_reads_the_exposure_of_the_documented_days(inspector, finding) -> None:
    visit = factory.finished_visit(finding.site, on=TUESDAY)
    acts.see_again(finding, visit, by=visit.inspector)
    page = inspector.get(url(finding)).content.decode()
    assert "documented on two days" in page
    assert "$100.00 to $200.00" in page
    assert inspector.get(url(finding, "finding_answer")).status_code == 404


def test_a_dropped_finding_exposes_to_nothing(inspector, finding) -> None:
    acts.drop(finding, by=factory.inspector(), on=TUESDAY, reason="It was the neighbor's fence.")
    page = inspector.get(url(finding)).content.decode()
    assert "court could impose" not in page
    assert url(finding, "finding_confirm") not in page


# Answers ----------------------------------------------------------------------------------


def test_an_answer_is_sent_once_however_often_the_button_is_pressed(holder, finding) -> None:
    fields = {operations.FIELD: operations.new_token(), "text": "Set again.", "end_of_form": ""}
    for _ in range(2):
        response = holder.post(url(finding, "finding_answer"), fields)
        assert (response.status_code, response.url) == (303, url(finding))
    assert FindingAnswer.objects.count() == 1
    assert CaseEvent.objects.filter(kind="finding.answered").count() == 1


def test_an_empty_answer_is_asked_again_beside_its_field(holder, finding) -> None:
    response = send(holder, url(finding, "finding_answer"), text="  ", end_of_form="")
    assert response.status_code == 200
    page = response.content.decode()
    assert "One answer needs another look." in page
    assert 'href="#id_text"' in page
    assert not FindingAnswer.objects.exists()


@NEEDS_PHOTOS
def test_photos_survive_a_form_that_needs_another_look(holder, finding) -> None:
    address = url(finding, "finding_answer")
    photos = [sent("north.jpg", jpeg()), sent("notes.exe", b"MZ not a photo")]
    response = send(holder, address, text="", photos=photos, end_of_form="")
    page = response.content.decode()
    assert "north.jpg" in page
    assert "notes.exe" in page
    (kept,) = response.context["photos"]
    sent_again = send(holder, address, text="Done.", kept_photos=[str(kept.key)], end_of_form="")
    assert sent_again.status_code == 303
    answer = FindingAnswer.objects.get()
    assert list(answer.photos.all()) == [kept]
    shown = holder.get(url(finding)).content.decode()
    assert reverse("upload", args=[kept.key]) in shown
    assert holder.get(reverse("upload", args=[kept.key])).status_code == 200


@NEEDS_PHOTOS
def test_the_photo_of_an_answer_is_for_those_who_see_the_case(client, holder, finding) -> None:
    send(
        holder,
        url(finding, "finding_answer"),
        text="Done.",
        photos=[sent("north.jpg", jpeg())],
        end_of_form="",
    )
    (photo,) = FindingAnswer.objects.get().photos.all()
    address = reverse("upload", args=[photo.key])
    client.force_login(factory.user())
    assert client.get(address).status_code == 404
    client.force_login(factory.user("attorney"))
    assert client.get(address).status_code == 200


def test_nobody_attaches_a_photo_of_somebody_else(holder, finding) -> None:
    from tests.factory import upload

    others = upload(factory.user())
    send(
        holder,
        url(finding, "finding_answer"),
        text="Done.",
        kept_photos=[str(others.key), "no key"],
        end_of_form="",
    )
    assert not FindingAnswer.objects.get().photos.exists()


def test_an_answer_to_a_closed_finding_keeps_what_was_typed(holder, finding) -> None:
    acts.drop(finding, by=factory.inspector(), on=TUESDAY, reason="In error.")
    response = send(holder, url(finding, "finding_answer"), text="We did it.", end_of_form="")
    assert response.status_code == 409
    page = response.content.decode()
    assert "We did it." in page
    assert "This finding is closed" in page


def test_a_form_that_was_cut_off_is_not_acted_upon(holder, finding) -> None:
    response = send(holder, url(finding, "finding_answer"), text="We did it.")
    assert response.status_code == 400
    assert not FindingAnswer.objects.exists()


# The inspector judges ---------------------------------------------------------------------


def test_confirming_is_shown_before_it_is_done(inspector, finding) -> None:
    answered(finding)
    address = url(finding, "finding_confirm")
    fields = {"how": "photos", "corrected_on": "11/17/2026"}
    shown = send(inspector, address, step="check", **fields)
    page = shown.content.decode()
    assert "in time" in page
    assert "landowner@example.test" in page
    finding.refresh_from_db()
    assert finding.status == "answered"
    done = send(inspector, address, step="confirm", **fields)
    assert done.status_code == 303
    finding.refresh_from_db()
    assert finding.status == "corrected"
    assert finding.corrected_on == TUESDAY
    assert finding.confirmed_how.startswith("From the answer and photos of")


def test_it_can_be_confirmed_at_a_visit_without_an_answer(inspector, finding) -> None:
    visit = factory.finished_visit(finding.site, on=TUESDAY)
    fields = {"how": str(visit.key), "corrected_on": "2026-11-17", "step": "confirm"}
    assert send(inspector, url(finding, "finding_confirm"), **fields).status_code == 303
    finding.refresh_from_db()
    assert visit.number in finding.confirmed_how


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("11/15/2026", "It was found on Monday, November 16, 2026."),
        ("11/18/2026", "This day is still to come."),
        ("31/12/2026", "month/day/year"),
        ("", "Please answer this."),
    ],
)
def test_a_day_that_cannot_be_is_asked_again(inspector, finding, day, said) -> None:
    answered(finding)
    response = send(
        inspector,
        url(finding, "finding_confirm"),
        how="photos",
        corrected_on=day,
        step="confirm",
    )
    assert response.status_code == 200
    assert said in response.content.decode()
    finding.refresh_from_db()
    assert finding.status == "answered"


def test_an_answer_is_refused_with_a_reason(inspector, finding) -> None:
    address = url(finding, "finding_refuse")
    assert "There is no answer to refuse." in inspector.get(address).content.decode()
    answered(finding)
    assert send(inspector, address, reason="").status_code == 200
    assert send(inspector, address, reason="Too dark.").status_code == 303
    finding.refresh_from_db()
    assert finding.status == "open"


def test_dropping_is_shown_first_and_needs_a_reason(inspector, finding) -> None:
    address = url(finding, "finding_drop")
    assert "Why was it recorded in error?" in send(inspector, address, reason="").content.decode()
    page = send(inspector, address, reason="Not ours.", step="check").content.decode()
    assert "its documented days count for nothing" in page
    assert send(inspector, address, reason="Not ours.", step="confirm").status_code == 303
    finding.refresh_from_db()
    assert finding.status == "dropped"


# Lists and cost ---------------------------------------------------------------------------


def test_the_list_has_the_open_ones_first(holder, permit) -> None:
    old, new = (factory.finding(permit.site, on=MONDAY, what=what) for what in ("One.", "Two."))
    acts.drop(new, by=factory.inspector(), on=TUESDAY, reason="In error.")
    rows = holder.get(reverse("findings", args=[permit.site.number])).context["rows"]
    assert [row[0] for row in rows] == [old, new]


def test_an_empty_list_says_so(holder, permit) -> None:
    page = holder.get(reverse("findings", args=[permit.site.number])).content.decode()
    assert "No finding is on record here." in page


def test_a_page_costs_the_same_however_much_is_on_record(inspector, permit, finding) -> None:
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as made:
            assert inspector.get(address).status_code == 200
        return len(made)

    pages = [url(finding), reverse("findings", args=[permit.site.number])]
    before = [queries(page) for page in pages]
    for on in range(2, 8):
        answered(finding)
        visit = factory.finished_visit(permit.site, on=MONDAY + timedelta(days=on))
        acts.see_again(finding, visit, by=visit.inspector)
        factory.finding(permit.site, on=MONDAY)
    after = [queries(page) for page in pages]
    assert max(after) <= 25
    assert after[0] <= before[0] + 3  # answers bring their photos
    assert after[1] == before[1]
