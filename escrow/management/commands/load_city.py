"""`manage.py load_city --sites N`: a large made-up city, for measuring."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from escrow.demo import large
from permits.models import RecordSeal
from permits.sealing import seal_record
from portal import clock


class Command(BaseCommand):
    help = "Add a large made-up city: years of sites with their records, for measuring."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sites", type=int, required=True, help="how many sites to add")
        parser.add_argument("--seed", type=int, default=1, help="another number, another city")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it in chunks, each whole; refuse where real cases may be."""
        if not (settings.DEMO or settings.TEST):
            raise CommandError("A made-up city is for measuring: set SILTFENCE_MODE=demo.")
        if options["sites"] < 1:
            raise CommandError("Say how many sites to add: --sites 1000")
        large.build(options["sites"], clock.today(), seed=options["seed"], tell=self.tell)
        if RecordSeal.objects.exists():  # the new cases carry past days: seal them too
            seal_record(clock.today())
        self.stdout.write(f"Added {options['sites']:,} sites.")

    def tell(self, written: int) -> None:
        """Say how far it is, once for each ten thousand."""
        if written % 10_000 == 0:
            self.stdout.write(f"{written:,} sites")
            self.stdout.flush()
