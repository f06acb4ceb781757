"""Certificates of occupancy: what each does to the dates, shown before it is saved."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.acts import cover as acts
from inspections.models import Certificate
from permits.models import CaseEvent, DocketEntry, NotNow, Permit
from portal import operations
from portal.models import OutboxMessage
from tests.conftest import CASES, needs_cases
from tests.inspections import factory

pytestmark = pytest.mark.django_db

ISSUED = date(2026, 6, 1)
WINTER = date(2026, 12, 5)
SUMMER = date(2027, 5, 3)
TODAY = date(2027, 5, 10)
JULY_15 = date(2027, 7, 15)
FAR = date(2027, 9, 30)


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


def permit_until(day: date) -> Permit:
    return factory.active_permit(issued_on=ISSUED, controls_by=day)


@pytest.fixture
def permit() -> Permit:
    return permit_until(FAR)


def record(permit: Permit, issued_on: date, *, on: date = TODAY, **fields) -> Certificate:
    fields = {"building": "12 Mill Street", **fields}
    return acts.record_certificate(permit, by=factory.clerk(), on=on, issued_on=issued_on, **fields)


def docket(certificate: Certificate) -> DocketEntry | None:
    return DocketEntry.objects.of(certificate).running().first()


def passed(permit: Permit, on: date) -> None:
    Permit.objects.filter(pk=permit.pk).update(final_inspection_passed_on=on)
    permit.refresh_from_db()


# The date, by the model method --------------------------------------------------------------


def pairs() -> list[dict[str, str]]:
    if not CASES.is_dir():
        return []
    rows = json.loads((CASES / "dates.json").read_text())
    return [row for row in rows if row["id"].startswith("C")]


@needs_cases
@pytest.mark.parametrize("row", pairs(), ids=lambda row: row["id"])
def test_each_worked_pair_is_what_the_certificate_says(permit, row) -> None:
    certificate = Certificate(
        permit=permit,
        building="A",
        issued_on=date.fromisoformat(row["co_issued"]),
        work_open=True,
    )
    deadline = certificate.cover_deadline()
    expected = row["next_secular_day"] or row["expected_due"]
    assert (deadline.on.isoformat() if deadline else None) == expected
    if deadline:
        assert deadline.safe_on.isoformat() == row["expected_due"]


# In the winter ----------------------------------------------------------------------------


def test_a_winter_certificate_starts_its_own_july_15(permit) -> None:
    certificate = record(permit, WINTER)
    entry = docket(certificate)
    assert (entry.rule, entry.on, entry.bound) == ("permanent-cover", JULY_15, "permittee")
    assert "12 Mill Street" in entry.title
    event = CaseEvent.objects.get(kind="certificate.recorded")
    assert event.facts["due"] == "2027-07-15"
    mail = OutboxMessage.objects.filter(cause__startswith="certificate:").first()
    assert "July 15, 2027" in mail.body
    assert "Temporary controls stay in place" in mail.body


def test_each_of_several_certificates_has_its_own_clock(permit) -> None:
    one = record(permit, WINTER, building="Unit 1")
    other = record(permit, date(2027, 4, 15), building="Unit 2")
    late = record(
        permit, SUMMER, building="Unit 3", irregular_reason="Issued before the city knew."
    )
    assert [docket(each).on for each in (one, other, late)] == [JULY_15, JULY_15, SUMMER]
    assert DocketEntry.objects.running().filter(rule="permanent-cover").count() == 3


def test_a_building_has_one_certificate(permit) -> None:
    record(permit, WINTER)
    with pytest.raises(NotNow, match="recorded already"):
        record(permit, WINTER, building="12 MILL street")


def test_once_the_final_inspection_has_passed_nothing_is_due(permit) -> None:
    passed(permit, date(2026, 11, 2))
    certificate = record(permit, WINTER)
    assert not certificate.work_open
    assert docket(certificate) is None
    assert acts.effect_of(permit, WINTER).deadline is None


# Outside it -------------------------------------------------------------------------------


def test_outside_the_winter_it_is_blocked_while_work_is_open(permit) -> None:
    effect = acts.effect_of(permit, SUMMER)
    assert effect.blocked
    with pytest.raises(NotNow, match="Permanent work is open"):
        record(permit, SUMMER)
    assert not Certificate.objects.exists()


def test_recorded_as_irregular_it_is_due_at_once(permit) -> None:
    certificate = record(permit, SUMMER, irregular_reason="The clerk had no notice.")
    entry = docket(certificate)
    assert (entry.on, entry.safe_on) == (SUMMER, SUMMER)
    assert entry.is_late(TODAY)
    assert CaseEvent.objects.get(kind="certificate.recorded").reason == "The clerk had no notice."
    mail = OutboxMessage.objects.filter(cause__startswith="certificate:").first()
    assert "due at once" in mail.body
    assert "The clerk had no notice." in mail.body


def test_a_permit_date_before_it_was_the_earlier_one() -> None:
    permit = permit_until(date(2027, 3, 1))
    certificate = record(permit, SUMMER, irregular_reason="No notice.")
    assert docket(certificate).on == date(2027, 3, 1)


def test_a_certificate_from_before_the_final_inspection_was_irregular(permit) -> None:
    passed(permit, date(2027, 5, 8))
    effect = acts.effect_of(permit, SUMMER)
    assert (effect.blocked, effect.deadline) == (True, None)
    certificate = record(permit, SUMMER, irregular_reason="Two days too early.")
    assert docket(certificate) is None
    assert certificate.irregular_reason == "Two days too early."


# The permit's date against July 15: (i) later, (ii) between, (iii) missed before -----------------


@pytest.mark.parametrize(
    ("permit_date", "limit", "condition", "asks"),
    [
        pytest.param(FAR, JULY_15, None, False, id="(i) later: July 15 controls"),
        pytest.param(date(2027, 6, 1), JULY_15, date(2027, 6, 1), True, id="(ii) between"),
        pytest.param(date(2026, 11, 30), JULY_15, date(2026, 11, 30), True, id="(iii) missed"),
    ],
)
def test_the_permits_date_and_july_15(permit_date, limit, condition, asks) -> None:
    permit = permit_until(permit_date)
    effect = acts.effect_of(permit, WINTER)
    assert effect.completion.limit_on == limit
    assert effect.completion.permit_on == condition
    assert bool(effect.needs_choice) is asks
    if asks:
        with pytest.raises(NotNow):
            record(permit, WINTER)
    certificate = record(
        permit, WINTER, choice="condition", choice_reason="Nothing speaks against it."
    )
    assert certificate.choice == ("condition" if asks else "")
    assert docket(certificate).on == limit
    if condition == date(2026, 11, 30):
        made = certificate.completion()
        assert made.permit_overdue_from() == date(2026, 12, 1)
        assert made.is_permit_condition_late(date(2026, 12, 1))


# Refused, and kept ------------------------------------------------------------------------


@pytest.mark.parametrize("day", [ISSUED - timedelta(days=1), TODAY + timedelta(days=1)])
def test_a_day_before_the_permit_or_to_come_is_refused(permit, day) -> None:
    with pytest.raises(NotNow, match="between the permit's issue and today"):
        record(permit, day, irregular_reason="x")


def test_a_certificate_is_never_changed(permit) -> None:
    record(permit, WINTER)
    with pytest.raises(DatabaseError), transaction.atomic():
        Certificate.objects.update(issued_on=TODAY)


# The page ---------------------------------------------------------------------------------


@pytest.fixture
def clerk(client):
    client.force_login(factory.clerk())
    return client


def send(client, permit, **fields):
    given = {
        operations.FIELD: operations.new_token(),
        "building": "12 Mill Street",
        "issued_on": WINTER.isoformat(),
        "step": "check",
        **fields,
    }
    return client.post(reverse("certificate", args=[permit.site.number]), given)


def test_the_page_shows_what_it_does_before_it_is_saved(clerk, permit) -> None:
    page = send(clerk, permit).content.decode()
    assert "Thursday, July 15, 2027" in page
    assert "three months after April 15, 2027" in page
    assert "landowner@example.test" in page
    assert not Certificate.objects.exists()
    assert send(clerk, permit, step="confirm").status_code == 303
    assert docket(Certificate.objects.get()).on == JULY_15


def test_the_page_blocks_an_irregular_one_until_a_reason_is_given(clerk, permit) -> None:
    page = send(clerk, permit, issued_on=SUMMER.isoformat()).content.decode()
    assert "Permanent work is open: this is irregular" in page
    assert "Record it as irregular" in page
    assert "needs another look" not in page
    again = send(clerk, permit, issued_on=SUMMER.isoformat(), step="confirm")
    assert again.status_code == 200
    assert "irregular_reason" in again.context["form"].errors
    done = send(
        clerk, permit, issued_on=SUMMER.isoformat(), step="confirm", irregular_reason="No notice."
    )
    assert done.status_code == 303
    assert Certificate.objects.get().irregular_reason == "No notice."


def test_the_page_asks_for_the_choice_and_why(clerk) -> None:
    permit = permit_until(date(2027, 6, 1))
    page = send(clerk, permit).content.decode()
    assert "Which date is enforced?" in page
    assert "needs another look" not in page
    missing = send(clerk, permit, step="confirm", choice="limit")
    assert "choice_reason" in missing.context["form"].errors
    assert not Certificate.objects.exists()
    done = send(clerk, permit, step="confirm", choice="limit", choice_reason="Frozen ground.")
    assert done.status_code == 303
    certificate = Certificate.objects.get()
    assert (certificate.choice, certificate.choice_reason) == ("limit", "Frozen ground.")


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"issued_on": "2027-05-11"}, "issued_on", "still to come"),
        ({"issued_on": "2026-05-31"}, "issued_on", "The permit was issued on"),
        ({"issued_on": "31/12/2026"}, "issued_on", "month/day/year"),
        ({"building": ""}, "building", "Please answer"),
        ({"building": " 12  Mill street"}, "building", "is on record"),
    ],
)
def test_what_cannot_be_is_asked_again(clerk, permit, fields, field, said) -> None:
    if said == "is on record":
        record(permit, WINTER)
    for step in ("check", "confirm"):
        response = send(clerk, permit, step=step, **fields)
        assert response.status_code == 200
        assert any(said in error for error in response.context["form"].errors[field])
    assert Certificate.objects.count() == (1 if said == "is on record" else 0)


def test_going_back_keeps_what_was_typed(clerk, permit) -> None:
    page = send(clerk, permit, step="change", building="Unit 7").content.decode()
    assert 'value="Unit 7"' in page


def test_the_same_form_twice_is_one_certificate(clerk, permit) -> None:
    token = operations.new_token()
    for _ in range(2):
        assert send(clerk, permit, step="confirm", **{operations.FIELD: token}).status_code == 303
    assert Certificate.objects.count() == 1


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("inspector", 200),
        ("clerk", 200),
        ("administrator", 404),
        ("attorney", 404),
        ("board", 404),
        ("applicant", 404),
    ],
)
def test_inspector_and_clerk_record_certificates(client, permit, role, status) -> None:
    address = reverse("certificate", args=[permit.site.number])
    assert client.get(address).status_code == 302
    client.force_login(factory.user(role))
    assert client.get(address).status_code == status
    client.force_login(permit.application.applicant)
    assert client.get(address).status_code == 404


def test_the_page_costs_the_same_for_a_street_of_buildings(clerk, permit) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert send(clerk, permit, building="One more").status_code == 200
        return len(made)

    record(permit, WINTER)
    queries()  # fills the caches of the process
    before = queries()
    for number in range(12):
        record(permit, WINTER, building=f"Unit {number}")
    assert queries() == before <= 25
