"""Public records: when a request is answered, what it costs, when records may be destroyed.

State law, not the ordinance: Wis. Stat. §§ 19.21 and 19.31 to 19.39.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .citations import Citation, statute
from .clocks import deadline, waiting_period
from .counting import Count, Unit, Way
from .days import Calendar
from .editions import Edition, edition_on
from .time import Deadline, Terms, WaitingPeriod
from .wording import capital, counted, dollars, figure, long_day, number_word

REQUESTS = "Wis. Stat. § 19.35"
RETENTION = "Wis. Stat. § 19.21"

ANSWER_WORKING_DAYS = 10
"""The rule of thumb for a simple request; § 19.35(4)(a) says only "without delay"."""

SOCIETY_DAYS = 60
"""Written notice by mail to the state historical society before destruction. § 19.21(4)(a)"""

LOCATING_LIMIT = Decimal("50.00")
"""Locating a record is charged only where it costs fifty dollars or more. § 19.35(3)(c)"""

PREPAYMENT_LIMIT = Decimal("5.00")
"""Prepayment may be asked only where the total is more than five dollars. § 19.35(3)(f)"""


def answer_deadline(
    received_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """As soon as practicable; ten working days as the rule of thumb. § 19.35(4)(a)"""
    terms = Terms(
        key="records-request",
        title=f"{capital(counted(ANSWER_WORKING_DAYS, 'working day'))} after the request",
        bound="city",
        citation=statute(REQUESTS, "(4)(a)"),
        duty="The city gives the records or says why not, as soon as practicable and without "
        "delay.",
        consequence="The city owes its answer without delay all the same. The requester may ask a "
        "court to order it (mandamus).",
        started=f"Request received {long_day(received_on)}; not counted.",
        end="The {nth} working day is {on}.",
        safe_reason="legal holidays on which city hall is open count too",
        note="A rule of thumb, not a period of the statute: a small request is answered sooner, "
        "and a large one may take longer if the city works on it without delay.",
    )
    count = Count(
        received_on, ANSWER_WORKING_DAYS, Unit.WORKING_DAY, safe=Way(open_holidays_count=True)
    )
    return deadline(terms, count, calendar)


def destruction_opens(
    mailed_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> WaitingPeriod:
    """After sixty days from the mailing of the notice to the society. § 19.21(4)(a)"""
    edition = edition or edition_on(mailed_on)
    terms = Terms(
        key="destruction",
        title=f"{capital(counted(SOCIETY_DAYS, 'day'))} after the notice to the historical society",
        bound="city",
        citation=statute(RETENTION, "(4)(a)"),
        duty="The city keeps the records while the historical society may ask for them.",
        consequence="From that day the city may destroy what is on the list. Nothing is destroyed "
        "by itself.",
        started=f"Notice mailed to the society {long_day(mailed_on)}; not counted.",
        end="The {nth} day is {last}. The city may act after it, from {on}.",
        safe_reason=f"{number_word(edition.mail_days)} days are added for the letter to arrive",
        note="The notice goes on paper and by mail. An e-mail does not take its place.",
    )
    count = Count(
        mailed_on,
        SOCIETY_DAYS,
        Unit.DAY,
        plain=Way(days_after=1),
        safe=Way(extra_days=edition.mail_days, days_after=1),
        waits=True,
    )
    return waiting_period(terms, count, calendar)


# Fees -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Prices:
    """The city's schedule: actual, necessary and direct cost, no more. § 19.35(3)(a)"""

    page: Decimal = Decimal("0.00")
    locating_hour: Decimal = Decimal("0.00")


@dataclass(frozen=True)
class Copying:
    """What was made for a requester, and what it cost the city."""

    pages: int = 0
    locating_hours: Decimal = Decimal("0.00")
    other: Decimal = Decimal("0.00")
    mailing: Decimal = Decimal("0.00")


@dataclass(frozen=True)
class FeeLine:
    """One part of the fee: for what, how much, where it stands written."""

    text: str
    amount: Decimal
    citation: Citation


@dataclass(frozen=True)
class RecordsFee:
    """What may be asked for copies of records, line by line."""

    lines: tuple[FeeLine, ...]

    @property
    def total(self) -> Decimal:
        """The sum in dollars and cents."""
        return sum((line.amount for line in self.lines), Decimal("0.00"))

    @property
    def may_be_asked_first(self) -> bool:
        """Whether prepayment may be asked: the total is more than $5. § 19.35(3)(f)"""
        return self.total > PREPAYMENT_LIMIT


def fee_for(copying: Copying, prices: Prices) -> RecordsFee:
    """The actual, necessary and direct cost of what was made. § 19.35(3)"""
    return RecordsFee(tuple(_lines(copying, prices)))


def _lines(copying: Copying, prices: Prices) -> Iterable[FeeLine]:
    if copying.pages:
        amount = _cents(copying.pages * prices.page)
        text = f"{counted(copying.pages, 'page')} at {dollars(prices.page)}"
        yield FeeLine(capital(text), amount, statute(REQUESTS, "(3)(a)"))
    if copying.other:
        text = "Other copies and media at what they cost"
        yield FeeLine(text, _cents(copying.other), statute(REQUESTS, "(3)(a)"))
    if copying.locating_hours:
        yield _locating(copying.locating_hours, prices.locating_hour)
    if copying.mailing:
        text = "Mailing or shipping at what it cost"
        yield FeeLine(text, _cents(copying.mailing), statute(REQUESTS, "(3)(d)"))


def _locating(hours: Decimal, rate: Decimal) -> FeeLine:
    """Nothing below fifty dollars; the whole from fifty dollars on. § 19.35(3)(c)"""
    cost = _cents(hours * rate)
    text = f"Locating, {figure(hours)} hours at {dollars(rate)}"
    if cost < LOCATING_LIMIT:
        text += f": {dollars(cost)} is less than {dollars(LOCATING_LIMIT)}, so nothing is asked"
        cost = Decimal("0.00")
    return FeeLine(text, cost, statute(REQUESTS, "(3)(c)"))


def _cents(amount: Decimal) -> Decimal:
    """Down to the whole cent: never more than the cost."""
    return amount.quantize(Decimal("0.01"), rounding="ROUND_DOWN")


# Refusals ---------------------------------------------------------------------------------

REVIEW = (
    statute("Wis. Stat. § 19.35", "(4)(b)"),
    "This determination may be reviewed by a court in an action for mandamus under Wis. Stat. "
    "§ 19.37(1), or upon application to the attorney general or a district attorney.",
)
"""What every refusal of a written request must say."""

GROUNDS: dict[str, tuple[str, Citation]] = {
    "exempt": (
        "A state or federal law exempts the record or forbids its release",
        statute("Wis. Stat. § 19.36", "(1)"),
    ),
    "trade-secret": ("It is a trade secret", statute("Wis. Stat. § 19.36", "(5)")),
    "financial": (
        "It is financial identifying information, such as an account or card number",
        statute("Wis. Stat. § 19.36", "(13)"),
    ),
    "privilege": (
        "It is a communication between the city and its attorney, or the attorney's work",
        statute("Wis. Stat. § 905.03"),
    ),
    "balance": (
        "The public interest in keeping it closed outweighs the public interest in its release",
        statute("Wis. Stat. § 19.35", "(1)(a)"),
    ),
    "unlimited": (
        "The request has no reasonable limit in subject or time",
        statute("Wis. Stat. § 19.35", "(1)(h)"),
    ),
    "other": ("Another reason, named below", statute("Wis. Stat. § 19.35", "(4)(b)")),
}
"""Why a record, or a part of it, may be withheld; each refusal says its own reason besides."""
