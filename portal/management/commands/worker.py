"""`manage.py worker`: background tasks, e-mails and the daily round."""

from __future__ import annotations

import logging
from typing import Any

from django.core.management.base import BaseCommand

from portal.worker import PortalWorker


class Command(BaseCommand):
    help = "Send e-mails, run background tasks and the daily round until stopped."
    # `./run check` makes these checks; mail has to go out whatever they find.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the worker; several may run at once, on one machine or on many."""
        # The package reports each look at an empty queue; only its trouble is of interest.
        logging.getLogger("django_tasks_db").setLevel(logging.WARNING)
        worker = PortalWorker()
        worker.configure_signals()
        worker.run_for_ever()
