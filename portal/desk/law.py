"""The law in our own words, its rules, and the calculator of dates. Public."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from permits.forms.fields import DayField
from portal import city_calendar, clock, council, known
from portal.city import edition_on
from portal.ordinance import RULES, Clock, Edition, Rule, Section, all_editions, sections_of
from portal.ordinance.wording import capital

from .council import values_in_force

__all__ = ["law", "law_section"]


class CalculatorForm(forms.Form):
    """A rule and the day that starts its clock."""

    rule = forms.ChoiceField(label="Rule")
    day = DayField(
        label="Day that starts the count",
        error_messages={"required": "Choose the day that starts the count."},
    )

    def __init__(self, data: Any, *, rules: list[Rule]) -> None:
        super().__init__(data)
        choices = [(rule.key, rule.title) for rule in rules]
        self.fields["rule"] = forms.ChoiceField(label="Rule", choices=choices)
        if len(choices) == 1:
            self.fields["rule"].widget = forms.HiddenInput()


@require_safe
def law(request: HttpRequest) -> HttpResponse:
    """Show every section, the calculator over all rules, and the editions."""
    with known.reading_once():
        edition = edition_on(clock.today())
        context = calculator(request, list(RULES.values()), default="decision")
        context |= {
            "sections": list(sections_of(edition).values()),
            "current_edition": edition,
            "editions": reversed(all_editions()),
            "council": values_in_force(on=clock.today()),
        }
        return render(request, "law/law.html", context)


@require_safe
def law_section(request: HttpRequest, section: str) -> HttpResponse:
    """Show one section: what it says, its rules with their calculator, its numbers."""
    with known.reading_once():
        edition = edition_on(clock.today())
        found = sections_of(edition).get(section)
        if found is None:
            raise Http404
        rules = [RULES[key] for key in found.rules]
        context = calculator(request, rules, default=rules[0].key if rules else "")
        context |= {
            "section": found,
            "rules": [(rule, rule.citation(edition)) for rule in rules],
            "numbers": numbers(found, edition),
            "current_edition": edition,
            "neighbours": neighbours(found, edition),
        }
        return render(request, "law/section.html", context)


def numbers(section: Section, edition: Edition) -> list[tuple[str, str, Any]]:
    """Return the section's numbers: what each is for, the figure, the citation."""
    return [
        (number.sentence, number.text(edition), number.citation(edition))
        for number in section.numbers
    ]


def neighbours(section: Section, edition: Edition) -> dict[str, Section | None]:
    """Return the sections before and after."""
    row = list(sections_of(edition).values())
    place = [each.key for each in row].index(section.key)
    return {
        "before": row[place - 1] if place else None,
        "after": row[place + 1] if place + 1 < len(row) else None,
    }


# The calculator ---------------------------------------------------------------------------


def calculator(request: HttpRequest, rules: list[Rule], *, default: str) -> dict[str, Any]:
    """Return the calculator's form and, once a day was given, the count."""
    if not rules:
        return {"form": None}
    asked = "day" in request.GET or "rule" in request.GET
    data = request.GET.copy() if asked else None
    if data is not None:
        data.setdefault("rule", default)
    form = CalculatorForm(data, rules=rules)
    form.fields["rule"].initial = default
    result = None
    if form.is_bound and form.is_valid():
        result = count(RULES[form.cleaned_data["rule"]], form.cleaned_data["day"])
    return {"form": form, "result": result, "sole_rule": rules[0] if len(rules) == 1 else None}


def count(rule: Rule, day: date) -> dict[str, Any]:
    """Return the date of a rule with its count, or why it does not apply."""
    edition = edition_on(day)
    found: Clock | None = council_count(rule, day, edition)
    return {
        "rule": rule,
        "day": day,
        "clock": found,
        "why_not": "" if found else capital(rule.why_not(day, edition=edition)),
        "edition": edition,
    }


def council_count(rule: Rule, day: date, edition: Edition) -> Clock | None:
    """Count as the portal itself does: with the city's calendar and the council's periods."""
    calendar = city_calendar.current_calendar()
    periods = council_periods(rule, day)
    if periods:
        return rule.function(day, calendar=calendar, edition=edition, **periods)
    return rule.compute(day, calendar=calendar, edition=edition)


def council_periods(rule: Rule, day: date) -> dict[str, int]:
    """Return the period that the council set for a rule, where the council sets it."""
    if rule.key == "appeal":
        return {"days": council.appeal_days(on=day)}
    if rule.key == "revision-review":
        return {"working_days": council.revision_review_days(on=day)}
    return {}
