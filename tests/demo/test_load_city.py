"""A large made-up city is as consistent as one that people filled, and found by search."""

from __future__ import annotations

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from escrow.books.trial import trial_balance
from escrow.models import Bill, BillEntry, EscrowEntry, RollBatch
from escrow.roll import certify
from escrow.roll.candidates import candidates
from escrow.roll.year import roll_year_on
from inspections import annual, needs
from inspections.acts import visits
from inspections.models import DocumentedDay, Finding, RainReading, Visit, VisitNeed
from permits.models import Application, CaseEvent, DocketEntry, FeeEntry, Permit, SearchWord, Site
from permits.verify import faults
from portal import numbers
from portal.models import User

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 30)


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


def test_ten_visits_are_made_for_each_site_and_all_that_follows_from_them(at) -> None:
    at("2026-11-30")
    load(200)
    finished = Visit.objects.filter(status="finished")
    assert finished.count() >= 10 * 180
    assert Visit.objects.filter(status="open", visited_on=TODAY, lines__isnull=False).exists()
    assert CaseEvent.objects.filter(kind="visit.finished").count() == finished.count()
    assert finished.filter(visited_on__lt=F("permit__issued_on")).count() == 0
    assert finished.filter(visited_on__gt=TODAY).count() == 0

    findings = Finding.objects.all()
    assert set(findings.values_list("status", flat=True)) <= {"open", "corrected"}
    assert findings.filter(is_violation=True).count() == DocumentedDay.objects.count() > 0
    assert CaseEvent.objects.filter(kind="finding.recorded").count() == findings.count()

    heavy = {reading.on for reading in RainReading.objects.trigger_days(date(2021, 1, 1), TODAY)}
    met = VisitNeed.objects.filter(reason="rain", met_by__isnull=False)
    assert met.count() == finished.filter(reason="rain").count() > 100
    assert set(met.values_list("since", flat=True)) <= heavy
    assert needs.open_needs(TODAY) == 0, "the day's needs are open already"
    assert VisitNeed.objects.open().exists()
    assert annual.year_of(2026, today=TODAY).total.rain_in_time > 0


def test_the_database_goes_on_counting_after_the_given_keys(at) -> None:
    at("2026-11-30")
    load(20)
    site = Permit.objects.filter(status="issued").earliest("pk").site
    inspector = User.objects.get(role="inspector")
    begun = visits.begin(site, by=inspector, on=TODAY, today=TODAY)
    assert begun.pk > Visit.objects.filter(status="finished").latest("pk").pk
    assert begun.lines.exists()
    assert list(faults()) == []


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


def test_ten_entries_of_money_are_made_for_each_site_and_they_balance(at) -> None:
    at("2026-11-30")
    load(200)
    counted = sum(model.objects.count() for model in (FeeEntry, EscrowEntry, BillEntry))
    assert counted >= 10 * 200
    assert set(BillEntry.objects.values_list("kind", flat=True)) == {
        "billed", "payment", "reversal", "roll",
    }  # fmt: skip
    found = trial_balance(on=TODAY)
    assert found.is_right, found.problems

    batch = RollBatch.objects.get()
    assert (batch.status, batch.purpose) == ("certified", "charges")
    assert 195 <= batch.charges.count() <= 225
    now = roll_year_on(TODAY)
    left = candidates("special-charge", cut_off_on=now.list_on, on=TODAY, layout=None)
    assert 18 <= len(left) <= 24
    assert certify.lines_from(left)
    wrong = [bill for bill in Bill.objects.all() if bill.billed_on < bill.permit.issued_on]
    assert wrong == []
