"""`manage.py verify`: prove chains, hashes and dates; exit status 1 at the first fault."""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from permits.models import CaseEvent, DocketEntry
from permits.verify import faults
from portal.models import Document, Upload
from portal.patience import take_time


class Command(BaseCommand):
    help = (
        "Prove the case record's chains, the files' hashes, and that docket and stored "
        "dates equal the rules. Exit status 1 and the first bad row if not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="name every bad row")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what was proved, or raise with the first fault."""
        take_time()
        found = list(islice(faults(), None if options["all"] else 1))
        if found:
            raise CommandError("\n".join(found), returncode=1)
        self.stdout.write(
            f"In order: {CaseEvent.objects.count()} events, "
            f"{DocketEntry.objects.running().count()} running clocks, "
            f"{Document.objects.count()} papers, {Upload.objects.count()} files."
        )
