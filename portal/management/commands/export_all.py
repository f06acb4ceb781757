"""`manage.py export_all --out DIR`: every case in a bag, every table as a sheet."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from permits.models import CaseExport
from portal.desk.export import everything
from portal.patience import take_time

EVERY = 100


class Command(BaseCommand):
    help = (
        "Write all that the portal holds into a folder: a BagIt bag in a ZIP for each case, and "
        "every table as CSV. Broken off, it goes on where it was. It loads without this software."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", metavar="DIR", required=True, type=Path)
        parser.add_argument("--audience", choices=["full", "public"], default="full")
        parser.add_argument("--processes", type=int, choices=[1, 2], default=2)
        parser.add_argument(
            "--refuse-gaps", action="store_true", help="make no bag where a stored file is missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the bags, tell how far it is, then write the tables."""
        take_time()
        out: Path = options["out"]
        everything.head_of(out)
        done = everything.check_in(out)
        cases = everything.waiting(done)
        self.stdout.write(f"{len(cases):,} cases to pack; {len(done):,} bags are there already.")
        troubles = self.pack(cases, done, out, options)
        if options["audience"] == CaseExport.Audience.FULL:
            tables = list(everything.sheets_of_tables(out, options["audience"]))
            rows = sum(count for _, count in tables)
            self.stdout.write(f"{len(tables)} tables with {rows:,} rows.")
        if troubles:
            raise CommandError(
                f"{len(troubles)} cases have no bag:\n" + "\n".join(troubles), returncode=1
            )
        self.stdout.write(f"All of it is in {out}.")

    def pack(
        self,
        cases: list[tuple[int, str]],
        done: dict[str, tuple[str, ...]],
        out: Path,
        options: Any,
    ) -> list[str]:
        """Make the bags and return what could not be made."""
        began, troubles = time.monotonic(), []
        made = everything.bags(
            cases,
            options["audience"],
            out,
            processes=options["processes"],
            gaps=not options["refuse_gaps"],
        )
        for count, told in enumerate(made, 1):
            if told.trouble:
                troubles.append(f"{told.case}: {told.trouble}")
            else:
                everything.note(out, told, done)
            if count % EVERY == 0 or count == len(cases):
                self.tell(count, len(cases), time.monotonic() - began)
        return troubles

    def tell(self, count: int, of: int, seconds: float) -> None:
        """Say how far it is and how long the rest may take."""
        left = (of - count) * seconds / count
        self.stdout.write(f"{count:,} of {of:,} cases, {seconds:,.0f} s; about {left:,.0f} s more")
        self.stdout.flush()
