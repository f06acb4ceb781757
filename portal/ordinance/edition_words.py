"""The numbers and titles of an edition, ready to be put into a sentence."""

from .editions import Edition
from .wording import MONTHS, counted, dollars, figure, month_day, number_word


def words(edition: Edition) -> dict[str, str]:
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
    return {
        **named,
        **{name: str(getattr(edition, name)) for name in periods},
        "years": counted(edition.assessment_years, "year"),
        "winter_month": MONTHS[edition.winter_ends[0] - 1],
        "density": str(edition.cover_density_percent),
        **{name: month_day(*getattr(edition, name)) for name in days},
        **{name: dollars(getattr(edition, name)) for name in amounts},
        **{name: figure(getattr(edition, name)) for name in limits},
        **edition.officers,
    }
