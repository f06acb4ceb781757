"""Former § 17.19(4)(f) What the rows of agreements and owners say, and what they refuse."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from permits.models import AgreementRecording, MaintenanceAgreement, OwnerChange, current_owner
from tests import factory

pytestmark = pytest.mark.django_db

DRAFTED = date(2026, 11, 2)
RECORDED = date(2026, 11, 20)


def agreement(**facts: Any) -> MaintenanceAgreement:
    """A row as an act would leave it."""
    site = facts.pop("site", None) or factory.submitted().site
    row: dict[str, Any] = {
        "number": f"MA-2026-{MaintenanceAgreement.objects.count() + 1:04d}",
        "drafted_on": DRAFTED,
        "drafted_by": factory.inspector(),
        "party_name": "Mai Vang",
        "party_organization": "Northfield Builders LLC",
        "party_address": "1 Mill Street\nExample, WI 54999",
    }
    return MaintenanceAgreement.objects.create(site=site, **(row | facts))


def recorded(**facts: Any) -> MaintenanceAgreement:
    told: dict[str, Any] = {
        "status": "recorded",
        "sent_for_signature_on": date(2026, 11, 4),
        "signed_on": date(2026, 11, 10),
        "recorded_on": RECORDED,
        "document_number": "1123344",
        "county": "Example County",
    }
    return agreement(**(told | facts))


def test_an_agreement_binds_from_the_day_it_is_recorded_until_the_day_it_ends() -> None:
    made = recorded(status="ended", ended_on=date(2027, 3, 1))
    found = MaintenanceAgreement.objects.in_force
    assert list(found(date(2026, 11, 19))) == []
    assert list(found(RECORDED)) == [made]
    assert list(found(date(2027, 2, 28))) == [made]
    assert list(found(date(2027, 3, 1))) == []
    assert [made.is_in_force(on) for on in (RECORDED, date(2027, 3, 1))] == [True, False]


def test_a_draft_and_a_release_bind_nobody() -> None:
    first = agreement()
    release = recorded(kind="release", before=first, site=first.site)
    assert list(MaintenanceAgreement.objects.in_force(date(2027, 1, 1))) == []
    assert not release.is_in_force(date(2027, 1, 1))
    assert first.is_open
    assert not release.is_open


@pytest.mark.parametrize(
    "facts",
    [
        {"document_number": ""},
        {"county": ""},
        {"recorded_on": None},
        {"signed_on": date(2026, 11, 3)},
        {"signed_on": None},
        {"recorded_on": date(2026, 11, 9)},
        {"sent_to_register_on": date(2026, 11, 9)},
        {"status": "drafted"},
        {"ended_on": date(2026, 12, 1)},
        {"status": "ended", "ended_on": date(2026, 11, 19)},
        {"status": "ended"},
        {"kind": "amendment"},
    ],
)
def test_the_database_refuses_what_cannot_be(facts: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        recorded(**facts)


def test_an_agreement_recorded_elsewhere_needs_no_day_of_signing() -> None:
    made = recorded(entered_as_recorded=True, signed_on=None, sent_for_signature_on=None)
    assert made.is_in_force(RECORDED)


def test_a_change_of_owner_keeps_the_duty() -> None:
    made = recorded()
    before = made.responsible_party(RECORDED)
    assert str(before) == "Northfield Builders LLC (Mai Vang)"
    OwnerChange.objects.create(
        site=made.site,
        name="Tom Reyes",
        mailing_address="9 Ridge Road\nExample, WI 54999",
        email="Tom@Example.test",
        from_on=date(2027, 5, 3),
        source="Warranty deed, document 1130001",
        by=factory.clerk(),
    )
    assert made.responsible_party(date(2027, 5, 2)) == before
    after = made.responsible_party(date(2027, 5, 3))
    assert (str(after), after.email, after.kind) == ("Tom Reyes", "tom@example.test", "owner")


@pytest.mark.parametrize("sold_on", [date(2025, 1, 2), date(2026, 11, 4)])
def test_an_owner_from_before_the_instrument_is_reached_as_it_says(sold_on: date) -> None:
    made = recorded(party_email="gate@example.test")
    OwnerChange.objects.create(
        site=made.site,
        organization="Northfield Builders LLC",
        mailing_address="An address of years ago",
        from_on=sold_on,
        source="Warranty deed, document 1090001",
        by=factory.clerk(),
    )
    party = made.responsible_party(RECORDED)
    assert (party.email, party.mailing_address) == ("gate@example.test", made.party_address)


def test_what_was_sent_is_no_draft_again_and_keeps_its_paper() -> None:
    document = factory.issued().permit.site.papers.first()
    made = agreement(paper=document)
    rows = MaintenanceAgreement.objects.filter(pk=made.pk)
    rows.update(status="sent_for_signature", sent_for_signature_on=date(2026, 11, 4))
    for change in ({"status": "drafted"}, {"paper": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)


def test_an_association_stays_responsible_when_the_land_is_sold() -> None:
    made = recorded(party_kind="association", party_organization="Heron Pond Association")
    OwnerChange.objects.create(
        site=made.site,
        name="Tom Reyes",
        mailing_address="9 Ridge Road",
        from_on=date(2027, 5, 3),
        source="Deed 1130001",
        by=factory.clerk(),
    )
    party = made.responsible_party(date(2028, 1, 1))
    assert (party.organization, party.kind) == ("Heron Pond Association", "association")


def test_the_first_owner_is_the_landowner_of_the_application() -> None:
    site = factory.submitted().site
    owner = current_owner(site, on=RECORDED)
    assert owner is not None
    assert (owner.organization, owner.since) == ("Northfield Builders LLC", None)
    assert owner.source.startswith("named in AP-")
    assert current_owner(factory.draft().site, on=RECORDED) is None


def test_rows_of_facts_cannot_be_changed_or_removed() -> None:
    made = recorded()
    change = OwnerChange.objects.create(
        site=made.site,
        name="Tom Reyes",
        mailing_address="9 Ridge Road",
        from_on=date(2027, 5, 3),
        source="Deed 1130001",
        by=factory.clerk(),
    )
    entry = AgreementRecording.objects.create(
        agreement=made,
        recorded_on=RECORDED,
        document_number="1123344",
        county="Example County",
        by=factory.clerk(),
        on=RECORDED,
    )
    grant = factory.granted().permit.grant
    practice = grant.practices.create(
        number=1,
        name="Wet basin",
        drainage_area="The north half of the site",
        drainage_acres=Decimal("4.25"),
    )
    for row in (change, entry, practice):
        rows = type(row)._default_manager.filter(pk=row.pk)
        field = {"county": "X"} if row is entry else {"name": "X"}
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**field)
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.delete()
