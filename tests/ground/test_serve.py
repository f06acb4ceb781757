"""`./run`: from nothing to a portal that answers; Ctrl-C ends it; the next start keeps all."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import socket
import sqlite3
import subprocess
import sys
import termios
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT

from .processes import environment, free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        Path(sys.prefix) != ROOT / ".venv", reason="./run uses the environment in .venv"
    ),
]


@contextmanager
def served(var: Path, port: int, seconds: float) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Start `./run` on a terminal of its own and wait until it greets."""
    master, terminal = pty.openpty()
    said = var / "said"
    with said.open("wb") as output:
        process = subprocess.Popen(
            ["./run"],
            cwd=ROOT,
            env=environment(
                SILTFENCE_MODE="demo", SILTFENCE_VAR=str(var), PORT=str(port), DAILY_ROUND_HOUR="0"
            ),
            stdin=terminal,
            stdout=output,
            stderr=output,
            start_new_session=True,
            # Ctrl-C on the terminal reaches the script and all that it started.
            preexec_fn=lambda: _own_terminal(terminal),
        )
    try:
        until = time.monotonic() + seconds
        while b"(Ctrl-C stops it)" not in said.read_bytes():
            assert process.poll() is None, said.read_text()
            assert time.monotonic() < until, said.read_text()
            time.sleep(0.2)
        yield process, said
        os.write(master, b"\x03")
        try:
            ended = process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            pytest.fail(f"It did not stop:\n{said.read_text()}")
        assert ended == 0, said.read_text()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        os.close(master)
        os.close(terminal)


def _own_terminal(terminal: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def _health(port: int) -> dict[str, str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
        found: dict[str, str] = json.load(answer)["checks"]
    return found


def _rows(var: Path, table: str) -> int:
    with sqlite3.connect(var / "siltfence.sqlite3") as database:
        count: int = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return count


def test_the_first_start_makes_all_and_the_second_keeps_it(tmp_path: Path) -> None:
    port = free_port()
    with served(tmp_path, port, 300):
        time.sleep(3)  # the worker has looked at its outbox by then
        assert set(_health(port).values()) == {"ok"}
        front = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10)
        assert b"<main" in front.read()
    with sqlite3.connect(tmp_path / "siltfence.sqlite3") as database:
        database.execute("UPDATE portal_user SET name = 'Entered by hand' WHERE id = 1")
    database.close()
    people, sites = _rows(tmp_path, "portal_user"), _rows(tmp_path, "permits_site")
    began = time.monotonic()
    with served(tmp_path, port, 60) as (_, said):
        assert time.monotonic() - began < 30
        assert _rows(tmp_path, "portal_user") == people
        assert _rows(tmp_path, "permits_site") == sites >= 40
        assert (
            sqlite3.connect(tmp_path / "siltfence.sqlite3")
            .execute("SELECT name FROM portal_user WHERE id = 1")
            .fetchone()[0]
            == "Entered by hand"
        )
    assert "Traceback" not in said.read_text()


def test_a_port_that_is_taken_is_said_so_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        port = door.getsockname()[1]
        refused = subprocess.run(
            ["./run"],
            cwd=ROOT,
            env=environment(SILTFENCE_MODE="demo", SILTFENCE_VAR=str(tmp_path), PORT=str(port)),
            capture_output=True,
            text=True,
            check=False,
        )
    assert refused.returncode == 1
    assert refused.stderr == f"Port {port} is taken; try PORT={port + 1} ./run\n"
    assert not (tmp_path / "siltfence.sqlite3").exists()
