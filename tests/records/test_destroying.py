"""A case is destroyed whole, from an approved list, after the notice; its certificate stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction

from permits import verify
from permits.models import CaseEvent, NotNow, Party, Site
from portal.desk.records import files
from portal.desk.records.acts import destroying, holds, lists, requests
from portal.desk.records.erasing import ERASED
from portal.desk.records.models import DestroyedFile, Destruction, KeptCase
from portal.models import Document, OutboxMessage, Upload
from tests import factory
from tests.records import scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def commits(django_capture_on_commit_callbacks: Any) -> Any:
    return django_capture_on_commit_callbacks


def destroyed(at: Any, commits: Any) -> tuple[Site, Destruction]:
    site = scene.old_case(at).site
    found, on = scene.ready(at, site)
    with commits(execute=True):
        done = destroying.carry_out(found, by=factory.clerk(), on=on)
    site.refresh_from_db()
    return site, done.destroyed[0]


def test_a_case_is_destroyed_and_its_certificate_stays(at: Any, commits: Any) -> None:
    site, made = destroyed(at, commits)
    assert site.destroyed_on == made.on
    assert made.certificate is not None
    assert default_storage.exists(made.certificate.file.name)
    assert made.erased_at is not None
    assert not Site.objects.visible_to(factory.clerk()).filter(pk=site.pk).exists()
    assert list(verify.faults()) == []


def test_every_byte_of_its_files_is_gone_and_every_hash_is_kept(at: Any, commits: Any) -> None:
    case = scene.old_case(at)
    sheets = list(case.revisions.get().sheets.values_list("upload__file", "upload__sha256"))
    papers = list(case.site.papers.values_list("document__file", "document__sha256"))
    assert sheets
    assert papers
    found, on = scene.ready(at, case.site)
    with commits(execute=True):
        destroying.carry_out(found, by=factory.clerk(), on=on)
    for name, sha256 in [*sheets, *papers]:
        assert not default_storage.exists(name)
        row = DestroyedFile.objects.get(name=name)
        assert row.sha256 == sha256
        assert row.removed_at is not None


def test_no_name_or_word_of_the_case_is_left_in_any_table(at: Any, commits: Any) -> None:
    canary = "Q7canary"
    case = scene.old_case(at, description=f"{canary} basin", project_name=canary)
    Party.objects.filter(application=case).update(name=canary, email=f"{canary}@example.test")
    found, on = scene.ready(at, case.site)
    with commits(execute=True):
        destroying.carry_out(found, by=factory.clerk(), on=on)
    assert tables_with(canary) == []
    assert not OutboxMessage.objects.filter(reference=case.site.number).exists()
    mine = CaseEvent.objects.filter(site=case.site).exclude(kind="case.destroyed")
    assert not any(event.facts for event in mine)
    assert {event.reason for event in mine} <= {"", ERASED}
    assert {event.actor_name for event in mine} == {ERASED}


def tables_with(text: str) -> list[str]:
    """Return every table of the portal in which a text stands."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table.startswith(("permits_", "inspections_", "enforcement_", "portal_", "escrow_")):
                cursor.execute(f'SELECT * FROM "{table}"')
                if any(text.lower() in str(row).lower() for row in cursor.fetchall()):
                    found.append(table)
    return found


def test_a_hold_placed_meanwhile_takes_the_case_off_the_list(at: Any) -> None:
    first, second = scene.old_case(at).site, scene.old_case(at).site
    found, on = scene.ready(at, first, second)
    scene.held(first, on=on)
    done = destroying.carry_out(found, by=factory.clerk(), on=on)
    assert [each.listed.number for each in done.destroyed] == [second.number]
    [kept] = KeptCase.objects.all()
    assert kept.listed.site == first
    assert "A suit is likely." in kept.reasons[0]
    assert first.events.last().kind == "case.kept"
    assert list(verify.faults()) == []


def test_a_request_for_its_records_keeps_a_case(at: Any) -> None:
    site = scene.old_case(at).site
    found, on = scene.ready(at, site)
    request = scene.asked(site, on=scene.TODAY)
    assert destroying.carry_out(found, by=factory.clerk(), on=on).destroyed == []
    assert request.number in KeptCase.objects.get().reasons[0]


def test_a_list_is_carried_out_once(at: Any) -> None:
    found, on = scene.ready(at, scene.old_case(at).site)
    destroying.carry_out(found, by=factory.clerk(), on=on)
    with pytest.raises(NotNow, match="carried out"):
        destroying.carry_out(found, by=factory.clerk(), on=on)
    assert Destruction.objects.count() == 1


def test_nothing_is_destroyed_before_the_society_s_sixty_days_are_over(at: Any) -> None:
    found, on = scene.ready(at, scene.old_case(at).site)
    with pytest.raises(NotNow, match="sixty days"):
        destroying.carry_out(found, by=factory.clerk(), on=on - timedelta(1))
    assert destroying.carry_out(found, by=factory.clerk(), on=on).destroyed


def test_nothing_is_destroyed_with_one_approval(at: Any) -> None:
    found = scene.proposed(scene.old_case(at).site)
    lists.approve(found, by=scene.attorney(), on=scene.TODAY)
    with pytest.raises(NotNow, match="Two approvals"):
        destroying.carry_out(found, by=factory.clerk(), on=scene.TODAY + timedelta(90))


def test_bytes_that_the_storage_would_not_remove_go_with_the_next_round(
    at: Any, commits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = scene.old_case(at).site
    found, on = scene.ready(at, site)
    refuse = lambda name: (_ for _ in ()).throw(OSError("away"))  # noqa: E731
    with monkeypatch.context() as patch, commits(execute=True):
        patch.setattr(default_storage, "delete", refuse)
        destroying.carry_out(found, by=factory.clerk(), on=on)
    left = DestroyedFile.objects.filter(removed_at__isnull=True)
    assert left.count() == DestroyedFile.objects.count() > 0
    assert list(verify.faults()) == []  # the certificate is true all the same
    assert files.finish(on) > 0
    assert not left.exists()


# The door in the database -----------------------------------------------------------------


def refused(act: Any) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        act()


def test_the_contents_of_a_case_cannot_be_erased_without_its_list(at: Any) -> None:
    site = scene.old_case(at).site
    events = CaseEvent.objects.filter(site=site)
    refused(lambda: events.update(facts={}, reason="", actor_name=""))
    refused(lambda: events.delete())
    refused(lambda: Site.objects.filter(pk=site.pk).update(destroyed_on=scene.TODAY))


def test_the_door_opens_for_no_other_case_and_for_no_other_column(at: Any) -> None:
    mine, other = scene.old_case(at).site, scene.old_case(at).site
    found, on = scene.ready(at, mine)
    listed = found.cases.get()
    last = mine.events.last()
    made = Destruction.objects.create(
        listed=listed,
        site=mine,
        on=on,
        by=factory.clerk(),
        events=last.sequence,
        chain_head=last.hash,
    )
    of_mine = CaseEvent.objects.filter(site=mine)
    refused(lambda: CaseEvent.objects.filter(site=other).update(reason="x"))
    refused(lambda: of_mine.update(hash="0" * 64))
    refused(lambda: of_mine.update(kind="permit.issued"))
    refused(lambda: of_mine.delete())
    of_mine.update(reason="")
    Destruction.objects.filter(pk=made.pk).update(erased_at=made.at)
    refused(lambda: of_mine.update(reason="x"))
    refused(lambda: Destruction.objects.filter(pk=made.pk).update(events=1))


@pytest.mark.parametrize(
    "case", ["one approval", "no notice", "too early", "held", "asked", "same"]
)
def test_the_database_itself_keeps_the_door_shut(at: Any, case: str) -> None:
    site = scene.old_case(at).site
    found = scene.proposed(site) if case == "one approval" else scene.approved(site)
    if case == "one approval":
        lists.approve(found, by=scene.attorney(), on=scene.TODAY)
    elif case != "no notice":
        lists.mail_notice(found, mailed_on=scene.TODAY, tracking_number="", by=factory.clerk())
    if case == "held":
        scene.held(site)
    if case == "asked":
        scene.asked(site)
    days = 60 if case == "too early" else 61
    last = site.events.last()
    facts = {
        "listed": found.cases.get(),
        "site": scene.old_case(at).site if case == "same" else site,
        "on": scene.TODAY + timedelta(days),
        "by": factory.clerk(),
        "events": last.sequence,
        "chain_head": last.hash,
    }
    refused(lambda: Destruction.objects.create(**facts))


def test_a_list_is_approved_by_two_persons_neither_of_whom_proposed_it(at: Any) -> None:
    found = scene.proposed(scene.old_case(at).site)
    clerk = factory.clerk()
    refused(lambda: found.approvals.create(role="attorney", by=clerk, on=scene.TODAY))
    lists.approve(found, by=scene.attorney(), on=scene.TODAY)
    with pytest.raises(NotNow):
        lists.approve(found, by=scene.attorney(), on=scene.TODAY)
    refused(
        lambda: found.approvals.create(role="administrator", by=scene.attorney(), on=scene.TODAY)
    )


def test_verify_sees_a_skeleton_that_was_touched(at: Any, commits: Any) -> None:
    site, made = destroyed(at, commits)
    from portal import guards

    guards.take_down()
    try:
        CaseEvent.objects.filter(site=site, sequence=2).update(previous_hash="f" * 64)
        found = list(verify.faults())
    finally:
        CaseEvent.objects.filter(site=site, sequence=2).update(
            previous_hash=CaseEvent.objects.get(site=site, sequence=1).hash
        )
        guards.put_up()
    assert any("does not follow" in fault for fault in found)
    assert made.events > 2


# What stays -------------------------------------------------------------------------------


def test_the_seal_of_the_whole_record_still_holds(at: Any, commits: Any) -> None:
    from permits.models import RecordSeal

    site = scene.old_case(at).site
    found, on = scene.ready(at, site)
    at(on, "13:00")
    seal = RecordSeal.prepare()
    seal.save()
    destroying.carry_out(found, by=factory.clerk(), on=on)
    assert seal.fault() == ""


def test_the_fee_of_a_destroyed_case_stays_in_the_books(at: Any, commits: Any) -> None:
    from escrow.books.trial import trial_balance

    before = trial_balance(on=scene.TODAY)
    site, made = destroyed(at, commits)
    after = trial_balance(on=made.on)
    assert after.is_right
    assert after.debit >= before.debit
    assert site.applications.get().fee_entries.count() == 1


def test_a_hold_and_a_request_find_no_destroyed_case(at: Any, commits: Any) -> None:
    site, _ = destroyed(at, commits)
    with pytest.raises(NotNow, match="destroyed"):
        holds.place(site, reason="Too late.", by=scene.attorney(), on=scene.today())
    with pytest.raises(NotNow, match="destroyed"):
        requests.log(
            requests.Asked(scene.today(), "email", "All."),
            sites=[site],
            by=factory.clerk(),
            on=scene.today(),
        )


def test_an_upload_shared_with_another_case_is_kept(at: Any, commits: Any) -> None:
    case, other = scene.old_case(at), factory.received()
    shared = case.revisions.get().sheets.get().upload
    other.revisions.get().sheets.create(upload=shared, title="The same sheet")
    found, on = scene.ready(at, case.site)
    with commits(execute=True):
        destroying.carry_out(found, by=factory.clerk(), on=on)
    assert default_storage.exists(Upload.objects.get(pk=shared.pk).file.name)
    assert Document.objects.exists()
