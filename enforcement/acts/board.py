"""What inspector and board do with an appeal: peril, record, hearing, decision.

Wis. Stat. § 62.23(7)(e). The board decides; the portal draws from its decision only what
the law says, and leaves the rest to the inspector as a task.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time
from functools import singledispatch
from typing import Any

from django.db import transaction

from enforcement import appeal_papers, appeal_telling, stays_on_docket, transmittal
from enforcement.models import (
    Appeal,
    AppealStatus,
    Hearing,
    NoticeOfIntent,
    PerilCertificate,
    RevisionOrder,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
)
from permits.models import CasePaper, NotNow
from portal.city import say
from portal.formats import long_date
from portal.models import Role, Upload, User

from . import notices, orders, revision_orders, revocation, upkeep

__all__ = ["carry_out", "certify_peril", "decide", "set_hearing", "transmit", "why_no_peril"]

Outcome = Appeal.Outcome


def _refuse_ended(appeal: Appeal) -> None:
    if not appeal.is_open:
        raise NotNow(f"The appeal is {appeal.get_status_display().lower()}.")


# Imminent peril ---------------------------------------------------------------------------


def why_no_peril(appeal: Appeal) -> str:
    """Say why a stay cannot be ended by a certificate; nothing where it can."""
    if not appeal.is_open:
        return f"The appeal is {appeal.get_status_display().lower()}."
    if appeal.is_late:
        return "The appeal came after its last day, so it stays nothing."
    if hasattr(appeal, "peril"):
        return f"Imminent peril was certified on {long_date(appeal.peril.certified_on)}."
    return ""


@transaction.atomic
def certify_peril(appeal: Appeal, *, by: User, on: date, facts: str) -> PerilCertificate:
    """Certify by facts that the stay would cause imminent peril; it ends on that day.

    Wis. Stat. § 62.23(7)(e)5. Only a restraining order can stay the act after that.
    """
    with appeal.acting():
        if why := why_no_peril(appeal):
            raise NotNow(why)
        if not facts.strip():
            raise NotNow("State the facts that show the peril.")
        certificate = PerilCertificate.objects.create(
            appeal=appeal, certified_on=on, facts=facts, by=by
        )
        appeal.peril = certificate
        stays_on_docket.restay(appeal.subject)
        appeal.site.record(
            "appeal.peril",
            by=by,
            on=on,
            section="appeal",
            reason=facts,
            facts={"appeal": appeal.number, "act": appeal.subject_title},
        )
        appeal_telling.tell_all(
            appeal,
            "appeal_peril",
            f"Imminent peril certified, appeal {appeal.number}",
            on=on,
            peril=certificate,
            clocks=stays_on_docket.clocks_of(appeal.subject),
        )
        return certificate


# The record, and the hearing --------------------------------------------------------------


@transaction.atomic
def transmit(appeal: Appeal, *, by: User, on: date) -> CasePaper:
    """Transmit the papers of the act to the board, forthwith. Wis. Stat. § 62.23(7)(e)4."""
    with appeal.acting():
        _refuse_ended(appeal)
        if appeal.transmittal_id is not None:
            raise NotNow("The record was transmitted already.")
        appeal.transmittal = transmittal.make(appeal, by=by, on=on)
        appeal.save(update_fields=["transmittal"])
        appeal.site.record(
            "appeal.transmitted",
            by=by,
            on=on,
            section="appeal",
            facts={
                "appeal": appeal.number,
                "pages": appeal.transmittal.document.pages,
                "sha256": appeal.transmittal.document.sha256,
            },
        )
        appeal_telling.tell_staff(
            appeal,
            "appeal_transmitted",
            f"Record of appeal {appeal.number}",
            on=on,
            roles=(Role.BOARD, Role.ATTORNEY),
        )
        return appeal.transmittal


@transaction.atomic
def set_hearing(
    appeal: Appeal, *, by: User, on: date, held_on: date, at: time, place: str
) -> Hearing:
    """Set the day of the hearing, or another one; the parties get notice in writing."""
    with appeal.acting():
        _refuse_ended(appeal)
        if held_on <= on:
            raise NotNow("The parties are given notice before the hearing: choose a later day.")
        hearing = Hearing.objects.create(
            appeal=appeal, held_on=held_on, time=at, place=place, set_on=on, set_by=by
        )
        appeal.site.record(
            "appeal.hearing_set",
            by=by,
            on=on,
            section="appeal",
            facts={
                "appeal": appeal.number,
                "held_on": held_on,
                "time": f"{at:%H:%M}",
                "place": place,
            },
        )
        before = appeal.hearings.exclude(pk=hearing.pk).order_by("-pk").first()
        appeal_telling.tell_all(
            appeal,
            "appeal_hearing",
            f"Hearing on appeal {appeal.number}: {long_date(held_on)}",
            mark=str(hearing.pk),
            on=on,
            paper=appeal_papers.hearing_notice(appeal, hearing, before),
            hearing=hearing,
            before=before,
        )
        return hearing


# The decision -----------------------------------------------------------------------------


@transaction.atomic
def decide(
    appeal: Appeal,
    *,
    by: User,
    on: date,
    filed_on: date,
    outcome: str,
    text: str,
    files: Iterable[Upload] = (),
) -> CasePaper:
    """Record the board's decision by the day on which it was filed; the stay ends on it.

    What was left of each period runs on. A reversed order ends, and a reversed revocation
    reinstates the permit; everything else that the board ordered is the inspector's task.
    """
    kept = list(files)
    with appeal.acting():
        if not appeal.filed_on <= filed_on <= on:
            raise NotNow(
                f"The appeal was filed on {long_date(appeal.filed_on)}; its decision was filed on "
                f"that day or later, and not after today, {long_date(on)}."
            )
        if not text.strip() and not kept:
            raise NotNow("Write what the board decided, or add its decision as a file.")
        appeal.move_to(AppealStatus.DECIDED)
        appeal.outcome, appeal.outcome_text, appeal.ended_on = outcome, text, filed_on
        appeal.save(update_fields=["status", "outcome", "outcome_text", "ended_on"])
        appeal.decision_files.set(kept)
        stays_on_docket.restay(appeal.subject)
        appeal.site.record(
            "appeal.decided",
            by=by,
            on=filed_on,
            section="appeal",
            facts={
                "appeal": appeal.number,
                "act": appeal.subject_title,
                "outcome": outcome,
                "text": text,
                "files": [upload.sha256 for upload in kept],
            },
        )
        if outcome == Outcome.REVERSED:
            why = say("The {board} reversed it on appeal ") + f"{appeal.number}."
            undo(appeal.subject, by=by, on=max(filed_on, appeal.filed_on), why=why)
        clocks = stays_on_docket.clocks_of(appeal.subject)
        paper = appeal_papers.decision(appeal, clocks)
        appeal_telling.tell_all(
            appeal,
            "appeal_decided",
            f"Appeal {appeal.number}: {appeal.get_outcome_display().lower()}",
            on=on,
            paper=paper,
            clocks=clocks,
            review=appeal.further_review(),
        )
        return paper


@singledispatch
def undo(act: Any, *, by: User, on: date, why: str) -> None:
    """Undo what the board reversed, as far as the law does it by itself.

    A grant or a denial stays as it is on record: what the board wants instead is for the
    inspector to do.
    """


@undo.register
def _(act: StopWorkOrder, *, by: User, on: date, why: str) -> None:
    act.refresh_from_db()
    if act.is_standing:
        orders.reverse(act, by=by, on=on, why=why)


@undo.register
def _(act: Revocation, *, by: User, on: date, why: str) -> None:
    act.refresh_from_db()
    if act.reversed_on is None:
        revocation.reverse(act, by=by, on=on, why=why)


@undo.register
def _(act: RevisionOrder, *, by: User, on: date, why: str) -> None:
    act.refresh_from_db()
    if act.status == RevisionOrder.Status.STANDING:
        revision_orders.reverse(act, by=by, on=on, why=why)


@undo.register
def _(act: NoticeOfIntent, *, by: User, on: date, why: str) -> None:
    act.refresh_from_db()
    if act.status == NoticeOfIntent.Status.STANDING:
        notices.fall(act.order, by=by, on=on, why=why)


@undo.register
def _(act: UpkeepNotice, *, by: User, on: date, why: str) -> None:
    act.refresh_from_db()
    if act.is_standing:
        upkeep.reverse(act, by=by, on=max(on, act.issued_on), why=why)


@transaction.atomic
def carry_out(appeal: Appeal, *, by: User, on: date, how: str) -> None:
    """Record what the inspector did about a decision that ordered something."""
    with appeal.acting():
        if not appeal.is_a_task:
            raise NotNow("The decision leaves nothing to be done, or it was done already.")
        if not how.strip():
            raise NotNow("Say what was done.")
        appeal.carried_out_on, appeal.carried_out_by, appeal.carried_out_how = on, by, how
        appeal.save(update_fields=["carried_out_on", "carried_out_by", "carried_out_how"])
        appeal.site.record(
            "appeal.carried_out",
            by=by,
            on=on,
            section="appeal",
            reason=how,
            facts={"appeal": appeal.number, "outcome": appeal.outcome},
        )
