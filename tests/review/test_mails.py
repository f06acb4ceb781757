"""Every mail: who gets it, and that it says what happened, what is next and by when."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from escrow import acts as escrow_acts
from permits import acts, handover, recount, reminders
from permits.forms.correct import Correction
from permits.models import Application, Party
from permits.people import inspectors, notice_parties
from portal.models import OutboxMessage, Role
from tests import factory
from tests.factory import MONDAY
from tests.mails import check_reading

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("monday")]

TEMPLATES = Path(__file__).resolve().parents[2] / "templates" / "mail"
SHARED = {"base", "foot"}
ON_THE_SITE = {
    *("certificate", "closed", "completion", "final", "log_due", "rain", "rain_corrected"),
    *("finding", "finding_answered", "finding_confirmed", "finding_dropped", "finding_refused"),
    *("finding_violation", "report_staff"),
    *(
        "reminder_on_record",
        "reminder_soon_permanent-cover",
        "report_answer",
        "season_letter",
        "visit_report",
    ),
}
"""Mails of inspections, tried in tests/inspections."""
OF_ENFORCEMENT = {
    *("order_issued", "order_ended", "permit_revoked", "permit_reinstated", "cease_and_desist"),
    *("notice_of_intent", "notice_ended", "owner_notice", "revision_order", "plan_ordered"),
    *("line_reported", "revision_order_ended", "appeal_base", "_appeal_clocks", "appeal_filed"),
    *("appeal_received", "appeal_peril", "appeal_transmitted", "appeal_hearing"),
    *("appeal_decided", "appeal_withdrawn", "posting_corrected", "request_order_ended"),
}
"""Mails of enforcement, tried in tests/enforcement and with the demo city."""
OF_THE_MONEY = {
    *("bill_base", "bill", "bill_soon", "bill_late", "bill_receipt", "bill_credit"),
    *("bill_reversed", "bill_withdrawn", "assessment", "escrow_expiry", "escrow_renewed"),
    *("escrow_replaced", "escrow_drawn", "escrow_draw_reversed", "escrow_forfeited"),
    *("escrow_released", "escrow_demand_refused", "escrow_refusal_back"),
    *("roll_untold", "roll_corrections"),
}
"""Mails of the money, tried in tests/escrow and with the demo city."""
OF_UPKEEP = {
    *("agreement_to_sign", "agreement_recorded", "agreement_withdrawn", "agreement_duty"),
    *("upkeep_due", "upkeep_reported", "upkeep_inspected", "upkeep_notice"),
    *("upkeep_more_time", "upkeep_corrected", "upkeep_refused", "upkeep_ended"),
}
"""Mails of agreements and upkeep, tried in tests/permits, tests/inspections and
tests/enforcement."""
OF_THE_RECORD = {"seal"}
AWKWARD = "O'Brien & Søn <Builders>"


def _awkward(application: Application) -> None:
    """Names with every character that a page would escape."""
    application.parties.filter(role="landowner").update(name=AWKWARD, organization="")
    application.site.address = "12 O'Dell & King Road"
    application.site.save()


def _correct(application: Application, part: str, **changed: str) -> None:
    correction = Correction(application, part)
    answers = {field.html_name: field.value() or "" for field in correction.hidden_fields()}
    answers |= {"reason": "Left out.", "seen": correction.seen, **changed}
    acts.correct(
        application,
        by=application.applicant,
        on=MONDAY,
        correction=Correction(application, part, answers),
        reason="Left out.",
    )


def _all_mails() -> list[OutboxMessage]:
    """One case that gives rise to every kind of mail."""
    factory.inspector()
    application = factory.complete_draft()
    _awkward(application)
    handover.recall(
        handover.offer(application, by=application.applicant, email="new@example.test", on=MONDAY),
        by=application.applicant,
        on=MONDAY,
    )
    acts.submit(
        application, by=application.applicant, on=MONDAY, signed_name="M", signed_capacity="Owner"
    )
    fee = {"means": "cash", "amount": application.fee_due(on=MONDAY), "received_on": MONDAY}
    acts.record_fee(application, by=factory.clerk(), on=MONDAY, receipt_number="R-1", **fee)
    acts.reverse_fee(application, by=factory.clerk(), on=MONDAY, reason="Check & cash mixed up.")
    acts.record_fee(application, by=factory.clerk(), on=MONDAY, receipt_number="R-2", **fee)
    application.refresh_from_db()
    _correct(application, "work", zoning="R-1 & <R-2>")
    due = date(2026, 12, 1)
    for day in (due - timedelta(days=2), due, due + timedelta(days=1)):
        reminders.send_reminders(day)
    recount.change_closure(
        date(2026, 11, 20),
        name="Storm",
        closed=True,
        resolution="R-9",
        by=factory.clerk(),
        on=MONDAY,
    )
    changes = [{"section": "plan", "sheet": "C-1", "text": "Show <all> of it & more."}]
    acts.deny(application, by=factory.inspector(), on=MONDAY, changes=changes, note="It's close.")
    revision = application.begin_revision()
    for change in revision.changes_to_answer():
        revision.answers.create(change=change, text="Done.")
    acts.file_revision(application, by=application.applicant, on=MONDAY)
    until = MONDAY + timedelta(days=240)
    acts.grant(
        application, by=factory.inspector(), on=MONDAY, permanent_controls_by=until, **factory.GRANT
    )
    permit = application.permit
    factory.post_escrow(permit)
    permit.refresh_from_db()
    escrow_acts.reverse(permit, by=factory.clerk(), on=MONDAY, reason="Wrong case & site.")
    permit.refresh_from_db()
    factory.post_escrow(permit)
    permit.refresh_from_db()
    acts.move_controls_date(
        permit,
        by=factory.inspector(),
        on=MONDAY,
        to=until + timedelta(days=9),
        reason="Winter & frost.",
    )
    acts.issue(permit, by=factory.clerk(), on=MONDAY)
    application.refresh_from_db()
    _correct(application, "contacts", **{"emergency-name": "Ola & <Lund>"})
    factory.withdrawn()
    return list(OutboxMessage.objects.all())


def _kind(mail: OutboxMessage) -> str:
    kind = mail.cause.partition(":")[0]
    return kind.replace("-", "_") if kind.startswith("reminder") else kind


def test_every_template_is_a_mail_and_every_mail_reads_well() -> None:
    mails = _all_mails()
    elsewhere = SHARED | ON_THE_SITE | OF_ENFORCEMENT | OF_THE_MONEY | OF_UPKEEP | OF_THE_RECORD
    written = {path.stem for path in TEMPLATES.glob("*.txt")}
    assert {_kind(mail) for mail in mails} == written - elsewhere
    for mail in mails:
        check_reading(mail)


def test_names_and_reasons_are_written_as_they_are() -> None:
    mails = _all_mails()
    text = "\n".join(mail.body for mail in mails)
    for part in (
        AWKWARD,
        "12 O'Dell & King Road",
        "Check & cash mixed up.",
        "Show <all> of it & more.",
        "It's close.",
        "Wrong case & site.",
    ):
        assert part in text, part


@pytest.mark.parametrize(
    ("cause", "parts"),
    [
        ("submitted", ["$25.00", "begin only when form, plan and fee are all in"]),
        ("received", ["Tuesday, December 1, 2026", "Ten working days: Nov 17", "§ 40-886(c)"]),
        ("received_staff", ["Tuesday, December 1, 2026", "safe date"]),
    ],
)
def test_a_date_goes_out_with_its_count(cause: str, parts: list[str]) -> None:
    factory.received()
    for mail in OutboxMessage.objects.filter(cause=cause):
        for part in parts:
            assert part in mail.body


def test_a_denial_names_its_changes_and_the_appeal() -> None:
    factory.denied()
    mail = OutboxMessage.objects.filter(cause="denied:1").first()
    assert mail is not None
    assert "1. Show the inlet east of the drive. (§ 40-939; Sheet C-1)" in mail.body
    assert "2. Give dates for the permanent seeding. (§ 40-939)" in mail.body
    assert "until Wednesday, December 16, 2026" in mail.body
    assert "No new fee is due." in mail.body
    assert mail.attachment is not None


def test_only_the_holder_is_sent_to_the_case() -> None:
    """Others named in the case have no account for it: they get the public page."""
    application = factory.received()
    site = application.site
    for mail in OutboxMessage.objects.filter(cause="received"):
        holder = mail.recipient == application.applicant.email
        assert (site.get_absolute_url() in mail.body) is holder
        assert (site.get_public_url() in mail.body) is not holder


# Recipients -------------------------------------------------------------------------------


def test_recipients_follow_from_the_parties_alone() -> None:
    application = factory.received()
    told = [(p.role, p.email) for p in notice_parties(application)]
    assert told == [
        ("applicant", application.applicant.email),
        ("landowner", "landowner@example.test"),
        ("contractor", "contractor@example.test"),
    ]
    assert [(p.role, p.email) for p in notice_parties(application)] == told


def test_nobody_else_is_told() -> None:
    """Staff, cashiers and the 24-hour contact are in no notice to the parties."""
    for role in Role.values:
        factory.user(role)
    application = factory.issued()
    allowed = {p.email for p in notice_parties(application)} | {p.email for p in inspectors()}
    assert set(OutboxMessage.objects.values_list("recipient", flat=True)) <= allowed
    staff = OutboxMessage.objects.exclude(cause__contains="_staff").values_list("recipient")
    assert not {row[0] for row in staff} & {p.email for p in inspectors()}


def test_one_person_in_two_parts_is_told_once() -> None:
    application = factory.complete_draft()
    application.parties.exclude(role="emergency").update(email=application.applicant.email.upper())
    assert [p.role for p in notice_parties(application)] == ["applicant"]


def test_a_party_without_an_address_waits_for_paper_mail() -> None:
    application = factory.complete_draft()
    application.parties.create(
        role=Party.Role.AGENT, name="Ana Ruiz", mailing_address="9 Elm Street\nExample, WI 54999"
    )
    agent = notice_parties(application)[-1]
    assert (agent.name, agent.email, agent.address.splitlines()[0]) == (
        "Ana Ruiz",
        "",
        "9 Elm Street",
    )


def test_a_late_reminder_tells_each_what_it_means_to_them() -> None:
    application = factory.received()
    factory.inspector()
    reminders.send_reminders(date(2026, 12, 2))
    late = OutboxMessage.objects.filter(cause="reminder-late")
    by = {mail.recipient: mail.body for mail in late}
    assert "It can still be decided" in by["inspector@example.test"]
    assert "This grants nothing" in by[application.applicant.email]
