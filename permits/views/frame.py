"""What stands around every step: its place among the others, what is open, when it is decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse

from permits.models import STEPS, Application, PlanRevision
from permits.views.openings import revision_in_hand
from portal import clock
from portal.city import edition_on
from portal.ordinance import Obstacle
from portal.ordinance.plan import PLAN_CONTENTS, lacking_contents

__all__ = [
    "TITLES",
    "Missing",
    "contents_of",
    "frame",
    "missing_answers",
    "next_step",
    "step_url",
]

TITLES = {
    "site": "Site",
    "people": "People",
    "work": "The work",
    "plan": "The plan",
    "acknowledgements": "Acknowledgements",
    "fee": "Fee",
    "check": "Check and sign",
    "answers": "Required changes",
}
NOTIFIED = ("contractor", "land_user", "agent")
PLACES = {
    "place": "id_address",
    "parcel": "id_parcels",
    "landowner-address": "id_landowner-mailing_address",
    "landowner-company": "id_landowner-organization",
    **{
        f"{role}-reach": f"id_{role}-mailing_address"
        for role in ("contractor", "land_user", "agent")
    },
    "authorization": "id_agent-authorized_by",
    "emergency-telephone": "id_emergency-telephone",
    "description": "id_description",
    "activities": "div_id_activities",
    "area": "div_id_area",
    "building": "div_id_building",
    "work-questions": "div_id_street_work",
    "dates": "id_starts_on",
    "started": "div_id_work_begun",
    "ended": "id_ends_on",
    "acknowledgements": "div_id_wetlands_acknowledged",
    "drawing": "files",
    "scale": "id_drawing_scale",
    "factors": "id_factors_on_site",
    "soil-loss": "soil-loss",
    **dict.fromkeys(("timetable", "areas", "temporary", "permanent"), "activities"),
}
"""Where on its page an answer is asked; elsewhere the part bears the obstacle's own key."""


@dataclass(frozen=True)
class Mark:
    """A step in the list of steps: where it is, and how it stands."""

    title: str
    url: str
    done: bool = False
    current: bool = False
    amiss: bool = False
    note: str = ""


@dataclass(frozen=True)
class Missing:
    """An answer that is still open, and the place where it is asked."""

    obstacle: Obstacle
    step: str
    url: str

    @property
    def label(self) -> str:
        """What the link to the place says."""
        return f"Go to {TITLES[self.step].lower()}"


def missing_answers(application: Application, *, on: date) -> list[Missing]:
    """Return every answer that must come before the application is filed. § 40-886(b)"""
    return [_missing(application, obstacle) for obstacle in application.obstacles_to_submit(on=on)]


def _missing(application: Application, obstacle: Obstacle) -> Missing:
    step = obstacle.cure if obstacle.cure in STEPS else "plan"
    place = PLACES.get(obstacle.key, obstacle.key)
    return Missing(obstacle, step, f"{application.get_step_url(step)}#{place}")


def frame(application: Application, step: str) -> dict[str, Any]:
    """Return the context that every step has."""
    today = clock.today()
    missing = missing_answers(application, on=today)
    revision = revision_in_hand(application)
    marks = _revision_marks(application, step) if revision else _marks(application, step, missing)
    return {
        "application": application,
        "site": application.site,
        "step": step,
        "title": TITLES.get(step, ""),
        "number": next((n for n, mark in enumerate(marks, start=1) if mark.current), 0),
        "marks": marks,
        "before": _before(application, step) if not revision else None,
        "missing": missing,
        "revision": revision,
        "deadline": None if revision else application.decision_if_received(today),
    }


def _marks(application: Application, step: str, missing: Iterable[Missing]) -> list[Mark]:
    done = set(application.steps_done)
    amiss = {each.step for each in missing} & done
    unpaid = {"fee"} if application.fee_due(on=clock.today()) else set()
    return [
        Mark(
            TITLES[key],
            application.get_step_url(key),
            done=key in done and key not in amiss | unpaid,
            current=key == step,
            amiss=key in amiss,
            note="to be paid after filing" if key in done & unpaid else "",
        )
        for key in STEPS
    ]


def _revision_marks(application: Application, step: str) -> list[Mark]:
    pages = {"answers": "Required changes", "plan": "The plan", "file": "Check and file"}
    return [
        Mark(title, step_url(application, key), current=key == step) for key, title in pages.items()
    ]


def step_url(application: Application, step: str) -> str:
    """Return the page of a step; the steps of a revision stand beside those of the form."""
    beside = {"answers": "revise", "file": "revise_file"}
    if step in beside:
        return reverse(beside[step], args=[application.key])
    return application.get_step_url(step)


def _before(application: Application, step: str) -> Mark | None:
    at = STEPS.index(step)
    return Mark(TITLES[STEPS[at - 1]], application.get_step_url(STEPS[at - 1])) if at else None


def next_step(application: Application, step: str) -> str:
    """Return the page after a step."""
    if application.status != Application.Status.DRAFT:
        return step_url(application, {"answers": "plan"}.get(step, "file"))
    return application.get_step_url(STEPS[STEPS.index(step) + 1])


def contents_of(revision: PlanRevision) -> list[dict[str, Any]]:
    """Return each thing the plan must contain, and what is missing of it. § 40-939"""
    edition = edition_on(clock.today())
    lacking = lacking_contents(revision.facts(), edition)
    area = revision.application.area_sq_ft
    acre = area is not None and area >= edition.state_permit_sq_ft
    return [
        {
            "content": content,
            "missing": lacking.get(content.key),
            "citation": content.citation(edition),
        }
        for content in PLAN_CONTENTS
        if content.key != "soil-loss" or acre
    ]
