"""The request to the city attorney for a cease and desist order. Former § 17.19(7)(d)"""

from __future__ import annotations

from datetime import date
from typing import Any

import pikepdf
import pypdfium2
import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction

from enforcement.acts import orders, requests, revocation
from enforcement.models import Addressee, CeaseAndDesistRequest, RequestStep, StopWorkOrder
from permits.models import DocketEntry, NotNow, Permit
from portal import papers
from portal.models import OutboxMessage
from portal.stored import NotStored

from . import works
from .factory import (
    active_permit,
    attorney,
    finished_visit,
    inspector,
    lifted,
    order_standing,
    told,
    violation,
)

pytestmark = pytest.mark.django_db

# Issued Monday, November 16, 2026: day 10 is Thanksgiving, which rolls to Friday,
# November 27; the request may be made from Saturday, November 28.
FIRST = date(2026, 11, 28)


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Blank papers that can be bound; those that are looked at are rendered as they are."""
    if "real_papers" not in request.fixturenames:
        blank = works.blank_pdf()
        monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(blank, 1))


@pytest.fixture
def unpermitted(pages: None) -> StopWorkOrder:
    """An order against a person without a permit, posted on the day of its issue."""
    attorney()
    return order_standing()


def kinds(order: StopWorkOrder) -> list[str]:
    return list(order.site.events.values_list("kind", flat=True))  # type: ignore[attr-defined]


def refused(order: StopWorkOrder, on: date, **fields: object) -> NotNow:
    before = kinds(order)
    with pytest.raises(NotNow) as refusal:
        requests.make(order, by=inspector(), on=on, **{"facts": "Went on.", **fields})  # type: ignore[arg-type]
    assert kinds(order) == before
    assert not CeaseAndDesistRequest.objects.exists()
    return refusal.value


# When, and against whom -------------------------------------------------------------------


def test_before_its_day_it_is_refused_with_the_first_lawful_day(
    unpermitted: StopWorkOrder,
) -> None:
    refusal = refused(unpermitted, date(2026, 11, 27))
    assert any("Saturday, November 28, 2026" in each.text for each in refusal.obstacles)


def test_on_its_first_day_it_is_made_with_its_packet(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    assert made.packet is not None
    assert kinds(unpermitted).count("cease_and_desist.requested") == 1
    assert (made.opened_on, made.requested_on) == (FIRST, FIRST)


def test_with_it_the_days_of_the_person_leave_the_docket(unpermitted: StopWorkOrder) -> None:
    works.requested(unpermitted, on=FIRST)
    running = DocketEntry.objects.of(unpermitted).running()
    assert {entry.rule for entry in running} == {"appeal", "notice-of-intent"}
    assert {entry.rule for entry in running} == {each.key for each in unpermitted.clocks()}


def test_a_permittee_is_revoked_and_not_requested(order: StopWorkOrder) -> None:
    assert [each.key for each in refused(order, FIRST).obstacles] == ["permittee"]


def test_after_revocation_a_new_order_on_the_ground_of_no_permit_comes_first(
    order: StopWorkOrder,
) -> None:
    revocation.revoke(
        order,
        by=inspector(),
        on=date(2026, 11, 30),
        facts="Went on.",
        told=told(order.site, order.permit),
    )
    order.refresh_from_db()
    assert [each.key for each in refused(order, date(2026, 12, 7)).obstacles] == [
        "permittee-before"
    ]


def test_a_lifted_order_carries_no_request(unpermitted: StopWorkOrder) -> None:
    lifted(unpermitted, on=date(2026, 11, 20))
    assert "order-ended" in [each.key for each in refused(unpermitted, FIRST).obstacles]


def test_permit_granted_on_day_9_to_a_person_without_a_permit(
    unpermitted: StopWorkOrder,
) -> None:
    permit = active_permit(issued_on=date(2026, 11, 25))
    Permit.objects.filter(pk=permit.pk).update(site=unpermitted.site)
    assert "permit-obtained" in [each.key for each in refused(unpermitted, FIRST).obstacles]


def test_one_request_for_an_order(unpermitted: StopWorkOrder) -> None:
    works.requested(unpermitted, on=FIRST)
    unpermitted = StopWorkOrder.objects.get(pk=unpermitted.pk)
    with pytest.raises(NotNow) as refusal:
        works.requested(unpermitted, on=date(2026, 11, 30))
    assert [each.key for each in refusal.value.obstacles] == ["requested"]


def test_it_says_what_the_person_did(unpermitted: StopWorkOrder) -> None:
    assert "what the person did" in refused(unpermitted, FIRST, facts=" ").sentence


def test_an_application_filed_in_time_wants_a_reason_not_to_wait(
    unpermitted: StopWorkOrder,
) -> None:
    application = active_permit().application
    type(application).objects.filter(pk=application.pk).update(
        site=unpermitted.site, received_on=date(2026, 11, 24), status="under_review"
    )
    assert "received complete" in refused(unpermitted, FIRST).sentence
    made = works.requested(
        unpermitted, on=FIRST, despite_application="Soil runs into the creek every day."
    )
    assert made.despite_application
    event = unpermitted.site.events.get(kind="cease_and_desist.requested")  # type: ignore[attr-defined]
    assert event.reason == made.despite_application
    assert "received complete" in event.facts["hold"]


def test_sql_cannot_make_it_before_its_day_or_against_a_permittee(
    unpermitted: StopWorkOrder, order: StopWorkOrder
) -> None:
    issued = date(2026, 11, 16)
    for subject, opened in (
        (unpermitted, FIRST),
        (unpermitted, issued),
        (order, FIRST),
    ):
        row = CeaseAndDesistRequest(
            site=subject.site,
            order=subject,
            requested_on=opened if subject is order else issued,
            opened_on=opened,
            safe_on=opened,
            facts="x",
            requested_by=inspector(),
        )
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()


# The attorney -----------------------------------------------------------------------------


def test_the_attorney_is_told_with_a_link_and_nobody_else(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    (message,) = OutboxMessage.objects.filter(cause=f"cease_and_desist:{made.pk}")
    assert message.recipient == "attorney@example.test"
    assert str(made.key) in message.body
    assert message.attachment is None
    (row,) = Addressee.objects.of(made)
    assert row.role == "attorney"


def step(made: CeaseAndDesistRequest, kind: str, day: date, **fields: str) -> RequestStep:
    return requests.take_step(made, kind, by=attorney(), on=date(2027, 1, 4), day=day, **fields)


def test_the_steps_follow_each_other_each_once(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    with pytest.raises(NotNow):
        step(made, "filed", date(2026, 12, 1), court_case="26 CV 1")
    step(made, "received", date(2026, 11, 30))
    with pytest.raises(NotNow):
        step(made, "received", date(2026, 11, 30))
    with pytest.raises(NotNow, match="number"):
        step(made, "filed", date(2026, 12, 1))
    with pytest.raises(NotNow):
        step(made, "filed", date(2026, 11, 29), court_case="26 CV 1")
    step(made, "filed", date(2026, 12, 1), court_case="26 CV 1")
    step(made, "obtained", date(2026, 12, 21))
    step(made, "closed", date(2026, 12, 28))
    assert requests.may_follow(made) == []
    assert [kind for kind in kinds(unpermitted) if kind.startswith("cease_and_desist.")] == [
        "cease_and_desist.requested",
        "cease_and_desist.received",
        "cease_and_desist.filed",
        "cease_and_desist.obtained",
        "cease_and_desist.closed",
    ]
    assert made.steps.get(kind="filed").court_case == "26 CV 1"


def test_closed_without_an_order_only_with_the_reason(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    step(made, "received", date(2026, 11, 30))
    with pytest.raises(NotNow, match="without an order"):
        step(made, "closed", date(2026, 12, 1))
    step(made, "closed", date(2026, 12, 1), note="The person stopped and filed.")


def test_a_step_of_tomorrow_is_refused(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    with pytest.raises(NotNow, match="still to come"):
        step(made, "received", date(2027, 1, 5))


def test_sql_cannot_put_a_step_before_the_one_before(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    step(made, "received", date(2026, 11, 30))
    for day in (date(2026, 11, 27), date(2026, 11, 29)):
        row = RequestStep(request=made, kind="filed", on=day, by=attorney())
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        RequestStep.objects.update(note="Changed.")


# The packet -------------------------------------------------------------------------------


def test_the_packet_is_one_file_whose_index_names_the_right_pages(
    real_papers: None, at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    at("2026-11-16")
    attorney()
    order = order_standing()
    at("2026-11-23")
    finished_visit(order.site, on=date(2026, 11, 23), note="Grading goes on.")
    order.violations.add(violation(order.site, on=date(2026, 11, 23)))
    at("2026-11-28")
    indexed = _index_of(monkeypatch)
    made = works.requested(order, on=FIRST)
    assert made.packet is not None
    document = made.packet.document
    with document.file.open("rb") as source:
        content = source.read()
    with pypdfium2.PdfDocument(content) as pdf:
        words = [page.get_textpage().get_text_range() for page in pdf]
        marks = {mark.get_title(): mark.get_dest().get_index() for mark in pdf.get_toc()}
    assert document.pages == len(words)
    assert f"{len(words)} pages" in " ".join(words[:3])
    titles = list(marks)
    assert titles[0] == "Request and index"
    for word in ("and its placard", "posted on the site", "Inspection", "documented", "The dates"):
        assert any(word in title for title in titles), word
    # Every exhibit begins on the page that the index says.
    assert indexed == [(title, index + 1) for title, index in marks.items()][1:]
    for title, number in indexed:
        assert title.partition(":")[0] in words[number - 1]
        assert str(number) in " ".join(words[:3])


def _index_of(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Read the index as it is printed: each exhibit and the page it names."""
    rendered, printed = papers.make, list[tuple[str, int]]()

    def make(template: str, context: dict[str, Any]) -> papers.Made:
        if "exhibits" in context:
            printed[:] = [
                (f"Exhibit {each.letter}: {each.title}", each.page) for each in context["exhibits"]
            ]
        return rendered(template, context)

    monkeypatch.setattr(papers, "make", make)
    return printed


def test_its_stored_papers_are_bound_byte_true(unpermitted: StopWorkOrder) -> None:
    made = works.requested(unpermitted, on=FIRST)
    assert made.packet is not None
    with made.packet.document.file.open("rb") as source, pikepdf.open(source) as pdf:
        bound = [page.get("/Contents") for page in pdf.pages]
    assert len(bound) == made.packet.document.pages
    assert unpermitted.paper is not None


def test_a_paper_that_was_tampered_with_stops_the_request(unpermitted: StopWorkOrder) -> None:
    assert unpermitted.paper is not None
    stored = unpermitted.paper.document.file
    stored.storage.delete(stored.name)
    stored.storage.save(stored.name, ContentFile(b"something else"))
    with pytest.raises(NotStored):
        works.requested(unpermitted, on=FIRST)
    assert not CeaseAndDesistRequest.objects.exists()


def test_an_order_that_is_withdrawn_keeps_its_request_on_record(
    unpermitted: StopWorkOrder,
) -> None:
    made = works.requested(unpermitted, on=FIRST)
    orders.withdraw(unpermitted, by=inspector(), on=date(2026, 12, 1), why="The wrong site.")
    assert requests.may_follow(made) == ["received"]
