"""What may be done about the file of a case: hold it, whatever the schedule says."""

from __future__ import annotations

from collections.abc import Iterator

from portal.desk.records import access
from portal.models import User

from .case_file import CaseFile
from .ladder import Rung
from .links import find_url

__all__ = ["records_rungs"]


def records_rungs(file: CaseFile, *, user: User) -> Iterator[Rung]:
    """Clerk and attorney may hold the case; how long it is kept stands on the same page."""
    if access.may_hold(user) and file.application.number:
        yield Rung(
            "hold",
            "Hold the case",
            "It is then not destroyed, whatever the retention schedule says.",
            find_url("hold_add", case=file.site.number),
            "Place a hold",
        )
