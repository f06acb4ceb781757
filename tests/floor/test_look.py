"""The look: the same words for a date, an amount, a person, a paper, and colours one can read."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from itertools import product
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import engines
from django.test import RequestFactory
from django.urls import reverse

from portal import formats
from portal.context import nav_for
from portal.models import Role, User
from portal.ordinance import Calendar, city_work, decision, edition_on
from portal.standing_words import standing_words
from tests.conftest import ROOT

NOVEMBER = edition_on(date(2026, 11, 30))


def render(source: str, **context) -> str:
    return (
        engines["django"].from_string(source).render(context, RequestFactory().get("/?q=a&page=2"))
    )


def decision_of(received_on: date):
    return decision.decision_deadline(received_on, calendar=Calendar(), edition=NOVEMBER)


# Words --------------------------------------------------------------------------------------


def test_days_and_moments():
    assert formats.long_date(date(2026, 12, 8)) == "Tuesday, December 8, 2026"
    assert formats.short_date(date(2026, 12, 8)) == "Tue, Dec 8"
    late = datetime(2026, 11, 29, 5, 30, tzinfo=ZoneInfo("UTC"))
    assert formats.long_date(late) == "Saturday, November 28, 2026", "the day in the city"
    assert formats.moment(late) == "November 28, 2026, 11:30 pm CST"
    noon = datetime(2026, 7, 1, 17, 5, tzinfo=ZoneInfo("UTC"))
    assert formats.moment(noon) == "July 1, 2026, 12:05 pm CDT"
    assert formats.long_date(None) == formats.moment(None) == ""


@pytest.mark.parametrize(
    ("amount", "words"),
    [("2500", "$2,500.00"), ("0", "$0.00"), ("-5.5", "−$5.50"), ("0.005", "$0.01"), (None, "")],
)
def test_amounts(amount, words):
    assert formats.money(Decimal(amount) if amount else amount) == words


@pytest.mark.parametrize(
    ("feet", "words"),
    [
        (17424, "17,424 sq ft (0.4 acre)"),
        (43560, "43,560 sq ft (1 acre)"),
        (108900, "108,900 sq ft (2.5 acres)"),
        (4356000, "4,356,000 sq ft (100 acres)"),
        (100, "100 sq ft"),
    ],
)
def test_areas(feet, words):
    assert formats.area(feet) == words


@pytest.mark.parametrize(
    ("size", "words"), [(1, "1 byte"), (900, "900 bytes"), (86_016, "84 KB"), (2_500_000, "2.4 MB")]
)
def test_sizes(size, words):
    assert formats.file_size(size) == words


@pytest.mark.parametrize(
    ("on", "met_on", "words", "tone"),
    [
        (date(2026, 11, 20), None, "due Nov 30", ""),
        (date(2026, 11, 27), None, "due Nov 30", "soon"),
        (date(2026, 11, 30), None, "due today", "soon"),
        (date(2026, 12, 1), None, "late since Dec 1", "late"),
        (date(2026, 12, 1), date(2026, 11, 30), "done in time", "good"),
        (date(2026, 12, 2), date(2026, 12, 1), "done late", "late"),
    ],
)
def test_how_a_deadline_stands(on, met_on, words, tone):
    assert standing_words(decision_of(date(2026, 11, 13)), on, met_on=met_on) == (words, tone)


def test_how_a_waiting_period_stands():
    posted = date(2026, 11, 19)  # day 10 is Sunday, November 29
    wait = city_work.notice_of_intent_opens(posted, calendar=Calendar(), edition=NOVEMBER)
    assert standing_words(wait, date(2026, 11, 28)) == ("opens Nov 29", "shut")
    assert standing_words(wait, wait.safe_on) == ("open", "good")
    assert standing_words(wait, wait.on)[1] == "soon", "open, though a strict reader objects"
    assert standing_words(wait, wait.on, stayed=True) == ("stayed", "shut")


# Parts --------------------------------------------------------------------------------------


def test_a_date_opens_into_its_count():
    clock = decision_of(date(2026, 11, 13))
    page = render("{% clock clock on=today %}", clock=clock, today=date(2026, 11, 30))
    assert "<summary>Monday, November 30, 2026</summary>" in page
    for text in (clock.title, str(clock.citation), clock.duty, clock.consequence, "due today"):
        assert text in page
    for step in clock.steps:
        assert page.count(step.text) == 1, step
    assert "<script" not in page
    assert render("{% clock clock %}", clock=None).strip() == ""


def test_a_paper_says_what_it_is_before_it_is_opened():
    paper = SimpleNamespace(
        title="Permit card", pages=2, size=86_016, get_absolute_url=lambda: "/p/"
    )
    assert render("{% document paper %}", paper=paper).strip() == (
        '<a href="/p/">Permit card (PDF, 2 pages, 84 KB)</a>'
    )


def test_people_and_telephones():
    olson = User(name="Dana <Olson>", role=Role.INSPECTOR)
    assert "Dana &lt;Olson&gt;" in render("{% person who %}", who=olson)
    assert "(Building inspector)" in render("{% person who %}", who=olson)
    assert "the portal" in render("{% person who %}", who=None)
    called = render("{% telephone number %}", number="(555) 010-0100")
    assert called == '<a href="tel:+15550100100">(555) 010-0100</a>'


def test_an_icon_is_silent_beside_words():
    assert 'aria-hidden="true"' in render('{% icon "calendar" %}')
    assert 'aria-label="Late"' in render('{% icon "calendar" "Late" %}')


def test_pages_keep_the_filters():
    page = render("{% pagination page %}", page=Paginator(range(1000), 25).page(7))
    assert 'href="?q=a&amp;page=8" rel="next"' in page
    assert '<span aria-current="page">' in page
    assert "151 to 175 of 1000" in page
    assert render("{% pagination page %}", page=Paginator([1], 25).page(1)).strip() == ""


# Forms --------------------------------------------------------------------------------------


class WorkForm(forms.Form):
    area = forms.DecimalField(label="How much ground will be disturbed?", help_text="All of it.")
    water = forms.ChoiceField(
        label="Will water be pumped?", choices=[("y", "Yes"), ("n", "No")], widget=forms.RadioSelect
    )
    sheet = forms.FileField(label="Drawing", help_text="PDF.", required=False)
    note = forms.CharField(label="Anything else", required=False)

    def clean(self):
        raise forms.ValidationError("These do not go together.")


FORM_PAGE = """{% extends "base.html" %}{% load crispy_forms_tags %}
{% block title %}The work{% endblock %}{% block content %}{{ form|crispy }}{% endblock %}"""


@pytest.fixture
def sent():
    form = WorkForm({"area": "about half", "note": "<b>kept</b>"})
    return render(FORM_PAGE, form=form, city={"telephone": ""}), form


def test_a_page_with_an_error_says_so_in_its_title(sent):
    assert "<title>Error: The work - " in sent[0]
    assert "<title>The work - " in render(FORM_PAGE, form=WorkForm(), city={"telephone": ""})


def test_errors_are_gathered_with_links_to_their_fields(sent):
    page, _form = sent
    summary = re.search(r'<div class="error-summary".*?</div>', page, re.DOTALL).group(0)
    assert 'role="alert" tabindex="-1"' in summary
    assert "Some answers need another look." in summary
    assert "<li>These do not go together.</li>" in summary
    for target in re.findall(r'href="#(\w+)"', summary):
        assert f'id="{target}"' in page
    assert re.findall(r'href="#(\w+)"', summary) == ["id_area", "div_id_water"]
    assert page.count("error-summary-title") == 2, "one heading and what points to it"


def test_each_error_stands_beside_its_field_with_what_was_typed(sent):
    page, form = sent
    text = form.errors["area"][0]
    assert text == "Write a number, such as 0.4 or 17424."
    assert f'<span class="error" id="id_area_error">{text}</span>' in page
    control = re.search(r'<input[^>]*name="area"[^>]*>', page).group(0)
    assert 'aria-invalid="true"' in control
    assert 'aria-describedby="id_area_helptext id_area_error"' in control
    assert 'value="about half"' in control
    assert "&lt;b&gt;kept&lt;/b&gt;" in page
    assert 'id="id_area_helptext">All of it.</span>' in page


def test_choices_are_a_group_with_its_question(sent):
    group = re.search(r"<fieldset.*?</fieldset>", sent[0], re.DOTALL).group(0)
    assert "<legend>Will water be pumped?</legend>" in group
    assert 'aria-describedby="id_water_error"' in group
    assert group.count('type="radio"') == group.count("<label") == 2


def test_what_may_stay_empty_says_so(sent):
    assert 'Anything else <span class="optional">(optional)</span>' in sent[0]
    assert "about half" in sent[0]
    assert 'aria-describedby="id_sheet_helptext"' in sent[0]


def test_a_summary_for_several_forms_is_shown_once():
    forms_ = [WorkForm({"area": "x"}, prefix=name) for name in "ab"]
    page = render(
        "{% load crispy_forms_tags %}{% error_summary a b %}{{ a|crispy }}{{ b|crispy }}",
        a=forms_[0],
        b=forms_[1],
    )
    assert page.count('class="error-summary"') == 1
    assert 'href="#id_a-area"' in page
    assert 'href="#id_b-area"' in page


# Ways and pages -----------------------------------------------------------------------------


@pytest.mark.parametrize("role", Role)
def test_each_role_has_ways_that_lead_somewhere(role):
    request = RequestFactory().get(reverse("account"))
    request.user = User(email="a@b.example", name="Dana Olson", role=role)
    ways = nav_for(request)
    assert len({way.url for way in ways}) == len(ways)
    assert [way.label for way in ways if way.current] == ["Dana Olson"]


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role)
def test_each_way_opens(client, role):
    person = User.objects.create_user("dana@city.example", "gravel silt straw", role=role)
    client.force_login(person)
    ways = client.get(reverse("front")).context["nav"]
    assert len(ways) >= 4
    for way in ways:
        assert client.get(way.url).status_code == 200, way


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    ["front", "account_login", "account_signup", "account_reset_password", "account_inactive"],
)
def test_open_pages_have_one_heading_and_landmarks(client, name):
    page = client.get(reverse(name)).content.decode()
    assert page.count("<h1") == 1
    assert '<html lang="en">' in page
    assert page.count("<main") == page.count("<header") == page.count("<footer") == 1
    assert '<a class="skip" href="#main">' in page


# Colours ------------------------------------------------------------------------------------


def tokens() -> dict[str, str]:
    css = (ROOT / "static" / "siltfence.css").read_text()
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


GROUNDS = ["paper", "sheet", "accent-wash", "late-wash", "soon-wash", "good-wash", "shut-wash"]


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *product(["ink", "ink-soft", "accent", "accent-deep"], GROUNDS),
        *product(["late", "soon", "good", "shut"], ["paper", "sheet"]),
        ("late", "late-wash"),
        ("soon", "soon-wash"),
        ("good", "good-wash"),
        ("shut", "shut-wash"),
        ("sheet", "accent"),
        ("sheet", "accent-deep"),
        ("sheet", "late"),
        ("sheet", "shut"),
    ],
)
def test_text_can_be_read_on_its_ground(text, ground):
    found = tokens()
    assert contrast(found[text], found[ground]) >= 4.5


@pytest.mark.parametrize(("edge", "ground"), [*product(["edge", "accent", "late"], GROUNDS)])
def test_edges_of_what_can_be_operated_can_be_seen(edge, ground):
    found = tokens()
    assert contrast(found[edge], found[ground]) >= 3
