"""The practices of the demo's large projects that stay beyond their permits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from permits.models import Application

__all__ = ["staying"]

AREAS = (
    "The roofs, the lot and the drive that slope to it",
    "The lawn and the walks behind the building",
)
ACRES = (Decimal("2.10"), Decimal("0.45"))
MOST = 2


def staying(file: Application) -> list[dict[str, Any]]:
    """Return the practices of a large project that stay, as the inspector names them."""
    revision = file.filed_revision()
    lasting = list(revision.devices.filter(permanent=True)[:MOST]) if revision else []
    named = [
        {"device": each.device, "name": each.get_device_display(), "place": each.place}
        for each in lasting
    ] or [{"device": "wet-pond", "name": "Wet detention pond", "place": "Southeast corner"}]
    return [
        {**each, "drainage_area": area, "drainage_acres": acres}
        for each, area, acres in zip(named, AREAS, ACRES, strict=False)
    ]
