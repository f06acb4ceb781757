"""The mail room: every paper that waits for the post, and what became of each letter."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from permits import access
from permits.finding import find_site_keys
from permits.models import CasePaper, Site
from permits.views.doors import only
from portal import clock, files, letters, mailroom, operations
from portal.letter_batches import State, states_of
from portal.models import LetterBatch, Mailing, MailingEvent

from .pages import PER_PAGE, at_most, page_of

__all__ = ["certificate", "letter_paper", "mail_room", "mailing", "tallies"]

STAGES = [*Mailing.Stage.choices, ("any", "All letters")]
MEANS = [("us_mail", "U.S. mail"), ("certified", "Certified mail")]
LONGEST_TEXT = 200
MANY = 100
MOST_UNMADE = 5


@only(access.may_see_mail)
@require_safe
def mail_room(request: HttpRequest) -> HttpResponse:
    """List the letters at a stage, the most urgent first; the waiting ones to begin with."""
    asked = read_question(request)
    rows, on = found(asked), clock.today()
    per_page = letters.AT_ONCE if asked["many"] else PER_PAGE
    page = page_of(request, rows, per_page=per_page)
    shown = list(page.object_list)
    places = dict(
        Site.objects.filter(number__in={letter.reference for letter in shown}).values_list(
            "number", "address"
        )
    )
    context = {
        "page": page,
        "rows": [
            (letter, places.get(letter.reference, ""), letter.is_late(on)) for letter in shown
        ],
        "asked": asked,
        "stages": STAGES,
        "means": MEANS,
        "tallies": tallies(),
        "may_mail": access.may_mail(request.user),
        "at_once": letters.AT_ONCE,
        "on": on,
        "operation": operations.new_token(),
        "unmade": unmade(),
    }
    return render(request, "mailroom/queue.html", context)


def read_question(request: HttpRequest) -> dict[str, str]:
    """Read stage, means and text from the address; what is not offered is not asked."""
    stage, means = request.GET.get("stage", ""), request.GET.get("means", "")
    text = request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_TEXT]
    return {
        "stage": stage if stage in dict(STAGES) else Mailing.Stage.WAITING.value,
        "means": means if means in dict(MEANS) else "",
        "q": text,
        "many": "1" if request.GET.get("many") else "",
    }


def found(asked: dict[str, str]) -> Any:
    """Return the letters that fit, by the day by which they must go."""
    rows = Mailing.objects.by_post().select_related("document").defer("text")
    if asked["stage"] != "any":
        rows = rows.filter(stage=asked["stage"])
    if asked["means"]:
        rows = rows.filter(means=asked["means"])
    if asked["q"]:
        sites = Site.objects.filter(pk__in=find_site_keys(asked["q"], Site.objects.all()).keys)
        rows = rows.filter(
            Q(addressee__icontains=asked["q"])
            | Q(tracking_number=asked["q"].replace(" ", ""))
            | Q(reference__in=list(sites.values_list("number", flat=True)))
        )
    return rows


def unmade() -> list[tuple[LetterBatch, State]]:
    """Return the newest batches that are being made, or were not made for trouble."""
    batches = list(LetterBatch.objects.filter(document=None)[:MOST_UNMADE])
    states = states_of(batches)
    return [(batch, states[batch.pk]) for batch in batches]


def tallies() -> list[tuple[str, str, str]]:
    """Return the stages at which somebody must do something, with how many letters."""
    stages = (Mailing.Stage.WAITING, Mailing.Stage.HANDED_IN, Mailing.Stage.RETURNED)
    counts = (at_most(Mailing.objects.by_post().filter(stage=each), MANY) for each in stages)
    return [
        (stage.value, stage.label, f"{count}+" if more else str(count))
        for stage, (count, more) in zip(stages, counts, strict=True)
    ]


@only(access.may_see_mail)
@require_safe
def mailing(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a letter: where it stands, its facts with their proofs, and what may be done."""
    rows = Mailing.objects.by_post().select_related("document", "letter", "replaces")
    letter = get_object_or_404(rows, pk=pk)
    events = list(letter.events.select_related("by", "scan", "paper", "corrects").order_by("pk"))
    facts = mailroom.standing(events)
    corrected = {event.corrects_id for event in events}
    papers = {event.paper_id for event in events} | {letter.document_id}
    context = {
        "letter": letter,
        "site": Site.objects.filter(number=letter.reference).first(),
        "successor": Mailing.objects.filter(replaces=letter).first(),
        "events": [(event, event.pk in corrected) for event in events],
        "facts": facts,
        "in_file": set(
            CasePaper.objects.filter(document__in=papers - {None}).values_list(
                "document_id", flat=True
            )
        ),
        "acts": acts_for(letter, facts) if access.may_mail(request.user) else [],
        "is_late": letter.is_late(clock.today()),
    }
    return render(request, "mailroom/letter.html", context)


def acts_for(letter: Mailing, facts: dict[str, MailingEvent]) -> list[tuple[str, str]]:
    """Return the names of the acts that a letter is open to, the next one first."""
    kinds, certified = MailingEvent.Kind, letter.means == Mailing.Means.CERTIFIED
    offered = [
        ("mailing_deposit", "Record the deposit", kinds.DEPOSITED, bool(letter.address.strip())),
        ("mailing_accept", "Record the acceptance", kinds.ACCEPTED, True),
        ("mailing_stands", "The legal date stays", kinds.STANDS, True),
        ("mailing_anew", "Serve it anew", kinds.RESERVED, True),
        ("mailing_number", "Certified number", kinds.NUMBER, certified),
        ("mailing_certificate_add", "Certificate of mailing", kinds.CERTIFICATE, True),
        ("mailing_affidavit", "Affidavit of mailing", kinds.AFFIDAVIT, _unsworn(facts)),
        ("mailing_returned", "It came back", kinds.RETURNED, True),
    ]
    named = [
        (name, label) for name, label, kind, so in offered if so and mailroom.fits(letter, kind)
    ]
    if letter.stage in mailroom.CORRECTED[kinds.DEPOSITED]:
        named.append(("mailing_correct", "Correct a day"))
    return named


def _unsworn(facts: dict[str, MailingEvent]) -> bool:
    """Whether no affidavit swears to the facts as they stand."""
    sworn = facts.get(MailingEvent.Kind.AFFIDAVIT)
    days = [facts[kind].pk for kind in ("deposited", "accepted", "number") if kind in facts]
    return sworn is None or sworn.pk < max(days, default=0)


@only(access.may_see_mail)
@require_safe
def letter_paper(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Hand out the cover letter that was made for a letter."""
    letter = get_object_or_404(Mailing.objects.by_post().select_related("letter"), pk=pk)
    if letter.letter is None:
        raise Http404
    return files.serve(request, letter.letter, inline="download" not in request.GET)


@only(access.may_see_mail)
@require_safe
def certificate(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Hand out the newest certificate of mailing; it may name people of other cases."""
    events = MailingEvent.objects.filter(mailing=pk, kind="certificate", scan__isnull=False)
    newest = events.select_related("scan").order_by("-pk").first()
    if newest is None or newest.scan is None:
        raise Http404
    return files.serve(request, newest.scan)
