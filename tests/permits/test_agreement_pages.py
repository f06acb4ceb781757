"""The pages of agreements, as the people concerned use them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from permits.agreements import acts
from permits.models import MaintenanceAgreement, OwnerChange, Permit
from portal.models import Upload
from tests import factory
from tests.permits import agreements
from tests.permits.agreements import LEGAL
from tests.review.pages import TERMS, fields_of, signed_in, text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch, at: Any) -> None:
    agreements.quickly(monkeypatch)
    at("2026-11-24")


@pytest.fixture
def inspector() -> Client:
    return signed_in(factory.inspector())


def scan(name: str = "scan.png") -> SimpleUploadedFile:
    from io import BytesIO

    from PIL import Image

    kept = BytesIO()
    Image.new("RGB", (60 + len(name), 60), "white").save(kept, "PNG")
    return SimpleUploadedFile(name, kept.getvalue(), "image/png")


def page(name: str, made: MaintenanceAgreement) -> str:
    return reverse(name, args=[made.key])


def go(client: Client, address: str, **answers: Any) -> Any:
    """Open a page, send its form, and confirm what it shows."""
    shown = client.get(address)
    sent = client.post(address, {**fields_of(shown), "step": "check", **answers})
    if sent.status_code == 200 and b'value="confirm"' in sent.content:
        return client.post(address, {**fields_of(sent), "step": "confirm"})
    return sent


def only() -> MaintenanceAgreement:
    return MaintenanceAgreement.objects.get()


# The whole way ----------------------------------------------------------------------------


def test_from_the_grant_to_the_register(inspector: Client) -> None:
    application = factory.received()
    answers = {
        **TERMS,
        "maintenance_agreement": "yes",
        "practice-TOTAL_FORMS": "1",
        "practice-INITIAL_FORMS": "0",
        "practice-0-device": "wet-pond",
        "practice-0-place": "South of the building",
        "practice-0-drainage_area": "The roofs",
        "practice-0-drainage_acres": "4.25",
    }
    assert go(inspector, url("grant", application), **answers).status_code == 302
    practice = application.permit.grant.practices.get()
    assert str(practice) == "Wet detention pond, South of the building"
    case = reverse("agreements_of_case", args=[application.site.number])
    assert "required, and none is under way" in text_of(inspector.get(case))
    assert go(
        inspector, reverse("agreement_draft", args=[application.site.number])
    ).status_code in (
        302,
        303,
    )
    made = only()
    shown = inspector.get(made.get_absolute_url())
    assert "The legal description of the land is missing." in text_of(shown)
    assert page("agreement_send", made) not in shown.content.decode()
    go(inspector, page("agreement_land", made), legal_description=LEGAL)
    go(inspector, page("agreement_practices", made), photos=scan("map.png"))
    made.refresh_from_db()
    assert made.legal_description == LEGAL
    assert made.map is not None
    assert made.practices.get().tasks.count() == 3
    go(inspector, page("agreement_send", made))
    go(inspector, page("agreement_sign", made), signed_on="2026-11-24", photos=scan())
    go(inspector, page("agreement_register", made), sent_on="2026-11-24")
    told = {"document_number": "1123344", "recorded_on": "2026-11-24"}
    go(inspector, page("agreement_record", made), **told, photos=scan())
    made.refresh_from_db()
    assert (made.status, made.document_number) == ("recorded", "1123344")
    text = text_of(inspector.get(made.get_absolute_url()))
    assert "maintains the practices by the schedule" in text
    holder = signed_in(application.applicant)
    assert "document 1123344" in text_of(holder.get(case)).lower()


def test_a_grant_that_requires_an_agreement_names_the_practices(inspector: Client) -> None:
    application = factory.received()
    sent = go(inspector, url("grant", application), **{**TERMS, "maintenance_agreement": "yes"})
    assert sent.status_code == 200
    assert "Name at least one practice that stays" in text_of(sent)
    assert not Permit.objects.exists()


def test_a_row_is_added_to_the_grant_without_losing_what_was_typed(inspector: Client) -> None:
    address = url("grant", factory.received())
    typed = {**fields_of(inspector.get(address)), "practice-0-name": "Dry basin", "step": "add"}
    shown = fields_of(inspector.post(address, typed))
    assert shown["practice-0-name"] == "Dry basin"
    assert shown["practice-TOTAL_FORMS"] == "2"


# Mistakes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("agreement_land", "owner_name"),
        ("agreement_land", "legal_description"),
        ("agreement_party", "party_name"),
        ("agreement_party", "access"),
        ("agreement_practices", "practice-0-place"),
        ("agreement_practices", "task-0-what"),
    ],
)
def test_a_social_security_number_is_refused_beside_its_field(
    inspector: Client, name: str, field: str
) -> None:
    made = agreements.drafted()
    sent = go(inspector, page(name, made), **{field: "It is 123-45-6789."})
    assert sent.status_code == 200
    assert "looks like a social security number" in text_of(sent)
    assert fields_of(sent)[field] == "It is 123-45-6789."


@pytest.mark.parametrize(
    ("name", "answers", "says"),
    [
        ("agreement_land", {"return_to": "a\nb\nc\nd\ne\nf"}, "at most five lines"),
        ("agreement_land", {"return_to": "x" * 43}, "three inches wide"),
        ("agreement_party", {"party_kind": "association", "party_organization": ""}, "it signs"),
        ("agreement_party", {"party_address": "Somewhere"}, "Write street or box"),
        ("agreement_practices", {"task-0-practice": "7"}, "no practice with this number"),
        ("agreement_practices", {"task-0-every_months": ""}, "Say how often"),
        ("agreement_practices", {"practice-0-drainage_area": ""}, "Say what drains"),
    ],
)
def test_what_cannot_be_taken_is_said_beside_the_field(
    inspector: Client, name: str, answers: dict[str, str], says: str
) -> None:
    made = agreements.drafted()
    sent = go(inspector, page(name, made), **answers)
    assert sent.status_code == 200
    assert says in text_of(sent)


def test_rows_are_added_and_taken_out(inspector: Client) -> None:
    made = agreements.drafted()
    address = page("agreement_practices", made)
    typed = {**fields_of(inspector.get(address)), "step": "add", "practice-1-name": "Swale"}
    shown = fields_of(inspector.post(address, typed))
    assert (shown["practice-1-name"], shown["practice-TOTAL_FORMS"]) == ("Swale", "3")
    emptied = {name: "" for name in shown if name.startswith("practice-0-")}
    tasks = {name: "2" for name in shown if name.endswith("-practice") and shown[name]}
    done = inspector.post(
        address,
        {**shown, **emptied, **tasks, "practice-1-drainage_area": "The road", "step": "check"},
    )
    assert done.status_code == 303
    swale = made.practices.get()
    assert (swale.name, swale.tasks.count()) == ("Swale", 3)


def test_a_scan_is_needed_and_only_one(inspector: Client) -> None:
    made = agreements.sent()
    address = page("agreement_sign", made)
    assert "Add the scan" in text_of(go(inspector, address, signed_on="2026-11-24"))
    sent = go(inspector, address, signed_on="2026-11-24", photos=[scan("a.png"), scan("bb.png")])
    assert "Take one file only" in text_of(sent)
    made.refresh_from_db()
    assert made.signed_on is None


def test_a_state_that_was_left_refuses_its_act(inspector: Client) -> None:
    made = agreements.signed()
    shown = inspector.get(page("agreement_send", made))
    assert "is signed and not at the register of deeds yet" in text_of(shown)
    again = inspector.post(page("agreement_send", made), {"step": "confirm"})
    assert again.status_code == 409


def test_sending_twice_makes_one_paper(inspector: Client) -> None:
    made = agreements.drafted()
    address = page("agreement_send", made)
    sent = inspector.post(address, {**fields_of(inspector.get(address)), "step": "check"})
    confirmed = {**fields_of(sent), "step": "confirm"}
    first, second = (inspector.post(address, confirmed) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303)
    assert made.site.papers.filter(kind="agreement").count() == 1


# Amended, corrected, entered, sold --------------------------------------------------------


def test_a_recorded_agreement_is_released_by_another_instrument(inspector: Client) -> None:
    made = agreements.recorded()
    go(inspector, page("agreement_change", made), kind="release")
    release = MaintenanceAgreement.objects.get(kind="release")
    assert "What it changes, and why, is not said." in text_of(
        inspector.get(release.get_absolute_url())
    )
    go(inspector, page("agreement_party", release), terms="The pond was filled in.")
    go(inspector, page("agreement_send", release))
    go(inspector, page("agreement_sign", release), signed_on="2026-11-24", photos=scan())
    told = {"document_number": "1150000", "recorded_on": "2026-11-24"}
    go(inspector, page("agreement_record", release), **told, photos=scan())
    made.refresh_from_db()
    assert made.status == "ended"
    assert release.number in text_of(inspector.get(made.get_absolute_url()))


def test_a_wrong_number_is_corrected_with_its_reason(inspector: Client) -> None:
    made = agreements.recorded()
    address = page("agreement_correct", made)
    assert go(inspector, address, document_number="1123345", reason="A slip.").status_code == 303
    text = text_of(inspector.get(made.get_absolute_url()))
    assert "1123345" in text
    assert "1123344" in text
    assert "A slip." in text


def test_an_agreement_of_paper_is_entered(inspector: Client) -> None:
    permit = agreements.required()
    address = reverse("agreement_enter", args=[permit.site.number])
    answers = {
        "document_number": "998877",
        "recorded_on": "2019-05-02",
        "party_kind": "owner",
        "party_name": "Mai Vang",
        "party_address": "1 Mill Street, Example, WI 54999",
    }
    assert "Add the scan" in text_of(go(inspector, address, **answers))
    assert go(inspector, address, **answers, photos=scan()).status_code == 303
    made = only()
    assert (made.entered_as_recorded, made.practices.count()) == (True, 1)
    assert made.permit == permit


def test_a_sale_is_recorded_and_the_new_owner_told(inspector: Client) -> None:
    made = agreements.recorded()
    address = reverse("owner_change", args=[made.site.number])
    answers = {
        "name": "Tom Reyes",
        "mailing_address": "9 Ridge Road, Example, WI 54999",
        "from_on": "2026-11-24",
        "source": "Warranty deed, document 1130001",
    }
    assert go(inspector, address, **answers).status_code == 303
    assert str(OwnerChange.objects.get()) == "Tom Reyes"
    assert "Tom Reyes" in text_of(inspector.get(made.get_absolute_url()))


# Who sees what ----------------------------------------------------------------------------


def test_a_draft_is_the_citys_own() -> None:
    made = agreements.drafted()
    holder = signed_in(made.permit.application.applicant)
    assert holder.get(made.get_absolute_url()).status_code == 404
    assert made.number not in text_of(
        holder.get(reverse("agreements_of_case", args=[made.site.number]))
    )
    acts.send_for_signature(made, by=factory.inspector(), on=date(2026, 11, 24))
    shown = holder.get(made.get_absolute_url())
    assert "The owner signs before a notary" in text_of(shown)
    assert "landowner@example.test" not in shown.content.decode()
    assert holder.get(page("agreement_sign", made)).status_code == 404


def test_files_of_an_agreement_are_read_by_whoever_sees_the_case() -> None:
    made = agreements.signed()
    holder = signed_in(made.permit.application.applicant)
    stranger = signed_in(factory.applicant("Somebody Else"))
    for file in (made.map, made.signed_scan):
        assert isinstance(file, Upload)
        address = reverse("upload", args=[file.key])
        assert holder.get(address).status_code == 200
        assert stranger.get(address).status_code == 404


def test_the_list_says_where_each_stands(inspector: Client) -> None:
    permit = agreements.required()
    made = agreements.sent()
    address = reverse("agreements")
    assert made.number in text_of(inspector.get(address))
    assert made.number not in text_of(inspector.get(address, {"list": "in-force"}))
    missing = text_of(inspector.get(address, {"list": "missing"}))
    assert permit.site.number in missing
    assert made.site.number not in missing


@pytest.mark.parametrize("asked", ["open", "missing", "in-force"])
def test_a_list_costs_the_same_however_long(
    inspector: Client, asked: str, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        if asked == "open":
            agreements.sent()
        elif asked == "missing":
            agreements.required()
        else:
            agreements.recorded()
    address = reverse("agreements")
    inspector.get(address, {"list": asked})
    with django_assert_max_num_queries(20):
        assert inspector.get(address, {"list": asked}).status_code == 200


@pytest.mark.parametrize("state", ["drafted", "recorded"])
def test_a_page_of_an_agreement_costs_few_queries(
    inspector: Client, state: str, django_assert_max_num_queries: Any
) -> None:
    made = agreements.STATES[state]()
    inspector.get(made.get_absolute_url())
    with django_assert_max_num_queries(25):
        inspector.get(made.get_absolute_url())
    with django_assert_max_num_queries(25):
        inspector.get(reverse("agreements_of_case", args=[made.site.number]))


def test_the_proof_is_made_and_not_kept(inspector: Client) -> None:
    made = agreements.drafted()
    shown = inspector.get(page("agreement_proof", made))
    assert shown["Content-Type"] == "application/pdf"
    assert not made.site.papers.filter(kind="agreement").exists()


def test_an_agreement_without_a_row_of_practices_is_asked_for_one(inspector: Client) -> None:
    address = reverse("agreement_enter", args=[agreements.required().site.number])
    shown = fields_of(inspector.get(address))
    bare = {
        key: value for key, value in shown.items() if not key.startswith(("practice-", "task-"))
    }
    for prefix in ("practice", "task"):
        bare |= {f"{prefix}-TOTAL_FORMS": "0", f"{prefix}-INITIAL_FORMS": "0"}
    typed = {
        "document_number": "998877",
        "recorded_on": "2026-11-02",
        "county": "Example County",
        "party_kind": "owner",
        "party_name": "Mai Vang",
        "party_address": "1 Mill Street\nExample, WI 54999",
    }
    sent = inspector.post(address, {**bare, **typed, "step": "check"})
    assert sent.status_code == 200
    assert "Name at least one practice." in text_of(sent)
    assert b"998877" in sent.content


def test_a_draft_is_the_citys_own_on_the_page_of_its_upkeep_as_well() -> None:
    made = agreements.drafted()
    holder = signed_in(made.permit.application.applicant)
    assert [holder.get(page(name, made)).status_code for name in ("agreement", "upkeep")] == [
        404
    ] * 2
    acts.send_for_signature(made, by=factory.inspector(), on=date(2026, 11, 24))
    assert holder.get(page("upkeep", made)).status_code == 200
