"""What people do on the pages of requests, holds and destruction lists."""

from __future__ import annotations

from tests import factory
from tests.browser.doing import GO_ON, Doing

__all__ = ["CONFIRMATIONS", "MISTAKES"]

MISTAKES = (
    Doing("records_request_add", "clerk", GO_ON),
    Doing("records_acknowledge", "clerk", GO_ON, thing="request", write={"Prepayment": "5"}),
    Doing("records_answer", "clerk", GO_ON, thing="request", mark=(("The answer", "Denied"),)),
    Doing("records_withdraw", "clerk", GO_ON, thing="request"),
    Doing("hold_add", "attorney", GO_ON, write={"Case": "EC-1999-0001"}),
    Doing("hold_end", "attorney", GO_ON, thing="hold"),
    Doing("society_notice", "clerk", GO_ON, thing="list"),
    Doing("destruction_do", "clerk", GO_ON, thing="list ready", write={"Write": "DL-1999-0001"}),
    Doing("destruction_withdraw", "clerk", GO_ON, thing="list"),
)
"""Forms sent with an answer that cannot be taken."""

CONFIRMATIONS = (
    Doing(
        "records_request_add",
        "clerk",
        GO_ON,
        write={"Received on": factory.MONDAY.isoformat(), "What is asked for": "The permits."},
        mark=(("How did it come in?", "By e-mail"),),
    ),
    Doing(
        "records_acknowledge",
        "clerk",
        GO_ON,
        thing="request",
        write={"What they were told": "Soon"},
    ),
    Doing(
        "records_answer",
        "clerk",
        GO_ON,
        thing="request",
        write={"What else is given": "The plan sheets", "Pages copied": "12"},
        mark=(("The answer", "Given"),),
    ),
    Doing("records_withdraw", "clerk", GO_ON, thing="request", write={"How they": "By letter."}),
    Doing("destruction_propose", "clerk", GO_ON),
    Doing("destruction_approve", "attorney", GO_ON, thing="list proposed"),
    Doing(
        "society_notice",
        "clerk",
        GO_ON,
        thing="list",
        write={"Handed to the post on": factory.MONDAY.isoformat()},
        mark=(("What happened", "The letter was handed to the post"),),
    ),
    Doing("destruction_withdraw", "clerk", GO_ON, thing="list", write={"Why": "Too early."}),
)
"""The page before an act: what will happen."""
