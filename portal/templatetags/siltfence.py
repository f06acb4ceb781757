"""The parts that every page writes the same way; built in, so no page loads them.

A date opens into its count, an amount has its dollars, a citation leads to the law page,
a paper says what it is before it is opened, and errors are gathered where they are read.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

import lucide
from django import template
from django.core.paginator import Page
from django.forms.boundfield import BoundField
from django.forms.widgets import CheckboxInput, FileInput, MultiWidget, Select, Textarea, Widget
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal import city, formats, law_words
from portal import clock as city_clock
from portal.accounts import DEMO_PASSWORD, demo_accounts
from portal.form_errors import ErrorEntry, gather, has_errors
from portal.ordinance.citations import STATUTE, Citation
from portal.ordinance.time import Clock
from portal.standing_words import standing_words

register = template.Library()

register.filter("longdate", formats.long_date)
register.filter("shortdate", formats.short_date)
register.filter("moment", formats.moment)
register.filter("money", formats.money)
register.filter("area", formats.area)
register.filter("filesize", formats.file_size)


# Law -----------------------------------------------------------------------------------------


def law_url(citation: Any) -> str:
    """Return the law page of a citation's section, or nothing for a state statute."""
    section = getattr(citation, "section", "")
    if not section or section == STATUTE:
        return ""
    try:
        return reverse("law_section", args=[section])
    except NoReverseMatch:
        return ""


@register.inclusion_tag("partials/citation.html")
def cite(citation: Citation | str | None) -> dict[str, Any]:
    """Write a citation, linked to the page that explains the section."""
    return {"citation": citation or "", "law_url": law_url(citation)}


@register.inclusion_tag("partials/citation.html", takes_context=True)
def cite_section(context: Context, section: str, paragraph: str = "") -> dict[str, Any]:
    """Write the citation of a section by its key: {% cite_section "permit" "(c)" %}."""
    return cite(context["edition"].citation(section, paragraph))


register.simple_tag(law_words.officer, takes_context=True)
register.simple_tag(law_words.called, takes_context=True)
register.simple_tag(law_words.law, takes_context=True)
register.simple_tag(law_words.place, takes_context=True)
register.filter("in_words", city.say)


@register.inclusion_tag("partials/clock.html")
def clock(
    clock: Clock | None,
    on: date | None = None,
    met_on: date | None = None,
    stayed: bool = False,
) -> dict[str, Any]:
    """Write a date that opens into its count, its citation and what follows from it."""
    if clock is None:
        return {}
    return {
        "clock": clock,
        "chip": chip(clock, on, met_on, stayed) if on else "",
        "steps": [step for step in clock.steps if step.kind != "safe"],
        "safe_text": " ".join(step.text for step in clock.steps if step.kind == "safe"),
        "law_url": law_url(clock.citation),
    }


@register.simple_tag
def chip(
    clock: Clock | None, on: date | None = None, met_on: date | None = None, stayed: bool = False
) -> str:
    """Write how a date stands on a day, in a word or two: late since Nov 26, due today, open."""
    if clock is None:
        return ""
    day = on or city_clock.today()
    word, tone = standing_words(clock, day, met_on=met_on, stayed=stayed)
    return format_html('<span class="chip {}">{}</span>', tone, word)


@register.inclusion_tag("partials/obstacle.html")
def obstacle(obstacle: Any, url: str = "", label: str = "") -> dict[str, Any]:
    """Write one reason why an act may not be done yet, its citation and its cure."""
    cure_url = url or getattr(obstacle, "url", "")
    return {"obstacle": obstacle, "cure_url": cure_url, "cure_label": label or obstacle.cure}


@register.simple_tag
def url_or_front(name: str) -> str:
    """The address of a room that may not be built yet, or else the front page."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return reverse("front")


# Things --------------------------------------------------------------------------------------


@register.inclusion_tag("partials/person.html")
def person(somebody: Any, role: str = "") -> dict[str, Any]:
    """Write a person's name, and the office for one who works for the city."""
    if somebody is None:
        return {"name": "the portal", "role": role}
    if not role and getattr(somebody, "is_city_staff", False):
        role = somebody.get_role_display()
    return {"name": str(somebody), "role": role}


@register.inclusion_tag("partials/document.html")
def document(document: Any, title: str = "") -> dict[str, Any]:
    """Link a paper and say what opens: Permit card (PDF, 2 pages, 84 KB)."""
    if document is None:
        return {"title": title, "details": "not made yet"}
    pages = f"{document.pages} page{'' if document.pages == 1 else 's'}"
    return {
        "title": title or document.title,
        "details": f"PDF, {pages}, {formats.file_size(document.size)}",
        "url": file_url(document, "paper"),
    }


@register.inclusion_tag("partials/file.html")
def file(upload: Any, preview_url: str = "") -> dict[str, Any]:
    """Write one row of a list of files: picture, original name, kind, size."""
    return {"upload": upload, "preview_url": preview_url, "url": file_url(upload, "upload")}


def file_url(thing: Any, name: str) -> str:
    """Return the address from which a file is served, once there is one."""
    if hasattr(thing, "get_absolute_url"):
        return str(thing.get_absolute_url())
    try:
        return reverse(name, args=[thing.key])
    except NoReverseMatch:
        return ""


@register.simple_tag
def icon(name: str, label: str = "") -> str:
    """Draw an icon beside words; alone it needs a label."""
    attributes: dict[str, object] = {"class": "icon", "focusable": "false"}
    attributes |= {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    return SafeString(lucide._render_icon(name, 20, **attributes))


@register.simple_tag
def telephone(number: str) -> str:
    """Write a telephone number that a telephone can call."""
    digits = re.sub(r"\D", "", number)
    full = f"+1{digits}" if len(digits) == 10 else f"+{digits}"
    return format_html('<a href="tel:{}">{}</a>', full, number) if digits else number


@register.inclusion_tag("partials/story_item.html")
def story_item(
    text: str,
    day: date | None = None,
    moment: datetime | None = None,
    *,
    ahead: bool = False,
    late: bool = False,
    who: str = "",
    reason: str = "",
) -> dict[str, Any]:
    """Write one line of a case's story: what happened, or what is to come."""
    return {
        "text": text,
        "day": day,
        "moment": moment,
        "ahead": ahead,
        "late": late,
        "who": who,
        "reason": reason,
    }


@register.inclusion_tag("partials/empty.html")
def empty(title: str, text: str = "", url: str = "", label: str = "") -> dict[str, Any]:
    """Say in a sentence that a list is empty, and what would fill it.

    Put it inside an `if`: straight inside a `for` Django reads `empty` as its own word.
    """
    return {"title": title, "text": text, "url": url, "label": label}


@register.inclusion_tag("partials/pagination.html", takes_context=True)
def pagination(context: Context, page: Page[Any], label: str = "Pages") -> dict[str, Any]:
    """Write the links to the other pages of a list; the filters stay as they are."""
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    shown = [number if isinstance(number, int) else None for number in numbers]
    return {
        "page": page,
        "label": label,
        "numbers": [(number, page_url(context, number)) for number in shown],
        "previous": page_url(context, page.number - 1) if page.has_previous() else "",
        "next": page_url(context, page.number + 1) if page.has_next() else "",
    }


def page_url(context: Context, number: object) -> str:
    """Return the query string of the present page with another page number."""
    query = context["request"].GET.copy()
    query["page"] = str(number)
    return f"?{query.urlencode()}"


# Errors --------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def error_prefix(context: Context) -> str:
    """Begin the page's title with "Error: " when a form on it needs another look."""
    if context.get("form_errors"):
        return "Error: "
    forms = [context.get(name) for name in ("form", "formset", "forms", "formsets")]
    forms += [getattr(context.get("form"), name, None) for name in ("rows", "tasks")]
    return "Error: " if any(has_errors(each) for each in forms) else ""


@register.inclusion_tag("partials/error_summary.html")
def error_summary(*forms: Any) -> dict[str, Any]:
    """Gather what needs another look, with a link to each field.

    A form whose errors were already gathered on this page is not gathered again, so that
    crispy forms bring their own summary and a page with several forms may bring one for all.
    """
    entries: list[ErrorEntry] = gather(forms)
    count = len(entries)
    heading = "One answer needs another look." if count == 1 else "Some answers need another look."
    if entries and not any(entry.target for entry in entries):
        heading = "This could not be done."
    return {"entries": entries, "heading": heading, "summary_id": "error-summary-title"}


@register.filter
def is_optional(field: BoundField) -> bool:
    """Whether a field may stay empty, which its label then says."""
    return not field.field.required and not getattr(field.field, "silent_optional", False)


@register.filter
def asks_group(field: BoundField) -> bool:
    """Whether a question has several controls, so that a fieldset must hold them together."""
    return field.use_fieldset and not isinstance(field.field.widget, FileInput)


@register.simple_tag
def answer(field: BoundField) -> SafeString:
    """Write the control of a question, tied to its hint and to its error."""
    widget = field.field.widget
    attrs: dict[str, str | bool] = {}
    if isinstance(widget, MultiWidget):
        for part in widget.widgets:
            part.attrs["class"] = with_class(part)
    else:
        attrs["class"] = with_class(widget)
    if isinstance(widget, Textarea) and widget.attrs.get("rows") == "10":  # Django's own choice
        attrs["rows"] = "4"
    if isinstance(widget, FileInput) and (described := field.aria_describedby):
        attrs["aria-describedby"] = described
    return field.as_widget(attrs=attrs)


def with_class(widget: Widget) -> str:
    """Return the classes of a control: its own and the one of its kind."""
    if isinstance(widget, CheckboxInput):
        kind = "form-check-input"
    elif isinstance(widget, Select):
        kind = "form-select"
    else:
        kind = "form-control"
    own = widget.attrs.get("class", "").split()
    return " ".join([*own, *([] if kind in own else [kind])])


@register.simple_tag
def demo_people() -> dict[str, Any]:
    """The demo's accounts and their password for the sign-in page; nothing elsewhere."""
    accounts = demo_accounts()
    return {"accounts": accounts, "password": DEMO_PASSWORD} if accounts else {}
