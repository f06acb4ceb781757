"""Decides every application under review, one after the other; run to be killed.

python -m tests.review.decide_all
"""

from __future__ import annotations

import os
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
django.setup()

from permits import acts  # noqa: E402 (Django first)
from permits.models import Application  # noqa: E402
from tests import factory  # noqa: E402


def decide_all() -> None:
    """Grant every second application, deny the others."""
    print("ready", flush=True)
    inspector = factory.inspector()
    for application in Application.objects.filter(status="under_review").order_by("pk"):
        if application.pk % 2:
            until = factory.MONDAY + timedelta(days=240)
            acts.grant(
                application,
                by=inspector,
                on=factory.MONDAY,
                permanent_controls_by=until,
                **factory.GRANT,
            )
        else:
            change = {"section": "plan", "sheet": "", "text": "Show the inlet."}
            acts.deny(application, by=inspector, on=factory.MONDAY, changes=[change])
        print(application.number, flush=True)


if __name__ == "__main__":
    decide_all()
