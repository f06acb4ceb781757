"""Runs the child process that opens files, and reads what it says."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent.parent
WALL_SECONDS = 20
"""Twice the child's processor time: on a busy machine it waits for its turn."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Answer:
    """The lines that the child wrote, and whether the kernel had to end it."""

    lines: list[dict[str, Any]]
    ended: bool

    @property
    def finished(self) -> bool:
        """Whether the child came to its own end."""
        return bool(self.lines) and self.lines[-1].get("done") is True


def run_child(*arguments: str) -> Answer:
    """Open one file in a child with an argument list, no shell and none of our secrets."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            status = subprocess.run(  # noqa: S603 (a list of arguments, a path of ours)
                [sys.executable, "-P", "-m", "portal.uploads.child", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment(),
                cwd="/",
                timeout=WALL_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status = -signal.SIGKILL
        lines, trouble = read_lines(out), tail(err)
    if not lines and ("ImportError" in trouble or "ModuleNotFoundError" in trouble):
        # Not the file's fault: an honest error page is better than a false reason.
        raise RuntimeError(f"the process that opens files cannot start: {trouble[-500:]}")
    if status:
        logger.warning("A file could not be read to its end (status %s): %s", status, trouble)
    ended = status in (-signal.SIGXCPU, -signal.SIGKILL) or "MemoryError" in trouble
    return Answer(lines, ended)


def environment() -> dict[str, str]:
    """Return the child's whole environment: where Python is, and nothing of ours."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "1",  # arenas of threads would eat up the limit
    }


def read_lines(out: IO[bytes]) -> list[dict[str, Any]]:
    """Read the whole lines; one that was cut off when the child was ended is left out."""
    out.seek(0)
    lines = []
    for line in out:
        if line.endswith(b"\n"):
            lines.append(json.loads(line))
    return lines


def tail(err: IO[bytes]) -> str:
    """Return the last words of the child's error output."""
    size = err.seek(0, os.SEEK_END)
    err.seek(max(0, size - 1500))
    return err.read().decode("utf-8", "replace")
