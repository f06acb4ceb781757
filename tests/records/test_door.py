"""The door of destruction, tried from outside: by raw rows, not by the acts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from permits.models import CaseEvent
from portal.desk.records.acts import lists, requests
from portal.desk.records.models import (
    DestroyedFile,
    Destruction,
    DestructionList,
    ListApproval,
    ListedCase,
    RecordsRequest,
    SocietyNotice,
)
from portal.models import Document, Role
from tests import factory
from tests.records import scene

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def refused(act: Any) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        act()


def test_no_case_comes_on_a_list_once_somebody_approved_it(at: Any) -> None:
    mine, other = scene.old_case(at).site, scene.old_case(at).site
    found = scene.proposed(mine)
    lists.approve(found, by=scene.attorney(), on=scene.TODAY)
    first = found.cases.get()
    row = ListedCase(
        list=found,
        site=other,
        number=other.number,
        place="x",
        series=first.series,
        closed_on=first.closed_on,
        kept_until=first.kept_until,
    )
    refused(lambda: row.save(force_insert=True))


def test_a_list_that_ended_is_not_taken_up_again(at: Any) -> None:
    found = scene.approved(scene.old_case(at).site)
    lists.withdraw(found, why="Not now.", by=factory.clerk(), on=scene.TODAY)
    mine = DestructionList.objects.filter(pk=found.pk)
    refused(lambda: mine.update(status="approved", ended_on=None))
    refused(lambda: mine.update(ended_why="Another reason."))


def test_a_list_is_approved_by_its_two_approvals_alone(at: Any) -> None:
    found = scene.proposed(scene.old_case(at).site)
    lists.approve(found, by=scene.attorney(), on=scene.TODAY)
    refused(lambda: DestructionList.objects.filter(pk=found.pk).update(status="approved"))


def test_an_approval_is_by_somebody_of_that_office(at: Any) -> None:
    found = scene.proposed(scene.old_case(at).site)
    other = factory.user(Role.INSPECTOR, "other@example.test", "Ole Other")
    row = ListApproval(list=found, role="attorney", by=other, on=scene.TODAY)
    refused(lambda: row.save(force_insert=True))


def test_the_notice_comes_after_both_approvals(at: Any) -> None:
    found = scene.proposed(scene.old_case(at).site)
    facts = {"list": found, "by": factory.clerk()}
    early = scene.TODAY - timedelta(90)
    row = SocietyNotice(**facts, on=early, opens_on=scene.TODAY)
    refused(lambda: row.save(force_insert=True))
    made = scene.approved(scene.old_case(at).site)
    late = SocietyNotice(**{**facts, "list": made}, on=early, opens_on=scene.TODAY)
    refused(lambda: late.save(force_insert=True))


def test_a_request_is_closed_by_its_answer_alone_and_stays_closed(at: Any) -> None:
    found = scene.asked(scene.old_case(at).site)
    mine = RecordsRequest.objects.filter(pk=found.pk)
    refused(lambda: mine.update(status="withdrawn", closed_on=scene.TODAY))
    requests.withdraw(found, words="By telephone.", by=factory.clerk(), on=scene.TODAY)
    refused(lambda: mine.update(status="open", closed_on=None))


def test_no_file_is_named_as_destroyed_once_the_door_is_shut(at: Any) -> None:
    site = scene.old_case(at).site
    found, on = scene.ready(at, site)
    last = site.events.last()
    made = Destruction.objects.create(
        listed=found.cases.get(),
        site=site,
        on=on,
        by=factory.clerk(),
        events=last.sequence,
        chain_head=last.hash,
    )
    Destruction.objects.filter(pk=made.pk).update(erased_at=made.at)
    living = Document.objects.latest("pk")
    row = DestroyedFile(destruction=made, what="Letter", name=living.file.name)
    refused(lambda: row.save(force_insert=True))


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite has such a statement")
def test_no_fact_is_replaced_by_another_with_its_key(at: Any) -> None:
    last = CaseEvent.objects.filter(site=scene.old_case(at).site).latest("pk")
    table = CaseEvent._meta.db_table
    columns = [field.column for field in CaseEvent._meta.concrete_fields]
    picked = ", ".join("'x'" if each == "reason" else f'"{each}"' for each in columns)
    names = ", ".join(f'"{each}"' for each in columns)

    def replace() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT OR REPLACE INTO {table} ({names}) SELECT {picked} FROM {table} "
                "WHERE id = %s",
                [last.pk],
            )

    refused(replace)
    last.refresh_from_db()
    assert last.reason != "x"
