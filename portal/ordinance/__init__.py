"""The law: the whole ordinance as plain Python, standard library only.

One module per subject. A rule is a function from facts to a Deadline, a
WaitingPeriod or a list of Obstacles. Nothing here knows the clock, the settings
or the database; whoever calls passes the day, the calendar and the edition.
"""

from . import (
    appeals,
    assessment,
    cease_and_desist,
    city_work,
    completeness,
    cover,
    decision,
    devices,
    draws,
    escrow,
    forfeiture,
    mailed_notice,
    maintenance,
    permit_needed,
    plan,
    records,
    retention,
    revocation,
    site,
    special_charge,
    stop_work,
)
from .citations import Citation, statute
from .counting import Stay
from .days import Calendar, Roll, parse_day
from .editions import SECTION_KEYS, Edition, all_editions, cities, edition_on, load_editions, use
from .holidays import LEGAL_HOLIDAY_RULES, Holiday, legal_holidays, postal_holidays
from .jurisdiction import Building, JurisdictionClass, StateRule
from .numbers import NUMBERS, NumberOfLaw
from .obstacles import Obstacle
from .periods import Period
from .permit_needed import Determination, Proposal, Reason, determine
from .registry import RULES, Counting, Rule
from .sections import Section, newest_sections, sections_of
from .stays import with_stays
from .time import Clock, Deadline, Kind, Standing, Step, WaitingPeriod

__all__ = [
    "LEGAL_HOLIDAY_RULES",
    "NUMBERS",
    "RULES",
    "SECTION_KEYS",
    "Building",
    "Calendar",
    "Citation",
    "Clock",
    "Counting",
    "Deadline",
    "Determination",
    "Edition",
    "Holiday",
    "JurisdictionClass",
    "Kind",
    "NumberOfLaw",
    "Obstacle",
    "Period",
    "Proposal",
    "Reason",
    "Roll",
    "Rule",
    "Section",
    "Standing",
    "StateRule",
    "Stay",
    "Step",
    "WaitingPeriod",
    "all_editions",
    "appeals",
    "assessment",
    "cease_and_desist",
    "cities",
    "city_work",
    "completeness",
    "cover",
    "decision",
    "determine",
    "devices",
    "draws",
    "edition_on",
    "escrow",
    "forfeiture",
    "legal_holidays",
    "load_editions",
    "mailed_notice",
    "maintenance",
    "newest_sections",
    "parse_day",
    "permit_needed",
    "plan",
    "postal_holidays",
    "records",
    "retention",
    "revocation",
    "sections_of",
    "site",
    "special_charge",
    "statute",
    "stop_work",
    "use",
    "with_stays",
]
