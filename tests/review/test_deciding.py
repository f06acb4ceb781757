"""§ 40-886(c) Grant and denial on the pages: asked, shown with their dates, done once."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import OperationalError
from django.test import Client

from permits import acts
from permits.models import Application, Decision
from portal import operations
from portal.models import OutboxMessage
from portal.stored import StorageFull
from tests import factory

from .pages import TERMS, act, confirm, fields_of, fill, signed_in, text_of, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]

CHANGES = {
    "change-0-text": "Show the inlet east of the drive.",
    "change-0-sheet": "Sheet C-1",
}


@pytest.fixture
def inspector() -> Client:
    return signed_in(factory.inspector())


def test_a_grant_is_shown_before_it_is_made(inspector: Client) -> None:
    application = factory.received()
    shown = fill(inspector, url("grant", application), **TERMS)
    words = text_of(shown)
    assert "Grant this permit?" in words
    assert "$2,500.00" in words
    assert "Wednesday, December 16, 2026" in words, "the last day to appeal"
    assert "Thirty calendar days: Nov 17 to Dec 16." in words, "with its count"
    assert "Northfield Builders LLC (Mai Vang)" in words, "who is told"
    assert not application.decisions.exists()


def test_a_grant_keeps_its_terms(inspector: Client) -> None:
    application = factory.received()
    done = act(inspector, url("grant", application), **TERMS)
    assert done.status_code == 302
    decision = application.decisions.get()
    assert decision.conditions == [
        "Call two working days before the first disturbance.",
        "Keep the inlet clear.",
    ]
    assert str(decision.escrow_amount) == "2500.00"
    assert decision.escrow_set_by == "inspector"
    assert decision.permanent_controls_by == date(2027, 7, 14)
    assert decision.decided_by == factory.inspector()
    assert "is granted" in text_of(inspector.get(done.headers["Location"]))


def test_a_denial_numbers_its_required_changes(inspector: Client) -> None:
    application = factory.received()
    address = url("deny", application)
    first = {**fields_of(inspector.get(address)), **CHANGES}
    more = inspector.post(address, {**first, "step": "add"})
    fields = fields_of(more)
    assert fields["change-0-text"] == "Show the inlet east of the drive."
    assert fields["change-0-sheet"] == "Sheet C-1"
    assert "change-1-text" in fields
    assert "needs another look" not in text_of(more), "adding a row judges nothing"
    fields |= {"change-1-text": "Give a date for the seeding.", "change-1-section": "completion"}
    shown = inspector.post(address, {**fields, "step": "check"})
    done = confirm(inspector, address, shown)
    assert done.status_code == 302
    found = [(c.number, c.section, c.sheet) for c in application.decisions.get().changes.all()]
    assert found == [(1, "plan", "Sheet C-1"), (2, "completion", "")]


def test_an_empty_row_between_others_is_left_out(inspector: Client) -> None:
    application = factory.received()
    address = url("deny", application)
    for _ in range(2):
        page = inspector.post(address, {**fields_of(inspector.get(address)), "step": "add"})
    fields = {**fields_of(page), "change-1-text": "Only this."}
    shown = inspector.post(address, {**fields, "step": "check"})
    assert confirm(inspector, address, shown).status_code == 302
    assert [c.text for c in application.decisions.get().changes.all()] == ["Only this."]


def test_a_denial_without_a_required_change_is_asked_again(inspector: Client) -> None:
    application = factory.received()
    page = fill(inspector, url("deny", application))
    assert "Write at least one required change" in text_of(page)
    assert b'href="#id_change-0-text"' in page.content
    assert b"<title>Error: " in page.content
    assert not application.decisions.exists()


def test_a_denial_with_no_rows_at_all_is_asked_again(inspector: Client) -> None:
    application = factory.received()
    address = url("deny", application)
    fields = fields_of(inspector.get(address)) | {"change-TOTAL_FORMS": "0", "step": "confirm"}
    assert inspector.post(address, fields).status_code == 200
    assert not application.decisions.exists()


def test_earlier_changes_that_are_still_open_are_required_again(inspector: Client) -> None:
    application = factory.revised()
    revision = application.filed_revision()
    assert revision is not None
    earlier = revision.changes_to_answer().last()
    address = url("deny", application)
    done = act(inspector, address, **{"again": str(earlier.pk), "change-0-text": "And this."})
    assert done.status_code == 302
    latest = application.latest_decision()
    assert latest is not None
    assert [c.text for c in latest.changes.all()] == [earlier.text, "And this."]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("escrow_amount", "", "Please answer this."),
        ("escrow_amount", "1e5", "Write a number, such as 2,500.00."),
        ("escrow_amount", "0", "Write a number of"),
        ("escrow_amount", "-5", "Write a number of"),
        ("escrow_amount", "2,500.005", "at most 2 digits"),
        ("permanent_controls_by", "31/12/2026", "such as 12/8/2026"),
        ("permanent_controls_by", "2062-07-14", "cannot be meant"),
        ("permanent_controls_by", "2026-11-16", "Choose a day after today"),
        ("permanent_controls_by", "2026-11-20", "The work begins only on"),
        ("escrow_set_by", "mayor", "Choose one of the answers offered."),
        ("maintenance_agreement", "", "Please answer this."),
        ("note", "x" * 4001, "at most"),
        ("note", "nul \x00", "cannot be kept"),
    ],
)
def test_what_cannot_be_meant_is_asked_again_with_everything_kept(
    inspector: Client, name: str, value: str, sentence: str
) -> None:
    application = factory.received()
    page = fill(inspector, url("grant", application), **{**TERMS, name: value})
    assert page.status_code == 200
    assert sentence in text_of(page)
    kept = fields_of(page)
    assert kept["conditions"] == TERMS["conditions"]
    if name in {"escrow_amount", "permanent_controls_by"}:
        assert kept[name] == value
    assert not application.decisions.exists()


def test_back_to_the_terms_keeps_them(inspector: Client) -> None:
    application = factory.received()
    shown = fill(inspector, url("grant", application), **TERMS)
    back = inspector.post(url("grant", application), {**fields_of(shown), "step": "change"})
    assert fields_of(back)["escrow_basis"] == TERMS["escrow_basis"]
    assert fields_of(back)["operation"] == fields_of(shown)["operation"]


# Two at once ------------------------------------------------------------------------------


def test_whoever_comes_second_is_told_who_decided_and_keeps_the_text(inspector: Client) -> None:
    application = factory.received()
    other = signed_in(factory.user("inspector", "second@example.test", "Sam Lee"))
    address = url("deny", application)
    shown = fill(other, address, **CHANGES)
    act(inspector, url("grant", application), **TERMS)
    sent = OutboxMessage.objects.count()
    late = confirm(other, address, shown)
    assert late.status_code == 409
    words = text_of(late)
    assert (
        "Dana Olson (Building inspector) granted this application on Monday, November 16, 2026."
        in words
    )
    assert "Nothing of this was saved" in words
    assert fields_of(late)["change-0-text"] == CHANGES["change-0-text"]
    assert application.decisions.count() == 1
    assert OutboxMessage.objects.count() == sent


def test_the_same_form_sent_twice_shows_the_first_result(inspector: Client) -> None:
    application = factory.received()
    address = url("grant", application)
    shown = fill(inspector, address, **TERMS)
    first = confirm(inspector, address, shown)
    sent = OutboxMessage.objects.count()
    second = confirm(inspector, address, shown)
    assert first.headers["Location"] == second.headers["Location"]
    assert application.decisions.count() == 1
    assert OutboxMessage.objects.count() == sent


def test_the_same_form_with_other_contents_is_refused(inspector: Client) -> None:
    application = factory.received()
    address = url("grant", application)
    fields = fields_of(fill(inspector, address, **TERMS)) | {"step": "confirm"}
    inspector.post(address, fields)
    again = inspector.post(address, fields | {"escrow_amount": "9000"})
    assert again.status_code == 409
    assert "sent before" in text_of(again)
    assert str(application.decisions.get().escrow_amount) == "2500.00"


def test_the_back_button_after_a_decision_says_what_stands(inspector: Client) -> None:
    application = factory.denied()
    page = inspector.get(url("grant", application))
    assert page.status_code == 200
    assert "denied this application on" in text_of(page)
    assert "escrow_amount" not in fields_of(page)


# Out of order -----------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["complete_draft", "submitted", "denied", "granted", "withdrawn"])
@pytest.mark.parametrize("name", ["grant", "deny"])
def test_no_step_is_skipped(inspector: Client, state: str, name: str) -> None:
    application = factory.STATES[state]()
    before = application.site.events.count()
    answers = {**TERMS, **CHANGES, "change-TOTAL_FORMS": "1", "change-INITIAL_FORMS": "0"}
    answers |= {"change-0-section": "plan", "change-0-sheet": ""}
    for step in ("check", "confirm"):
        refused = inspector.post(url(name, application), {**answers, "step": step})
        assert refused.status_code == 409, (state, step)
    assert application.site.events.count() == before


def test_a_plan_that_lacks_something_is_not_granted(inspector: Client) -> None:
    application = factory.received()
    revision = application.filed_revision()
    assert revision is not None
    revision.devices.all().delete()
    page = inspector.post(url("grant", application), {**TERMS, "step": "check"})
    assert page.status_code == 409
    assert "No control device is planned yet." in text_of(page)


# Late -------------------------------------------------------------------------------------


def test_on_the_last_day_nothing_is_late(inspector: Client, at) -> None:
    application = factory.received()
    at("2026-12-01", "23:59")
    inspector = signed_in(factory.inspector())
    assert "This decision is late." not in text_of(inspector.get(url("grant", application)))


def test_a_late_decision_says_so_and_is_still_made(at) -> None:
    application = factory.received()
    at("2026-12-02", "00:00")
    inspector = signed_in(factory.inspector())
    words = text_of(inspector.get(url("grant", application)))
    assert "This decision is late." in words
    assert "Nothing is deemed granted" in words
    done = act(inspector, url("grant", application), **TERMS)
    assert done.status_code == 302
    event = application.site.events.get(kind="application.granted")
    assert event.facts["late"] is True
    assert event.facts["due"] == "2026-12-01"
    assert application.decisions.get().was_late()


def test_a_revision_has_its_own_promise_and_no_new_fee(inspector: Client) -> None:
    application = factory.revised()
    words = text_of(inspector.get(url("grant", application)))
    assert "the city's own promise" in words.replace("’", "'")
    assert act(inspector, url("grant", application), **TERMS).status_code == 302
    assert application.fee_entries.count() == 1


def test_a_case_that_is_busy_keeps_what_was_typed(inspector: Client, monkeypatch) -> None:
    application = factory.received()
    shown = fill(inspector, url("grant", application), **TERMS)

    def wait_too_long(*args: object) -> str:
        raise OperationalError("canceling statement due to lock timeout")

    monkeypatch.setattr(operations, "perform", wait_too_long)
    page = confirm(inspector, url("grant", application), shown)
    assert page.status_code == 503
    assert "Nothing of yours was saved." in text_of(page)
    assert fields_of(page)["escrow_basis"] == TERMS["escrow_basis"]
    assert b'value="check"' in page.content, "it can be sent again"
    monkeypatch.undo()
    again = inspector.post(url("grant", application), {**fields_of(page), "step": "confirm"})
    assert again.status_code == 302


def test_without_its_paper_nothing_is_decided(inspector: Client, monkeypatch) -> None:
    application = factory.received()
    shown = fill(inspector, url("grant", application), **TERMS)
    before = OutboxMessage.objects.count()

    def full(name: str, source: object) -> None:
        raise StorageFull("no room")

    monkeypatch.setattr("portal.papers.put", full)
    page = confirm(inspector, url("grant", application), shown)
    assert page.status_code == 507
    assert "did not take the paper" in text_of(page)
    assert fields_of(page)["escrow_basis"] == TERMS["escrow_basis"]
    assert not application.decisions.exists()
    assert OutboxMessage.objects.count() == before


def test_extra_fields_change_nothing(inspector: Client) -> None:
    """Mass assignment: only what the page asks is taken."""
    application = factory.received()
    extra = {
        "status": "draft",
        "decided_by": "1",
        "decided_on": "2020-01-01",
        "kind": "deny",
        "id": "999",
        "changes_count": "5",
        "application": "999",
    }
    fields = fields_of(fill(inspector, url("grant", application), **TERMS))
    inspector.post(url("grant", application), {**fields, **extra, "step": "confirm"})
    decision = Decision.objects.get()
    assert decision.kind == "grant"
    assert decision.decided_on == factory.MONDAY
    assert decision.decided_by == factory.inspector()
    assert decision.changes_count == 0
    assert Application.objects.get(pk=application.pk).status == "granted"


def test_a_decision_stands_though_the_mail_server_is_down(inspector: Client, settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    application = factory.received()
    assert act(inspector, url("grant", application), **TERMS).status_code == 302
    waiting = OutboxMessage.objects.filter(cause__startswith="granted", sent_at=None)
    assert waiting.count() == 3


def test_a_decision_that_fails_half_way_leaves_no_mail(monkeypatch) -> None:
    application = factory.received()
    before = OutboxMessage.objects.count()

    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr("permits.papers.papers.make", fail)
    until = factory.MONDAY + timedelta(days=240)
    with pytest.raises(RuntimeError):
        acts.grant(
            application,
            by=factory.inspector(),
            on=factory.MONDAY,
            permanent_controls_by=until,
            **factory.GRANT,
        )
    assert OutboxMessage.objects.count() == before
    assert not application.decisions.exists()
    assert not application.site.events.filter(kind="application.granted").exists()
