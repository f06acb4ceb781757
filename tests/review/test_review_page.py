"""§ 40-939 The review: what the plan must contain beside what it does, revisions compared."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client

from permits import acts
from permits.comparison import compare
from permits.models import Application, PlanRevision
from tests import factory
from tests.factory import MONDAY

from .pages import signed_in, text_of, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


@pytest.fixture
def inspector() -> Client:
    return signed_in(factory.inspector())


def test_the_review_shows_the_whole_plan(inspector: Client) -> None:
    application = factory.received()
    words = text_of(inspector.get(url("review", application)))
    for part in (
        "Grant or deny by Tuesday, December 1, 2026",
        "1 inch = 20 feet",
        "Silty clay; slopes of 4 to 9 percent toward the street.",
        "A storm inlet 40 feet east; a creek behind the lot.",
        "Silt fence",
        "North and east lines",
        "Strip and grade",
        "Seed and mat by the end of the work.",
        "Not needed for a site of less than an acre.",
        "less than one acre, one-family or two-family dwelling",
        "Northfield Builders LLC (Mai Vang)",
        "Sheet C-1",
    ):
        assert part in words, part


def test_a_large_site_needs_its_soil_loss_result(inspector: Client) -> None:
    application = factory.submitted()
    revision = application.filed_revision()
    assert revision is not None
    Application.objects.filter(pk=application.pk).update(area_amount=Decimal("1.5"))
    words = text_of(inspector.get(url("review", application)))
    assert "The soil loss result and its dates are missing" in words
    assert "one acre or more" in words


def test_open_changes_come_first_with_the_answers(inspector: Client) -> None:
    application = factory.revised()
    words = text_of(inspector.get(url("review", application)))
    assert "Review, plan revision 2" in words
    assert words.index("Show the inlet east of the drive.") < words.index("Control devices")
    assert words.count("Done on sheet C-1.") == 2
    assert "This is the city's own promise" in words


def test_a_plan_being_written_is_not_shown(inspector: Client) -> None:
    application = factory.denied()
    draft = application.begin_revision()
    draft.factors_on_site = "A secret thought."
    draft.save()
    for name in ("review", "compare"):
        assert "A secret thought." not in text_of(inspector.get(url(name, application)))
    assert "No plan is before the city yet." in text_of(
        inspector.get(url("review", factory.complete_draft()))
    )


@pytest.mark.parametrize("state", sorted(factory.STATES))
def test_the_review_stands_in_every_state(inspector: Client, state: str) -> None:
    application = factory.STATES[state]()
    for name in ("review", "compare"):
        assert inspector.get(url(name, application)).status_code == 200


def test_only_the_inspector_is_offered_the_decision() -> None:
    application = factory.received()
    for role, offered in (("inspector", True), ("administrator", False), ("attorney", False)):
        page = signed_in(factory.user(role)).get(url("review", application))
        assert (url("grant", application).encode() in page.content) is offered


def test_the_review_asks_the_database_seldom(
    inspector: Client, django_assert_max_num_queries
) -> None:
    application = _three_revisions()
    for name in ("review", "compare", "grant", "deny", "receipt"):
        with django_assert_max_num_queries(25):
            inspector.get(url(name, application))


# Comparing --------------------------------------------------------------------------------


def _revise(application: Application, **changes: str) -> PlanRevision:
    revision: PlanRevision = application.begin_revision()
    for name, value in changes.items():
        setattr(revision, name, value)
    revision.save()
    for change in revision.changes_to_answer():
        revision.answers.create(change=change, text="Done.")
    return revision


def _deny_again(application: Application) -> None:
    change = {"section": "devices", "sheet": "", "text": "Add a tracking pad."}
    acts.deny(application, by=factory.inspector(), on=MONDAY, changes=[change])


def _three_revisions() -> Application:
    application = factory.denied()
    second = _revise(application, drawing_scale="1 inch = 30 feet")
    second.devices.filter(device="silt-fence").update(quantity="300 feet")
    acts.file_revision(application, by=application.applicant, on=MONDAY)
    _deny_again(application)
    third = _revise(application)
    third.devices.create(device="tracking-pad", place="Drive", quantity="50 feet")
    third.devices.filter(device="inlet-protection").delete()
    third.activities.create(
        activity="Seed",
        starts_on=MONDAY,
        ends_on=MONDAY,
        area_sq_ft=Decimal(100),
        temporary="Mulch.",
        permanent="Grass.",
    )
    sheet = third.sheets.get()
    sheet.upload = factory.upload(application.applicant, b"%PDF-1.4 another\n%%EOF\n")
    sheet.save()
    acts.file_revision(application, by=application.applicant, on=MONDAY)
    application.refresh_from_db()
    return application


def test_every_difference_is_named_once() -> None:
    first, second, third = _three_revisions().revisions.order_by("number")
    one = compare(first, second)
    assert [(d.what, d.kind) for d in one.answers] == [("Scale of the drawing", "changed")]
    assert [(d.what, d.kind) for d in one.devices] == [("Silt fence", "changed")]
    assert not one.timetable
    assert not one.sheets
    two = compare(second, third)
    assert sorted((d.what, d.kind) for d in two.devices) == [
        ("Stone tracking pad or tire washing", "added"),
        ("Storm drain inlet protection", "removed"),
    ]
    assert [(d.what, d.kind) for d in two.timetable] == [("Seed", "added")]
    assert [(d.what, d.kind) for d in two.sheets] == [("Sheet C-1", "changed")]
    assert not compare(third, third)


def test_comparing_backwards_turns_added_into_removed() -> None:
    first, _, third = _three_revisions().revisions.order_by("number")
    forward = {(d.what, d.kind) for _, part in compare(first, third).parts for d in part}
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    backward = {(d.what, turned[d.kind]) for _, part in compare(third, first).parts for d in part}
    assert forward == backward


@pytest.mark.parametrize(("before", "after"), [(1, 2), (1, 3), (2, 3), (3, 1)])
def test_any_pair_is_compared_the_first_included(
    inspector: Client, before: int, after: int
) -> None:
    address = url("compare", _three_revisions())
    words = text_of(inspector.get(address, {"from": before, "to": after}))
    assert f"Revision {before}, filed" in words
    assert f"Revision {after}, filed" in words


@pytest.mark.parametrize("number", ["0", "9", "-1", "1e3", "x", "1 OR 1=1", "\x00", "9" * 50, "²"])
def test_a_revision_that_is_not_there_shows_the_newest_pair(inspector: Client, number: str) -> None:
    application = factory.revised()
    response = inspector.get(url("compare", application), {"from": number, "to": number})
    assert response.status_code == 200


def test_the_files_of_each_revision_stay_its_own() -> None:
    """Three versions of a sheet are three files with three hashes."""
    application = factory.denied()
    for n in (2, 3):
        revision = _revise(application)
        sheet = revision.sheets.get()
        sheet.upload = factory.upload(application.applicant, b"%%PDF-1.4 version %d\n" % n)
        sheet.save()
        acts.file_revision(application, by=application.applicant, on=MONDAY)
        _deny_again(application)
    hashes = [
        revision.sheets.get().upload.sha256
        for revision in application.revisions.filter(filed_on__isnull=False)
    ]
    assert len(set(hashes)) == 3
