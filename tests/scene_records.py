"""What the addresses about records are made of, for the tests of access."""

from __future__ import annotations

from tests.records import scene

__all__ = ["places"]


def places() -> dict[str, str]:
    """Return each placeholder of an address about records with what stands in its place."""
    made = scene.rooms()
    return {
        "records/requests/<uuid:key>": f"records/requests/{made['request'].key}",
        "records/holds/<int:pk>": f"records/holds/{made['hold'].pk}",
        "records/destruction/<uuid:key>": f"records/destruction/{made['list'].key}",
        "records/destroyed/<str:number>": f"records/destroyed/{made['destroyed'].number}",
    }
