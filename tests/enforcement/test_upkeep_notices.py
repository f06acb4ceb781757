"""Former § 17.19(4)(f)(6), (7) The notice of maintenance, and the city's work under it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from enforcement.acts import corrections, upkeep, work
from enforcement.models import (
    CityWork,
    CorrectionReport,
    UpkeepExtension,
    UpkeepLine,
    UpkeepNotice,
)
from inspections.models import PracticeLook
from permits.models import DocketEntry, MaintenanceAgreement, NotNow
from permits.verify import faults
from portal.models import Mailing, OutboxMessage
from portal.ordinance.begin_work import Path
from tests import factory as people
from tests import upkeep as made
from tests.mails import check_reading

from .appealing import appealed, decided
from .factory import active_permit, clerk, inspector

pytestmark = pytest.mark.django_db

TUESDAY = date(2026, 9, 1)
LAST = date(2026, 9, 22)


@pytest.fixture(autouse=True)
def on_tuesday(at: Callable[..., Any]) -> None:
    at(TUESDAY)


@pytest.fixture
def agreement() -> MaintenanceAgreement:
    return made.agreement(active_permit(issued_on=date(2025, 10, 6)).site)


@pytest.fixture
def notice(agreement: MaintenanceAgreement) -> UpkeepNotice:
    return made.notice(made.inspected(agreement, on=TUESDAY), on=TUESDAY, correct_by=LAST)


def entry(notice: UpkeepNotice, rule: str) -> DocketEntry:
    return DocketEntry.objects.of(notice).get(rule=rule)


def kinds(notice: UpkeepNotice) -> list[str]:
    events = notice.site.events.filter(kind__startswith="upkeep").order_by("sequence")
    return list(events.values_list("kind", flat=True))


def check_mails(cause: str) -> None:
    """Everybody who is told by e-mail reads it without a gap."""
    mails = OutboxMessage.objects.filter(cause__startswith=f"{cause}:")
    assert mails
    for mail in mails:
        check_reading(mail)


def begin(notice: UpkeepNotice, *, on: date, **more: Any) -> CityWork:
    return work.begin(
        notice,
        by=inspector(),
        on=on,
        begun_on=on,
        done_by="crew",
        doer="Street department",
        **more,
    )


def why_not(notice: UpkeepNotice, on: date) -> list[str]:
    return [each.key for each in work.why_not_begin(notice, on=on)]


# The notice -------------------------------------------------------------------------------


def test_no_notice_rests_on_an_inspection_that_a_later_one_has_overtaken(
    agreement: MaintenanceAgreement,
) -> None:
    first = made.inspected(agreement, on=date(2026, 6, 1))
    assert upkeep.why_not_issue(first, on=TUESDAY) == []
    again = made.inspected(agreement, on=TUESDAY, problems=())
    (found,) = upkeep.why_not_issue(first, on=TUESDAY)
    assert (found.key, str(found.citation)) == ("inspected-again", "former § 17.19(4)(f)(6)")
    assert str(again.number) in found.text


def test_a_notice_tells_the_party_by_letter_and_starts_both_clocks(notice: UpkeepNotice) -> None:
    assert notice.number == "MN-2026-0001"
    last, opens = entry(notice, "upkeep-correction"), entry(notice, "upkeep-work")
    assert (last.on, last.bound, last.started_on) == (LAST, "person", TUESDAY)
    assert (opens.on, opens.bound, opens.kind) == (LAST + timedelta(1), "city", "waiting")
    letter = Mailing.objects.get(cause=f"upkeep_notice:{notice.number}")
    assert letter.means == "certified"
    assert letter.requires_us_mail
    assert "Reed Bend Homeowners Association" in letter.addressee
    copy = OutboxMessage.objects.get(recipient="reeds@example.test", cause=letter.cause)
    assert "Cut the reeds and clean the outlet." in copy.body
    assert "September 22, 2026" in copy.body
    check_mails("upkeep_notice")
    assert kinds(notice) == ["upkeep.inspected", "upkeep.notice_issued"]
    assert list(faults()) == []


def test_a_notice_without_a_problem_or_twice_is_refused_with_the_paragraph(
    agreement: MaintenanceAgreement, notice: UpkeepNotice
) -> None:
    fine = made.inspected(agreement, on=TUESDAY + timedelta(3), problems=())
    with pytest.raises(NotNow) as refused:
        made.notice(fine, on=TUESDAY + timedelta(3))
    assert [each.key for each in refused.value.obstacles] == ["no-problem"]
    with pytest.raises(NotNow) as twice:
        made.notice(notice.inspection, on=TUESDAY)
    assert [each.key for each in twice.value.obstacles] == ["running"]
    assert str(twice.value.obstacles[0].citation) == "former § 17.19(4)(f)(6)"
    assert UpkeepNotice.objects.count() == 1


def test_the_time_ends_after_the_notice_and_the_party_is_told(
    agreement: MaintenanceAgreement,
) -> None:
    found = made.inspected(agreement, on=TUESDAY)
    with pytest.raises(NotNow, match="after today"):
        made.notice(found, on=TUESDAY, correct_by=TUESDAY)
    line = upkeep.Line(found.problems()[0].practice, "Reeds", "Cut them")
    owner = [(each, "us_mail") for each in upkeep.persons_told(agreement, on=TUESDAY)]
    landowner = [each for each in owner if each[0].role == "landowner"]
    assert landowner
    with pytest.raises(NotNow, match="responsible party"):
        upkeep.issue(
            found, by=inspector(), on=TUESDAY, correct_by=LAST, lines=[line], told=landowner
        )
    assert not UpkeepNotice.objects.exists()
    assert not DocketEntry.objects.filter(rule="upkeep-correction").exists()


def test_a_released_agreement_opens_no_notice(agreement: MaintenanceAgreement) -> None:
    found = made.inspected(agreement, on=TUESDAY)
    MaintenanceAgreement.objects.filter(pk=agreement.pk).update(status="ended", ended_on=TUESDAY)
    agreement.refresh_from_db()
    found.agreement = agreement
    assert [each.key for each in upkeep.why_not_issue(found, on=TUESDAY)] == ["agreement-ended"]


# More time --------------------------------------------------------------------------------


def test_more_time_is_a_row_with_its_reason_and_moves_both_clocks(notice: UpkeepNotice) -> None:
    upkeep.extend(
        notice, by=inspector(), on=LAST, until=date(2026, 10, 13), reason="The ground is wet."
    )
    assert notice.correct_by == LAST
    assert notice.correction_deadline().on == date(2026, 10, 13)
    assert entry(notice, "upkeep-correction").on == date(2026, 10, 13)
    assert entry(notice, "upkeep-work").on == date(2026, 10, 14)
    assert list(faults()) == []
    told = OutboxMessage.objects.get(cause="upkeep_more_time:MN-2026-0001:1")
    assert "The ground is wet." in told.body
    check_mails("upkeep_more_time")


@pytest.mark.parametrize(
    ("until", "reason", "words"),
    [
        (LAST, "Because.", "more time ends on a later day"),
        (LAST + timedelta(5), " ", "Say why"),
        (LAST - timedelta(5), "Because.", "more time ends on a later day"),
    ],
)
def test_time_is_never_made_shorter_and_never_without_a_reason(
    notice: UpkeepNotice, until: date, reason: str, words: str
) -> None:
    with pytest.raises(NotNow, match=words):
        upkeep.extend(notice, by=inspector(), on=TUESDAY, until=until, reason=reason)
    assert not UpkeepExtension.objects.exists()
    assert entry(notice, "upkeep-correction").on == LAST


# The correction ---------------------------------------------------------------------------


def test_a_correction_is_reported_refused_reported_again_and_confirmed(
    notice: UpkeepNotice,
) -> None:
    holder = people.applicant()
    corrections.report(notice, by=holder, on=TUESDAY + timedelta(5), text="Reeds are cut.")
    with pytest.raises(NotNow, match="waits for the inspector"):
        corrections.report(notice, by=holder, on=TUESDAY + timedelta(5), text="Again.")
    corrections.refuse(
        notice, by=inspector(), on=TUESDAY + timedelta(6), reason="The outlet is blocked."
    )
    assert (
        "The outlet is blocked."
        in OutboxMessage.objects.get(
            cause__startswith="upkeep_refused", recipient="reeds@example.test"
        ).body
    )
    corrections.report(notice, by=holder, on=TUESDAY + timedelta(8), text="Outlet is free.")
    corrections.confirm(
        notice,
        by=inspector(),
        on=TUESDAY + timedelta(9),
        corrected_on=TUESDAY + timedelta(8),
        how="Seen.",
    )
    assert notice.status == "corrected"
    for cause in ("upkeep_corrected", "upkeep_refused", "upkeep_ended"):
        check_mails(cause)
    assert entry(notice, "upkeep-correction").met_on == TUESDAY + timedelta(8)
    assert entry(notice, "upkeep-work").closed_on == TUESDAY + timedelta(9)
    assert [each.answer.accepted for each in notice.reports.all()] == [False, True]
    assert kinds(notice)[2:] == [
        "upkeep.correction_reported",
        "upkeep.correction_refused",
        "upkeep.correction_reported",
        "upkeep.correction_confirmed",
    ]
    assert list(faults()) == []


def test_a_closed_notice_takes_nothing_any_more(notice: UpkeepNotice) -> None:
    upkeep.withdraw(notice, by=inspector(), on=TUESDAY, why="The wrong basin.")
    check_mails("upkeep_ended")
    acts = (
        lambda: corrections.report(notice, by=inspector(), on=LAST, text="Done."),
        lambda: corrections.confirm(notice, by=inspector(), on=LAST, corrected_on=LAST, how="x"),
        lambda: corrections.refuse(notice, by=inspector(), on=LAST, reason="x"),
        lambda: upkeep.extend(
            notice, by=inspector(), on=LAST, until=LAST + timedelta(9), reason="x"
        ),
        lambda: upkeep.withdraw(notice, by=inspector(), on=LAST, why="x"),
        lambda: begin(notice, on=LAST + timedelta(9)),
    )
    for act in acts:
        with pytest.raises(NotNow):
            act()
    assert not CorrectionReport.objects.exists()
    assert not CityWork.objects.exists()
    assert not DocketEntry.objects.of(notice).running().exists()
    assert kinds(notice)[-1] == "upkeep.notice_withdrawn"


# The city's work --------------------------------------------------------------------------


def test_the_city_begins_never_early_and_names_the_day(notice: UpkeepNotice) -> None:
    assert why_not(notice, LAST) == ["not-open"]
    with pytest.raises(NotNow) as early:
        begin(notice, on=LAST)
    assert "September 23, 2026" in early.value.obstacles[0].text
    done = begin(notice, on=LAST + timedelta(1))
    notice.refresh_from_db()
    assert (notice.status, done.path, done.opened_on) == (
        "done",
        Path.MAINTENANCE,
        LAST + timedelta(1),
    )
    event = notice.site.events.get(kind="city_work.begun")
    assert (event.section, event.facts["path"]) == ("maintenance", "maintenance")
    assert not DocketEntry.objects.of(notice).running().exists()
    assert list(faults()) == []


def test_without_the_post_or_with_a_report_unanswered_no_work_begins(
    agreement: MaintenanceAgreement,
) -> None:
    found = made.inspected(agreement, on=TUESDAY)
    notice = made.notice(found, on=TUESDAY, correct_by=LAST, mail=False)
    after = LAST + timedelta(1)
    assert why_not(notice, after) == ["not-mailed"]
    made.mailed(notice, on=TUESDAY)
    assert why_not(notice, after) == []
    corrections.report(notice, by=inspector(), on=LAST, text="It is done, they say.")
    assert why_not(notice, after) == ["reported"]
    corrections.refuse(notice, by=inspector(), on=after, reason="It is not.")
    assert why_not(notice, after) == []


def test_a_letter_that_the_post_took_after_the_last_day_asks_for_more_time(
    agreement: MaintenanceAgreement,
) -> None:
    notice = made.notice(
        made.inspected(agreement, on=TUESDAY), on=TUESDAY, correct_by=LAST, mail=False
    )
    late = LAST + timedelta(2)
    made.mailed(notice, on=late)
    assert why_not(notice, late) == ["mailed-late"]
    until = late + timedelta(14)
    upkeep.extend(notice, by=inspector(), on=late, until=until, reason="The post had it late.")
    assert why_not(notice, until) == ["not-open"]
    assert why_not(notice, until + timedelta(1)) == []


def test_the_work_is_closed_with_its_costs_and_billed_to_the_land(notice: UpkeepNotice) -> None:
    done = begin(notice, on=LAST + timedelta(1))
    on = LAST + timedelta(2)
    cost = work.Cost("labor", on, "Crew of two", Decimal(6), "hours", Decimal(85), None, "Sheet 9")
    work.add_cost(done, cost, by=clerk(), on=on)
    work.close(done, by=inspector(), on=on, note="The outlet runs free.")
    assert done.total == Decimal("510.00")
    assert [row.role for row in done.payers()] == ["party"]
    assert CityWork.objects.by_path(Path.MAINTENANCE).get() == done
    assert not CityWork.objects.by_path(Path.SPECIAL_CHARGE).exists()
    assert not CityWork.objects.by_path(Path.ESCROW).exists()


# An appeal --------------------------------------------------------------------------------


def test_an_appeal_holds_the_time_and_the_work_and_a_reversal_ends_the_notice(
    notice: UpkeepNotice,
) -> None:
    filed = appealed(notice, on=date(2026, 9, 8))
    assert filed.subject_title == f"Notice of maintenance {notice}"
    held = entry(notice, "upkeep-correction")
    assert held.stayed_since == date(2026, 9, 8)
    assert why_not(notice, LAST + timedelta(1)) == ["stayed"]
    decided(filed, on=date(2026, 9, 25), outcome="reversed")
    notice.refresh_from_db()
    assert notice.status == "reversed"
    assert why_not(notice, LAST + timedelta(60)) == ["notice-ended"]
    assert list(faults()) == []


# What the database refuses ----------------------------------------------------------------


def test_the_rows_of_a_notice_are_facts(notice: UpkeepNotice) -> None:
    upkeep.extend(notice, by=inspector(), on=TUESDAY, until=LAST + timedelta(7), reason="Rain.")
    corrections.report(notice, by=inspector(), on=TUESDAY, text="Done.")
    changes = (
        lambda: UpkeepNotice.objects.update(correct_by=LAST + timedelta(1)),
        lambda: UpkeepLine.objects.update(what="Less."),
        lambda: UpkeepExtension.objects.update(until=LAST + timedelta(99)),
        lambda: CorrectionReport.objects.all().delete(),
        lambda: PracticeLook.objects.update(words="Fine."),
    )
    for change in changes:
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


@pytest.mark.parametrize("early", [LAST, LAST + timedelta(7)])
def test_no_row_of_work_lies_before_the_day_that_the_notice_opens(
    notice: UpkeepNotice, early: date
) -> None:
    upkeep.extend(notice, by=inspector(), on=TUESDAY, until=LAST + timedelta(7), reason="Rain.")
    with pytest.raises(IntegrityError), transaction.atomic():
        CityWork.objects.create(
            site=notice.site,
            upkeep_notice=notice,
            done_by="crew",
            doer="Crew",
            begun_on=early,
            opened_on=early,
            safe_on=early,
            begun_by=inspector(),
        )
