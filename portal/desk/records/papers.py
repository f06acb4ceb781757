"""Papers about records: the answer, the letter to the society, the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from portal import papers
from portal.models import Document
from portal.ordinance.records import REVIEW, RecordsFee
from portal.ordinance.retention import schedule

if TYPE_CHECKING:
    from portal.desk.records.models import Answer, DestructionList, GivenRecord, Refusal

__all__ = ["answer", "certificate", "letter"]


def answer(
    made: Answer, *, given: Sequence[GivenRecord], refusals: Sequence[Refusal], fee: RecordsFee
) -> Document:
    """The answer to a request, with each ground of refusal and the way to its review."""
    request = made.request
    return papers.render(
        "papers/records_answer.html",
        {
            "answer": made,
            "request": request,
            "given": given,
            "refusals": refusals,
            "fee": fee,
            "review": REVIEW if refusals else None,
            "reference": request.number,
            "on": made.on,
        },
        kind="records_answer",
        title=f"Answer to records request {request.number}",
    )


def letter(found: DestructionList) -> Document:
    """The notice to the historical society, for the envelope: what is to be destroyed."""
    rules = schedule()
    rows = [(rules.series[each.series], each) for each in found.cases.all()]
    return papers.render(
        "papers/society_letter.html",
        {
            "list": found,
            "rows": [row for row in rows if not row[0].is_waived],
            "schedule": rules,
            "addressee": {
                "name": rules.society_name,
                "address": rules.society_address,
            },
            "reference": found.number,
            "on": found.approvals.latest("pk").on,
            "delivery": "By U.S. mail",
        },
        kind="society_letter",
        title=f"Notice of records to be destroyed, list {found.number}",
    )


def certificate(context: dict[str, Any], *, number: str) -> Document:
    """The certificate of the destruction of one case."""
    return papers.render(
        "papers/destruction_certificate.html",
        {**context, "reference": number},
        kind="destruction_certificate",
        title=f"Certificate of destruction of case {number}",
    )
