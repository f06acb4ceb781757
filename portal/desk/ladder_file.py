"""What may be done with the file of a case itself: put it in one ZIP, and open earlier ones."""

from __future__ import annotations

from portal.models import User

from .case_file import CaseFile
from .export.access import may_see_exports
from .ladder import Rung
from .links import find_url

__all__ = ["file_rungs"]


def file_rungs(file: CaseFile, *, user: User) -> list[Rung]:
    """Return the way to the whole case in one file, for whoever works for the city."""
    if not may_see_exports(user):
        return []
    return [
        Rung(
            "file",
            "The case in one file",
            "Record, papers, photos, mail and money in a ZIP: for the city, a court, the public.",
            find_url("case_file", file.site.number),
            "Case file",
        )
    ]
