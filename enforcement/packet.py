"""The packet to the city attorney: one PDF with everything that the request rests on.

A request and an index with page numbers in front; then exhibits, each behind a sheet of its
own. Stored papers are bound page by page as they are; photos and the proof of mailing are
printed on the sheets. Former § 17.19(7)(d)
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import Image

from enforcement.ladder import Step
from enforcement.models import (
    Addressee,
    CeaseAndDesistRequest,
    NoticeOfIntent,
    Service,
    StopWorkOrder,
)
from enforcement.persons import Person
from inspections.models import Visit
from permits.models import CasePaper
from portal import binder, papers
from portal.binder import Part
from portal.city import edition_on
from portal.models import Document, MailingEvent, Upload

__all__ = ["Exhibit", "assemble", "exhibits_of"]

WIDEST, TALLEST = 1100, 800
QUALITY = 78
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Exhibit:
    """One exhibit: what its sheet shows, and the stored papers behind it."""

    title: str
    template: str = ""  # what its sheet prints below the title
    context: dict[str, Any] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    letter: str = ""
    sheet: bytes = b""
    contents: list[bytes] = field(default_factory=list)
    rows: list[tuple[str, int]] = field(default_factory=list)
    page: int = 0

    @property
    def pages(self) -> int:
        """How many pages it takes, its sheet included."""
        return binder.pages_of(self.sheet) + sum(map(binder.pages_of, self.contents))


@dataclass(frozen=True)
class Picture:
    """A photo as it is printed, with where the whole file is and its hash."""

    name: str
    sha256: str
    data: str
    caption: str = ""


# What belongs to it -----------------------------------------------------------------------


def exhibits_of(request: CeaseAndDesistRequest, step: Step) -> list[Exhibit]:
    """Gather the exhibits of a request: order, posting, inspections, notices, dates."""
    order = request.order
    found = [
        _order(order),
        _posting(order),
        *_inspections(order),
        _mailing(order),
        *(_notice(notice) for notice in order.notices.order_by("pk")),
        _dates(order, step),
    ]
    for number, exhibit in enumerate(found):
        exhibit.letter = _letter(number)
    return found


def _letter(number: int) -> str:
    """A to Z, then AA, AB."""
    tens, ones = divmod(number, len(LETTERS))
    return (LETTERS[tens - 1] if tens else "") + LETTERS[ones]


def _order(order: StopWorkOrder) -> Exhibit:
    documents = [paper.document for paper in (order.paper, order.placard) if paper]
    return Exhibit(f"Stop-work order {order.number} and its placard", documents=documents)


def _posting(order: StopWorkOrder) -> Exhibit:
    rows = [
        (posting, pictures(posting.photos.all()))
        for posting in order.postings.select_related("posted_by", "corrected_by").prefetch_related(
            "photos__previews"
        )
    ]
    return Exhibit(
        f"Proof that order {order.number} was posted on the site", "posting", {"postings": rows}
    )


def _inspections(order: StopWorkOrder) -> Iterator[Exhibit]:
    """The visits behind the order and those after it, each with its report."""
    visits = Visit.objects.filter(site=order.site, number__isnull=False)
    for visit in visits.select_related("report__document", "inspector").order_by(
        "visited_on", "pk"
    ):
        documents = [visit.report.document] if visit.report else []
        yield Exhibit(
            f"Inspection {visit.number} of {visit.visited_on:%B %-d, %Y}",
            "inspection",
            {"visit": visit},
            documents,
        )
    violations = order.violations.order_by("number")
    for violation in violations:
        days = violation.days.prefetch_related("photos__previews").order_by("on")
        shown = [(day, pictures(day.photos.all())) for day in days]
        yield Exhibit(
            f"Violation {violation.number}: the days on which it was documented",
            "violation",
            {"violation": violation, "days": shown, "dates": violation.documented_days()},
        )


def _mailing(order: StopWorkOrder) -> Exhibit:
    return Exhibit(
        f"To whom order {order.number} was sent or handed, with the proof",
        "service",
        {"rows": served(order)},
    )


def _notice(notice: NoticeOfIntent) -> Exhibit:
    documents = [
        paper.document
        for paper in CasePaper.objects.filter(
            site=notice.site_id, kind=CasePaper.Kind.NOTICE_OF_INTENT
        ).select_related("document")
        if paper.document.title.startswith(f"Notice of intent {notice.number} ")
    ]
    return Exhibit(
        f"Notice of intent {notice.number}, with the proof of mailing",
        "service",
        {"rows": served(notice)},
        documents,
    )


def _dates(order: StopWorkOrder, step: Step) -> Exhibit:
    clocks = [order.permit_deadline(), step.opens, order.appeal_deadline()]
    return Exhibit(
        "The dates, each with its count",
        "dates",
        {"clocks": [clock for clock in clocks if clock is not None]},
    )


@dataclass(frozen=True)
class Served:
    """One addressee with what shows that the paper got there."""

    addressee: Addressee
    services: list[Service]
    certificate: list[Picture]


def served(subject: StopWorkOrder | NoticeOfIntent) -> list[Served]:
    """Return everybody who was told of an act, with the proof of each."""
    rows = Addressee.objects.of(subject).select_related("mailing").prefetch_related("services")
    return [Served(row, list(row.services.all()), _certificate(row)) for row in rows]


def _certificate(row: Addressee) -> list[Picture]:
    """The scan of the certificate of mailing, where the clerk has added it."""
    if row.mailing is None:
        return []
    event = (
        MailingEvent.objects.filter(mailing=row.mailing, kind=MailingEvent.Kind.CERTIFICATE)
        .select_related("scan")
        .order_by("-pk")
        .first()
    )
    return pictures([event.scan]) if event is not None and event.scan is not None else []


# Pictures ---------------------------------------------------------------------------------


def pictures(uploads: Iterable[Upload]) -> list[Picture]:
    """Return each file as it is printed: its first preview, its name and its hash."""
    return [Picture(each.original_name, each.sha256, _printed(each)) for each in uploads]


def _printed(upload: Upload) -> str:
    """Return the preview of a file, made small, to be written into the page."""
    preview = next(iter(upload.previews.all()), None)
    if preview is None:
        return ""
    with preview.file.open("rb") as source, Image.open(source) as image:
        image.draft("RGB", (WIDEST, TALLEST))
        image.thumbnail((WIDEST, TALLEST))
        target = BytesIO()
        image.convert("RGB").save(target, "JPEG", quality=QUALITY, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(target.getvalue()).decode("ascii")


# Binding ----------------------------------------------------------------------------------


def assemble(request: CeaseAndDesistRequest, step: Step, people: Sequence[Person]) -> CasePaper:
    """Bind request, index and exhibits into one PDF, and enter it in the case file."""
    title = f"Cease and desist request on order {request.order.number}"
    exhibits = exhibits_of(request, step)
    for exhibit in exhibits:
        exhibit.contents = [binder.content_of(document) for document in exhibit.documents]
        exhibit.sheet = _sheet(request, exhibit)
    front = _front(request, step, people, exhibits, title)
    parts = [Part(front, "Request and index")]
    for exhibit in exhibits:
        parts.append(Part(exhibit.sheet, f"Exhibit {exhibit.letter}: {exhibit.title}"))
        parts += [Part(content) for content in exhibit.contents]
    kind = CasePaper.Kind.ATTORNEY_PACKET
    document = papers.keep(binder.bind(parts, title=title), kind=kind.value, title=title)
    return CasePaper.objects.create(site=request.site, kind=kind, document=document)


def _sheet(request: CeaseAndDesistRequest, exhibit: Exhibit) -> bytes:
    context = {
        **_shared(request),
        "exhibit": exhibit,
        "body": f"papers/packet/{exhibit.template}.html" if exhibit.template else "",
        "title": f"Exhibit {exhibit.letter}",
        **exhibit.context,
    }
    return papers.make("papers/packet/sheet.html", context).content


def _front(
    request: CeaseAndDesistRequest,
    step: Step,
    people: Sequence[Person],
    exhibits: list[Exhibit],
    title: str,
) -> bytes:
    """Make the request with its index; the numbers are right once its length holds still."""
    length = 2
    for _ in range(3):
        _number(exhibits, first=length + 1)
        context = {
            **_shared(request),
            "title": title,
            "step": step,
            "people": people,
            "exhibits": exhibits,
            "total": length + sum(exhibit.pages for exhibit in exhibits),
            "last_day": request.order.permit_deadline(),
        }
        made = papers.make("papers/attorney_packet.html", context)
        if made.pages == length:
            break
        length = made.pages
    return made.content


def _number(exhibits: Iterable[Exhibit], *, first: int) -> None:
    """Give each exhibit, and each paper in it, the page on which it begins."""
    page = first
    for exhibit in exhibits:
        exhibit.page, exhibit.rows = page, []
        page += binder.pages_of(exhibit.sheet)
        for document, content in zip(exhibit.documents, exhibit.contents, strict=True):
            exhibit.rows.append((document.title, page))
            page += binder.pages_of(content)


def _shared(request: CeaseAndDesistRequest) -> dict[str, Any]:
    order = request.order
    return {
        "request": request,
        "order": order,
        "site": request.site,
        "parcels": list(request.site.parcels.all()),
        "on": request.requested_on,
        "edition": edition_on(request.requested_on),
        "reference": order.number,
    }
