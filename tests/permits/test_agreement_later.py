"""Former § 17.19(4)(f) Agreements of paper, a new owner, and what waits for the recording."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from permits import verify
from permits.agreements import acts, drafting, holding
from permits.models import CaseEvent, CasePaper, MaintenanceAgreement, NotNow
from portal.models import Mailing, OutboxMessage
from tests import factory
from tests.mails import check_reading
from tests.permits import agreements
from tests.permits.agreements import RECORDED
from tests.permits.test_agreement_acts import events

pytestmark = pytest.mark.django_db

Agreement = MaintenanceAgreement


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    agreements.quickly(monkeypatch)


# Recorded outside of the portal -----------------------------------------------------------


def entered(permit: Any = None, **told: Any) -> Agreement:
    permit = permit or agreements.required()
    facts: dict[str, Any] = {
        "recorded_on": date(2019, 5, 2),
        "document_number": "998877",
        "county": "Example County",
        "scan": factory.upload(),
        "words": {"party_name": "Mai Vang", "party_address": "1 Mill Street"},
        "practices": [agreements.POND],
    }
    made: Agreement = acts.enter_recorded(
        permit.site, by=factory.clerk(), on=RECORDED, permit=permit, **(facts | told)
    )
    return made


def test_an_agreement_recorded_elsewhere_is_entered_as_it_stands() -> None:
    made = entered()
    assert made.is_in_force(RECORDED)
    assert made.practices.get().tasks.count() == 2
    assert events(made) == ["agreement.recorded"]
    assert list(verify.faults()) == []
    assert list(made.site.__class__.objects.found_by("998877")) == [made.site]


def test_what_was_entered_cannot_be_added_to_later() -> None:
    made = entered()
    with pytest.raises(IntegrityError), transaction.atomic():
        made.practices.create(number=2, name="Another", drainage_area="All")


@pytest.mark.parametrize(
    "told", [{"recorded_on": date(2026, 11, 25)}, {"practices": []}], ids=["tomorrow", "nothing"]
)
def test_it_is_not_entered_before_it_is_recorded(told: dict[str, Any]) -> None:
    permit = agreements.required()
    with pytest.raises(NotNow):
        entered(permit, **told)
    assert not Agreement.objects.exists()


# A new owner ------------------------------------------------------------------------------

SALE = {
    "name": "Tom Reyes",
    "organization": "",
    "mailing_address": "9 Ridge Road\nExample, WI 54999",
    "email": "tom@example.test",
    "telephone": "",
    "from_on": date(2027, 5, 3),
    "source": "Warranty deed, document 1130001",
}


def test_a_new_owner_is_told_of_the_duty_by_letter_and_e_mail() -> None:
    made = agreements.recorded()
    acts.change_owner(made.site, by=factory.clerk(), on=date(2027, 5, 10), **SALE)
    letter = Mailing.objects.get(means="us_mail", cause__startswith="agreement_duty:")
    assert letter.addressee == "Tom Reyes"
    paper = CasePaper.objects.get(kind="agreement_duty")
    assert letter.document == paper.document
    check_reading(OutboxMessage.objects.get(recipient="tom@example.test"))
    event = CaseEvent.objects.get(kind="owner.changed")
    assert event.facts["agreements"] == [made.number]
    assert str(made.responsible_party(date(2027, 5, 10))) == "Tom Reyes"


@pytest.mark.parametrize("kind", ["release", "amendment"])
def test_what_is_drafted_after_a_sale_names_the_owner_of_today(kind: str) -> None:
    made = agreements.recorded(spouse_name="Tou Vang", owner_title="Manager")
    on = date(2027, 5, 10)
    acts.change_owner(made.site, by=factory.clerk(), on=on, **SALE)
    after = drafting.draft(made.site, by=factory.clerk(), on=on, before=made, kind=kind)
    assert (after.owner_name, after.owner_organization) == ("Tom Reyes", "")
    assert (after.spouse_name, after.owner_title) == ("", "")
    assert (after.party_name, after.party_email) == ("Tom Reyes", "tom@example.test")
    assert after.legal_description == made.legal_description


def test_an_association_stays_responsible_in_what_is_drafted_after_a_sale() -> None:
    made = agreements.recorded(party_kind="association", party_organization="Pond Association")
    on = date(2027, 5, 10)
    acts.change_owner(made.site, by=factory.clerk(), on=on, **SALE)
    after = drafting.draft(made.site, by=factory.clerk(), on=on, before=made, kind="amendment")
    assert after.owner_name == "Tom Reyes"
    assert after.party_organization == "Pond Association"


def test_without_an_agreement_nobody_is_written_to() -> None:
    site = agreements.required().site
    acts.change_owner(site, by=factory.clerk(), on=date(2027, 5, 10), **SALE)
    assert not CasePaper.objects.filter(kind="agreement_duty").exists()
    assert CaseEvent.objects.get(kind="owner.changed").facts["told"] is False


def test_a_sale_is_not_recorded_before_it_happens() -> None:
    site = agreements.required().site
    with pytest.raises(NotNow, match="after today"):
        acts.change_owner(site, by=factory.clerk(), on=date(2027, 5, 2), **SALE)


# What waits for it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "waits"), [(["release"], False), (["issue"], True), (["issue", "release"], True)]
)
def test_the_city_chooses_whether_the_permit_waits(
    chosen: list[str], waits: bool, settings: Any
) -> None:
    settings.AGREEMENT_BEFORE = frozenset(chosen)
    permit = agreements.required("posted")
    found = [each.key for each in permit.obstacles_to_issue(on=RECORDED)]
    assert found == ([holding.KEY] if waits else [])
    agreements.recorded(permit)
    assert permit.obstacles_to_issue(on=RECORDED) == []


def test_a_permit_without_lasting_practices_waits_for_nothing(settings: Any) -> None:
    settings.AGREEMENT_BEFORE = frozenset({"issue"})
    permit = factory.posted().permit
    assert permit.obstacles_to_issue(on=RECORDED) == []
    assert list(holding.awaited(on=RECORDED)) == []


def test_the_list_of_permits_that_still_need_one() -> None:
    permit = agreements.required()
    assert list(holding.awaited(on=RECORDED)) == [permit]
    agreements.recorded(permit)
    assert list(holding.awaited(on=RECORDED)) == []


# A release ends it ------------------------------------------------------------------------


def released(made: Agreement) -> Agreement:
    """The recorded release of an agreement."""
    release = drafting.draft(
        made.site, by=factory.inspector(), on=RECORDED, before=made, kind="release"
    )
    drafting.save_words(release, answers={"terms": "The basin was filled."})
    acts.send_for_signature(release, by=factory.inspector(), on=RECORDED)
    signed = {"on": RECORDED, "signed_on": RECORDED, "scan": factory.upload()}
    acts.sign(release, by=factory.clerk(), **signed)
    agreements.record(release, document="1123399")
    return release


@pytest.mark.parametrize("kind", ["amendment", "release"])
def test_a_release_is_neither_amended_nor_released(kind: str) -> None:
    release = released(agreements.recorded())
    with pytest.raises(NotNow, match="is a release: it binds nobody"):
        drafting.draft(release.site, by=factory.inspector(), on=RECORDED, before=release, kind=kind)
