"""`manage.py load_demo`: the fictional city that a newcomer finds."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from escrow.demo import cast, city
from permits.models import RecordSeal
from permits.sealing import seal_record
from portal import clock


class Command(BaseCommand):
    help = "Load the demo city once: people, cases in every state, plan sheets and papers."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it, unless it is here; refuse where real cases may be."""
        if not (settings.DEMO or settings.TEST):
            raise CommandError("The demo city is for the demo: set SILTFENCE_MODE=demo.")
        if cast.is_loaded():
            self.stdout.write("The demo city is already loaded.")
            return
        self.stdout.write("Loading the demo city (about a minute)")
        self.stdout.flush()
        cases = city.build(clock.today())
        if RecordSeal.objects.exists():  # the cases carry past days: seal them too
            seal_record(clock.today())
        self.stdout.write(f"Loaded {cases} cases of the {settings.CITY['name']}.")
