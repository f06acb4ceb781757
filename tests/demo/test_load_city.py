"""A large made-up city is as consistent as one that people filled, and found by search."""

from __future__ import annotations

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from escrow.models import EscrowEntry
from permits.models import Application, CaseEvent, DocketEntry, Permit, SearchWord, Site
from permits.verify import faults
from portal import numbers

pytestmark = pytest.mark.django_db


def load(sites: int, **options: int) -> None:
    call_command("load_city", sites=sites, stdout=StringIO(), **options)


def test_two_hundred_sites_are_in_order(at) -> None:
    at("2026-11-30")
    load(200)
    assert Site.objects.count() == 200
    found = set(Application.objects.values_list("status", flat=True))
    assert found == set(Application.Status)
    assert list(faults()) == []

    issued = Permit.objects.filter(status="issued")
    assert issued.count() > 100
    assert EscrowEntry.objects.filter(permit__in=issued).count() == issued.count()
    assert DocketEntry.objects.running().filter(rule="decision").exists()
    assert CaseEvent.objects.filter(kind="permit.issued").count() == issued.count()


def test_sites_are_found_by_the_same_words_as_any_other(at) -> None:
    at("2026-11-30")
    load(30)
    filed = Site.objects.public()
    assert filed.count() > 20
    for site in filed:
        before = set(site.search_words.values_list("word", flat=True))
        site.index_words()
        assert set(site.search_words.values_list("word", flat=True)) == before
    drafts = Site.objects.filter(filed_on__isnull=True)
    assert not SearchWord.objects.filter(site__in=drafts).exists()


def test_more_sites_can_be_added_and_no_number_comes_twice(at) -> None:
    at("2026-11-30")
    load(20)
    load(20, seed=2)
    assert Site.objects.count() == 40
    taken = set(Site.objects.values_list("number", flat=True))
    assert numbers.next_number("S", on=date(2026, 11, 30)) not in taken
    assert list(faults()) == []


def test_it_is_refused_where_real_cases_may_be(settings) -> None:
    settings.TEST = False
    with pytest.raises(CommandError, match="SILTFENCE_MODE=demo"):
        load(10)
    assert not Site.objects.exists()


def test_no_sites_is_a_question_back() -> None:
    with pytest.raises(CommandError, match="--sites 1000"):
        load(0)
