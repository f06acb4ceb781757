"""When permanent controls and permanent cover must be complete. former § 17.19(4)(d)"""

from dataclasses import dataclass
from datetime import date

from .citations import Citation
from .clocks import deadline
from .counting import Count, Unit, Way
from .days import ONE_DAY, Calendar, Roll
from .editions import Edition, MonthDay, edition_on
from .time import Deadline, Terms
from .wording import long_day, month_day


def in_winter(day: date, edition: Edition) -> bool:
    """October 15 to April 15, both included."""
    at = (day.month, day.day)
    return at >= edition.winter_begins or at <= edition.winter_ends


def july_after(certificate_on: date, edition: Edition) -> date:
    """The July 15 three months after the April 15 that ends that winter."""
    began = (certificate_on.month, certificate_on.day) >= edition.winter_begins
    return date(certificate_on.year + began, *edition.cover_due)


def permanent_cover_deadline(
    certificate_issued_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline | None:
    """July 15 for a certificate issued in winter; None outside it. former § 17.19(4)(d)"""
    edition = edition or edition_on(certificate_issued_on)
    if not in_winter(certificate_issued_on, edition):
        return None
    due = july_after(certificate_issued_on, edition)
    window = f"{month_day(*edition.winter_begins)} and {month_day(*edition.winter_ends)}"
    terms = Terms(
        key="permanent-cover",
        title=f"{month_day(*edition.cover_due)} after a winter certificate of occupancy",
        bound="permittee",
        citation=edition.citation("completion"),
        duty="The permittee completes the permanent controls and the permanent cover.",
        consequence=(
            "After that day the city may draw on the escrow once its mailed notice has run out, "
            "and the escrow is forfeited. Temporary controls stay in place until the cover holds."
        ),
        started=f"Certificate of occupancy issued {long_day(certificate_issued_on)}.",
        counted=f"That lies between {window}, both included: {winter_words(due, edition)}.",
        end="The last day is {on}.{stands}",
        safe_reason="{last} is the day the ordinance names",
    )
    days = (due - certificate_issued_on).days
    way = Way(roll=edition.roll("permanent-cover"))
    return deadline(terms, Count(certificate_issued_on, days, Unit.DAY, plain=way), calendar)


def winter_words(due: date, edition: Edition) -> str:
    """Which July 15 is meant, and why."""
    end = date(due.year, *edition.winter_ends)
    return (
        f"the controls are due by {month_day(*edition.cover_due)}, {due.year}, "
        f"three months after {month_day(end.month, end.day)}, {end.year}"
    )


NOT_IN_WINTER = (
    "The certificate was issued outside {begins} to {ends}, so the {due} rule does not apply. The "
    "permanent controls are due by the date in the permit or before the certificate, whichever is "
    "earlier."
)


def why_no_deadline(edition: Edition) -> str:
    """What to say of a certificate outside the winter. former § 17.19(4)(d)"""
    names: dict[str, MonthDay] = {
        "begins": edition.winter_begins,
        "ends": edition.winter_ends,
        "due": edition.cover_due,
    }
    return NOT_IN_WINTER.format(**{name: month_day(*at) for name, at in names.items()})


def before_certificate_deadline(
    permit_date: date | None,
    certificate_issued_on: date,
    *,
    calendar: Calendar,
    edition: Edition | None = None,
) -> Deadline:
    """At once, when a certificate outside the winter left work open. former § 17.19(4)(d)

    The controls were due before the certificate, or by the permit's date if that is earlier.
    """
    edition = edition or edition_on(certificate_issued_on)
    due = min(permit_date or certificate_issued_on, certificate_issued_on)
    window = f"{month_day(*edition.winter_begins)} to {month_day(*edition.winter_ends)}"
    if due < certificate_issued_on:
        rule = f"by {long_day(due)}, the date in the permit, which came before the certificate"
    else:
        rule = "before the certificate"
    terms = Terms(
        key="permanent-cover",
        title="Permanent controls before the certificate of occupancy",
        bound="permittee",
        citation=edition.citation("completion"),
        duty="The permittee completes the permanent controls and the permanent cover at once.",
        consequence=(
            "The certificate was irregular. The city may draw on the escrow once its mailed "
            "notice has run out, and the escrow is forfeited."
        ),
        started=f"Certificate of occupancy issued {long_day(certificate_issued_on)}.",
        counted=f"That lies outside {window}: the permanent controls were due {rule}.",
        end="The last day is {on}.",
        safe_reason="{last} is that day",
    )
    way = Way(roll=Roll.NONE)
    return deadline(terms, Count(due, 0, Unit.DAY, plain=way), calendar)


@dataclass(frozen=True)
class Completion:
    """When the permanent controls are due, all of the section taken together.

    `limit_on` is the ordinance's own limit, after which escrow is drawn and
    forfeited. `permit_on` is the date in the permit, enforced as a condition.
    `winter` is the July 15 clock, when there is one. Where the ordinance leaves a
    choice, `choice` states it, and the inspector records which way it went.
    """

    limit_on: date | None
    permit_on: date | None
    winter: Deadline | None
    certificate_irregular: bool
    notes: tuple[str, ...]
    citation: Citation
    choice: str = ""

    def permit_overdue_from(self) -> date | None:
        """The first day on which the permit's date is missed."""
        return None if self.permit_on is None else self.permit_on + ONE_DAY

    def is_permit_condition_late(self, on: date, *, complete_on: date | None = None) -> bool:
        """Whether the date in the permit was missed, as a permit condition."""
        done = complete_on if complete_on is not None and complete_on <= on else on
        return self.permit_on is not None and done > self.permit_on

    def is_late(self, on: date, *, complete_on: date | None = None) -> bool:
        """Whether the ordinance's limit was missed."""
        done = complete_on if complete_on is not None and complete_on <= on else on
        return self.limit_on is not None and done > self.limit_on


def completion(
    permit_date: date | None,
    certificate_on: date | None = None,
    *,
    calendar: Calendar,
    edition: Edition | None = None,
    complete_on: date | None = None,
) -> Completion:
    """The permit's date or the certificate, whichever is earlier. former § 17.19(4)(d)"""
    known = certificate_on or permit_date
    if known is None:
        raise ValueError("a permit without certificate needs a date for its permanent controls")
    edition = edition or edition_on(known)
    citation = edition.citation("completion")
    if certificate_on is None:
        note = "No certificate of occupancy was issued: the date in the permit stands alone."
        return Completion(permit_date, permit_date, None, False, (note,), citation)
    winter = permanent_cover_deadline(certificate_on, calendar=calendar, edition=edition)
    if winter is None:
        return before_certificate(permit_date, certificate_on, complete_on, edition)
    notes, choice = winter_notes(permit_date, certificate_on, winter)
    within = permit_date if permit_date is not None and permit_date <= winter.on else None
    return Completion(winter.on, within, winter, False, notes, citation, choice)


def before_certificate(
    permit_date: date | None, certificate_on: date, complete_on: date | None, edition: Edition
) -> Completion:
    """Outside the winter: complete before the certificate is issued."""
    due = certificate_on if permit_date is None else min(permit_date, certificate_on)
    irregular = complete_on is None or complete_on > certificate_on
    notes = [why_no_deadline(edition)]
    if irregular:
        notes.append(
            f"The certificate of {long_day(certificate_on)} was issued while the permanent "
            "controls were open. Record the reason."
        )
    return Completion(
        due, permit_date, None, irregular, tuple(notes), edition.citation("completion")
    )


def winter_notes(
    permit_date: date | None, certificate_on: date, winter: Deadline
) -> tuple[tuple[str, ...], str]:
    """How the permit's date stands beside July 15, and the choice it leaves."""
    limit = long_day(winter.on)
    if permit_date is None:
        return (f"The permit names no date: {limit} stands alone.",), ""
    named = long_day(permit_date)
    if permit_date > winter.on:
        return (f"The permit names {named}, but the ordinance's limit is {limit}.",), ""
    if permit_date < certificate_on:
        return (
            f"The permit's date, {named}, had passed before the certificate. If it was missed, it "
            f"stays missed as a permit condition. For the permanent cover the limit is {limit}.",
        ), "Decide whether the missed permit date is enforced as a condition of the permit."
    return (
        f"The permit names {named}; the ordinance's limit is {limit}. Until that limit the "
        "permit's date can be enforced as a permit condition only.",
    ), "Decide whether the permit's date is enforced before the ordinance's limit."


def permit_date_beside(
    permit_date: date, certificate_on: date, winter: Deadline, *, enforced: bool
) -> str:
    """What the permit's date still means beside the July 15 of a winter certificate.

    `enforced` is the inspector's recorded choice; no choice takes a date off the record, and
    the escrow is at stake only after the ordinance's limit. former § 17.19(4)(d)
    """
    named, limit = long_day(permit_date), long_day(winter.on)
    if permit_date > winter.on:
        return f"The permit names {named}; {limit} comes first and controls."
    means = (
        f"as a condition of the permit only: work may be stopped for it, but the escrow is drawn "
        f"on and forfeited only after {limit}."
    )
    if permit_date < certificate_on:
        text = (
            f"The permit's own date, {named}, had passed before the certificate. Where it was "
            f"missed, it stays missed: {limit} is the last day for the permanent cover only."
        )
        return f"{text} {f'It is enforced {means}' if enforced else NOTHING.format(limit=limit)}"
    if enforced:
        return f"The permit's own date, {named}, is enforced {means}"
    return f"The permit's own date, {named}, stays on record. {NOTHING.format(limit=limit)}"


NOTHING = "Reminders of that date still come, but nothing is enforced before {limit}."
