"""Starting the portal's own processes on the database of the test."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO

import pytest
from django.conf import settings
from django.db import connection

from tests.conftest import ROOT

BIN = Path(sys.executable).parent
_outputs: dict[subprocess.Popen[str], IO[str]] = {}


def database_url() -> str:
    """Return the address of the database that the test itself uses."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    login = found["USER"] + (f":{found['PASSWORD']}" if found["PASSWORD"] else "")
    return f"postgres://{login}@{found['HOST']}:{found['PORT'] or 5432}/{found['NAME']}"


def environment(**more: str) -> dict[str, str]:
    """Return a clean environment: nothing of the test's own leaks into the process."""
    return {
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "HOME": os.environ.get("HOME", "/"),
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "portal.settings",
        "SILTFENCE_MODE": "test",
        "SILTFENCE_VAR": str(settings.VAR_DIR),
        **more,
    }


@contextmanager
def running(command: Sequence[str], **more: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process beside the test, and see to it that it is gone afterwards."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            list(command),
            cwd=ROOT,
            env=environment(**more),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
        )
        _outputs[process] = output
        try:
            yield process
        finally:
            _outputs.pop(process, None)
            _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def worker(**more: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """Run the worker by its documented command."""
    more = {"DATABASE_URL": database_url(), "DAILY_ROUND_HOUR": "0", **more}
    return running(["python", "manage.py", "worker"], **more)


def kill_at_once(process: subprocess.Popen[str]) -> None:
    """kill -9: no handler runs, nothing is put in order."""
    del _outputs[process]
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=10)


def wait_for(happened: Callable[[], object], seconds: float = 60) -> None:
    """Wait until it has happened, or fail."""
    until = time.monotonic() + seconds
    while not happened():
        for process, output in _outputs.items():
            if process.poll():
                output.seek(0)
                pytest.fail(f"{process.args} ended with {process.returncode}:\n{output.read()}")
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.05)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
    return port


def answers(port: int) -> bool:
    """Return whether somebody listens on the port."""
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0
