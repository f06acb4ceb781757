"""What people do on the pages of maintenance agreements before they are looked at."""

from __future__ import annotations

from typing import Any

from tests import factory

__all__ = ["CONFIRMATIONS", "MISTAKES"]

GO_ON, SAVE = "Go on: see what will happen", "Save it"
TODAY = factory.MONDAY.isoformat()


def _do(name: str, state: str, button: str = GO_ON, who: str = "clerk", **more: Any) -> Any:
    return {"name": name, "who": who, "button": button, "thing": f"agreement {state}", **more}


MISTAKES: tuple[dict[str, Any], ...] = (
    _do("agreement_land", "draft", SAVE, write={"Spouse who signs": "Tou Vang, 123-45-6789"}),
    _do("agreement_party", "draft", SAVE, write={"E-mail": "x"}),
    _do("agreement_practices", "draft", SAVE, write={"Every how many months": "often"}),
    _do("agreement_sign", "sent"),
    _do("agreement_register", "signed"),
    _do("agreement_record", "at register"),
    _do("agreement_correct", "recorded"),
    _do("agreement_withdraw", "sent"),
    _do("agreement_change", "recorded", "Begin the draft"),
    _do("agreement_enter", "missing"),
    _do("owner_change", "recorded"),
)
"""Forms sent with an answer that cannot be taken."""

SALE = {
    "Name of the new owner": "Tom Reyes",
    "Mailing address": "9 Ridge Road, Example, WI 54999",
    "Owner since": TODAY,
    "How does the city know?": "Warranty deed, document 1130001",
}
CONFIRMATIONS: tuple[dict[str, Any], ...] = (
    _do("agreement_send", "draft", who="inspector"),
    _do("agreement_register", "signed", write={"Sent or brought": TODAY}),
    _do("agreement_withdraw", "sent", write={"Why is it withdrawn?": "The land was sold."}),
    _do(
        "agreement_correct",
        "recorded",
        write={"Document number": "998878", "Why is it corrected?": "A slip of the pen."},
    ),
    _do("owner_change", "recorded", write=SALE),
)
"""The page before an act that cannot be undone."""
