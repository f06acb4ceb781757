"""Appeals in every state, made by the same acts that people use."""

from __future__ import annotations

from datetime import date
from typing import Any

from enforcement.acts import appeals, board
from enforcement.acts.appeals import Appellant
from enforcement.appealable import acts_of
from enforcement.models import Appeal
from permits import verify
from permits.models import DocketEntry, Site

from .factory import board as secretary

__all__ = ["NEIGHBOR", "appealed", "date_of", "decided", "entry_of", "holds_true", "token_of"]

NEIGHBOR = Appellant(
    name="Kim Larsen",
    capacity="Owner of the lot next door",
    mailing_address="14 Mill Street\nExample, WI 54999",
    email="kim@neighbors.test",
    telephone="(555) 010-0142",
)


def token_of(site: Site, subject: Any) -> str:
    """The name by which a form asks for an act."""
    return next(act.token for act in acts_of(site) if act.subject == subject)


def appealed(subject: Any, *, on: date, **fields: Any) -> Appeal:
    """An appeal of an act by a neighbor, filed on a day."""
    site = subject.application.site if hasattr(subject, "decided_on") else subject.site
    return appeals.file(
        site,
        fields.pop("token", None) or token_of(site, subject),
        on=on,
        appellant=fields.pop("appellant", NEIGHBOR),
        grounds=fields.pop("grounds", "The fence was never down."),
        **fields,
    )


def decided(appeal: Appeal, *, on: date, outcome: str = "affirmed", **fields: Any) -> Appeal:
    """The appeal, decided by the board; its decision was filed on that day."""
    filed_on = fields.pop("filed_on", on)
    text = fields.pop("text", "The board finds that the order was issued on good ground.")
    board.decide(
        appeal, by=secretary(), on=on, filed_on=filed_on, outcome=outcome, text=text, **fields
    )
    appeal.refresh_from_db()
    return appeal


def entry_of(subject: Any, rule: str) -> DocketEntry:
    """The newest entry of a clock on the docket."""
    return DocketEntry.objects.of(subject).filter(rule=rule).latest("pk")


def date_of(subject: Any, rule: str) -> date:
    """What the docket says of a clock."""
    return entry_of(subject, rule).on


def holds_true() -> list[str]:
    """What of docket, record and papers does not hold; nothing is as it should be."""
    return list(verify.faults())
