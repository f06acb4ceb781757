"""The outbox: one mail per key, none before its cause is committed, none lost."""

from __future__ import annotations

import asyncio
import smtplib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.core import mail
from django.core.files.base import ContentFile
from django.db import OperationalError, connection, transaction
from django_tasks_db.models import DBTaskResult

from portal import clock, delivery, outbox
from portal.models import Document, OutboxMessage

from .processes import free_port, kill_at_once, wait_for, worker

MAIL = {
    "key": "AP-2026-0042/received/2026-12-08/ann@owner.example",
    "recipient": "ann@owner.example",
    "subject": "Your application was received",
    "body": "The city decides by Tuesday, December 22, 2026.",
    "cause": "application.received",
}


class Sink:
    """A mail server that keeps what it gets; it can refuse an address or be slow."""

    def __init__(self) -> None:
        self.mails: list[Message] = []
        self.got_one = threading.Event()
        self.slow_once = False
        self.refuses: str | None = None

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take or refuse a recipient."""
        if address == self.refuses:
            return "550 5.1.1 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take the mail; where it is slow, the sender never hears that it was taken."""
        content = envelope.content
        assert isinstance(content, bytes)
        self.mails.append(message_from_bytes(content))
        self.got_one.set()
        if self.slow_once:
            self.slow_once = False
            await asyncio.sleep(20)
        return "250 OK"


@contextmanager
def mail_server(port: int | None = None) -> Iterator[tuple[Sink, int]]:
    """Run a mail server beside the test."""
    sink = Sink()
    controller = Controller(sink, hostname="127.0.0.1", port=port or free_port())
    controller.start()
    try:
        yield sink, controller.port
    finally:
        controller.stop(no_assert=True)


@pytest.fixture
def through_smtp(settings):
    """Send through a real SMTP connection to the port given."""

    def use(port: int) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = port
        settings.EMAIL_TIMEOUT = 5

    return use


# Queueing ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_same_key_is_one_mail_however_often_it_is_asked_for() -> None:
    first = outbox.queue(**MAIL)
    assert outbox.queue(**MAIL | {"subject": "Written again"}) == first
    assert OutboxMessage.objects.get().subject == "Your application was received"


@pytest.mark.django_db(transaction=True)
def test_six_who_queue_one_key_at_once_make_one_mail() -> None:
    barrier = threading.Barrier(6)
    made: list[int] = []

    def ask() -> None:
        barrier.wait()
        with transaction.atomic():
            made.append(outbox.queue(**MAIL).pk)
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 6
    assert len(set(made)) == 1
    assert OutboxMessage.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_act_that_is_undone_sends_nothing() -> None:
    def act() -> None:
        with transaction.atomic():
            outbox.queue(**MAIL)
            raise RuntimeError("after the mail was queued")

    with pytest.raises(RuntimeError):
        act()
    assert not OutboxMessage.objects.exists()
    assert not DBTaskResult.objects.exists()
    assert delivery.send_waiting() == 0
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_the_worker_is_asked_only_after_the_cause_is_committed() -> None:
    with transaction.atomic():
        outbox.queue(**MAIL)
        outbox.queue(**MAIL | {"key": "another"})
        assert not DBTaskResult.objects.exists()
    assert DBTaskResult.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_act_stands_though_the_worker_could_not_be_asked(monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise OperationalError("the database went away")

    monkeypatch.setattr("django_tasks_db.DatabaseBackend.enqueue", fails)
    with transaction.atomic():
        outbox.queue(**MAIL)
    assert OutboxMessage.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\x00", "\u2028", "\x85"])
def test_no_text_can_add_a_header_or_a_recipient(end: str) -> None:
    bad = f"{end}Bcc: eve@else.example"
    outbox.queue(**MAIL | {"subject": f"Hello{bad}", "recipient": f"ann@owner.example{bad}"})
    delivery.send_waiting()
    (sent,) = mail.outbox
    assert sent.recipients() == ["ann@owner.example"]
    assert sent.subject == "Hello Bcc: eve@else.example"
    assert sent.message()["Bcc"] is None


@pytest.mark.django_db
@pytest.mark.parametrize("mark", [",", ";", " "])
def test_a_list_of_addresses_is_its_first(mark: str) -> None:
    row = outbox.queue(**MAIL | {"recipient": f"ann@owner.example{mark}eve@else.example"})
    assert row.recipient == "ann@owner.example"


@pytest.mark.django_db
def test_a_mail_without_an_address_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="needs an address"):
        outbox.queue(**MAIL | {"recipient": "  "})


@pytest.mark.django_db
def test_long_keys_and_subjects_fit_their_columns() -> None:
    one = outbox.queue(**MAIL | {"key": "k" * 400 + "1", "subject": "s" * 400})
    two = outbox.queue(**MAIL | {"key": "k" * 400 + "2"})
    assert one != two
    assert (len(one.key), len(one.subject)) == (300, 200)


# Sending ----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_mail_goes_out_once_with_the_name_its_key_gives_it() -> None:
    row = outbox.queue(**MAIL)
    assert delivery.send_waiting() == 1
    assert delivery.send_waiting() == 0
    (sent,) = mail.outbox
    assert sent.body == MAIL["body"]
    assert sent.extra_headers["Auto-Submitted"] == "auto-generated"
    assert sent.extra_headers["Message-ID"] == delivery._message_id(MAIL["key"])
    row.refresh_from_db()
    assert row.sent_at is not None
    assert (row.attempts, row.last_error) == (1, "")


@pytest.mark.django_db
def test_a_paper_is_attached_under_its_title() -> None:
    paper = Document(kind="permit", title="Permit card EC-2026-0042", sha256="0" * 64)
    paper.size, paper.pages = 8, 1
    paper.file.save("card.pdf", ContentFile(b"%PDF-1.7"))
    outbox.queue(**MAIL, attachment=paper)
    delivery.send_waiting()
    assert mail.outbox[0].attachments == [
        ("permit-card-ec-2026-0042.pdf", b"%PDF-1.7", "application/pdf")
    ]


@pytest.mark.django_db
def test_a_paper_that_cannot_be_read_holds_its_own_mail_only() -> None:
    paper = Document.objects.create(kind="permit", title="Gone", sha256="0", size=1, pages=1)
    held = outbox.queue(**MAIL, attachment=paper)
    outbox.queue(**MAIL | {"key": "another"})
    assert delivery.send_waiting() == 1
    held.refresh_from_db()
    assert held.sent_at is None
    assert held.last_error


@pytest.mark.django_db
def test_a_mail_server_that_is_down_leaves_the_mail_waiting(through_smtp, at) -> None:
    at("2026-12-08", "09:00")
    port = free_port()
    through_smtp(port)
    row = outbox.queue(**MAIL)
    untried = outbox.queue(**MAIL | {"key": "another"})
    assert delivery.send_waiting() == 0
    row.refresh_from_db()
    untried.refresh_from_db()
    assert "refused" in row.last_error.lower()
    assert untried.attempts == 0
    with mail_server(port) as (sink, _):
        assert delivery.send_waiting() == 1  # the one that was not tried; the other pauses
        at("2026-12-08", "09:06")
        assert delivery.send_waiting() == 1
        assert [str(m["To"]) for m in sink.mails] == ["ann@owner.example"] * 2
    row.refresh_from_db()
    assert (row.attempts, row.last_error) == (2, "")


@pytest.mark.django_db
def test_an_address_that_is_refused_is_asked_about_once_a_day(through_smtp, at) -> None:
    at("2026-12-08", "09:00")
    with mail_server() as (sink, port):
        through_smtp(port)
        sink.refuses = "gone@owner.example"
        row = outbox.queue(**MAIL | {"recipient": "gone@owner.example"})
        outbox.queue(**MAIL | {"key": "another"})
        assert delivery.send_waiting() == 1
        row.refresh_from_db()
        assert row.last_error.startswith(delivery.REFUSED)
        at("2026-12-08", "20:00")
        delivery.send_waiting()
        row.refresh_from_db()
        assert row.attempts == 1
        at("2026-12-09", "10:00")
        delivery.send_waiting()
        row.refresh_from_db()
        assert row.attempts == 2


@pytest.mark.django_db
def test_two_workers_that_saw_the_same_mail_send_it_once() -> None:
    outbox.queue(**MAIL)
    (seen,) = delivery._due(clock.now())
    assert delivery._claim(seen)
    assert not delivery._claim(seen)


@pytest.mark.django_db
def test_the_pauses_grow_to_an_hour_and_no_further() -> None:
    pauses = [delivery._wait(n, "down") for n in (1, 2, 3, 4, 5, 99)]
    assert [p // timedelta(minutes=1) for p in pauses] == [5, 10, 20, 40, 60, 60]


@pytest.mark.django_db
def test_a_clock_that_was_put_back_does_not_hold_a_mail(at) -> None:
    at("2026-12-09")
    row = outbox.queue(**MAIL)
    OutboxMessage.objects.filter(pk=row.pk).update(claimed_at=clock.now(), attempts=1)
    at("2026-12-08")
    assert delivery.send_waiting() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_while_it_sends_loses_no_mail(tmp_path: Path) -> None:
    """At least once: the second copy has the same name and the row says so."""
    row = outbox.queue(**MAIL)
    settings = {"OUTBOX_RETRY_SECONDS": "1", "TASK_STALE_SECONDS": "1"}
    with mail_server() as (sink, port):
        settings["MAIL_URL"] = f"smtp://127.0.0.1:{port}"
        sink.slow_once = True
        with worker(**settings) as first:
            wait_for(sink.got_one.is_set)
            kill_at_once(first)
        row.refresh_from_db()
        assert row.sent_at is None
        time.sleep(1.1)  # the claim of the one that was killed lapses
        with worker(**settings):
            wait_for(OutboxMessage.objects.filter(sent_at__isnull=False).exists, 90)
        assert len(sink.mails) == 2
        assert len({m["Message-ID"] for m in sink.mails}) == 1
    row.refresh_from_db()
    assert row.last_error == delivery.CUT_OFF


def test_what_smtplib_raises_is_an_oserror() -> None:
    """The loop stops on OSError, and only a refused address is looked at before."""
    assert issubclass(smtplib.SMTPException, OSError)
