"""Spreadsheets of earlier permits for the scene and for the browser's city."""

from __future__ import annotations

from dataclasses import dataclass

from permits.models import EarlierPermit, ImportBatch
from portal.models import User
from tests.imports.sheets import GOOD, HEADINGS, WRONG, csv_of, imported, opened

__all__ = ["Imports", "build"]

MORE = ("22-001", "Active", "16 Mill St", "", "3/1/2022", "", "", "", "", "")


@dataclass(frozen=True)
class Imports:
    """An imported spreadsheet with its permit that stands, one that is read, one just sent."""

    done: ImportBatch
    read: ImportBatch
    sent: ImportBatch
    permit: EarlierPermit

    def places(self) -> dict[str, str]:
        """Return what the addresses of imports are made of."""
        return {
            "cases/<str:number>/earlier/": f"cases/{self.permit.site.number}/earlier/",
            "open-data/<slug:name>": "open-data/permits",
            "imports/<uuid:key>": f"imports/{self.read.key}",
        }


def build(clerk: User) -> Imports:
    """Import a spreadsheet, and leave two on their way."""
    done = imported(csv_of(GOOD), by=clerk)
    read = opened(csv_of([*GOOD, MORE, *WRONG]), by=clerk)
    sent = opened(csv_of([("A-1", "Limbo", *MORE[2:])], HEADINGS), by=clerk)
    ImportBatch.objects.filter(pk=sent.pk).update(status="open")
    sent.refresh_from_db()
    return Imports(done, read, sent, EarlierPermit.objects.get(number="EC 21/7"))
