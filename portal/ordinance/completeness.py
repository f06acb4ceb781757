"""When an application is received: form, plan and fee are all in. § 40-886(b)"""

from datetime import date
from decimal import Decimal

from .editions import Edition, all_editions
from .obstacles import Obstacle
from .wording import dollars


def received_on(form_on: date | None, plan_on: date | None, fee_on: date | None) -> date | None:
    """The day the last of the three came in, weekends included. § 40-886(b)

    An electronic filing is received on its calendar day, at any hour and on any
    day (Wis. Stat. § 137.23). Waiting for the next working day would add a day
    to the city's time.
    """
    if form_on is None or plan_on is None or fee_on is None:
        return None
    return max(form_on, plan_on, fee_on)


def missing(
    form_on: date | None,
    plan_on: date | None,
    fee_on: date | None,
    *,
    edition: Edition | None = None,
    fee: Decimal | None = None,
) -> list[Obstacle]:
    """What the application still lacks; `fee` is the council's, if it set one."""
    edition = edition or all_editions()[-1]
    citation = edition.citation("permit", "(b)")
    amount = dollars(edition.fee if fee is None else fee)
    parts = (
        (form_on, "form", "The application form has not been submitted.", "submit the application"),
        (plan_on, "plan", "The erosion control plan is not in.", "add the plan"),
        (fee_on, "fee", f"The fee of {amount} has not been paid or waived.", "pay the fee"),
    )
    return [Obstacle(key, text, citation, cure) for on, key, text, cure in parts if on is None]
