"""Completion, the final inspection, closing, the season list, and what verify proves."""

from __future__ import annotations

from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.acts import closing
from inspections.acts import cover as acts
from inspections.acts import findings as finding_acts
from inspections.models import Certificate, CompletionReport, FinalInspection, VisitNeed
from permits.models import CaseEvent, DocketEntry, NotNow
from permits.reminders import send_reminders
from portal import operations
from portal.models import OutboxMessage
from tests.inspections import factory

pytestmark = pytest.mark.django_db

MONDAY = factory.MONDAY
TODAY = MONDAY + timedelta(days=30)


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


@pytest.fixture
def permit():
    permit = factory.active_permit(issued_on=MONDAY)
    permit.grant.revision.devices.create(
        device="inlet-protection", place="Rain garden outlet", permanent=True
    )
    type(permit).objects.filter(pk=permit.pk).update(permanent_controls_by=date(2027, 9, 30))
    permit.refresh_from_db()
    for subject in (permit, permit.grant):
        for count in subject.clocks():
            DocketEntry.objects.start(subject, count, title=f"{count.title}, {permit}")
    return permit


@pytest.fixture
def holder(client, permit):
    client.force_login(permit.application.applicant)
    return client


@pytest.fixture
def inspector(client):
    client.force_login(factory.inspector())
    return client


@pytest.fixture
def visit(permit):
    return factory.open_visit(permit.site, on=TODAY)


def send(client, address: str, **fields):
    return client.post(address, {operations.FIELD: operations.new_token(), **fields})


# Completion -------------------------------------------------------------------------------


def test_the_holder_reports_complete_after_seeing_what_happens(holder, permit) -> None:
    inspector = factory.inspector()
    address = reverse("complete", args=[permit.site.number])
    shown = send(holder, address, text="The gate is open.", step="check").content.decode()
    assert "Reporting does not meet the date by itself." in shown
    assert not CompletionReport.objects.exists()
    assert send(holder, address, text="The gate is open.", step="confirm").status_code == 303
    need = VisitNeed.objects.open().get(reason="final")
    assert (need.site, need.due_on) == (permit.site, TODAY)
    mail = OutboxMessage.objects.get(cause__startswith="completion:")
    assert mail.recipient == inspector.email
    assert "The gate is open." in mail.body
    assert CaseEvent.objects.get(kind="completion.reported").facts["text"] == "The gate is open."
    again = holder.get(address).content.decode()
    assert "It was reported complete on" in again
    assert send(holder, address, step="confirm").status_code == 409
    assert CompletionReport.objects.count() == 1


def test_open_findings_are_named_but_do_not_stop_the_report(holder, permit) -> None:
    factory.finding(permit.site, on=TODAY, what="Mud on Prairie Road.")
    page = holder.get(reverse("complete", args=[permit.site.number])).content.decode()
    assert "1 finding is open." in page
    assert "Mud on Prairie Road." in page
    assert "Rain garden outlet" in page


# The final inspection ---------------------------------------------------------------------


def answers(permit, **changes):
    controls = {f"control-{each.key}": "yes" for each in acts.planned_controls(permit)}
    given = {"perennial": "yes", "density_percent": "70", "method": "estimate", "note": ""}
    return {**controls, **given, **changes}


def test_each_permanent_control_of_the_plan_is_asked_for(permit) -> None:
    controls = acts.planned_controls(permit)
    assert [(each.label, each.place) for each in controls] == [
        ("Storm drain inlet protection", "Rain garden outlet"),
        ("Seed and mat by the end of the work.", "Strip and grade"),
    ]


def test_seventy_per_cent_and_all_controls_pass(inspector, permit, visit) -> None:
    address = reverse("final", args=[visit.key])
    shown = send(inspector, address, step="check", **answers(permit)).content.decode()
    assert "It passes" in shown
    assert not FinalInspection.objects.exists()
    assert send(inspector, address, step="confirm", **answers(permit)).status_code == 303
    final = FinalInspection.objects.get()
    assert final.passed
    assert [each["in_place"] for each in final.controls] == [True, True]
    permit.refresh_from_db()
    assert permit.final_inspection_passed_on == TODAY
    assert not DocketEntry.objects.running().filter(rule="permanent-cover").exists()
    mails = OutboxMessage.objects.filter(cause=f"final:{final.pk}")
    assert mails.count() == 3
    assert "passed on" in mails[0].body
    assert "density of 70 per cent" in mails[0].body


def test_it_ends_the_clock_of_each_certificate(permit, visit) -> None:
    for number in (1, 2):
        acts.record_certificate(
            permit, by=factory.clerk(), on=TODAY, building=f"Unit {number}", issued_on=TODAY
        )
    assert DocketEntry.objects.running().filter(rule="permanent-cover").count() == 3
    record(visit)
    met = DocketEntry.objects.filter(rule="permanent-cover").values_list("met_on", flat=True)
    assert set(met) == {TODAY}


def record(visit, **changes) -> FinalInspection:
    given = {
        "controls_complete": True,
        "perennial": True,
        "density_percent": 70,
        "method": "estimate",
        **changes,
    }
    return acts.record_final(visit, by=factory.inspector(), **given)


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"density_percent": "69"}, "69 per cent; 70 per cent or more"),
        ({"perennial": "no"}, "not perennial"),
        ({"device": "no"}, "not in place: Storm drain inlet protection, Rain garden outlet."),
    ],
)
def test_what_does_not_pass_says_why(inspector, permit, visit, changes, missing) -> None:
    acts.report_complete(permit, by=permit.application.applicant, on=TODAY)
    if "device" in changes:
        key = next(each.key for each in acts.planned_controls(permit) if "device" in each.key)
        changes = {f"control-{key}": "no"}
    address = reverse("final", args=[visit.key])
    given = answers(permit, **changes)
    shown = send(inspector, address, step="check", **given).content.decode()
    assert "It does not pass" in shown
    assert missing in shown
    assert send(inspector, address, step="confirm", **given).status_code == 303
    permit.refresh_from_db()
    assert permit.final_inspection_passed_on is None
    assert DocketEntry.objects.of(permit).running().exists()
    mail = OutboxMessage.objects.filter(cause__startswith="final:").first()
    assert missing in mail.body
    assert "report the work complete again" in mail.body
    assert not VisitNeed.objects.open().filter(reason="final").exists()
    acts.report_complete(permit, by=permit.application.applicant, on=TODAY)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("130", "130 per cent cannot be"),
        ("130 %", "130 per cent cannot be"),
        ("-5", "-5 per cent cannot be"),
        ("seventy", "Write a number"),
        ("70.5", "at most 0 digits"),
        ("", "Please answer"),
    ],
)
def test_a_density_that_cannot_be_is_refused_beside_its_field(
    inspector, permit, visit, typed, said
) -> None:
    address = reverse("final", args=[visit.key])
    response = send(
        inspector, address, step="check", **answers(permit, density_percent=typed, note="Kept.")
    )
    assert response.status_code == 200
    assert any(said in error for error in response.context["form"].errors["density_percent"])
    page = response.content.decode()
    assert f'value="{typed}"' in page or not typed
    assert "Kept." in page
    assert not FinalInspection.objects.exists()


def test_the_act_itself_refuses_130_per_cent(visit) -> None:
    with pytest.raises(NotNow, match="between 0 and 100"):
        record(visit, density_percent=130)


def test_a_visit_has_one_final_inspection_and_a_permit_passes_once(permit, visit) -> None:
    record(visit, density_percent=50)
    with pytest.raises(NotNow, match="recorded already"):
        record(visit)
    record(factory.open_visit(permit.site, on=TODAY))
    with pytest.raises(NotNow, match="It passed on"):
        record(factory.open_visit(permit.site, on=TODAY))


def test_a_site_without_a_permit_has_no_final_inspection(inspector) -> None:
    site = factory.site_without_permit()
    visit = factory.open_visit(site, on=TODAY)
    page = inspector.get(reverse("final", args=[visit.key])).content.decode()
    assert "A final inspection needs a permit." in page


# Closing ----------------------------------------------------------------------------------


@pytest.fixture
def complete(permit, visit):
    record(visit)
    permit.refresh_from_db()
    return permit


def test_a_permit_is_not_closed_before_the_final_inspection(inspector, permit) -> None:
    address = reverse("permit_close", args=[permit.site.number])
    page = inspector.get(address).content.decode()
    assert "The final inspection has not passed." in page
    assert send(inspector, address).status_code == 409
    permit.refresh_from_db()
    assert permit.status == "issued"


def test_open_findings_stand_in_the_way_and_lead_to_their_pages(inspector, complete) -> None:
    finding = factory.finding(complete.site, on=TODAY)
    address = reverse("permit_close", args=[complete.site.number])
    page = inspector.get(address).content.decode()
    assert "Finding 1 is open" in page
    assert finding.get_absolute_url() in page
    with pytest.raises(NotNow) as refused:
        closing.close_permit(complete, by=factory.inspector(), on=TODAY)
    assert [each.key for each in refused.value.obstacles] == ["finding-1"]
    finding_acts.drop(finding, by=factory.inspector(), on=TODAY, reason="In error.")
    assert send(inspector, address).status_code == 303


def test_closing_tells_the_parties_and_the_public(client, inspector, complete) -> None:
    address = reverse("permit_close", args=[complete.site.number])
    assert send(inspector, address).status_code == 303
    complete.refresh_from_db()
    assert (complete.status, complete.closed_on) == ("closed", TODAY)
    assert OutboxMessage.objects.filter(cause="closed").count() == 3
    assert CaseEvent.objects.filter(kind="permit.closed").count() == 1
    running = DocketEntry.objects.running().filter(site=complete.site)
    assert not running.exclude(rule="appeal").exists()
    case = inspector.get(complete.get_absolute_url()).content.decode()
    assert f"Permit {complete} was closed on" in case
    assert "The final inspection passed" in case
    client.logout()
    public = client.get(complete.site.get_public_url()).content.decode()
    assert "No longer." in public
    assert f"permit {complete} was closed on" in public
    assert "Closed" in public


@pytest.mark.parametrize("role", ["clerk", "administrator", "attorney", "board", "applicant"])
def test_only_the_inspector_closes_and_judges(client, complete, visit, role) -> None:
    pages = [
        reverse("permit_close", args=[complete.site.number]),
        reverse("final", args=[visit.key]),
    ]
    assert {client.get(page).status_code for page in pages} == {302}
    client.force_login(factory.user(role))
    assert {client.get(page).status_code for page in pages} == {404}
    assert send(client, pages[0]).status_code == 404
    complete.refresh_from_db()
    assert complete.status == "issued"


def test_only_the_holder_reports_complete(client, permit) -> None:
    address = reverse("complete", args=[permit.site.number])
    for role in ("inspector", "clerk", "applicant"):
        client.force_login(factory.user(role))
        assert client.get(address).status_code == 404
        assert send(client, address, step="confirm").status_code == 404


# The season list --------------------------------------------------------------------------


def certificate(permit, building: str = "Unit 1") -> Certificate:
    return acts.record_certificate(
        permit, by=factory.clerk(), on=TODAY, building=building, issued_on=TODAY
    )


def test_the_season_list_has_every_open_clock_by_date_or_place(inspector, permit) -> None:
    certificate(permit)
    other = factory.active_permit(
        issued_on=MONDAY, ends_on=date(2027, 8, 1), address="1 Ash Lane, Example, WI 54999"
    )
    certificate(other, "The barn")
    rows = inspector.get(reverse("season")).context["rows"]
    dates = [row["entry"].on for row in rows]
    assert len(rows) == 3
    assert dates == sorted(dates)
    by_place = inspector.get(reverse("season"), {"sort": "place"})
    assert by_place.context["rows"][0]["building"] == "The barn"
    assert "1 Ash Lane" in by_place.content.decode()


def test_an_empty_season_list_says_what_fills_it(inspector) -> None:
    assert "No permanent cover is due." in inspector.get(reverse("season")).content.decode()


def test_the_season_list_is_for_the_city(client, holder) -> None:
    assert holder.get(reverse("season")).status_code == 404
    client.logout()
    assert client.get(reverse("season")).status_code == 302


def test_the_season_list_has_pages_of_25_at_the_same_cost(inspector, permit) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert inspector.get(reverse("season")).status_code == 200
        return len(made)

    certificate(permit)
    queries()  # fills the caches of the process
    before = queries()
    for number in range(30):
        certificate(permit, f"House {number}")
    assert queries() <= before <= 20
    assert len(inspector.get(reverse("season")).context["rows"]) == 25
    assert len(inspector.get(reverse("season"), {"page": 2}).context["rows"]) == 7


# Reminders of permanent cover ---------------------------------------------------------------


def reminded(on: date) -> int:
    before = OutboxMessage.objects.count()
    send_reminders(on)
    return OutboxMessage.objects.count() - before


def test_the_permittee_is_reminded_60_30_7_days_before_and_on_the_day(permit) -> None:
    DocketEntry.objects.filter(rule="permanent-cover").delete()
    made = certificate(permit)
    due = date(2027, 7, 15)
    sent = {}
    for days in (61, 60, 59, 31, 30, 29, 8, 7, 6, 1, 0):
        sent[days] = reminded(due - timedelta(days=days))
    people = 3  # applicant, landowner, contractor
    assert {days: count for days, count in sent.items() if count} == {
        60: people,
        30: people,
        7: people,
        0: people,
    }
    causes = OutboxMessage.objects.filter(cause__startswith="reminder")
    assert set(causes.values_list("cause", flat=True)) == {"reminder-soon", "reminder-today"}
    first = causes.order_by("pk").first()
    assert first.body.count("60 days are left") == 1
    assert made.building in first.subject


def test_a_round_that_was_missed_is_made_up_for_once(permit) -> None:
    DocketEntry.objects.filter(rule="permanent-cover").delete()
    certificate(permit)
    assert reminded(date(2027, 7, 15) - timedelta(days=45)) == 3
    assert reminded(date(2027, 7, 15) - timedelta(days=44)) == 0


def test_a_correction_is_reminded_of_the_day_before(permit) -> None:
    factory.finding(permit.site, on=TODAY, correct_by=TODAY + timedelta(days=5))
    sent = {days: reminded(TODAY + timedelta(days=5 - days)) for days in (3, 2, 1, 0)}
    assert sent == {3: 0, 2: 0, 1: 3, 0: 3}


# Verify -----------------------------------------------------------------------------------


def verify() -> str:
    out = StringIO()
    call_command("verify", stdout=out)
    return out.getvalue()


def test_verify_holds_with_findings_and_certificates(permit, visit) -> None:
    factory.finding(permit.site, on=TODAY)
    certificate(permit)
    acts.record_certificate(
        permit,
        by=factory.clerk(),
        on=date(2027, 5, 4),
        building="Unit 2",
        issued_on=date(2027, 5, 3),
        irregular_reason="No notice.",
    )
    assert "In order" in verify()
    record(visit)
    assert "In order" in verify()


def test_verify_names_a_finding_whose_date_is_not_the_inspectors(permit) -> None:
    factory.finding(permit.site, on=TODAY)
    DocketEntry.objects.filter(rule="correction").update(on=TODAY + timedelta(days=9))
    with pytest.raises(CommandError, match=f"{permit.site.number} correction: .*the rule"):
        verify()


def test_verify_names_a_certificate_without_its_clock(permit) -> None:
    made = certificate(permit)
    DocketEntry.objects.of(made).delete()
    with pytest.raises(CommandError, match=r"Unit 1.*permanent-cover is not on the docket"):
        verify()


def test_verify_names_a_clock_of_a_finding_that_is_closed(permit) -> None:
    finding = factory.finding(permit.site, on=TODAY)
    type(finding).objects.filter(pk=finding.pk).update(status="dropped")
    with pytest.raises(CommandError, match="no act keeps it running"):
        verify()


def test_a_visit_without_the_final_inspection_leaves_the_request_open(permit) -> None:
    acts.report_complete(permit, by=permit.application.applicant, on=TODAY)
    factory.finished_visit(permit.site, on=TODAY)
    need = VisitNeed.objects.open().get(reason="final")
    visit = factory.open_visit(permit.site, on=TODAY)
    record(visit)
    need.refresh_from_db()
    assert (need.closed_on, need.met_by) == (TODAY, visit)
