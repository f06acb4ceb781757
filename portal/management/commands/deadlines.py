"""`manage.py deadlines`: the rules with a clock, and any date they give, explained."""

import csv
import io
import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from portal import city, ordinance
from portal.city_calendar import current_calendar
from portal.models import CouncilValue
from portal.ordinance import RULES, Calendar, Clock, Edition, Rule, parse_day

COLUMNS = ["rule", "date", "closed"]
ANSWERS = ["on", "safe_on", "explanation"]
COUNCIL_NUMBERS: dict[str, str] = {
    CouncilValue.Key.APPEAL_DAYS: "appeal_days",
    CouncilValue.Key.REVISION_REVIEW_DAYS: "revision_review_working_days",
}
"""What the council sets by resolution, and the number of the edition it replaces."""


@dataclass(frozen=True)
class CityLaw:
    """The ordinance as this city applies it: its calendar, labels and council's numbers."""

    calendar: Calendar
    resolutions: tuple[tuple[date, str, int], ...] = ()

    def edition_on(self, day: date) -> Edition:
        """Return the edition of a day with what the council had set by then."""
        numbers: dict[str, Any] = {
            name: value for since, name, value in self.resolutions if since <= day
        }
        edition = city.edition_on(day)
        return replace(edition, **numbers) if numbers else edition

    def clock(self, rule: Rule, day: date, calendar: Calendar) -> Clock | None:
        """Return the clock of a rule, None where the rule does not apply."""
        return rule.compute(day, calendar=calendar, edition=self.edition_on(day))

    def closed_on(self, days: list[date]) -> Calendar:
        """Return the city's calendar with other closures in place of its own."""
        return Calendar(closures=days, city_hall_open=self.calendar.city_hall_open)


def city_law() -> CityLaw:
    """Read the city's own settings; a database without tables has none yet."""
    try:
        rows = CouncilValue.objects.filter(key__in=COUNCIL_NUMBERS).order_by("effective_on", "pk")
        resolutions = [(row.effective_on, COUNCIL_NUMBERS[row.key], int(row.value)) for row in rows]
        return CityLaw(current_calendar(), tuple(resolutions))
    except DatabaseError:
        return CityLaw(Calendar())


class Command(BaseCommand):
    """List the rules, or count one date, or count a file of them."""

    help = (
        "Without arguments: list the rules. RULE DATE: the date, the safe date and the count. "
        "--csv FILE: count every row (rule,date,closed) of a file."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rule", nargs="?", help="key of a rule")
        parser.add_argument("date", nargs="?", help="day of the fact, year-month-day")
        parser.add_argument(
            "--closed",
            action="append",
            metavar="DATE",
            help="a day on which city hall is closed; replaces the city's own closures",
        )
        parser.add_argument(
            "--city", metavar="NAME", help="judge by this city's editions, or a folder's, instead"
        )
        parser.add_argument("--json", action="store_true", help="answer in JSON")
        parser.add_argument("--csv", metavar="FILE", help="file to count; - is standard input")

    def handle(self, *args: object, **options: Any) -> None:
        before = other_city(options["city"]) if options["city"] else None
        try:
            self.answer(**options)
        finally:
            if before is not None:
                ordinance.use(before)

    def answer(self, **options: Any) -> None:
        """Write what was asked for."""
        rule, day = options["rule"], options["date"]
        if options["csv"] is not None:
            if rule or options["closed"]:
                raise CommandError("--csv takes no rule and no --closed", returncode=2)
            self.stdout.write(answer_file(read_file(options["csv"])), ending="")
        elif rule is None:
            self.stdout.write(rules_json() if options["json"] else rules_text())
        elif day is None:
            raise CommandError(f"{rule}: which day? Add a date, year-month-day", returncode=2)
        else:
            say = answer_json if options["json"] else answer_text
            self.stdout.write(refuse_politely(say, rule, day, options["closed"]))


def other_city(name: str) -> str:
    """Judge by another city's editions; return the city before."""
    try:
        return ordinance.use(name)
    except (OSError, ValueError, KeyError) as error:
        known = ", ".join(ordinance.cities())
        raise CommandError(f"--city {name}: {error}; known are {known}", returncode=2) from None


def refuse_politely(say: Callable[..., str], rule: str, day: str, closed: list[str] | None) -> str:
    """Turn what cannot be read into a sentence on standard error."""
    try:
        law = city_law()
        calendar = law.calendar if closed is None else law.closed_on([parse_day(d) for d in closed])
        return say(law, find_rule(rule), parse_day(day), calendar)
    except ValueError as error:
        raise CommandError(str(error), returncode=2) from None


def find_rule(key: str) -> Rule:
    """Return a rule by its key, or say which keys there are."""
    if key not in RULES:
        raise ValueError(f"{key!r} is not a rule; the rules are {', '.join(RULES)}")
    return RULES[key]


def rules_text() -> str:
    """List the rules: key, kind, citation, sentence."""
    edition = city.edition_on(date.max)
    width = max(map(len, RULES))
    return "\n".join(
        f"{rule.key:{width}}  {rule.kind.value:8}  {rule.citation(edition)!s:22}  "
        f"{rule.sentence_in(edition)}"
        for rule in RULES.values()
    )


def rules_json() -> str:
    """List the rules for a machine."""
    edition = city.edition_on(date.max)
    rows = [
        {
            "key": rule.key,
            "kind": rule.kind.value,
            "citation": str(rule.citation(edition)),
            "sentence": rule.sentence_in(edition),
            "starts_with": rule.starts_with,
        }
        for rule in RULES.values()
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def answer_text(law: CityLaw, rule: Rule, day: date, calendar: Calendar) -> str:
    """Return the date, the safe date and the count, one sentence a line."""
    clock = law.clock(rule, day, calendar)
    if clock is None:
        return f"{rule.key}: no date\n{rule.why_not(day, edition=law.edition_on(day))}"
    lines = [
        f"{clock.title}, {clock.citation}",
        f"date       {clock.on.isoformat()}",
        f"safe date  {clock.safe_on.isoformat()}",
        f"binds      {clock.bound}",
        *(f"  {step}" for step in clock.steps),
        clock.duty,
        clock.consequence,
        clock.note,
    ]
    return "\n".join(filter(None, lines))


def answer_json(law: CityLaw, rule: Rule, day: date, calendar: Calendar) -> str:
    """Return the same for a machine; `on` is null where the rule does not apply."""
    facts: dict[str, Any] = {"rule": rule.key, "kind": rule.kind.value, "date": day.isoformat()}
    facts["closed"] = [closed.isoformat() for closed in sorted(calendar.closures)]
    clock = law.clock(rule, day, calendar)
    if clock is None:
        why = rule.why_not(day, edition=law.edition_on(day))
        facts |= {"on": None, "safe_on": None, "explanation": why}
    else:
        facts |= clock_facts(clock)
    return json.dumps(facts, indent=2, ensure_ascii=False)


def clock_facts(clock: Clock) -> dict[str, Any]:
    """Return all that a clock carries."""
    steps = [
        {"kind": step.kind, "day": step.day.isoformat() if step.day else None, "text": step.text}
        for step in clock.steps
    ]
    return {
        "on": clock.on.isoformat(),
        "safe_on": clock.safe_on.isoformat(),
        "bound": clock.bound,
        "title": clock.title,
        "citation": str(clock.citation),
        "duty": clock.duty,
        "steps": steps,
        "consequence": clock.consequence,
        "note": clock.note,
        "explanation": clock.explanation,
    }


def read_file(name: str) -> str:
    """Return the text of a file, or of standard input for a single dash."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=2) from None
    except UnicodeDecodeError:
        raise CommandError(f"{name}: the file is not UTF-8 text", returncode=2) from None


def answer_file(text: str) -> str:
    """Answer every line of a file, or none: one bad row refuses the file."""
    answer = row_answerer(city_law())
    out = io.StringIO()
    faults: list[str] = []
    writer = csv.writer(out, lineterminator="\n")
    for line, row in numbered_rows(text, faults):
        if line == 1 and [name.strip().lower() for name in row] == COLUMNS:
            writer.writerow([*row, *ANSWERS])
            continue
        try:
            if len(row) != len(COLUMNS):
                raise ValueError(f"expected {','.join(COLUMNS)}, found {len(row)} columns")
            writer.writerow([*row, *answer(*row)])
        except ValueError as error:
            faults.append(f"line {line}: {error}")
    if faults:
        raise CommandError("\n".join(faults), returncode=2)
    return out.getvalue()


def numbered_rows(text: str, faults: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the number of its line; a row no one can read ends it."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        faults.append(f"line {reader.line_num}: {error}")


def row_answerer(law: CityLaw) -> Callable[[str, str, str], tuple[str, str, str]]:
    """Return the function that answers a row; equal rows are counted once."""

    read_day = cache(parse_day)

    @cache
    def calendar(closed: str) -> Calendar:
        days = [read_day(day) for day in closed.split(";") if day.strip()]
        return law.closed_on(days)

    @cache
    def answer(key: str, on: str, closed: str) -> tuple[str, str, str]:
        rule, day = find_rule(key.strip()), read_day(on)
        clock = law.clock(rule, day, calendar(closed))
        if clock is None:
            return "", "", rule.why_not(day, edition=law.edition_on(day))
        return clock.on.isoformat(), clock.safe_on.isoformat(), clock.explanation

    return answer
