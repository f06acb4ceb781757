"""The desk of those who work for the city: the docket, and what waits for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import django_filters
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from permits import access
from permits.models import DocketEntry
from portal import clock, known
from portal.delivery import REFUSED
from portal.models import OutboxMessage, Role, User
from portal.ordinance import RULES
from portal.ordinance.wording import WEEKDAYS, capital, month_day, number_word

from .docket import BOUND, WHEN, Docket, Question
from .doors import only, who
from .pages import page_of
from .rows import Row, rows_of
from .waiting import WAITING, Waiting, waiting_rows

__all__ = ["desk"]

SHOWN = 8
"""Lines of a list on the first page of the desk; the rest is one click away."""

MANY = 100
"""Nobody reads a larger number; it is written 100+ and costs no more."""

MAILS_SHOWN = 5

OPENINGS: dict[str, tuple[str, ...]] = {
    Role.INSPECTOR: ("late", "today", "week", "opened", "issue"),
    Role.CLERK: ("fee", "escrow", "issue", "opened"),
}
"""Which lists a role's desk opens with; the others stand beside them as numbers."""

OTHERS = ("late", "today", "week", "opened")


class DeskFilter(django_filters.FilterSet):
    """What may be asked of the desk; an answer that is not offered is ignored."""

    list = django_filters.ChoiceFilter(
        choices=[*WHEN.items(), *((each.key, each.heading) for each in WAITING.values())]
    )
    who = django_filters.ChoiceFilter(choices=[(key, label) for key, (label, _) in BOUND.items()])
    rule = django_filters.ChoiceFilter(choices=[(rule.key, rule.title) for rule in RULES.values()])
    q = django_filters.CharFilter(max_length=200, strip=True)

    class Meta:
        model = DocketEntry
        fields: Sequence[str] = ()


@dataclass
class Section:
    """One list of the desk: its heading, its lines, and where the rest of it is."""

    key: str
    heading: str
    rows: list[Row]
    count: str
    nobody: str = ""
    more: bool = False


@dataclass
class Tally:
    """A list that is shown as a number only."""

    key: str
    heading: str
    count: str


@dataclass
class Asked:
    """The question in the address, after what is not offered was left out."""

    list: str = ""
    question: Question = field(default_factory=Question)
    data: dict[str, Any] = field(default_factory=dict)

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
            context = whole_desk(docket, asked, user=user, on=on)
        context |= {"asked": asked, "on": on, "heading": heading(on), "docket": docket}
        context |= {"choices": CHOICES, "mails": unsent(), "mails_shown": MAILS_SHOWN}
        return render(request, "desk/desk.html", context)


def read_question(request: HttpRequest) -> Asked:
    """Read list, person bound, rule and text from the address."""
    form = DeskFilter(request.GET, queryset=DocketEntry.objects.none()).form
    form.is_valid()
    data = form.cleaned_data
    question = Question(data.get("who") or "city", data.get("rule") or "", data.get("q") or "")
    return Asked(data.get("list") or "", question, data)


CHOICES = {
    "who": [(key, label) for key, (label, _) in BOUND.items()],
    "rule": [(rule.key, rule.title) for rule in RULES.values()],
}


# The two faces of the desk ----------------------------------------------------------------


def whole_desk(docket: Docket, asked: Asked, *, user: User, on: date) -> dict[str, Any]:
    """Return the lists of the role, and the others as numbers."""
    keys = OPENINGS.get(user.role, OTHERS)
    sections = [section(key, docket, asked, user=user, on=on) for key in keys]
    beside = [key for key in (*OTHERS, *WAITING) if key not in keys]
    tallies = [tally(key, docket, asked) for key in beside]
    return {
        "sections": [each for each in sections if each.rows],
        "nothing": not any(each.rows for each in sections),
        "tallies": tallies,
        "sentence": sentence(sections),
    }


def one_list(
    request: HttpRequest, docket: Docket, asked: Asked, *, user: User, on: date
) -> dict[str, Any]:
    """Return one list of the desk in pages."""
    waiting = WAITING.get(asked.list)
    listed = waiting.found(asked.question.text) if waiting else docket.listed(asked.list)
    page = page_of(request, listed)
    rows = _rows(waiting, page.object_list, user=user, on=on)
    title = waiting.heading if waiting else WHEN[asked.list]
    return {"page": page, "rows": rows, "list_heading": title}


def section(key: str, docket: Docket, asked: Asked, *, user: User, on: date) -> Section:
    """Return the first lines of one list."""
    waiting = WAITING.get(key)
    listed = waiting.found(asked.question.text) if waiting else docket.listed(key)
    first = listed[: SHOWN + 1]
    rows = _rows(waiting, list(first[:SHOWN]), user=user, on=on)
    more = len(first) > SHOWN
    count = counted(listed) if more else str(len(rows))
    return Section(key, waiting.heading if waiting else WHEN[key], rows, count, more=more)


def _rows(waiting: Waiting | None, found: Sequence[Any], *, user: User, on: date) -> list[Row]:
    if waiting:
        return waiting_rows(waiting, found, user=user, on=on)
    return rows_of(found, user=user, on=on)


def tally(key: str, docket: Docket, asked: Asked) -> Tally:
    """Return one list as a number."""
    waiting = WAITING.get(key)
    listed = waiting.found(asked.question.text) if waiting else docket.listed(key)
    return Tally(key, waiting.heading if waiting else WHEN[key], counted(listed))


def counted(listed: Any) -> str:
    """Return how many there are: 12, or 100+."""
    bound = MANY + 1
    count = listed.count_to(bound) if hasattr(listed, "count_to") else listed[:bound].count()
    return f"{MANY}+" if count > MANY else str(count)


# Words ------------------------------------------------------------------------------------

PHRASES = {
    "late": ("one is late", "{} are late"),
    "today": ("one is due today", "{} are due today"),
    "week": ("one is due within seven days", "{} are due within seven days"),
    "opened": ("one step is open to the city", "{} steps are open to the city"),
    "fee": ("one application waits for its fee", "{} applications wait for their fee"),
    "escrow": ("one grant waits for its escrow", "{} grants wait for their escrow"),
    "issue": ("one permit can be issued", "{} permits can be issued"),
}


def sentence(sections: Sequence[Section]) -> str:
    """Say in a sentence what the desk holds: two are due today, and one permit can be issued."""
    parts = [_phrase(each) for each in sections if each.rows]
    if not parts:
        return "Nothing is due or waiting here."
    together = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return f"{capital(together)}."


def _phrase(each: Section) -> str:
    one, several = PHRASES[each.key]
    if each.count == "1":
        return one
    many = each.count == f"{MANY}+"
    return several.format("more than a hundred" if many else number_word(int(each.count)))


def heading(on: date) -> str:
    """Monday, November 30."""
    return f"{WEEKDAYS[on.weekday()]}, {month_day(on.month, on.day)}"


def unsent() -> list[OutboxMessage]:
    """Return e-mails that were tried and could not be sent yet, one more than are shown."""
    waiting = OutboxMessage.objects.filter(sent_at__isnull=True, attempts__gt=0)
    found = list(waiting.order_by("pk")[: MAILS_SHOWN + 1])
    for mail in found:
        mail.refused = mail.last_error.startswith(REFUSED)  # type: ignore[attr-defined]
    return found
