"""Batches of letters: asked for in a moment, made by the worker, nothing of it twice."""

from __future__ import annotations

import errno
import io
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from portal import letter_batches, letters, papers, stored
from portal.models import Document, LetterBatch, LetterBatchLine, Mailing, Role
from portal.worker import PortalWorker
from tests import factory
from tests.ground.processes import kill_at_once, wait_for, worker
from tests.mailroom import post
from tests.review.pages import signed_in, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


def ask(number: int = 3, **options: Any) -> LetterBatch:
    """A batch of letters of one case, asked for by the clerk."""
    case = factory.submitted()
    return letter_batches.ask(
        [post.letter(case) for _ in range(number)], by=factory.clerk(), **options
    )


def work() -> None:
    """Do by the worker's own code what is asked for."""
    for row in DBTaskResult.objects.ready().filter(
        task_path=letter_batches.make_letters.module_path
    ):
        row.claim("a worker")
        PortalWorker().run_task(row)


def words(client: Client, batch: LetterBatch) -> str:
    return text_of(client.get(batch.get_absolute_url()))


def check_made_once(batch: LetterBatch, *, list_pages: int = 1) -> None:
    """Each letter has one cover letter, the batch one PDF, and nothing lies beside them."""
    batch.refresh_from_db()
    assert batch.document is not None
    covers = set(batch.lines.values_list("mailing__letter", flat=True))
    assert None not in covers
    assert len(covers) == batch.lines.count() == Document.objects.filter(kind="mail_letter").count()
    assert Document.objects.filter(kind="mail_batch").count() == 1
    with pikepdf.open(batch.document.file.path) as pdf:
        assert len(pdf.pages) == batch.document.pages == batch.lines.count() + list_pages


# The clerk asks -----------------------------------------------------------------------------


def test_the_request_typesets_nothing_and_the_page_says_how_far_it_is(
    clerk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = [post.letter() for _ in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr(papers, "make", lambda *args, **kwargs: pytest.fail("typeset in a request"))
        answer = clerk.post(reverse("mail_print"), {"letter": [each.pk for each in chosen]})
        batch = LetterBatch.objects.get()
        assert answer.headers["Location"] == batch.get_absolute_url()
        shown = clerk.get(batch.get_absolute_url())
    assert "Being made: 0 of 3 letters." in text_of(shown)
    assert "Look again" in text_of(shown)
    assert 'hx-trigger="every 2s"' in shown.content.decode()
    assert clerk.get(reverse("mail_batch_pdf", args=[batch.key])).status_code == 404
    assert "being made: 0 of 3" in text_of(clerk.get(reverse("mailroom")))


def test_the_worker_makes_one_pdf_that_says_nothing_of_mailing(clerk: Client) -> None:
    batch = ask(3)
    work()
    check_made_once(batch)
    shown = clerk.get(batch.get_absolute_url())
    assert batch.document is not None
    assert batch.document.title == "Letters of November 16, 2026 (three letters)"
    assert "The PDF is ready: 4 pages." in text_of(shown)
    assert "hx-trigger" not in shown.content.decode(), "nobody asks on when it is made"
    pdf = clerk.get(reverse("mail_batch_pdf", args=[batch.key]))
    assert b"".join(pdf.streaming_content).startswith(b"%PDF-")
    assert not Mailing.objects.exclude(stage="waiting").exists()
    assert "being made" not in text_of(clerk.get(reverse("mailroom")))


def test_a_form_sent_twice_asks_for_one_batch(clerk: Client) -> None:
    sent = {"letter": post.letter().pk, "operation": str(uuid.uuid4())}
    first, second = (clerk.post(reverse("mail_print"), sent) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert LetterBatch.objects.count() == 1
    assert DBTaskResult.objects.count() == 1


def test_from_the_batch_the_clerk_records_the_deposit_of_its_letters(clerk: Client) -> None:
    batch = ask(2)
    lost = post.letter(address="")
    LetterBatchLine.objects.create(batch=batch, position=3, mailing=lost)
    work()
    shown = clerk.get(batch.get_absolute_url())
    assert "It has no address." in text_of(shown)
    assert len(shown.context["to_deposit"]) == 2
    fields = {"letter": shown.context["to_deposit"], "step": "choose", "end_of_form": ""}
    asked = clerk.post(reverse("mail_deposit"), fields)
    assert [each.pk for each in asked.context["letters"]] == shown.context["to_deposit"]


def test_the_administrator_sees_a_batch_and_asks_for_none() -> None:
    batch = ask(1)
    LetterBatch.objects.update(trouble="The storage is full.")
    looker = signed_in(factory.user(Role.ADMINISTRATOR))
    assert "The storage is full." in words(looker, batch)
    assert "Try again" not in words(looker, batch)
    assert looker.post(reverse("mail_batch_again", args=[batch.key])).status_code == 404


# Trouble ------------------------------------------------------------------------------------


def test_a_full_disk_is_told_in_words_and_tried_again(
    clerk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = ask(3)
    kept: list[str] = []
    put = stored.put_folder

    def runs_full(name: str, path: Path, source: Any) -> stored.Stored:
        if len(kept) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        kept.append(name)
        return put(name, path, source)

    with monkeypatch.context() as patch:
        patch.setattr(stored, "put_folder", runs_full)
        work()
    assert "There is no room left for files." in words(clerk, batch)
    assert "not made" in text_of(clerk.get(reverse("mailroom")))
    again = {"operation": str(uuid.uuid4())}
    for _ in range(2):  # sent twice
        sent = clerk.post(reverse("mail_batch_again", args=[batch.key]), again)
        assert sent.headers["Location"] == batch.get_absolute_url()
    assert "Being made: 2 of 3 letters." in words(clerk, batch)
    work()
    check_made_once(batch)
    assert batch.tries == 2


def test_a_letter_that_stops_the_worker_is_named(
    clerk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = ask(3)
    second = batch.lines.get(position=2).mailing
    make = papers.make

    def stumbles(template: str, context: dict[str, Any]) -> papers.Made:
        if context.get("letter") == second:
            raise RuntimeError("no such glyph")
        return make(template, context)

    monkeypatch.setattr(papers, "make", stumbles)
    work()
    assert f"It stopped at the letter to {second.addressee}." in words(clerk, batch)
    assert DBTaskResult.objects.get().status == TaskResultStatus.FAILED, "the log has the cause"


@pytest.mark.parametrize("left", ["failed", "gone"])
def test_a_batch_that_nobody_makes_any_more_is_not_waited_for(clerk: Client, left: str) -> None:
    batch = ask(1)
    if left == "gone":
        DBTaskResult.objects.all().delete()
    else:
        DBTaskResult.objects.update(status=TaskResultStatus.FAILED, finished_at=batch.asked_at)
    assert "never came to an end" in words(clerk, batch)
    clerk.post(reverse("mail_batch_again", args=[batch.key]))
    work()
    check_made_once(batch)


def test_to_ask_again_for_what_is_being_made_or_made_changes_nothing(clerk: Client) -> None:
    batch = ask(1)
    for _ in range(2):
        clerk.post(reverse("mail_batch_again", args=[batch.key]))
        batch.refresh_from_db()
        assert batch.tries == DBTaskResult.objects.count() == 1
        work()


# The worker is killed -----------------------------------------------------------------------


class Killed(BaseException):
    """No handler runs and nothing is put in order."""


def _dies_after(func: Callable[..., Any], times: int) -> Callable[..., Any]:
    left = [times]

    def runs(*args: Any, **kwargs: Any) -> Any:
        result = func(*args, **kwargs)
        left[0] -= 1
        if left[0] == 0:
            raise Killed
        return result

    return runs


@pytest.mark.parametrize(
    ("where", "name", "times"),
    [
        (papers, "make", 1), (papers, "make", 3), (papers, "make", 4), (papers, "keep_file", 1),
        (papers, "keep_file", 3), (papers, "keep_file", 4), (letters, "cover_letter", 2),
        (letters, "shows_address", 3), (papers, "put", 4),
    ],
)  # fmt: skip
def test_killed_after_any_step_nothing_is_lost_and_nothing_made_twice(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, times: int
) -> None:
    batch = ask(3)
    with monkeypatch.context() as patch:
        patch.setattr(where, name, _dies_after(getattr(where, name), times))
        with pytest.raises(Killed):
            letter_batches.make(batch)
    letter_batches.make(LetterBatch.objects.get())
    check_made_once(batch)
    letter_batches.make(LetterBatch.objects.get())  # the lease ran out after the last line
    check_made_once(batch)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_in_the_middle_is_followed_by_another(tmp_path: Path) -> None:
    batch = ask(40)
    stale = {"TASK_STALE_SECONDS": "1", "SILTFENCE_VAR": str(tmp_path)}
    with worker(**stale) as first:
        wait_for(lambda: batch.lines.exclude(ready_at=None).count() >= 5)
        kill_at_once(first)
    assert not LetterBatch.objects.filter(document__isnull=False).exists()
    before = set(Document.objects.filter(kind="mail_letter").values_list("pk", flat=True))
    assert 5 <= len(before) < 40
    with worker(**stale):
        wait_for(LetterBatch.objects.filter(document__isnull=False).exists)
    check_made_once(batch, list_pages=3)
    assert before < set(batch.lines.values_list("mailing__letter", flat=True))


@pytest.mark.django_db(transaction=True)
def test_two_who_make_the_same_batch_at_once_keep_one_of_each() -> None:
    batch = ask(4)
    barrier = threading.Barrier(2)
    wrong: list[BaseException] = []

    def make() -> None:
        barrier.wait()
        try:
            letter_batches.make(LetterBatch.objects.get(pk=batch.pk))
        except BaseException as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=make) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    check_made_once(batch)


# The list -----------------------------------------------------------------------------------


def test_the_list_of_batches_asks_little_and_says_what_to_do_when_it_is_empty(
    clerk: Client,
) -> None:
    assert "No batch was asked for yet." in text_of(clerk.get(reverse("mail_batches")))
    case = factory.submitted()
    for _ in range(30):
        letter_batches.ask([post.letter(case)], by=factory.clerk())
    for address in (reverse("mail_batches"), reverse("mailroom")):
        with CaptureQueriesContext(connection) as asked:
            assert clerk.get(address).status_code == 200
        assert len(asked) <= 25
    big = ask(60)
    with CaptureQueriesContext(connection) as asked:
        assert "0 of 60" in words(clerk, big)
    assert len(asked) <= 25


def test_the_pdf_is_that_of_the_letters_whatever_was_asked_for_later() -> None:
    one, two = ask(1, two_sided=True), ask(2)
    work()
    for batch, pages in ((one, 4), (two, 3)):
        batch.refresh_from_db()
        assert batch.document is not None
        content = Path(batch.document.file.path).read_bytes()
        assert len(pikepdf.open(io.BytesIO(content)).pages) == pages
