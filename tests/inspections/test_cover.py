"""Completion and the final inspection: asked for, recorded, passed or not, and why."""

from __future__ import annotations

import pytest
from django.urls import reverse

from inspections.acts import cover as acts
from inspections.models import CompletionReport, FinalInspection, VisitNeed
from permits.models import CaseEvent, DocketEntry, NotNow
from portal.models import OutboxMessage
from tests.inspections import factory
from tests.inspections.cover_case import (  # noqa: F401 (fixtures)
    TODAY,
    certificate,
    holder_fixture,
    inspector_fixture,
    permit_fixture,
    record,
    send,
    visit_fixture,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


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


def test_a_visit_without_the_final_inspection_leaves_the_request_open(permit) -> None:
    acts.report_complete(permit, by=permit.application.applicant, on=TODAY)
    factory.finished_visit(permit.site, on=TODAY)
    need = VisitNeed.objects.open().get(reason="final")
    visit = factory.open_visit(permit.site, on=TODAY)
    record(visit)
    need.refresh_from_db()
    assert (need.closed_on, need.met_by) == (TODAY, visit)
