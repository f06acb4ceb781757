"""Papers of a bill: the bill, its receipts, credits, statement, and the notice of assessment."""

from __future__ import annotations

from datetime import date

from escrow import papers
from escrow.models import Assessment, Bill, BillEntry, Receipt
from permits.models import CasePaper

from .account import Standing, statement
from .code import way_of
from .payers import application_of
from .rolled import on_roll

__all__ = ["assessment_notice", "bill_paper", "credit_notice", "receipt_paper", "statement_paper"]

Kind = CasePaper.Kind


def _store(
    bill: Bill, kind: CasePaper.Kind, title: str, *, on: date, **context: object
) -> CasePaper:
    return papers.store(
        bill.site,
        kind,
        title,
        on=on,
        reference=bill.number,
        addressee={"name": bill.payer_name, "address": bill.payer_address},
        application=application_of(bill.site, bill.permit),
        bill=bill,
        payer_way=way_of(bill),
        **context,
    )


def bill_paper(bill: Bill) -> CasePaper:
    """The bill: each cost by row, what the escrow bore, what is due and by when."""
    return _store(
        bill,
        Kind.BILL,
        f"Bill {bill.number} for city work",
        on=bill.billed_on,
        lines=list(bill.lines.all()),
        due=bill.due_deadline(),
    )


def receipt_paper(bill: Bill, receipt: Receipt, left: Standing) -> CasePaper:
    """The receipt for one payment, with what is left, here and on the tax roll."""
    title = f"Receipt {receipt.number}, bill {bill.number}"
    said = {"receipt": receipt, "left": left, "charged": on_roll(bill)[0]}
    return _store(bill, Kind.PAYMENT_RECEIPT, title, on=receipt.on, **said)


def credit_notice(bill: Bill, entry: BillEntry, left: Standing) -> CasePaper:
    """That the city credits something on a bill, and why."""
    title = f"Credit on bill {bill.number}"
    return _store(
        bill, Kind.CREDIT_NOTICE, title, on=entry.on, entry=entry, credited=-entry.amount, left=left
    )


def assessment_notice(assessment: Assessment) -> CasePaper:
    """That what the escrow did not cover is assessed: cost, fee, rate, term."""
    bill = assessment.bill
    return _store(
        bill,
        Kind.ASSESSMENT,
        f"Assessment {assessment.number}",
        on=assessment.levied_on,
        assessment=assessment,
        total=assessment.cost + assessment.fee,
        term=assessment.term(),
    )


def statement_paper(bill: Bill, now: Standing, *, on: date) -> CasePaper:
    """The statement of account as it stands on a day."""
    title = f"Statement of account, bill {bill.number}"
    lines = statement(bill)
    return _store(
        bill, Kind.BILL_STATEMENT, title, on=on, lines=lines, now=now, due=bill.due_deadline()
    )
