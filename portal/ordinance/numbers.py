"""Every number of the ordinance: its name, its sentence, where it stands written.

The figures themselves are in the editions.
"""

from dataclasses import dataclass
from decimal import Decimal

from .citations import Citation, statute
from .editions import Edition
from .periods import Period
from .wording import dollars, figure, month_day


@dataclass(frozen=True)
class NumberOfLaw:
    """A number by name; `section` is empty for a number of the state."""

    name: str
    sentence: str
    section: str
    paragraph: str
    unit: str
    state: str = ""

    def value(self, edition: Edition) -> int | Decimal | tuple[int, int] | Period:
        """The figure in an edition."""
        found: int | Decimal | tuple[int, int] | Period = getattr(edition, self.name)
        return found

    def citation(self, edition: Edition) -> Citation:
        """Where the number stands written."""
        return statute(self.state) if self.state else edition.citation(self.section, self.paragraph)

    def text(self, edition: Edition) -> str:
        """The figure in words: 10 working days, $25.00, July 15."""
        value = self.value(edition)
        if isinstance(value, Period):
            return value.figures
        if isinstance(value, tuple):
            return month_day(*value)
        if self.unit == "year":
            return f"{value} year{'' if value == 1 else 's'}"
        return dollars(Decimal(value)) if self.unit == "dollars" else f"{figure(value)} {self.unit}"


def _n(
    name: str, unit: str, section: str, paragraph: str, sentence: str, state: str = ""
) -> NumberOfLaw:
    return NumberOfLaw(name, sentence, section, paragraph, unit, state)


NUMBERS: tuple[NumberOfLaw, ...] = (
    _n("decision_working_days", "working days", "permit", "(c)", "Time to decide an application."),
    _n(
        "revision_review_working_days",
        "working days",
        "permit",
        "(c)",
        "Time the city promises for a revised plan; the ordinance sets none.",
    ),
    _n("fee", "dollars", "permit", "(b)", "Fee for an application."),
    _n(
        "trigger_area_sq_ft",
        "square feet",
        "activities",
        "(1)",
        "Disturbed surface from which a permit is needed.",
    ),
    _n(
        "trigger_volume_cu_yd",
        "cubic yards",
        "activities",
        "(2)",
        "Excavation and fill from which a permit is needed.",
    ),
    _n(
        "trigger_pipe_ft",
        "feet",
        "activities",
        "(4)",
        "Underground pipe from which a permit is needed.",
    ),
    _n(
        "stop_work_period",
        "",
        "enforcement",
        "(c)",
        "Time to comply after a stop-work order, or to obtain a permit.",
    ),
    _n(
        "notice_wait_period",
        "",
        "enforcement",
        "(e)",
        "Wait from posting a stop-work order to the notice of intent.",
    ),
    _n(
        "entry_wait_period",
        "",
        "enforcement",
        "(e)",
        "Wait from the notice of intent to city work.",
    ),
    _n("appeal_days", "days", "appeal", "", "Time to appeal; set by the city for its board."),
    _n("forfeiture_min", "dollars", "penalty", "", "Least forfeiture for a violation."),
    _n("forfeiture_max", "dollars", "penalty", "", "Largest forfeiture for a violation."),
    _n(
        "cover_density_percent",
        "percent",
        "escrow",
        "",
        "Perennial cover that counts as established.",
        "Wis. Admin. Code § SPS 321.125(1)",
    ),
    _n("winter_begins", "", "completion", "", "First day of the winter rule."),
    _n("winter_ends", "", "completion", "", "Last day of the winter rule."),
    _n("cover_due", "", "completion", "", "Day by which permanent cover is due after the winter."),
    _n("mailed_notice_days", "days", "draws", "", "Notice by mail before a draw on the escrow."),
    _n(
        "mail_days",
        "days",
        "draws",
        "",
        "Days in the mail that the safe date adds.",
        "Wis. Stat. § 801.15(5)(a)",
    ),
    _n("assessment_years", "year", "draws", "", "Longest time for which an assessment runs."),
    _n("roll_cutoff", "", "enforcement", "(e)", "Last day for the year's tax roll."),
    _n(
        "charge_payable",
        "",
        "enforcement",
        "(e)",
        "Day by which a special charge on the roll is paid in full.",
        "Wis. Stat. § 74.11(3)",
    ),
    _n(
        "state_permit_sq_ft",
        "square feet",
        "plan",
        "",
        "Size from which the state's construction site permit is needed (an acre).",
        "Wis. Admin. Code ch. NR 216, subch. III",
    ),
    _n(
        "state_notice_working_days",
        "working days",
        "plan",
        "",
        "Time from the state's Notice of Intent to the beginning of work.",
        "Wis. Admin. Code ch. NR 216, subch. III",
    ),
    _n(
        "soil_loss_limit",
        "tons an acre a year",
        "plan",
        "",
        "Most soil that may leave a site of an acre or more.",
        "Wis. Admin. Code § NR 151.11(6m)",
    ),
    _n(
        "rain_trigger_inches",
        "inch",
        "inspection",
        "",
        "Rain after which a larger site is inspected.",
        "Wis. Admin. Code § NR 216.48(4)",
    ),
    _n(
        "rain_inspection_hours",
        "hours",
        "inspection",
        "",
        "Time for that inspection, and for repairs.",
        "Wis. Admin. Code § NR 216.48(4)",
    ),
)
"""In the order of a case; a test proves that no number of an edition is missing."""
