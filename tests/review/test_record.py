"""The record: tables that are only added to, one chain per case, numbers used once."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from permits.models import Application, CaseEvent, find_broken_links
from portal import guards, numbers
from tests import factory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_papers")]

APPEND_ONLY = {
    "permits_caseevent": "kind",
    "permits_feeentry": "note",
    "permits_decision": "note",
    "permits_requiredchange": "text",
    "permits_casepaper": "kind",
    "escrow_instrument": "remitter",
    "escrow_escrowentry": "reason",
}


def _run(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_a_fact_is_never_changed_or_removed(table: str) -> None:
    factory.issued()
    factory.denied()
    column = APPEND_ONLY[table]
    for statement in (f"UPDATE {table} SET {column} = 'x'", f"DELETE FROM {table}"):
        with pytest.raises(IntegrityError, match="append-only"):
            _run(statement)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", APPEND_ONLY)
def test_a_table_of_facts_is_never_emptied(table: str) -> None:
    with pytest.raises(IntegrityError, match="append-only"):
        _run(f"TRUNCATE {table} CASCADE")


def test_the_models_cannot_change_an_event_either() -> None:
    event = factory.received().site.events.first()
    assert event is not None
    event.reason = "Something else."
    with pytest.raises(IntegrityError), transaction.atomic():
        event.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        event.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        CaseEvent.objects.filter(pk=event.pk).update(reason="Something else.")


@pytest.fixture
def unguarded(transactional_db: None):
    """As somebody with the database's own password: no trigger stands in the way."""
    guards.take_down()
    yield
    guards.put_up()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("kind", "application.granted"),
        ("reason", "Another reason."),
        ("actor_name", "Somebody else"),
        ("occurred_on", "2020-01-01"),
        ("facts", '{"late": false}'),
        ("section", "escrow"),
    ],
)
def test_a_changed_event_is_the_first_one_named(unguarded, column: str, value: str) -> None:
    site = factory.received().site
    factory.received()
    assert not list(find_broken_links())
    sequence = 2
    _run(
        f"UPDATE permits_caseevent SET {column} = '{value}' "
        f"WHERE site_id = {site.pk} AND sequence = {sequence}"
    )
    first = next(find_broken_links())
    assert first.startswith(f"{site.number} {sequence}: ")
    assert "contents were changed" in first


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("sequence", [1, 2, 3])
def test_an_event_taken_out_is_noticed_at_its_place(unguarded, sequence: int) -> None:
    site = factory.received().site
    _run(f"DELETE FROM permits_caseevent WHERE site_id = {site.pk} AND sequence = {sequence}")
    first = next(find_broken_links())
    assert first.startswith(f"{site.number} {sequence + 1}: ")
    assert "an event before it is missing" in first


@pytest.mark.django_db(transaction=True)
def test_two_events_that_changed_places_are_noticed(unguarded) -> None:
    site = factory.received().site
    for old, new in ((2, 99), (3, 2), (99, 3)):
        _run(
            f"UPDATE permits_caseevent SET sequence = {new} "
            f"WHERE site_id = {site.pk} AND sequence = {old}"
        )
    assert next(find_broken_links()).startswith(f"{site.number} 2: ")


def test_an_event_says_who_did_what_and_when() -> None:
    application = factory.denied()
    event = application.site.events.get(kind="application.denied")
    assert event.actor == factory.inspector()
    assert event.actor_name == "Dana Olson (Building inspector)"
    assert event.occurred_on == factory.MONDAY
    assert event.facts["due"] == "2026-12-01"
    assert event.section == "permit"


def test_numbers_are_never_given_twice_and_start_anew_each_year() -> None:
    given = [numbers.next_number("EC", on=date(2026, 12, 31)) for _ in range(3)]
    given.append(numbers.next_number("EC", on=date(2027, 1, 1)))
    assert given == ["EC-2026-0001", "EC-2026-0002", "EC-2026-0003", "EC-2027-0001"]


def test_a_number_is_not_given_again_when_its_case_is_gone() -> None:
    application = factory.submitted()
    number = application.number
    Application.objects.filter(pk=application.pk).update(number="AP-2026-9998")
    assert factory.submitted().number != number


def test_an_unknown_series_is_refused() -> None:
    with pytest.raises(ValueError, match="No series"):
        numbers.next_number("XX", on=factory.MONDAY)
