"""Maintenance agreements for the tests of access and for the browser: one in each state."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from permits.agreements import acts, drafting
from permits.models import MaintenanceAgreement
from portal.models import User
from tests import factory
from tests.permits import agreements
from tests.permits.agreements import LEGAL, POND

__all__ = ["add", "build"]


def entered(holder: User, *, on: date) -> MaintenanceAgreement:
    """An agreement that was recorded before there was a portal."""
    permit = agreements.required(by=holder, on=on)
    made: MaintenanceAgreement = acts.enter_recorded(
        permit.site,
        by=factory.clerk(),
        on=on,
        permit=permit,
        recorded_on=date(2024, 5, 2),
        document_number="998877",
        county="Example County",
        scan=factory.upload(factory.clerk()),
        words={"party_name": "Mai Vang", "party_address": "1 Mill Street\nExample, WI 54999"},
        practices=[POND],
    )
    return made


def add(holder: User) -> dict[str, str]:
    """Enter one for the tests of access; return what its addresses are made of."""
    made = entered(holder, on=factory.MONDAY)
    return {"/agreements/<uuid:key>": f"/agreements/{made.key}"}


def build(things: dict[str, Any], holder: User, *, on: date) -> None:
    """Leave an agreement in each state behind, and a permit that still needs one."""
    by = factory.inspector()
    with pytest.MonkeyPatch.context() as patch:
        agreements.quickly(patch)
        for name in ("bare draft", "draft", "sent", "signed", "at register"):
            permit = agreements.required(by=holder, on=on)
            made = things[f"agreement {name}"] = drafting.draft(
                permit.site, by=by, on=on, permit=permit
            )
            if name == "bare draft":
                continue
            answers = {"legal_description": LEGAL}
            drafting.save_words(made, answers=answers, map_upload=agreements.picture())
            if name == "draft":
                continue
            acts.send_for_signature(made, by=by, on=on)
            if name == "sent":
                continue
            acts.sign(made, by=by, on=on, signed_on=on, scan=factory.upload(by))
            if name == "at register":
                acts.send_to_register(made, by=by, on=on, sent_on=on)
    things["agreement recorded"] = entered(holder, on=on)
    things["agreement missing"] = agreements.required(by=holder, on=on).application
