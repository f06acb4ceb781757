"""The desk of those who work for the city: the docket, and what waits for others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from enforcement.views.appeals import LISTS as LISTS_OF_APPEALS
from escrow import access as money_access
from escrow.roll.told import untold
from escrow.waiting import count_proposals
from permits import access
from permits.agreements.access import may_keep as may_keep_agreements
from permits.agreements.views import tallies as agreement_tallies
from permits.views.doors import only, who
from portal import clock, known
from portal.city_calendar import current_calendar
from portal.delivery import REFUSED
from portal.desk.records import waiting as records_waiting
from portal.models import OutboxMessage, Role, User
from portal.ordinance import RULES
from portal.ordinance.wording import WEEKDAYS, capital, month_day, number_word

from .docket import BOUND, OPENING, WHEN, Docket, First, Question
from .lengths import APPEALS, MAILS, MANY, Wanted, lengths, written
from .mailroom import tallies as mail_tallies
from .pages import page_of
from .reports import REPORTS, OpenReports, open_reports, unsent_mails
from .rows import Row, Works, rows_of, works_at
from .waiting import WAITING, waiting_rows

__all__ = ["desk"]

SHOWN = 6
"""Lines of a list on the first page of the desk; the rest is one click away."""

MAILS_SHOWN = 5
HEARS_OF_APPEALS = (Role.BOARD, Role.ATTORNEY, Role.INSPECTOR)
CLOSURES_SHOWN = 3
OPEN_AGREEMENTS = 6
"""The lists of agreements that still ask for something; the others are one click away."""

OPENINGS: dict[str, tuple[str, ...]] = {
    Role.INSPECTOR: (*OPENING, "issue"),
    Role.CLERK: ("lapsing", "fee", "escrow", "issue", "opened"),
}
"""Which lists a role's desk opens with; the others stand beside them as numbers."""

HEADINGS = WHEN | {key: waiting.heading for key, waiting in WAITING.items()}
LISTS = tuple(HEADINGS)
CHOICES = {
    "who": [(key, label) for key, (label, _) in BOUND.items()],
    "rule": [(rule.key, rule.title) for rule in RULES.values() if not rule.state],
}
LONGEST_TEXT = 200


@dataclass
class Section:
    """One list of the desk: its heading, its lines, and whether there are more."""

    key: str
    rows: list[Row]
    count: str
    more: bool = False

    @property
    def heading(self) -> str:
        """What the list is called."""
        return HEADINGS[self.key]

    @property
    def nobody(self) -> str:
        """What to say when it is empty."""
        return WAITING[self.key].nobody if self.key in WAITING else ""


@dataclass(frozen=True)
class Asked:
    """The question in the address; what is not offered there counts as not asked."""

    list: str
    question: Question

    @property
    def narrowed(self) -> bool:
        """Whether the desk shows less than everything."""
        return bool(self.list or self.question.rule or self.question.text)


@only(access.may_see_desk)
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """Show what is late, due and open today, and what waits; each role's own first."""
    user, on = who(request), clock.today()
    asked = read_question(request)
    with known.reading_once():
        docket = Docket(asked.question, on=on)
        if asked.list:
            context = one_list(request, docket, asked, user=user, on=on)
        else:
            context = whole_desk(docket, user=user, on=on)
        context |= {"asked": asked, "heading": heading(on), "docket": docket}
        context |= {"choices": CHOICES, "mails_shown": MAILS_SHOWN}
        if access.may_keep_calendar(user):
            context["closures"] = closures_ahead(on)
        if money_access.may_read_books(user):
            context["approvals"] = count_proposals()
            context["untold"] = untold(on=on)
        if may_keep_agreements(user):
            context["agreements"] = agreement_tallies(on)[:OPEN_AGREEMENTS]
        if access.may_mail(user):
            context["letters"] = mail_tallies()
        context["records"] = records_waiting.tallies(user, on=on)
        return render(request, "desk/desk.html", context)


def read_question(request: HttpRequest) -> Asked:
    """Read list, person bound, rule and text from the address."""
    asked = {name: request.GET.get(name, "") for name in ("list", "who", "rule", "q")}
    question = Question(
        who=asked["who"] if asked["who"] in BOUND else "city",
        rule=asked["rule"] if asked["rule"] in RULES else "",
        text=asked["q"].replace("\x00", "").strip()[:LONGEST_TEXT],
    )
    return Asked(asked["list"] if asked["list"] in LISTS else "", question)


# The two faces of the desk ----------------------------------------------------------------


def whole_desk(docket: Docket, *, user: User, on: date) -> dict[str, Any]:
    """Return the lists of the role, and the others as numbers."""
    keys = OPENINGS.get(user.role, OPENING)
    first = docket.first(SHOWN, [key for key in keys if key in OPENING])
    waiting = {key: WAITING[key].found(docket.sites) for key in keys if key in WAITING}
    cases = {key: list(found[: SHOWN + 1]) for key, found in waiting.items()}
    beside = [key for key in (*OPENING, "later", *WAITING) if key not in keys]
    reported = [REPORTS] if user.role == Role.INSPECTOR else []
    more = [(key, ()) for key in (*beside, *reported, *also_counted(user))]
    counted = lengths(docket, [*uncounted(first, cases), *more])
    lines = [*(each.rows for each in first.values()), *cases.values()]
    works = works_at(each.site_id for rows in lines for each in rows)
    entries = rows_of([e for each in first.values() for e in each.rows], works, user=user, on=on)
    sections = [
        waiting_section(key, cases[key], works, counted, user=user, on=on)
        if key in WAITING
        else docket_section(key, first[key], entries, counted)
        for key in keys
    ]
    sections = [each for each in sections if each.rows]
    reports = open_reports(counted[REPORTS, ()]) if reported else None
    return {
        "sections": sections,
        "reports": reports,
        "tallies": [(key, HEADINGS[key], written(counted[key, ()])) for key in beside],
        **others(counted),
        "sentence": sentence(sections, reports),
    }


def also_counted(user: User) -> list[str]:
    """Return the lists that are counted along with the desk's own."""
    return [MAILS, *(APPEALS.values() if user.role in HEARS_OF_APPEALS else ())]


def others(counted: Mapping[Wanted, int]) -> dict[str, Any]:
    """Return what was counted along: appeals by their lists, and e-mails that could not be sent."""
    appeals = [
        (key, LISTS_OF_APPEALS[key][0], written(counted[of_desk, ()]))
        for key, of_desk in APPEALS.items()
        if (of_desk, ()) in counted
    ]
    return {"appeals": appeals, "mails": unsent() if counted[MAILS, ()] else []}


def uncounted(
    first: Mapping[str, First], cases: Mapping[str, Sequence[Any]], shown: int = SHOWN
) -> Iterator[Wanted]:
    """Yield the lists that go on behind the lines that were read."""
    yield from ((key, tuple(each.uncounted)) for key, each in first.items() if each.uncounted)
    yield from ((key, ()) for key, found in cases.items() if len(found) > shown)


def docket_section(
    key: str, first: First, lines: list[Row], counted: Mapping[Wanted, int]
) -> Section:
    """Return the first lines of one of the docket's lists, taken off the front of all lines."""
    rows = [lines.pop(0) for _ in first.rows]
    count = first.counted + counted.get((key, tuple(first.uncounted)), 0)
    return Section(key, rows, written(count), count > len(rows))


def waiting_section(
    key: str,
    cases: list[Any],
    works: Works,
    counted: Mapping[Wanted, int],
    *,
    user: User,
    on: date,
    shown: int = SHOWN,
) -> Section:
    """Return the first lines of a list of what waits; one more was read than is shown."""
    rows = waiting_rows(WAITING[key], cases[:shown], works, user=user, on=on)
    count = counted.get((key, ()), len(rows))
    return Section(key, rows, written(count), len(cases) > shown)


def one_list(
    request: HttpRequest, docket: Docket, asked: Asked, *, user: User, on: date
) -> dict[str, Any]:
    """Return one list of the desk in pages."""
    page = page_of(request, listed(asked.list, docket))
    found = list(page.object_list)
    works = works_at(each.site_id for each in found)
    if asked.list in WAITING:
        rows = waiting_rows(WAITING[asked.list], found, works, user=user, on=on)
    else:
        rows = rows_of(found, works, user=user, on=on)
    counted = lengths(docket, [(key, ()) for key in also_counted(user)])
    shown = {"page": page, "rows": rows, "list_heading": HEADINGS[asked.list]}
    return shown | others(counted)


def listed(key: str, docket: Docket) -> Any:
    """Return a whole list of the desk."""
    return WAITING[key].found(docket.sites) if key in WAITING else docket.listed(key)


# Words ------------------------------------------------------------------------------------

PHRASES = {
    "late": ("one is late", "{} are late"),
    "today": ("one is due today", "{} are due today"),
    "week": ("one is due within seven days", "{} are due within seven days"),
    "opened": ("one step is open to the city", "{} steps are open to the city"),
    "fee": ("one application waits for its fee", "{} applications wait for their fee"),
    "escrow": ("one grant waits for its escrow", "{} grants wait for their escrow"),
    "issue": ("one permit can be issued", "{} permits can be issued"),
    "reports": ("one report by the public is open", "{} reports by the public are open"),
    "lapsing": ("one escrow is about to lapse", "{} escrows are about to lapse"),
}


def sentence(sections: Sequence[Section], reports: OpenReports | None = None) -> str:
    """Say in a sentence what the desk holds: two are due today, and one permit can be issued."""
    parts = [_phrase(each.key, each.count) for each in sections]
    if reports and reports.found:
        parts.append(_phrase("reports", reports.count))
    if not parts:
        return ""
    together = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return f"{capital(together)}."


def _phrase(key: str, count: str) -> str:
    one, several = PHRASES[key]
    if count == "1":
        return one
    many = count == f"{MANY}+"
    return several.format("more than a hundred" if many else number_word(int(count)))


def heading(on: date) -> str:
    """Monday, November 30."""
    return f"{WEEKDAYS[on.weekday()]}, {month_day(on.month, on.day)}"


def closures_ahead(on: date) -> list[tuple[date, str]]:
    """Return the next days on which city hall is closed by the council."""
    known_days = current_calendar().closures.items()
    return sorted((day, name) for day, name in known_days if day >= on)[:CLOSURES_SHOWN]


def unsent() -> list[OutboxMessage]:
    """Return e-mails that were tried and could not be sent yet, one more than are shown."""
    found = list(unsent_mails()[: MAILS_SHOWN + 1])
    for mail in found:
        mail.refused = mail.last_error.startswith(REFUSED)  # type: ignore[attr-defined]
    return found
