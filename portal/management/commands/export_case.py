"""`manage.py export_case NUMBER`: the whole case in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from permits.models import CaseExport, NotNow
from portal import clock
from portal.desk.export.making import export
from portal.desk.export.naming import NotOne, find_case
from portal.models import User
from portal.patience import take_time
from portal.stored import NotStored


class Command(BaseCommand):
    help = (
        "Write the case file of a case into a folder, as a BagIt bag in a ZIP. NUMBER is any "
        "number of the case: site, application, permit, order, notice, appeal, visit, bill, "
        "receipt, parcel. Exit status 2 when it is unknown or fits several cases."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", metavar="NUMBER")
        parser.add_argument("--audience", choices=CaseExport.Audience.values, default="full")
        parser.add_argument("--out", metavar="DIR", required=True, type=Path)
        parser.add_argument("--by", metavar="EMAIL", help="who has it made; for a court: the clerk")
        parser.add_argument(
            "--despite-gaps", action="store_true", help="name missing files instead of refusing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and print where it is, with its hash."""
        take_time()
        try:
            site = find_case(options["number"])
        except NotOne as why:
            raise CommandError(str(why), returncode=2) from None
        try:
            result = export(
                site,
                options["audience"],
                by=self.person(options["by"]),
                on=clock.today(),
                into=options["out"],
                gaps=options["despite_gaps"],
            )
        except (NotNow, NotStored) as why:
            raise CommandError(str(why), returncode=1) from None
        made = result.export
        self.stdout.write(f"{options['out'] / made.name}.zip")
        self.stdout.write(f"SHA-256 {made.sha256}, {made.size:,} bytes")
        if result.again:
            self.stdout.write(f"Nothing has happened since {made.number} was made: the same file.")
        for each in result.missing:
            self.stderr.write(each)

    def person(self, email: str | None) -> User | None:
        """Return the person in whose name it is made, if one is named."""
        if not email:
            return None
        found = User.objects.filter(email__iexact=email, is_active=True).first()
        if found is None or not found.is_city_staff:
            raise CommandError(
                f"Nobody who works for the city has the address {email}.", returncode=2
            )
        return found
