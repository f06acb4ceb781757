"""Appeals to the board of zoning appeals: filed, paid for, withdrawn. Former § 17.19(8)

Any person aggrieved may file, with an account or without. An appeal in time stays what
would follow from the act; a late one is taken with the statement that the board may refuse
it, and stays nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction

from enforcement import appeal_papers, appeal_telling, stays_on_docket
from enforcement.appealable import AppealableAct, find_act
from enforcement.models import Appeal, AppealStatus
from permits.models import NotNow, Site
from portal import council, numbers
from portal.formats import long_date
from portal.models import Upload, User

__all__ = ["Appellant", "file", "pay", "withdraw"]


@dataclass(frozen=True)
class Appellant:
    """Who appeals, how they are aggrieved, and how the board reaches them."""

    name: str
    capacity: str
    mailing_address: str
    email: str = ""
    telephone: str = ""


@transaction.atomic
def file(
    site: Site,
    token: str,
    *,
    appellant: Appellant,
    grounds: str,
    on: date,
    relief: str = "",
    by: User | None = None,
    received_on: date | None = None,
    paper_reason: str = "",
    attachments: Iterable[Upload] = (),
) -> Appeal:
    """Take an appeal of one act; `received_on` is the day of one that came on paper.

    `by` is whoever files with an account, or enters what came on paper; None without one.
    """
    locked = site.lock()
    act = find_act(locked, token)
    if act is None:
        raise NotNow("This act cannot be appealed: it was withdrawn or reversed already.")
    filed_on = received_on or on
    _refuse_day(act, filed_on, on, paper_reason if received_on else None)
    appeal = Appeal.objects.create(
        number=numbers.next_number("AB", on=on),
        site=locked,
        subject=act.subject,
        subject_title=act.title[:200],
        last_day=act.deadline.on,
        filed_on=filed_on,
        filed_on_paper=received_on is not None,
        paper_reason=paper_reason,
        appellant=appellant.name,
        capacity=appellant.capacity,
        mailing_address=appellant.mailing_address,
        email=appellant.email,
        telephone=appellant.telephone,
        grounds=grounds,
        relief=relief,
        filed_by=by,
        fee_due=council.appeal_fee(on=filed_on),
    )
    appeal.attachments.set(attachments)
    stays_on_docket.restay(act.subject)
    locked.record(
        "appeal.filed",
        by=by,
        on=filed_on,
        section="appeal",
        reason=paper_reason,
        facts={
            "appeal": appeal.number,
            "act": act.title,
            "appellant": appellant.name,
            "last_day": act.deadline.on,
            "late": appeal.is_late,
            "stays": appeal.stay() is not None,
            "on_paper": appeal.filed_on_paper,
        },
    )
    appeal.receipt = appeal_papers.receipt(appeal, act)
    appeal.save(update_fields=["receipt"])
    _tell_filed(appeal, act, on=on)
    return appeal


def _refuse_day(act: AppealableAct, filed_on: date, on: date, paper_reason: str | None) -> None:
    if filed_on < act.made_on:
        raise NotNow(
            f"{act.title} was made on {long_date(act.made_on)}; it cannot have been appealed "
            "before that day."
        )
    if filed_on > on:
        raise NotNow(f"{long_date(filed_on)} is still to come.")
    if paper_reason is not None and not paper_reason.strip():
        raise NotNow("Say how the appeal came in and why it is entered now.")


def _tell_filed(appeal: Appeal, act: AppealableAct, *, on: date) -> None:
    subject_line = f"Appeal {appeal.number} is filed"
    context: dict[str, Any] = {"act": act, "deadline": act.deadline}
    appeal_telling.tell_appellant(
        appeal, "appeal_received", subject_line, on=on, paper=appeal.receipt, **context
    )
    if others := appeal_telling.concerned_by(appeal):
        appeal_telling.tell_people(appeal, others, "appeal_filed", subject_line, on=on, **context)
    appeal_telling.tell_staff(appeal, "appeal_filed", subject_line, on=on, **context)


@transaction.atomic
def pay(appeal: Appeal, *, by: User, on: date, paid_on: date, receipt_number: str) -> None:
    """Record that the fee for an appeal came in; the stay does not wait for it."""
    with appeal.acting():
        if not appeal.owes_fee:
            raise NotNow("No fee is due on this appeal.")
        if not appeal.filed_on <= paid_on <= on:
            raise NotNow(
                f"The fee came in between {long_date(appeal.filed_on)} and {long_date(on)}."
            )
        appeal.fee_paid_on = paid_on
        appeal.save(update_fields=["fee_paid_on"])
        appeal.site.record(
            "appeal.fee_paid",
            by=by,
            on=paid_on,
            section="appeal",
            facts={
                "appeal": appeal.number,
                "amount": appeal.fee_due,
                "receipt": receipt_number,
            },
        )


@transaction.atomic
def withdraw(
    appeal: Appeal, *, by: User, on: date, reason: str = "", withdrawn_on: date | None = None
) -> None:
    """Withdraw an appeal: by the appellant, or entered from the appellant's letter.

    Its stay ends on that day, and the days that were left run on.
    """
    with appeal.acting():
        ended_on = withdrawn_on or on
        if not appeal.filed_on <= ended_on <= on:
            raise NotNow(
                f"An appeal is withdrawn between {long_date(appeal.filed_on)}, when it was filed, "
                f"and {long_date(on)}."
            )
        appeal.move_to(AppealStatus.WITHDRAWN)
        appeal.ended_on, appeal.outcome_text = ended_on, reason
        appeal.save(update_fields=["status", "ended_on", "outcome_text"])
        stays_on_docket.restay(appeal.subject)
        appeal.site.record(
            "appeal.withdrawn",
            by=by,
            on=ended_on,
            section="appeal",
            reason=reason,
            facts={"appeal": appeal.number, "act": appeal.subject_title},
        )
        appeal_telling.tell_all(
            appeal,
            "appeal_withdrawn",
            f"Appeal {appeal.number} is withdrawn",
            on=on,
            clocks=stays_on_docket.clocks_of(appeal.subject),
        )
