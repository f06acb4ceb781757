"""The page of a visit: its lines with what everybody answered, its photos and findings."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch
from django.urls import reverse

from inspections.acts import visits as acts
from inspections.acts.answers import newest_of_each
from inspections.forms.visit import DescriptionForm, FindingForm, LineForm
from inspections.models import (
    ChecklistLine,
    DocumentedDay,
    Finding,
    LineAnswer,
    Visit,
    VisitDescription,
    VisitPhoto,
)
from inspections.photo_doubts import doubts
from portal import clock, operations
from portal.city import edition_on
from portal.models import User
from portal.ordinance.site import STANDARDS

__all__ = ["LinePart", "Photo", "VisitPage", "extra_key", "find_line", "newest_of_each"]

WHOLE = "visit"
"""The part of photos that show no single line."""
BY_TITLE = {standard.title: standard for standard in STANDARDS}
EMPTY = {"outcome": "", "note": ""}
MOST_EARLIER = 50
PATTERN = "__key__"
"""Stands for the key of a line that the page itself adds; see the page's template."""
WORST_FIRST = ("missing", "needs_correction", "in_place", "not_applicable")


@dataclass(frozen=True)
class Photo:
    """A photo as the page shows it."""

    photo: VisitPhoto
    picture_url: str
    doubts: tuple[str, ...] = ()
    late: bool = False


@dataclass
class LinePart:
    """A line of the checklist with all that belongs to it."""

    line: ChecklistLine | None
    ref: str
    form: LineForm
    finding_form: FindingForm
    answers: list[LineAnswer] = field(default_factory=list)
    mine: LineAnswer | None = None
    photos: list[Photo] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    citation: str = ""
    sentence: str = ""

    @property
    def title(self) -> str:
        """What the line asks about."""
        return self.line.label if self.line else "Something else"

    @property
    def others(self) -> list[LineAnswer]:
        """What other inspectors answered, to be read beside one's own."""
        return [each for each in self.answers if each is not self.mine]

    @property
    def is_bad(self) -> bool:
        """Whether an answer asks for a finding."""
        return any(answer.is_bad for answer in self.answers)

    @property
    def wants_finding(self) -> bool:
        """Whether it asks for a finding and has none yet."""
        return self.is_bad and not self.findings

    @property
    def is_blank(self) -> bool:
        """Whether nobody looked at it."""
        return not (self.answers or self.photos or self.findings)

    @property
    def operation(self) -> str:
        """A token for the finding that may be recorded here."""
        return operations.new_token()


def extra_key(ref: str) -> uuid.UUID | None:
    """Return the key of a line for something else; lines of the plan go by their number."""
    try:
        return uuid.UUID(ref) if len(ref) == 36 else None
    except ValueError:
        return None


def find_line(visit: Visit, ref: str, *, at: Any = None) -> ChecklistLine | None:
    """Return the line that a page or a device names; None when the visit has none such.

    A key that is not known yet makes a line for something that is on no plan.
    """
    if key := extra_key(ref):
        return acts.extra_line(visit, key, at=at)
    if not (ref.isascii() and ref.isdecimal() and len(ref) < 19):
        return None
    return visit.lines.filter(pk=int(ref)).first()


class VisitPage:
    """Everything that the page of a visit shows to one person, in a fixed number of queries."""

    def __init__(self, visit: Visit, user: User, data: Mapping[str, Any] | None = None) -> None:
        self.visit, self.user, self.data = visit, user, data
        self.edition = edition_on(visit.visited_on)
        self.refusals: list[tuple[str, str]] = []
        self._photos: dict[int | None, list[Photo]] = defaultdict(list)
        self._findings: dict[int | None, list[Finding]] = defaultdict(list)
        self._read()
        self.parts = [self._part(line) for line in self.lines]
        self.extra = [self._blank(key) for key in self._extra_keys()]
        self.description = self._description()

    # Reading ------------------------------------------------------------------------------

    def _read(self) -> None:
        answers = LineAnswer.objects.select_related("by").order_by("answered_at", "pk")
        rows = self.visit.lines.select_related("device").order_by("position")
        self.lines = list(rows.prefetch_related(Prefetch("answers", answers)))
        photos = self.visit.photos.select_related("upload", "sent_by").order_by("pk")
        for photo in photos.prefetch_related("upload__previews"):
            self._photos[photo.line_id].append(self._photo(photo))
        for finding in self.visit.findings.select_related("recorded_by").order_by("number"):
            self._findings[finding.line_id].append(finding)
        self.descriptions = list(self.visit.descriptions.select_related("by"))
        parcels = self.visit.site.parcels.order_by("pk")
        self.parcels = list(parcels.values_list("number", flat=True))

    def _photo(self, photo: VisitPhoto) -> Photo:
        upload, visit = photo.upload, self.visit
        shown = any(True for _ in upload.previews.all())
        url = reverse("preview", args=[upload.key, 1]) if shown else ""
        told = tuple(doubts(upload, visit)) if self.user.is_city_staff else ()
        late = visit.ended_at is not None and photo.received_at > visit.ended_at
        return Photo(photo, url, told, late)

    def _part(self, line: ChecklistLine) -> LinePart:
        answers = newest_of_each(line.answers.all())
        mine = next((each for each in answers if each.by_id == self.user.pk), None)
        initial = {"outcome": mine.outcome, "note": mine.note} if mine else EMPTY
        form, finding_form = self._forms(line.ref, line, initial)
        standard = BY_TITLE.get(line.label) if line.kind == ChecklistLine.Kind.STANDARD else None
        citation = self.edition.citation(line.section)
        return LinePart(
            line,
            line.ref,
            form,
            finding_form,
            answers,
            mine,
            self._photos[line.pk],
            self._findings[line.pk],
            str(standard.citation(self.edition) if standard else citation),
            standard.sentence if standard else "",
        )

    def _blank(self, key: str) -> LinePart:
        return LinePart(None, key, *self._forms(key, None, EMPTY))

    def _forms(
        self, ref: str, line: ChecklistLine | None, initial: dict[str, Any]
    ) -> tuple[LineForm, FindingForm]:
        form = LineForm(self.data, prefix=f"line-{ref}", initial=initial)
        note = str(form["note"].value() or "")
        sent = self.data if self.data is not None and self.data.get("finding") == ref else None
        finding_form = FindingForm(self.visit, line, sent, prefix=f"finding-{ref}", note=note)
        if sent is None and self.data is not None:  # typed for later: shown again, not judged
            typed = {name: self.data.get(f"finding-{ref}-{name}") for name in finding_form.fields}
            finding_form.initial.update({name: text for name, text in typed.items() if text})
        return form, finding_form

    def _extra_keys(self) -> list[str]:
        """The blank lines that a sent page had and that are not on record, or else a new one."""
        sent = self.data.getlist("line") if self.data is not None else []  # type: ignore[attr-defined]
        known = {line.ref for line in self.lines}
        typed = [ref for ref in sent if extra_key(ref) and ref not in known]
        return list(dict.fromkeys(typed))[:20] or [str(uuid.uuid4())]

    def _description(self) -> DescriptionForm:
        mine = [each for each in self.descriptions if each.by_id == self.user.pk]
        said = mine[-1] if mine else VisitDescription(visit=self.visit)
        names = ("weather", "phase", "note", "stockpile_since")
        initial = {name: getattr(said, name) for name in names}
        for name in ("weather", "phase", "stockpile_since"):
            initial[name] = initial[name] or getattr(self.visit, name)
        return DescriptionForm(self.visit, self.data, prefix="visit", initial=initial)

    # What the page shows ------------------------------------------------------------------

    @property
    def pattern(self) -> LinePart:
        """An empty line, from which the page makes another one by itself."""
        data, self.data = self.data, None
        part = self._blank(PATTERN)
        self.data = data
        return part

    @property
    def forms(self) -> list[Any]:
        """Every form of the page, for the summary of errors."""
        parts = [*self.parts, *self.extra]
        return [self.description, *(form for p in parts for form in (p.form, p.finding_form))]

    @property
    def whole_photos(self) -> list[Photo]:
        """Photos that are bound to no line."""
        return self._photos[None]

    @property
    def whole_findings(self) -> list[Finding]:
        """Findings that are bound to no line."""
        return self._findings[None]

    @property
    def other_notes(self) -> list[VisitDescription]:
        """What other inspectors wrote about the whole visit: the newest of each."""
        newest = {each.by_id: each for each in self.descriptions if each.by_id != self.user.pk}
        return [each for each in newest.values() if each.note]

    def earlier(self) -> list[Finding]:
        """Open findings of earlier visits; each says whether it was documented at this one."""
        here = DocumentedDay.objects.filter(visit=self.visit)
        found = Finding.objects.filter(
            site=self.visit.site, status__in=[Finding.Status.OPEN, Finding.Status.ANSWERED]
        ).exclude(visit=self.visit)
        rows = found.select_related("line").order_by("correct_by", "number")
        rows = rows.prefetch_related(Prefetch("days", here, to_attr="seen_here"))
        listed: list[Finding] = list(rows[:MOST_EARLIER])
        for finding in listed:
            finding.operation = operations.new_token()  # type: ignore[attr-defined]
        return listed

    def counts(self) -> dict[str, int]:
        """How many lines have which answer; a line with several answers counts as its worst."""
        found = dict.fromkeys([*WORST_FIRST, "blank"], 0)
        for part in self.parts:
            given = {answer.outcome for answer in part.answers}
            found[next((each for each in WORST_FIRST if each in given), "blank")] += 1
        return found

    def context(self) -> dict[str, Any]:
        """What the templates need."""
        visit = self.visit
        amiss = any(form.errors for form in self.forms)
        return {
            "page": self,
            "visit": visit,
            "site": visit.site,
            "has_case": bool(visit.permit_id) or visit.site.applications.exists(),
            "rendered_at": round(clock.now().timestamp() * 1000),
            "report_url": reverse("visit_report", args=[visit.key]) if visit.report_id else "",
            "form_errors": bool(self.refusals) or amiss,
        }
