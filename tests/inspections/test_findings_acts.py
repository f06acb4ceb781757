"""Findings: told at once, answered, confirmed, refused, dropped; each act once, or refused."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from inspections.acts import findings as acts
from inspections.models import DocumentedDay, Finding
from permits.models import CaseEvent, DocketEntry, NotNow
from portal.models import Mailing, OutboxMessage
from tests.inspections import factory

pytestmark = pytest.mark.django_db

MONDAY = factory.MONDAY
TUESDAY = MONDAY + timedelta(days=1)
FRIDAY = MONDAY + timedelta(days=4)


@pytest.fixture
def permit():
    return factory.active_permit(issued_on=MONDAY)


def found(permit, **fields) -> Finding:
    return factory.finding(permit.site, on=MONDAY, correct_by=TUESDAY, **fields)


def answered(permit, **fields) -> Finding:
    finding = found(permit, **fields)
    by = permit.application.applicant
    acts.answer(finding, by=by, on=MONDAY, text="The fence stands again.", photos=[])
    return finding


def corrected(permit, **fields) -> Finding:
    finding = answered(permit, **fields)
    confirm(finding)
    return finding


def dropped(permit, **fields) -> Finding:
    finding = found(permit, **fields)
    acts.drop(finding, by=factory.inspector(), on=TUESDAY, reason="It stands on the neighbor's.")
    return finding


def confirm(finding: Finding, **fields) -> None:
    answers = {"how": "From the photos.", "corrected_on": TUESDAY, **fields}
    acts.confirm(finding, by=factory.inspector(), on=FRIDAY, **answers)


# Told at once -----------------------------------------------------------------------------


def test_the_parties_are_told_when_a_finding_is_recorded(permit) -> None:
    finding = found(permit, who="contractor", is_violation=True)
    mails = OutboxMessage.objects.filter(cause="finding:1").order_by("pk")
    assert [mail.recipient for mail in mails] == [
        permit.application.applicant.email,
        "landowner@example.test",
        "contractor@example.test",
    ]
    first = mails[0]
    assert first.subject == f"Correct by Tue, Nov 17: finding 1 [{permit.site.number}]"
    assert "The silt fence on the north line is down." in first.body
    assert "Tuesday, November 17, 2026" in first.body
    assert "How this day is counted" in first.body
    assert f"/findings/{finding.key}/" in first.body
    assert "violation of its own" in first.body
    assert f"/findings/{finding.key}/" not in mails[1].body
    assert Mailing.objects.filter(reference=permit.site.number, cause="finding:1").count() == 3


def test_a_finding_that_is_not_recorded_tells_nobody(permit) -> None:
    visit = factory.open_visit(permit.site, on=MONDAY)
    with pytest.raises(NotNow, match="before the visit"):
        acts.record(
            visit,
            by=visit.inspector,
            what="Mud on the road.",
            section="site",
            correct_by=MONDAY - timedelta(days=1),
        )
    assert not OutboxMessage.objects.exists()
    assert not Finding.objects.exists()


def test_where_nobody_applied_a_finding_stands_and_nobody_is_told() -> None:
    site = factory.site_without_permit()
    site.record("complaint.linked", by=factory.inspector(), on=MONDAY)
    finding = factory.finding(site, on=MONDAY)
    assert finding.status == "open"
    assert finding.application is None
    assert not OutboxMessage.objects.exists()


def test_its_clock_is_on_the_docket_until_it_is_corrected(permit) -> None:
    finding = found(permit)
    entry = DocketEntry.objects.of(finding).get()
    assert (entry.rule, entry.on, entry.bound) == ("correction", TUESDAY, "permittee")
    confirm(finding, corrected_on=TUESDAY)
    entry.refresh_from_db()
    assert (entry.met_on, entry.closed_on) == (TUESDAY, TUESDAY)


def test_findings_of_a_site_are_numbered_on(permit) -> None:
    assert [found(permit).number, found(permit).number] == [1, 2]


# Answered, refused, confirmed -------------------------------------------------------------


def test_an_answer_goes_to_the_inspectors_and_a_second_one_is_added(permit) -> None:
    inspector = factory.inspector()
    finding = answered(permit)
    by = permit.application.applicant
    acts.answer(finding, by=by, on=TUESDAY, text="And mulched.", photos=[])
    assert [answer.text for answer in finding.answers.all()] == [
        "The fence stands again.",
        "And mulched.",
    ]
    mails = OutboxMessage.objects.filter(cause__startswith="finding_answered:1:")
    assert [mail.recipient for mail in mails] == [inspector.email, inspector.email]
    assert f"/findings/{finding.key}/" in mails[0].body


def test_a_refused_answer_opens_the_finding_again_and_says_why(permit) -> None:
    finding = answered(permit)
    acts.refuse_answer(
        finding, by=factory.inspector(), on=TUESDAY, reason="The photo shows the south line."
    )
    assert finding.status == "open"
    mail = OutboxMessage.objects.filter(cause__startswith="finding_refused:1").first()
    assert "The photo shows the south line." in mail.body
    assert DocketEntry.objects.of(finding).running().exists()


def test_the_second_refusal_is_told_too(permit) -> None:
    finding = answered(permit)
    for reason in ("Too dark.", "Another fence."):
        acts.refuse_answer(finding, by=factory.inspector(), on=TUESDAY, reason=reason)
        by = permit.application.applicant
        acts.answer(finding, by=by, on=TUESDAY, text="Again.", photos=[])
    bodies = OutboxMessage.objects.filter(
        cause__startswith="finding_refused", recipient=permit.application.applicant.email
    ).values_list("body", flat=True)
    assert len(bodies) == 2
    assert "Another fence." in bodies[1]


@pytest.mark.parametrize("day", [MONDAY - timedelta(days=1), FRIDAY + timedelta(days=1)])
def test_it_was_corrected_between_the_finding_and_today(permit, day: date) -> None:
    finding = found(permit)
    with pytest.raises(NotNow, match="between the day"):
        confirm(finding, corrected_on=day)
    finding.refresh_from_db()
    assert finding.status == "open"


def test_the_parties_learn_that_it_is_corrected_or_falls_away(permit) -> None:
    corrected(permit)
    dropped(permit)
    causes = set(OutboxMessage.objects.values_list("cause", flat=True))
    assert {"finding_confirmed:1", "finding_dropped:2"} <= causes
    body = OutboxMessage.objects.filter(cause="finding_dropped:2").first().body
    assert "neighbor" in body


# Days of a violation ----------------------------------------------------------------------


def test_each_day_on_which_it_was_seen_counts_once(permit) -> None:
    finding = found(permit, is_violation=True)
    for on in (TUESDAY, TUESDAY, FRIDAY):
        visit = factory.finished_visit(permit.site, on=on)
        acts.see_again(finding, visit, by=visit.inspector)
    days = DocumentedDay.objects.filter(finding=finding).values_list("on", flat=True)
    assert list(days) == [MONDAY, TUESDAY, FRIDAY]


def test_what_is_seen_again_becomes_a_violation_from_that_day_and_is_told(permit) -> None:
    finding = found(permit)
    assert not finding.is_violation
    assert not finding.days.exists()
    for on in (TUESDAY, FRIDAY):
        visit = factory.finished_visit(permit.site, on=on)
        acts.see_again(finding, visit, by=visit.inspector)
    finding.refresh_from_db()
    assert finding.is_violation
    assert [each.on for each in finding.days.all()] == [TUESDAY, FRIDAY], "not the day it was found"
    events = CaseEvent.objects.filter(kind="finding.seen_again").order_by("pk")
    assert [event.facts["became_violation"] for event in events] == [True, False]
    mails = OutboxMessage.objects.filter(cause="finding_violation:1")
    people = set(mails.values_list("recipient", flat=True))
    assert permit.application.applicant.email in people
    assert mails.count() == len(people), "told once, not with every day"
    assert "It is a violation of the ordinance from this day on" in mails[0].body


def test_a_visit_before_the_finding_documents_nothing(permit) -> None:
    earlier = factory.finished_visit(permit.site, on=MONDAY)
    finding = factory.finding(permit.site, on=TUESDAY, correct_by=FRIDAY)
    with pytest.raises(NotNow, match="before the finding"):
        acts.see_again(finding, earlier, by=earlier.inspector)


# Every act in every status: exactly one event, or none and no change ---------------------------

STATES = {"open": found, "answered": answered, "corrected": corrected, "dropped": dropped}


def _again(finding: Finding) -> None:
    visit = finding.visit
    if finding.days.filter(on=visit.visited_on).exists():
        raise AssertionError("the sweep begins with a finding that is no violation yet")
    acts.see_again(finding, visit, by=visit.inspector)


ACTS = {
    "answer": lambda f: acts.answer(
        f, by=f.permit.application.applicant, on=FRIDAY, text="Done.", photos=[]
    ),
    "confirm": confirm,
    "refuse": lambda f: acts.refuse_answer(f, by=factory.inspector(), on=FRIDAY, reason="No."),
    "drop": lambda f: acts.drop(f, by=factory.inspector(), on=FRIDAY, reason="In error."),
    "see_again": _again,
}
ALLOWED = {
    ("open", "answer"): "answered",
    ("open", "confirm"): "corrected",
    ("open", "drop"): "dropped",
    ("open", "see_again"): "open",
    ("answered", "answer"): "answered",
    ("answered", "confirm"): "corrected",
    ("answered", "refuse"): "open",
    ("answered", "drop"): "dropped",
    ("answered", "see_again"): "answered",
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("state", STATES)
def test_an_act_leaves_one_event_or_is_refused_and_leaves_none(permit, state, act) -> None:
    finding = STATES[state](permit)
    before = CaseEvent.objects.count(), OutboxMessage.objects.count()
    after = ALLOWED.get((state, act))
    if after:
        ACTS[act](finding)
    else:
        with pytest.raises(NotNow):
            ACTS[act](finding)
    finding.refresh_from_db()
    assert finding.status == (after or state)
    assert CaseEvent.objects.count() - before[0] == (1 if after else 0)
    if not after:
        assert OutboxMessage.objects.count() == before[1]
    running = DocketEntry.objects.of(finding).running().exists()
    assert running is (finding.status in ("open", "answered"))
