"""`manage.py rain FILE`: read a daily file of rain, report it, and save it."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from inspections.acts import rain
from inspections.rain_file import RainFile, Unit, decode, read_file
from inspections.rain_words import amount
from portal import clock
from portal.ordinance.wording import day_range

UNITS = {"inches": Unit.INCHES, "tenths": Unit.TENTHS, "mm": Unit.MILLIMETRES}


class Command(BaseCommand):
    """Report a daily file; save it, whole or not at all, unless asked only to check."""

    help = (
        "Read a daily rain file (date; inches or tenths of a millimetre) and save it. "
        "--check only reports: days read, days of 0.5 inch or more, rows refused. Without it "
        "one refused row saves nothing, and the exit status is 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="CSV file; - is standard input")
        parser.add_argument("--station", default="", help="name of the station")
        parser.add_argument("--unit", choices=UNITS, help="unit of the figures, if not named")
        parser.add_argument("--check", action="store_true", help="report only, save nothing")
        parser.add_argument("--json", action="store_true", help="answer in JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        today, unit = clock.today(), UNITS.get(options["unit"])
        try:
            text = decode(read_bytes(options["file"]))
            found = read_file(text, today=today, unit=unit, station=options["station"])
            station, saved = options["station"] or found.station, None
            if not options["check"] and not found.refused:
                station = station or rain.default_station()
                saved = rain.save_file(found, station=station, by=None, on=today)
        except ValueError as error:
            raise CommandError(f"{options['file']}: {error}", returncode=2) from None
        say = as_json if options["json"] else as_text
        self.stdout.write(say(found, station, saved))
        if found.refused and not options["check"]:
            raise CommandError(refusal(len(found.refused)), returncode=1)


def read_bytes(name: str) -> bytes:
    """Return the content of a file, or of standard input for a single dash."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=2) from None


def refusal(count: int) -> str:
    """Say that rows were refused, and what that means."""
    what = "1 row was refused" if count == 1 else f"{count} rows were refused"
    return f"{what}; nothing was saved. Correct the file first."


def as_text(found: RainFile, station: str, saved: rain.Saved | None) -> str:
    """Report a file, one fact a line."""
    triggers = found.trigger_days()
    lines = [
        f"Station: {station or 'not named'}",
        f"Column {found.column}, read as {found.unit.value}",
        f"Days read: {len(found.days)}",
        f"Days of 0.5 inch or more: {len(triggers)}",
        *(
            f"  {day.on.isoformat()}  {amount(day.inches.quantize(rain.FOUR_PLACES))}"
            for day in triggers
        ),
        f"Rows refused: {len(found.refused)}",
        *(f"  line {line}: {reason}" for line, reason in found.refused),
        f"Days without a figure: {len(found.not_measured)}",
        *(f"  line {line}: {on.isoformat()}" for line, on in found.not_measured),
        f"Gaps: {len(found.gaps)}",
        *(f"  {day_range(first, last)}" for first, last in found.gaps),
    ]
    if saved is not None:
        lines += said_of(saved)
    return "\n".join(lines)


def said_of(saved: rain.Saved) -> list[str]:
    """Report what saving the file has changed."""
    lines = [f"Saved: {saved.new} new, {len(saved.corrections)} corrected, {saved.same} unchanged"]
    for change in saved.corrections:
        text = f"  {change.on.isoformat()}: {amount(change.after)} instead of "
        text += amount(change.before or rain.FOUR_PLACES * 0)
        if change.becomes_trigger:
            text += "; now a day of 0.5 inch or more"
        elif change.ceases_trigger:
            text += "; no longer a day of 0.5 inch or more"
        lines.append(text)
    duties = saved.duties
    return [*lines, f"Visits opened: {duties.opened}", f"Visits fallen away: {duties.closed}"]


def as_json(found: RainFile, station: str, saved: rain.Saved | None) -> str:
    """Report a file for a machine."""
    triggers = found.trigger_days()
    facts: dict[str, Any] = {
        "station": station,
        "column": found.column,
        "unit": found.unit.value,
        "days_read": len(found.days),
        "trigger_count": len(triggers),
        "trigger_days": [
            {"date": day.on.isoformat(), "inches": str(rain.rounded_down(day.inches))}
            for day in triggers
        ],
        "refused": [{"line": line, "reason": reason} for line, reason in found.refused],
        "not_measured": [{"line": line, "date": on.isoformat()} for line, on in found.not_measured],
        "gaps": [
            {"first": first.isoformat(), "last": last.isoformat()} for first, last in found.gaps
        ],
        "saved": saved is not None,
    }
    if saved is not None:
        facts |= {
            "new": saved.new,
            "unchanged": saved.same,
            "corrected": [changed_day(change) for change in saved.corrections],
            "visits_opened": saved.duties.opened,
            "visits_fallen_away": saved.duties.closed,
        }
    return json.dumps(facts, indent=2, ensure_ascii=False)


def changed_day(change: rain.Change) -> dict[str, Any]:
    """Return a corrected day for a machine."""
    return {
        "date": change.on.isoformat(),
        "before": str(change.before),
        "after": str(change.after),
        "becomes_trigger": change.becomes_trigger,
        "ceases_trigger": change.ceases_trigger,
    }
