"""The worker: killed at any point it loses nothing; two of them do the day's round once."""

from __future__ import annotations

import signal
import threading
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from portal import clock, rounds, tasks
from portal.worker import PortalWorker

from .processes import kill_at_once, wait_for, worker
from .slow import wait_for_word

STALE = {"TASK_STALE_SECONDS": "1"}


def _row(path: str) -> DBTaskResult:
    return DBTaskResult.objects.get(task_path=path)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_task_whose_worker_was_killed_is_done_by_the_next_worker(tmp_path: Path) -> None:
    wait_for_word.enqueue(str(tmp_path))
    with worker(**STALE) as first:
        wait_for(lambda: list(tmp_path.glob("began-*")))
        time.sleep(1.5)  # longer than the lease: it is renewed, so nobody else takes the task
        assert _row(wait_for_word.module_path).status == TaskResultStatus.RUNNING
        kill_at_once(first)
    assert _row(wait_for_word.module_path).status == TaskResultStatus.RUNNING
    time.sleep(1.1)
    (tmp_path / "go").touch()
    with worker(**STALE):
        wait_for(lambda: _row(wait_for_word.module_path).status == TaskResultStatus.SUCCESSFUL)
    assert (tmp_path / "done").read_text() == "done\n"
    assert len(_row(wait_for_word.module_path).worker_ids) == 2


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_told_to_stop_finishes_the_task_in_hand(tmp_path: Path) -> None:
    wait_for_word.enqueue(str(tmp_path))
    with worker() as only:
        wait_for(lambda: list(tmp_path.glob("began-*")))
        only.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert only.poll() is None
        (tmp_path / "go").touch()
        assert only.wait(timeout=15) == 0
    assert _row(wait_for_word.module_path).status == TaskResultStatus.SUCCESSFUL


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_idle_worker_stops_at_once() -> None:
    with worker() as only:
        wait_for(DBTaskResult.objects.finished().exists)
        only.send_signal(signal.SIGINT)
        assert only.wait(timeout=10) == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_do_the_daily_round_once() -> None:
    asked = DBTaskResult.objects.filter(task_path=tasks.daily_round.module_path)
    with worker(), worker():
        wait_for(asked.finished().exists)
        wait_for(
            lambda: (
                DBTaskResult.objects.filter(task_path=tasks.send_outbox.module_path)
                .successful()
                .exists()
            )
        )
        time.sleep(2)
    assert asked.count() == 1
    assert len(asked.get().worker_ids) == 1


@pytest.mark.django_db(transaction=True)
def test_many_who_ask_for_the_round_of_a_day_make_one() -> None:
    barrier = threading.Barrier(6)
    made: list[bool] = []

    def ask() -> None:
        barrier.wait()
        made.append(tasks.enqueue_daily_round(date(2026, 12, 8)))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [False] * 5 + [True]
    assert DBTaskResult.objects.count() == 1


@pytest.mark.django_db
def test_the_next_day_has_a_round_of_its_own() -> None:
    assert tasks.enqueue_daily_round(date(2026, 12, 8))
    assert not tasks.enqueue_daily_round(date(2026, 12, 8))
    assert tasks.enqueue_daily_round(date(2026, 12, 9))


@pytest.mark.django_db
def test_a_round_that_failed_is_asked_for_again_after_a_pause() -> None:
    tasks.enqueue_daily_round(date(2026, 12, 8))
    DBTaskResult.objects.update(status=TaskResultStatus.FAILED, finished_at=clock.now())
    assert not tasks.enqueue_daily_round(date(2026, 12, 8))
    DBTaskResult.objects.update(finished_at=clock.now() - timedelta(minutes=3))
    assert tasks.enqueue_daily_round(date(2026, 12, 8))
    assert not tasks.enqueue_daily_round(date(2026, 12, 8))
    assert DBTaskResult.objects.count() == 2


@pytest.mark.django_db
def test_the_round_waits_for_the_hour_of_the_city(settings, at) -> None:
    settings.DAILY_ROUND_HOUR = 6
    asked = DBTaskResult.objects.filter(task_path=tasks.daily_round.module_path)
    at("2026-12-08", "05:59")
    PortalWorker()._chores()
    assert not asked.exists()
    at("2026-12-08", "06:00")
    PortalWorker()._chores()
    assert asked.get().args_kwargs == {"args": ["2026-12-08"], "kwargs": {}}


@pytest.mark.django_db
def test_the_round_is_of_the_day_in_the_city_not_in_greenwich(at) -> None:
    at("2026-12-08", "23:30")
    PortalWorker()._chores()
    asked = DBTaskResult.objects.get(task_path=tasks.daily_round.module_path)
    assert asked.args_kwargs["args"] == ["2026-12-08"]


@pytest.mark.django_db
def test_a_task_that_outlived_five_workers_is_given_up() -> None:
    wait_for_word.enqueue("nowhere")
    old = clock.now() - timedelta(hours=1)
    DBTaskResult.objects.update(
        status=TaskResultStatus.RUNNING, started_at=old, worker_ids=["a", "b", "c", "d", "e"]
    )
    assert tasks.sweep(timedelta(minutes=5)) == 0
    assert DBTaskResult.objects.get().status == TaskResultStatus.FAILED


@pytest.mark.django_db
def test_a_task_with_a_fresh_mark_is_left_to_its_worker() -> None:
    wait_for_word.enqueue("nowhere")
    DBTaskResult.objects.update(
        status=TaskResultStatus.RUNNING, started_at=clock.now(), worker_ids=["a"]
    )
    assert tasks.sweep(timedelta(minutes=5)) == 0
    assert DBTaskResult.objects.get().status == TaskResultStatus.RUNNING


@pytest.mark.django_db
def test_finished_tasks_do_not_pile_up() -> None:
    tasks.send_outbox.enqueue()
    tasks.enqueue_daily_round(date(2026, 12, 8))
    two_hours_ago = clock.now() - timedelta(hours=2)
    DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL, finished_at=two_hours_ago)
    assert tasks.tidy() == 1
    assert DBTaskResult.objects.get().task_path == tasks.daily_round.module_path


def test_a_part_of_the_round_that_fails_does_not_keep_the_others(monkeypatch) -> None:
    monkeypatch.setattr(rounds, "_rounds", {})
    seen: list[date] = []

    def fails(on: date) -> int:
        raise RuntimeError("no luck")

    def works(on: date) -> int:
        seen.append(on)
        return 3

    rounds.register("fails", fails)
    rounds.register("works", works)
    with pytest.raises(rounds.RoundFailed, match="fails: RuntimeError"):
        rounds.run_all(date(2026, 12, 8))
    assert seen == [date(2026, 12, 8)]


def test_one_name_in_the_round_is_one_function(monkeypatch) -> None:
    monkeypatch.setattr(rounds, "_rounds", {})
    rounds.register("reminders", len)
    rounds.register("reminders", len)
    with pytest.raises(ValueError, match="already has another"):
        rounds.register("reminders", max)
