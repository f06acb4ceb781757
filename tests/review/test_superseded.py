"""A denial that a grant supersedes: its time to appeal ends, on the docket and on the page."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from permits import acts, verify
from permits.models import DocketEntry
from tests import factory
from tests.factory import MONDAY

from .pages import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


def test_the_appeal_of_a_denial_ends_when_the_grant_supersedes_it() -> None:
    application = factory.revised()
    denial = application.decisions.get()
    running = DocketEntry.objects.of(denial).running()
    assert running.get().rule == "appeal"
    assert not denial.is_superseded()
    until = MONDAY + timedelta(days=240)
    acts.grant(
        application, by=factory.inspector(), on=MONDAY, permanent_controls_by=until, **factory.GRANT
    )
    assert not running.exists()
    entry = DocketEntry.objects.of(denial).get()
    assert (entry.closed_on, entry.met_on) == (MONDAY, None)
    grant = application.decisions.get(kind="grant")
    assert DocketEntry.objects.of(grant).running().get().rule == "appeal"
    assert not list(verify.faults())
    page = signed_in(factory.inspector()).get(application.get_absolute_url())
    words = {each.title: each.word for each in page.context["dates"]}
    assert words["Appeal of the denial"] == "ended: granted"
    assert words["Appeal of the grant"] == "runs"


def test_an_appeal_that_runs_on_after_the_grant_is_found() -> None:
    application = factory.revised()
    denial = application.decisions.get()
    until = MONDAY + timedelta(days=240)
    acts.grant(
        application, by=factory.inspector(), on=MONDAY, permanent_controls_by=until, **factory.GRANT
    )
    DocketEntry.objects.of(denial).update(closed_on=None)
    assert [fault for fault in verify.faults() if "no act keeps it running" in fault]
    ended = import_module("permits.migrations.0014_end_appeals_of_superseded_denials")
    ended.end_appeals(apps, None)
    assert not list(verify.faults())
