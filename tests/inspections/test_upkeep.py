"""Former § 17.19(4)(f)(2), (4), (5) The schedule, the party's reports, the city's look."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from inspections import upkeep, upkeep_telling
from inspections.acts import upkeep as acts
from inspections.models import UpkeepInspection, UpkeepReport, VisitNeed
from inspections.needs import open_needs
from permits.models import CasePaper, MaintenanceAgreement, NotNow
from portal import papers, rounds
from portal.models import Mailing, OutboxMessage, User
from tests import factory as people
from tests import upkeep as made
from tests.inspections import factory
from tests.mails import check_reading

pytestmark = pytest.mark.django_db

RECORDED = made.RECORDED  # January 12, 2026: the outlet every 6 months, the swale every 12
HALF, YEAR = date(2026, 7, 12), date(2027, 1, 12)


@pytest.fixture(autouse=True)
def blank_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers have tests of their own."""
    monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(b"%PDF-1.7\n", 1))


@pytest.fixture
def agreement() -> MaintenanceAgreement:
    return made.agreement(factory.active_permit(issued_on=date(2025, 10, 6)).site)


def dues(agreement: MaintenanceAgreement) -> list[date]:
    return [each.due_on for each in upkeep.tasks_of([agreement])]


def report(agreement: MaintenanceAgreement, done_on: date, *, on: date | None = None) -> None:
    task = agreement.practices.get(number=1).tasks.get()
    acts.report(
        task, by=people.inspector(), on=on or done_on, done_on=done_on, what="Outlet cleaned."
    )


def needs(on: date) -> list[VisitNeed]:
    open_needs(on, reasons=[VisitNeed.Reason.UPKEEP])
    return list(VisitNeed.objects.open().filter(reason="upkeep"))


# The schedule -----------------------------------------------------------------------------


def test_a_report_moves_the_day_of_its_task_and_of_no_other(
    agreement: MaintenanceAgreement,
) -> None:
    assert dues(agreement) == [HALF, YEAR]
    report(agreement, date(2026, 7, 1))
    assert dues(agreement) == [YEAR, YEAR]
    event = agreement.site.events.get(kind="upkeep.reported")
    assert event.occurred_on == date(2026, 7, 1)
    assert event.facts["task"] == "Clean the outlet"
    told = OutboxMessage.objects.get(cause__startswith="upkeep_reported")
    assert "Outlet cleaned." in told.body
    check_reading(told)


@pytest.mark.parametrize(
    ("done_on", "on", "words"),
    [
        (date(2026, 7, 2), date(2026, 7, 1), "still to come"),
        (date(2026, 1, 11), date(2026, 7, 1), "January 12, 2026; its schedule"),
    ],
)
def test_a_day_that_cannot_be_meant_is_refused(
    agreement: MaintenanceAgreement, done_on: date, on: date, words: str
) -> None:
    with pytest.raises(NotNow, match=words):
        report(agreement, done_on, on=on)
    assert not UpkeepReport.objects.exists()


def test_nothing_is_reported_under_an_agreement_that_ended(
    agreement: MaintenanceAgreement,
) -> None:
    MaintenanceAgreement.objects.filter(pk=agreement.pk).update(
        status="ended", ended_on=date(2026, 6, 1)
    )
    with pytest.raises(NotNow) as refused:
        report(agreement, date(2026, 6, 1))
    assert [each.key for each in refused.value.obstacles] == ["not-in-force"]


# The round --------------------------------------------------------------------------------


def test_a_day_without_a_report_brings_the_site_into_the_round_after_two_weeks(
    agreement: MaintenanceAgreement,
) -> None:
    assert needs(HALF + timedelta(14)) == []
    (need,) = needs(HALF + timedelta(15))
    assert need.due_on == HALF + timedelta(15)
    assert "“Clean the outlet” was due Sun, Jul 12" in need.because
    report(agreement, HALF + timedelta(16))
    assert needs(HALF + timedelta(17)) == []


def test_the_city_looks_once_a_year_and_an_inspection_ends_the_need(
    agreement: MaintenanceAgreement,
) -> None:
    report(agreement, date(2026, 7, 1))
    assert needs(YEAR - timedelta(1)) == []
    assert [need.due_on for need in needs(YEAR)] == [YEAR]
    made.inspected(agreement, on=YEAR, problems=())
    assert needs(YEAR) == []


def test_a_visit_to_the_site_is_no_look_at_the_practices(agreement: MaintenanceAgreement) -> None:
    assert needs(YEAR)
    factory.finished_visit(agreement.site, on=YEAR)
    assert needs(YEAR)


def test_the_needs_of_many_agreements_cost_no_more_queries() -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            list(upkeep.looks_due(YEAR))
        return len(seen)

    made.agreement(factory.active_permit(issued_on=date(2025, 10, 6)).site)
    one = queries()
    for _ in range(4):
        made.agreement(factory.active_permit(issued_on=date(2025, 10, 6)).site)
    assert queries() == one


# The inspection ---------------------------------------------------------------------------


def test_an_inspection_looks_at_every_practice_and_its_party_gets_the_report(
    agreement: MaintenanceAgreement,
) -> None:
    begun = acts.begin(agreement, by=people.inspector(), on=HALF)
    assert acts.begin(agreement, by=people.inspector(), on=HALF) == begun
    assert [each.key for each in acts.why_not_finish(begun)] == ["practice-1", "practice-2"]
    with pytest.raises(NotNow) as early:
        acts.finish(begun, by=people.inspector(), on=HALF)
    assert len(early.value.obstacles) == 2
    done = made.inspected(agreement, on=HALF)
    assert done == begun
    assert done.number == "MI-2026-0001"
    assert CasePaper.objects.get(kind="upkeep_report") == done.report
    told = OutboxMessage.objects.get(
        cause=f"upkeep_inspected:{done.number}", recipient="reeds@example.test"
    )
    assert "choked with reeds" in told.body
    check_reading(told)
    assert done.agreement.site.get_public_url() in told.body
    assert done.get_absolute_url() not in told.body  # its party has no account for the page
    event = agreement.site.events.get(kind="upkeep.inspected")
    assert event.facts["problems"] == ["Wet basin, Behind lot 4"]


def test_what_is_written_again_counts_and_what_was_written_stays(
    agreement: MaintenanceAgreement,
) -> None:
    begun = acts.begin(agreement, by=people.inspector(), on=HALF)
    basin = agreement.practices.get(number=1)
    acts.look(begun, basin, by=people.inspector(), result="problem", words="Reeds.")
    acts.look(begun, basin, by=people.inspector(), result="fine")
    assert begun.looks.count() == 2
    assert begun.problems() == []
    with pytest.raises(NotNow, match="Say what the problem is"):
        acts.look(begun, basin, by=people.inspector(), result="problem", words=" ")


def test_a_finished_inspection_takes_nothing_any_more(agreement: MaintenanceAgreement) -> None:
    done = made.inspected(agreement, on=HALF)
    basin = agreement.practices.get(number=1)
    with pytest.raises(NotNow, match="finished"):
        acts.look(done, basin, by=people.inspector(), result="fine")
    with pytest.raises(NotNow, match="finished"):
        acts.finish(done, by=people.inspector(), on=HALF)
    assert agreement.site.events.filter(kind="upkeep.inspected").count() == 1


def test_only_an_empty_inspection_is_taken_back(agreement: MaintenanceAgreement) -> None:
    begun = acts.begin(agreement, by=people.inspector(), on=HALF)
    acts.discard(begun)
    assert not UpkeepInspection.objects.exists()
    begun = acts.begin(agreement, by=people.inspector(), on=HALF)
    acts.look(begun, agreement.practices.get(number=1), by=people.inspector(), result="fine")
    with pytest.raises(NotNow, match="finish the inspection"):
        acts.discard(begun)


# Reminders --------------------------------------------------------------------------------


def test_a_party_is_reminded_a_month_before_and_once_when_the_day_has_passed(
    agreement: MaintenanceAgreement,
) -> None:
    assert upkeep_telling.remind(HALF - timedelta(31)) == 0
    assert upkeep_telling.remind(HALF - timedelta(30)) == 1
    assert upkeep_telling.remind(HALF - timedelta(29)) == 0
    assert upkeep_telling.remind(HALF) == 0
    assert upkeep_telling.remind(HALF + timedelta(1)) == 1
    assert upkeep_telling.remind(HALF + timedelta(2)) == 0
    bodies = OutboxMessage.objects.filter(recipient="reeds@example.test").order_by("pk")
    assert [body.cause.split(":")[0] for body in bodies] == ["upkeep_due", "upkeep_late"]
    assert "Clean the outlet" in bodies[0].body
    assert "Mow" not in bodies[0].body  # due in January
    for mail in OutboxMessage.objects.filter(cause__startswith="upkeep_"):
        check_reading(mail)


def test_a_party_that_holds_the_case_is_told_once_and_led_to_its_pages() -> None:
    site = factory.active_permit(issued_on=date(2025, 10, 6)).site
    holder = site.applications.get().applicant
    done = made.inspected(made.agreement(site, party_email=holder.email.upper()), on=HALF)
    told = OutboxMessage.objects.get(cause=f"upkeep_inspected:{done.number}")
    assert done.get_absolute_url() in told.body
    check_reading(told)


def test_a_task_that_is_reported_is_not_reminded_of(agreement: MaintenanceAgreement) -> None:
    report(agreement, date(2026, 6, 1))
    assert upkeep_telling.remind(HALF - timedelta(5)) == 0


def test_a_party_without_an_e_mail_address_gets_a_letter_once() -> None:
    site = factory.active_permit(issued_on=date(2025, 10, 6)).site
    bound = made.agreement(site, party_email="")
    assert upkeep_telling.remind(HALF - timedelta(10)) == 1
    assert upkeep_telling.remind(HALF - timedelta(9)) == 0
    letter = Mailing.objects.get(means="us_mail")
    paper = CasePaper.objects.get(kind="upkeep_letter")
    assert letter.document == paper.document
    assert letter.addressee == str(bound.responsible_party(HALF))


def test_no_letter_is_made_day_by_day_where_nobody_knows_an_address() -> None:
    site = factory.active_permit(issued_on=date(2025, 10, 6)).site
    made.agreement(site, party_email="", party_address="")
    User.objects.filter(pk=site.applications.get().applicant_id).update(is_active=False)
    for days in (10, 9, 8):
        assert upkeep_telling.remind(HALF - timedelta(days)) == 0
    assert not CasePaper.objects.filter(kind="upkeep_letter").exists()


def test_the_daily_round_has_the_reminders(agreement: MaintenanceAgreement) -> None:
    done = rounds.run_all(HALF - timedelta(10))
    assert done["upkeep reminders"] == 1
