"""One sentence for each kind of event, made from the facts on record."""

from __future__ import annotations

import pytest

from permits import acts, handover
from permits.models import CaseEvent
from portal.desk.story import SENTENCES, sentence
from tests import factory

Kind = CaseEvent.Kind


@pytest.mark.parametrize("kind", Kind.values)
def test_every_kind_has_its_sentence(kind: str) -> None:
    assert Kind(kind) in SENTENCES


@pytest.mark.parametrize("kind", Kind.values)
def test_a_fact_that_is_not_on_record_breaks_no_page(kind: str) -> None:
    text = sentence(CaseEvent(kind=kind, facts={}))
    assert text.endswith(".")
    assert "None" not in text
    assert "{" not in text


def texts(kind: str) -> list[str]:
    return [sentence(event) for event in CaseEvent.objects.filter(kind=kind).order_by("pk")]


@pytest.mark.django_db
def test_the_journey_in_sentences() -> None:
    application = factory.issued()
    number = application.number
    events = CaseEvent.objects.filter(site=application.site).order_by("sequence")
    assert [sentence(event) for event in events] == [
        "The application was begun.",
        f"Application {number} was filed, signed by Mai Vang (Landowner). The fee due is $25.00.",
        texts(Kind.FEE_RECORDED)[0],
        f"Application {number} is received: form, plan and fee are all in. "
        "The decision is due by Tuesday, December 1, 2026.",
        f"Application {number} was granted on plan revision 1, with one condition, in time (due by "
        "Tuesday, December 1, 2026). The escrow is $2,500.00.",
        texts(Kind.ESCROW_POSTED)[0],
        f"Permit {application.permit.number} was issued; permanent controls are due by "
        "Wednesday, July 14, 2027.",
    ]
    assert texts(Kind.FEE_RECORDED)[0].startswith("The fee of $25.00 came in in cash (receipt R-")
    assert texts(Kind.ESCROW_POSTED)[0].startswith("Escrow of $2,500.00 was posted, cash (receipt")


@pytest.mark.django_db
def test_the_way_back_in_sentences() -> None:
    application = factory.revised()
    assert texts(Kind.APPLICATION_DENIED) == [
        f"Application {application.number} was denied on plan revision 1, with two required "
        "changes of the plan, in time (due by Tuesday, December 1, 2026)."
    ]
    assert texts(Kind.REVISION_FILED)[0].startswith("Plan revision 2 was filed")
    assert (
        "The city has promised an answer by Tuesday, December 1, 2026."
        in (texts(Kind.REVISION_FILED)[0])
    )


@pytest.mark.django_db
def test_a_late_decision_says_so() -> None:
    application = factory.received()
    late = factory.MONDAY.replace(month=12, day=2)
    changes = [{"section": "plan", "sheet": "", "text": "Show the inlet."}]
    acts.deny(application, by=factory.inspector(), on=late, changes=changes)
    assert (
        "one required change of the plan, late: it was due by Tuesday, December 1, 2026."
        in (texts(Kind.APPLICATION_DENIED)[0])
    )


@pytest.mark.django_db
def test_handing_over_in_sentences() -> None:
    application = factory.draft()
    holder, other = application.applicant, factory.applicant("Tom Reyes")
    first = handover.offer(application, by=holder, email=other.email, on=factory.MONDAY)
    handover.recall(first, by=holder, on=factory.MONDAY)
    second = handover.offer(application, by=holder, email=other.email, on=factory.MONDAY)
    handover.accept(second, by=other, on=factory.MONDAY)
    assert texts(Kind.HANDOVER_OFFERED)[0] == f"The case was offered to {other.email}."
    assert texts(Kind.HANDOVER_RECALLED)[0] == f"The offer to {other.email} was taken back."
    assert texts(Kind.HANDOVER_ACCEPTED)[0] == (
        "Tom Reyes (Applicant) took the case over from Mai Vang (Applicant)."
    )
