"""What changed from one plan revision to another, line by line. § 40-886(c)"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from permits.models import PlannedActivity, PlannedDevice, PlanRevision, PlanSheet
from portal import formats

__all__ = ["Comparison", "Difference", "compare"]

Key = Callable[[Any], Hashable]


@dataclass(frozen=True)
class Difference:
    """One thing that was added, removed or changed; empty text where there is none."""

    what: str
    before: str
    after: str

    @property
    def kind(self) -> str:
        """Added, removed or changed."""
        if not self.before:
            return "added"
        return "changed" if self.after else "removed"


@dataclass(frozen=True)
class Comparison:
    """All differences between two revisions, by part of the plan."""

    answers: tuple[Difference, ...]
    devices: tuple[Difference, ...]
    timetable: tuple[Difference, ...]
    sheets: tuple[Difference, ...]

    @property
    def parts(self) -> list[tuple[str, tuple[Difference, ...]]]:
        """The parts of the plan in their order, each with what changed in it."""
        return [
            ("Scale, factors and soil loss", self.answers),
            ("Control devices", self.devices),
            ("Timetable", self.timetable),
            ("Sheets", self.sheets),
        ]

    def __bool__(self) -> bool:
        return any(found for _, found in self.parts)


def compare(before: PlanRevision, after: PlanRevision) -> Comparison:
    """Return what changed from one revision to another; any two, in either order."""
    return Comparison(
        answers=tuple(_answers(before, after)),
        devices=tuple(
            _lines(
                before.devices.all(),
                after.devices.all(),
                keys=[lambda d: (d.device, d.place), lambda d: d.device],
                name=lambda d: d.get_device_display(),
                describe=describe_device,
            )
        ),
        timetable=tuple(
            _lines(
                before.activities.all(),
                after.activities.all(),
                keys=[lambda a: a.activity.casefold()],
                name=lambda a: a.activity,
                describe=describe_activity,
            )
        ),
        sheets=tuple(
            _lines(
                before.sheets.all(),
                after.sheets.all(),
                keys=[lambda s: s.upload.sha256, str],
                name=str,
                describe=describe_sheet,
            )
        ),
    )


def _answers(before: PlanRevision, after: PlanRevision) -> Iterator[Difference]:
    for what, describe in ANSWERS:
        old, new = describe(before), describe(after)
        if old != new:
            yield Difference(what, old, new)


def _soil_loss(revision: PlanRevision) -> str:
    if revision.soil_loss_rate is None:
        return ""
    text = f"{revision.soil_loss_rate} tons an acre a year"
    if revision.soil_loss_from and revision.soil_loss_until:
        begins = formats.long_date(revision.soil_loss_from)
        text += f", {begins} to {formats.long_date(revision.soil_loss_until)}"
    return text


ANSWERS: list[tuple[str, Callable[[PlanRevision], str]]] = [
    ("Scale of the drawing", lambda r: r.drawing_scale.strip()),
    ("Factors on the site", lambda r: r.factors_on_site.strip()),
    ("Factors next to the site", lambda r: r.factors_adjacent.strip()),
    ("Soil loss result", _soil_loss),
]


def describe_device(line: PlannedDevice) -> str:
    """Return a device in one line: place, quantity, standard, how long it stays."""
    parts = [line.place, line.quantity, f"DNR {line.standard}" if line.standard else ""]
    parts.append("permanent" if line.permanent else "temporary")
    return ", ".join(part for part in parts if part)


def describe_activity(line: PlannedActivity) -> str:
    """Return a line of the timetable in words."""
    days = f"{formats.long_date(line.starts_on)} to {formats.long_date(line.ends_on)}"
    area = f"; {formats.area(line.area_sq_ft)}" if line.area_sq_ft else ""
    return f"{days}{area}. Temporary: {line.temporary} Permanent: {line.permanent}"


def describe_sheet(line: PlanSheet) -> str:
    """Return a sheet so that two files of one name are told apart."""
    size = formats.file_size(line.upload.size)
    mark = line.upload.sha256[:8]
    return f"{line} ({line.get_purpose_display()}, {line.upload.original_name}, {size}, {mark})"


def _lines(
    before: Iterable[Any],
    after: Iterable[Any],
    *,
    keys: Sequence[Key],
    name: Callable[[Any], str],
    describe: Callable[[Any], str],
) -> Iterator[Difference]:
    """Pair the lines by the strictest key first, then say what differs."""
    old, new = list(before), list(after)
    pairs = []
    for key in keys:
        pairs += _take_pairs(old, new, key)
    for was, now in pairs:
        if describe(was) != describe(now):
            yield Difference(name(now), describe(was), describe(now))
    for was in old:
        yield Difference(name(was), describe(was), "")
    for now in new:
        yield Difference(name(now), "", describe(now))


def _take_pairs(old: list[Any], new: list[Any], key: Key) -> list[tuple[Any, Any]]:
    """Take out of both lists what has the same key, one by one."""
    pairs = []
    for was in list(old):
        now = next((each for each in new if key(each) == key(was)), None)
        if now is not None:
            old.remove(was)
            new.remove(now)
            pairs.append((was, now))
    return pairs
