"""The numbers and titles of an edition, ready to be put into a sentence."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

from .editions import Edition
from .wording import MONTHS, counted, dollars, figure, month_day, number_word


@lru_cache(maxsize=64)
def words(edition: Edition) -> Mapping[str, str]:
    """The numbers of an edition as summaries and rules speak of them."""
    plain = (
        "decision_working_days",
        "revision_review_working_days",
        "mailed_notice_days",
        "appeal_days",
    )
    named = {name: number_word(getattr(edition, name)) for name in plain}
    days = ("winter_begins", "winter_ends", "cover_due")
    amounts = ("fee", "forfeiture_min", "forfeiture_max")
    limits = ("trigger_area_sq_ft", "trigger_volume_cu_yd", "trigger_pipe_ft")
    periods = ("stop_work_period", "notice_wait_period", "entry_wait_period")
    return MappingProxyType(
        {
            **named,
            **{name: str(getattr(edition, name)) for name in periods},
            "years": counted(edition.assessment_years, "year"),
            "winter_month": MONTHS[edition.winter_ends[0] - 1],
            "density": str(edition.cover_density_percent),
            **{name: month_day(*getattr(edition, name)) for name in days},
            **{name: dollars(getattr(edition, name)) for name in amounts},
            **{name: figure(getattr(edition, name)) for name in limits},
            "rain": rain_words(edition),
            "rain_hours": str(edition.rain_inspection_hours),
            **edition.officers,
            **{f"{role}_short": name for role, name in edition.short.items()},
        }
    )


def rain_words(edition: Edition) -> str:
    """Half an inch; other depths in figures."""
    depth = edition.rain_trigger_inches
    return "half an inch" if depth == Decimal("0.5") else f"{figure(depth)} inch"
