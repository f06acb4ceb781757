"""What the demo's inspector and permittees do on the sites: visits, findings, rain, the log."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from inspections import needs, notices, rain_duties
from inspections.acts import closing, complaints, cover, findings, log, visits
from inspections.models import ChecklistLine, Complaint, Finding, RainReading, Visit
from permits.models import Site
from portal import clock
from portal.models import Upload
from portal.ordinance.days import ONE_DAY

from .cast import Cast
from .deeds import Running
from .photos import draw_photo
from .studio import store_jpeg

__all__ = ["DEEDS", "morning"]

DAYS_TO_LIVE = 32
"""Rain and the needs of visits are lived through for the last month only."""
RAIN = {24: "0.71", 23: "0.1", 17: "0.32", 12: "1.05", 11: "0.5", 6: "0.08", 3: "0.64"}
"""Inches, by how many days ago they fell; half an inch asks for a visit."""
STATION = "Example waterworks"
MINUTES = timedelta(minutes=35)
PRACTICES = ("silt_fence", "tracking", "inlets", "seeding", "offsite", "plan")


# The acts ---------------------------------------------------------------------------------


def visit(
    run: Running,
    on: date,
    *,
    reason: str = Visit.Reason.ROUTINE,
    weather: str = Visit.Weather.DRY,
    phase: str = Visit.Phase.CLEARING,
    note: str = "",
    wrong: str = "",
    correct_in: int = 1,
    violation: bool = False,
    again: int = 0,
    cover: int = 0,
    photo: bool = False,
) -> None:
    """Visit the site, look at every line, and report it; `wrong` is what the first one lacks."""
    inspector = run.cast.inspector
    began = clock.now() - MINUTES
    begun = visits.begin(run.site, by=inspector, on=on, today=on, reason=reason,
                         began_at=began)  # fmt: skip
    visits.describe(begun, by=inspector, weather=weather, phase=phase, note=note)
    for line in begun.lines.order_by("position"):
        first = line.position == 1
        if first and photo:
            visits.attach_photo(begun, _photo(run, 0), by=inspector, line=line)
        _look(run, line, wrong if first else "")
        if first and wrong:
            _find(run, begun, line, what=wrong, correct_in=correct_in, violation=violation)
    if again:
        findings.see_again(_finding(run, again), begun, by=inspector)
    if cover:
        _final(run, begun, cover)
    visits.finish(begun, by=inspector)


def _look(run: Running, line: ChecklistLine, wrong: str) -> None:
    outcome = "needs_correction" if wrong else "in_place"
    visits.answer(line, by=run.cast.inspector, outcome=outcome, note=wrong)


def _find(
    run: Running,
    begun: Visit,
    line: ChecklistLine,
    *,
    what: str,
    correct_in: int,
    violation: bool,
) -> None:
    findings.record(
        begun,
        by=run.cast.inspector,
        what=what,
        section="devices",
        correct_by=begun.visited_on + timedelta(correct_in),
        line=line,
        is_violation=violation,
    )


def _final(run: Running, begun: Visit, density: int) -> None:
    permit = run.permit()
    cover.record_final(
        begun,
        by=run.cast.inspector,
        controls_complete=True,
        controls={each.key: True for each in cover.planned_controls(permit)},
        perennial=True,
        density_percent=density,
        method="quadrat",
        note="Ten sample squares.",
    )
    begun.refresh_from_db()


def _photo(run: Running, further: int) -> Upload:
    seed = 500 + 10 * run.number + further
    by = run.holder if further else run.cast.inspector
    return store_jpeg(draw_photo(seed), name=f"IMG_{2000 + seed}.jpg", by=by)


def _finding(run: Running, number: int) -> Finding:
    return Finding.objects.get(site=run.site, number=number)


def answer(run: Running, on: date, *, text: str, number: int = 1, photo: bool = False) -> None:
    photos = [_photo(run, 1)] if photo else []
    findings.answer(_finding(run, number), by=run.holder, on=on, text=text, photos=photos)


def confirm(run: Running, on: date, *, number: int = 1, how: str = "From the photos.") -> None:
    found = _finding(run, number)
    findings.confirm(found, by=run.cast.inspector, on=on, how=how, corrected_on=on)


def drop(run: Running, on: date, *, reason: str, number: int = 1) -> None:
    findings.drop(_finding(run, number), by=run.cast.inspector, on=on, reason=reason)


def write_log(run: Running, on: date, *, kind: str = "weekly", follow_up: str = "") -> None:
    lines = dict.fromkeys(PRACTICES, ("no", ""))
    if follow_up:
        lines["silt_fence"] = ("yes", follow_up)
    answers: log.Answers = {
        "kind": kind,
        "inspectors": run.holder.name,
        "weather": "Dry" if kind == "weekly" else "After rain",
        "phase": "Grading",
    }
    log.enter(
        run.permit(),
        by=run.holder,
        today=on,
        key=uuid.uuid4(),
        inspected_on=on,
        answers=answers,
        lines=lines,
    )


def complete(run: Running, on: date) -> None:
    text = "Seeded and mulched; the grass stands. The fence can come out."
    cover.report_complete(run.permit(), by=run.holder, on=on, text=text)


def close(run: Running, on: date) -> None:
    closing.close_permit(run.permit(), by=run.cast.inspector, on=on)


def certificate(run: Running, on: date, *, building: str) -> None:
    cover.record_certificate(
        run.permit(), by=run.cast.clerk, on=on, building=building, issued_on=on
    )


def report(run: Running, on: date, *, what: str, text: str, answered: str = "") -> None:
    """Somebody reports the site; without an answer it is still open."""
    place = run.file.site.place
    taken = complaints.take(on=on, what=what, place=place, text=text, name="A neighbor")
    if answered:
        site: Site = run.file.site
        complaints.link(taken, site, by=run.cast.inspector, on=on)
        complaints.answer(
            Complaint.objects.get(pk=taken.pk), by=run.cast.inspector, on=on, text=answered
        )


DEEDS: dict[str, Callable[..., Any]] = {
    "visit": visit,
    "finding.answer": answer,
    "finding.confirm": confirm,
    "finding.drop": drop,
    "log": write_log,
    "complete": complete,
    "close": close,
    "certificate": certificate,
    "report": report,
}
"""The acts on a site that the stories name."""


# The days ---------------------------------------------------------------------------------


def morning(day: date, today: date, cast: Cast) -> None:
    """Enter the rain of the day before, and let the day open its reasons for visits."""
    if day < today - timedelta(DAYS_TO_LIVE):
        return
    rained_on = day - ONE_DAY
    RainReading.objects.create(
        station=STATION,
        on=rained_on,
        inches=Decimal(RAIN.get((today - rained_on).days, "0")),
        source=RainReading.Source.TYPED,
        entered_by=cast.inspector,
    )
    needs.open_needs(day)
    rain_duties.tell_of_recent_rain(day)
    notices.remind_of_logs(day)
