"""Former § 17.19(4)(f) What may be done with an agreement, in which order, and what it records."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from permits import verify
from permits.agreements import acts, drafting, holding
from permits.models import AgreementStatus, CaseEvent, CasePaper, MaintenanceAgreement, NotNow
from portal.models import Mailing, OutboxMessage
from tests import factory
from tests.factory import MONDAY
from tests.mails import check_reading
from tests.permits import agreements
from tests.permits.agreements import RECORDED, SENT, SIGNED

pytestmark = pytest.mark.django_db

Agreement = MaintenanceAgreement


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    agreements.quickly(monkeypatch)


def keys(made: Agreement) -> list[str]:
    return [each.key for each in made.obstacles_to_send(on=SENT)]


def events(made: Agreement) -> list[str]:
    rows = CaseEvent.objects.filter(site=made.site, kind__startswith="agreement.")
    return list(rows.order_by("sequence").values_list("kind", flat=True))


# Drafted from the case --------------------------------------------------------------------


def test_a_draft_takes_owner_parcels_and_practices_from_the_case() -> None:
    permit = agreements.required()
    made = agreements.drafted(permit, whole=False)
    assert made.number == "MA-2026-0001"
    assert made.owner_organization == "Northfield Builders LLC"
    assert made.parcel_numbers == [permit.site.parcels.get().number]
    assert made.return_to.splitlines()[0] == "City of Example"
    pond = made.practices.get()
    assert (pond.device, pond.standard) == ("wet-pond", "1001")
    assert pond.drainage_area == "The roofs and the parking lot north of the drive"
    assert pond.tasks.count() == 3
    assert events(made) == ["agreement.drafted"]


def test_without_a_list_at_the_grant_the_permanent_devices_of_the_plan_are_drafted() -> None:
    application = factory.received()
    revision = application.filed_revision()
    revision.devices.create(device="rain-garden", place="Behind the garage", permanent=True)
    terms: dict[str, Any] = {"maintenance_agreement": True, "permanent_controls_by": RECORDED}
    application.grant(by=factory.inspector(), on=MONDAY, **{**factory.GRANT, **terms})
    made = agreements.drafted(application.permit, whole=False)
    assert [str(each) for each in made.practices.all()] == ["Rain garden, Behind the garage"]
    assert keys(made)[:2] == ["facilities", "practice"]


def test_a_draft_says_everything_that_it_lacks() -> None:
    made = agreements.drafted(whole=False)
    assert keys(made) == ["map", "legal-description"]
    drafting.save_words(
        made,
        answers={
            "party_address": "",
            "owner_name": "",
            "owner_organization": "",
            "parcels": " ",
            "return_to": "",
            "drafter": "",
        },
        practices=[],
    )
    found = made.obstacles_to_send(on=SENT)
    assert [each.key for each in found] == [
        "facilities",
        "schedule",
        "responsible-party",
        "map",
        "owner",
        "parcel",
        "legal-description",
        "return",
        "drafter",
    ]
    assert str(found[0].citation) == "former § 17.19(4)(f)(1)"
    assert str(found[8].citation) == "Wis. Stat. § 59.43(5)(a)"


@pytest.mark.parametrize(
    ("field", "part"),
    [
        ("owner_name", "land and signature"),
        ("legal_description", "land and signature"),
        ("party_name", "responsible party"),
        ("terms", "words"),
    ],
)
def test_a_social_security_number_holds_the_draft(field: str, part: str) -> None:
    made = agreements.drafted(**{field: "Mai Vang 123-45-6789"})
    (found,) = made.obstacles_to_send(on=SENT)
    assert found.key == "social-security"
    assert part in found.text
    with pytest.raises(NotNow):
        acts.send_for_signature(made, by=factory.inspector(), on=SENT)
    assert not CasePaper.objects.filter(kind="agreement").exists()


def test_one_draft_at_a_time() -> None:
    made = agreements.drafted()
    with pytest.raises(NotNow, match="MA-2026-0001 is a draft already"):
        agreements.drafted(made.permit)
    acts.withdraw(made, by=factory.inspector(), on=SENT, reason="Drafted for the wrong lot.")
    assert agreements.drafted(made.permit).number == "MA-2026-0002"


# State by state ---------------------------------------------------------------------------


def test_it_goes_from_draft_to_the_register_and_binds() -> None:
    made = agreements.recorded()
    assert made.status == AgreementStatus.RECORDED
    assert events(made) == [
        "agreement.drafted",
        "agreement.sent_for_signature",
        "agreement.signed",
        "agreement.sent_to_register",
        "agreement.recorded",
    ]
    assert made.is_in_force(RECORDED)
    assert made.recordings.get().stated() == (RECORDED, "1123344", "Example County")
    told = OutboxMessage.objects.filter(cause=f"agreement_recorded:{made.number}")
    assert set(told.values_list("recipient", flat=True)) == {
        "landowner@example.test",
        made.permit.application.applicant.email,
    }
    for mail in OutboxMessage.objects.filter(cause__startswith="agreement_"):
        check_reading(mail)
    assert list(verify.faults()) == []


def test_whoever_signs_gets_the_paper() -> None:
    made = agreements.sent()
    paper = CasePaper.objects.get(kind="agreement")
    assert made.paper == paper
    told = Mailing.objects.get(
        cause=f"agreement_to_sign:{made.number}", address="landowner@example.test"
    )
    assert told.document == paper.document
    mails = OutboxMessage.objects.filter(cause=f"agreement_to_sign:{made.number}")
    assert mails
    for mail in mails:
        check_reading(mail)


def test_whoever_was_to_sign_reads_that_it_is_withdrawn_and_why() -> None:
    made = agreements.sent()
    acts.withdraw(made, by=factory.clerk(), on=RECORDED, reason="Drafted for the wrong lot.")
    mails = OutboxMessage.objects.filter(cause=f"agreement_withdrawn:{made.number}")
    assert "landowner@example.test" in mails.values_list("recipient", flat=True)
    for mail in mails:
        check_reading(mail)
        assert "Drafted for the wrong lot." in mail.body


ACTS = {
    "sent_for_signature": lambda made: acts.send_for_signature(
        made, by=factory.inspector(), on=SENT
    ),
    "signed": lambda made: acts.sign(
        made, by=factory.clerk(), on=SIGNED, signed_on=SIGNED, scan=factory.upload()
    ),
    "sent_to_register": lambda made: acts.send_to_register(
        made, by=factory.clerk(), on=agreements.AT_REGISTER, sent_on=agreements.AT_REGISTER
    ),
    "recorded": agreements.record,
    "withdrawn": lambda made: acts.withdraw(
        made, by=factory.clerk(), on=RECORDED, reason="Not needed."
    ),
}


@pytest.mark.parametrize("state", agreements.STATES)
def test_each_state_allows_what_may_follow_and_nothing_else(state: str) -> None:
    made = agreements.STATES[state]()
    allowed = {each.value for each in Agreement.NEXT[AgreementStatus(state)]}
    for name, act in ACTS.items():
        before = CaseEvent.objects.count()
        if name in allowed:
            with transaction.atomic():
                act(Agreement.objects.get(pk=made.pk))
                assert CaseEvent.objects.count() == before + 1
                assert Agreement.objects.get(pk=made.pk).status == name
                transaction.set_rollback(True)
        else:
            with pytest.raises(NotNow):
                act(Agreement.objects.get(pk=made.pk))
            assert CaseEvent.objects.count() == before


@pytest.mark.parametrize(
    ("signed_on", "on"), [(date(2026, 11, 17), SIGNED), (date(2026, 11, 21), SIGNED)]
)
def test_it_is_signed_between_the_sending_and_today(signed_on: date, on: date) -> None:
    made = agreements.sent()
    with pytest.raises(NotNow):
        acts.sign(made, by=factory.clerk(), on=on, signed_on=signed_on, scan=factory.upload())
    made.refresh_from_db()
    assert made.signed_on is None


@pytest.mark.parametrize("recorded_on", [date(2026, 11, 19), date(2026, 11, 25)])
def test_it_is_recorded_between_the_signing_and_today(recorded_on: date) -> None:
    made = agreements.at_register()
    with pytest.raises(NotNow) as refused:
        acts.record(
            made,
            by=factory.clerk(),
            on=RECORDED,
            recorded_on=recorded_on,
            document_number="1",
            county="Example County",
            scan=factory.upload(),
        )
    assert str(refused.value.obstacles[0].citation) == "Wis. Stat. § 706.08(1)(a)"


@pytest.mark.database
def test_the_database_keeps_what_was_sent_for_signature() -> None:
    made = agreements.sent()
    rows = Agreement.objects.filter(pk=made.pk)
    practice = made.practices.get()
    for change in (
        lambda: rows.update(party_name="Somebody else"),
        lambda: rows.update(sent_for_signature_on=RECORDED),
        lambda: rows.delete(),
        lambda: made.practices.update(name="Dry basin"),
        lambda: practice.tasks.all().delete(),
        lambda: practice.tasks.create(number=9, what="More", every_months=1, by_whom="X"),
        lambda: made.practices.create(number=9, name="More", drainage_area="All"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


# Corrected, amended, released -------------------------------------------------------------


def test_a_wrong_document_number_is_corrected_by_another_entry() -> None:
    made = agreements.recorded()
    told = {"recorded_on": RECORDED, "document_number": "1123345", "county": "Example County"}
    acts.correct_recording(
        made, by=factory.clerk(), on=RECORDED, reason="A slip of the pen.", **told
    )
    made.refresh_from_db()
    assert made.document_number == "1123345"
    assert [each.document_number for each in made.recordings.all()] == ["1123344", "1123345"]
    assert events(made)[-1] == "agreement.corrected"
    assert list(verify.faults()) == []
    with pytest.raises(NotNow, match="stands already"):
        acts.correct_recording(made, by=factory.clerk(), on=RECORDED, reason="Again.", **told)


def amend(made: Agreement, kind: str, on: date) -> Agreement:
    """Amend or release a recorded agreement, and record that."""
    after = drafting.draft(made.site, by=factory.inspector(), on=RECORDED, before=made, kind=kind)
    drafting.save_words(after, answers={"terms": "The pond was filled in; a basin is there now."})
    acts.send_for_signature(after, by=factory.inspector(), on=RECORDED)
    acts.sign(after, by=factory.clerk(), on=RECORDED, signed_on=RECORDED, scan=factory.upload())
    agreements.record(after, on=on, document="1150000")
    return after


def test_a_recorded_amendment_takes_the_place_of_the_agreement() -> None:
    made = agreements.recorded()
    until = date(2026, 12, 7)
    after = amend(made, "amendment", until)
    made.refresh_from_db()
    assert (made.status, made.ended_on) == ("ended", until)
    found = Agreement.objects.in_force
    assert list(found(date(2026, 12, 6))) == [made]
    assert list(found(until)) == [after]
    assert after.practices.get().tasks.count() == made.practices.get().tasks.count()
    assert list(verify.faults()) == []


def test_a_recorded_release_ends_the_duty() -> None:
    made = agreements.recorded()
    after = amend(made, "release", date(2026, 12, 7))
    assert after.paper is not None
    assert after.paper.kind == "agreement_release"
    assert not Agreement.objects.in_force(date(2026, 12, 7)).exists()
    assert events(made)[-1] == "agreement.ended"
    assert holding.recorded_of(made.permit, on=date(2026, 12, 7)) == made
    with pytest.raises(NotNow, match="binds nobody now"):
        amend(made, "amendment", date(2026, 12, 8))


def test_what_changes_must_be_said() -> None:
    made = agreements.recorded()
    after = drafting.draft(
        made.site, by=factory.inspector(), on=RECORDED, before=made, kind="amendment"
    )
    assert keys(after) == ["terms"]


def test_the_end_follows_a_corrected_day_of_its_successor() -> None:
    made = agreements.recorded()
    after = amend(made, "amendment", date(2026, 12, 7))
    acts.correct_recording(
        after,
        by=factory.clerk(),
        on=date(2026, 12, 9),
        recorded_on=date(2026, 12, 8),
        document_number="1150000",
        county="Example County",
        reason="The stamp says the eighth.",
    )
    made.refresh_from_db()
    assert made.ended_on == date(2026, 12, 8)
    assert list(verify.faults()) == []
