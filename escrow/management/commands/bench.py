"""`manage.py bench`: measures the pages with few sites and with many."""

from __future__ import annotations

import argparse
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from escrow.demo.bench import measure, report
from escrow.demo.bench.cities import City, Measurer, postgres_server, throw_away
from portal import clock

ROUNDS = 20
"""Both cities are measured in turns, so that a busy moment of the machine hits both."""


class Command(BaseCommand):
    help = "Measure desk, case, home, look-up, law and application step in two made-up cities."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--sites-small", type=int, default=1_000)
        parser.add_argument("--sites-large", type=int, default=100_000)
        parser.add_argument("--only", choices=["sqlite", "postgresql"], help="one database only")
        parser.add_argument("--times", type=int, default=40, help="how often each page is opened")
        parser.add_argument("--cards", type=int, default=20, help="how many cards are rendered")
        parser.add_argument("--letters", type=int, default=200, help="how many are in a batch")
        parser.add_argument("--keep", action="store_true", help="keep the cities for another run")
        parser.add_argument("--write", action="store_true", help="put it in docs/performance.md")
        parser.add_argument("--to", type=Path, default=settings.BASE_DIR / "docs/performance.md")
        parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure on each database that is there, and print a table of each."""
        if not (settings.DEMO or settings.TEST):
            raise CommandError("Measuring loads made-up cities: set SILTFENCE_MODE=demo.")
        if options["measure"]:
            measure.serve()
            return
        tables = []
        for engine, server in self.engines(options["only"]):
            figures = self.measure(engine, server, options)
            tables.append(report.table(figures))
            self.stdout.write(tables[-1] + "\n")
        if options["write"]:
            report.write(options["to"], tables, on=clock.today())
            self.stdout.write(f"Written to {options['to']}")

    def engines(self, only: str | None) -> list[tuple[str, str]]:
        """Return the databases to measure on, each with its server."""
        found = []
        if only != "postgresql":
            found.append(("SQLite", ""))
        if only != "sqlite":
            if server := postgres_server():
                found.append(("PostgreSQL", server))
            else:
                self.stdout.write("PostgreSQL: skipped, no server answers (set DATABASE_URL).")
        return found

    def measure(self, engine: str, server: str, options: dict[str, Any]) -> report.Figures:
        """Load both cities and open their pages in turns."""
        sites = (options["sites_small"], options["sites_large"])
        figures = report.Figures(engine, sites)
        with ExitStack() as stack:
            measurers = []
            for number in sites:
                city = City(engine, number, server)
                self.stderr.write(f"{engine}: a city of {number:,} sites")
                figures.seconds.append(stack.enter_context(throw_away(city, keep=options["keep"])))
                measurers.append(stack.enter_context(closing(Measurer(city))))
            figures.queries = [each.ask("queries") for each in measurers]
            self.open_pages(figures, measurers, options["times"])
            figures.cards = measurers[0].ask(f"card {options['cards']}")
            figures.letters = measurers[1].ask(f"letters {options['letters']}")
            figures.money = measurers[1].ask("money")
        return figures

    def open_pages(self, figures: report.Figures, measurers: list[Measurer], times: int) -> None:
        """Open each page so many times, in rounds."""
        rounds = min(ROUNDS, times)
        for _ in range(rounds):
            for city, each in enumerate(measurers):
                for page, found in each.ask(str(-(-times // rounds))).items():
                    figures.times[city].setdefault(page, []).extend(found)
