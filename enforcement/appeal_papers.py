"""Papers of an appeal: its receipt, the notice of hearing, what the board decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from enforcement.appeal_telling import appellant_of, concerned_by
from enforcement.appealable import AppealableAct, made_on, permit_of
from enforcement.models import Appeal, Hearing
from enforcement.papers import store
from permits.models import Application, CasePaper, Decision
from portal.ordinance import Clock
from portal.ordinance.appeals import STAY_STATUTE

__all__ = ["application_of", "decision", "hearing_notice", "receipt"]


def application_of(appeal: Appeal) -> Application | None:
    """Return the application that the act appealed is about; None where nobody applied."""
    subject = appeal.subject
    if isinstance(subject, Decision):
        return subject.application
    permit = permit_of(subject)
    return permit.application if permit else None


def receipt(appeal: Appeal, act: AppealableAct) -> CasePaper:
    """The receipt: in time or late, what it stays, what comes next."""
    return _store(
        appeal,
        CasePaper.Kind.APPEAL_RECEIPT,
        f"Receipt of appeal {appeal.number}",
        on=appeal.filed_on,
        persons=[appellant_of(appeal)],
        act=act,
        clock=act.deadline,
        attachments=list(appeal.attachments.all()),
    )


def hearing_notice(appeal: Appeal, hearing: Hearing, before: Hearing | None) -> CasePaper:
    """The notice of hearing to the parties; another day is another notice."""
    return _store(
        appeal,
        CasePaper.Kind.HEARING_NOTICE,
        f"Notice of hearing, appeal {appeal.number}",
        on=hearing.set_on,
        persons=[appellant_of(appeal), *concerned_by(appeal)],
        hearing=hearing,
        before=before,
    )


def decision(appeal: Appeal, clocks: Sequence[Clock]) -> CasePaper:
    """What the board decided, which days run on, and until when a court can be asked."""
    assert appeal.ended_on is not None
    return _store(
        appeal,
        CasePaper.Kind.BOARD_DECISION,
        f"Decision of the board, appeal {appeal.number}",
        on=appeal.ended_on,
        persons=[appellant_of(appeal), *concerned_by(appeal)],
        clocks=clocks,
        review=appeal.further_review(),
        files=list(appeal.decision_files.all()),
    )


def _store(appeal: Appeal, kind: CasePaper.Kind, title: str, **context: Any) -> CasePaper:
    return store(
        appeal.site,
        kind,
        title,
        reference=appeal.number,
        application=application_of(appeal),
        appealed=appeal,
        made_on=made_on(appeal.subject),
        stay_statute=STAY_STATUTE,
        **context,
    )
