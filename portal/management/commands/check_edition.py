"""`manage.py check_edition FILE`: what is wrong with an edition, and its dates to sign off."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.ordinance import NUMBERS, RULES, Calendar, Edition, parse_day
from portal.ordinance.edition_check import check
from portal.ordinance.editions import OFFICER_ROLES
from portal.ordinance.wording import long_day

SAMPLES = ("2027-05-12", "2027-05-28", "2027-07-02", "2027-12-24")
"""A Wednesday, and three Fridays: before a holiday, before a moved one, before Christmas."""


class Command(BaseCommand):
    """Read a file that is to be an edition, and say in plain words how it stands."""

    help = (
        "Read an edition of an ordinance. Faults are listed and the exit status is 1; a good "
        "file prints its officers, numbers and rules with sample dates, for the attorney."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the edition, a .toml file")
        parser.add_argument(
            "--on", action="append", metavar="DATE", help="a sample day, instead of our four"
        )

    def handle(self, *args: object, **options: Any) -> None:
        file = Path(options["file"])
        try:
            days = [parse_day(day) for day in options["on"] or SAMPLES]
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from None
        except ValueError as error:
            raise CommandError(f"{file}: {error}", returncode=2) from None
        found = check(text, file_name=file.name)
        for oddity in found.oddities:
            self.stdout.write(f"Look again: {oddity}")
        if found.edition is None:
            count = len(found.faults)
            lines = "\n".join(f"  {fault}" for fault in found.faults)
            word = "fault" if count == 1 else "faults"
            raise CommandError(f"{file}: {count} {word}; it is not used.\n{lines}", returncode=1)
        self.stdout.write("\n".join(sheet(found.edition, days)))


def sheet(edition: Edition, days: list[date]) -> Iterator[str]:
    """Write what the attorney signs: who, how much, and each rule with its dates."""
    yield f"{edition.title}, in force from {long_day(edition.in_force_on)}"
    yield "\nOfficers"
    for role in OFFICER_ROLES:
        yield f"  {role:14} {edition.officer(role)}, for short: {edition.called(role)}"
    yield "\nNumbers"
    for number in NUMBERS:
        yield f"  {number.text(edition):24} {number.sentence} {number.citation(edition)}"
    yield "\nRules, with the date and the safe date for sample days"
    for rule in RULES.values():
        yield f"\n  {rule.title}, {rule.citation(edition)}: {rule.sentence_in(edition)}"
        for day in days:
            clock = rule.compute(day, calendar=Calendar(), edition=edition)
            if clock is None:
                yield f"    {long_day(day):32} no date: {rule.why_not(day, edition=edition)}"
            else:
                yield f"    {long_day(day):32} {long_day(clock.on):32} {long_day(clock.safe_on)}"
    yield "\nThese dates are right: ______________________________   Date: ______________"
