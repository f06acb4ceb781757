"""A task that waits for the test's word, so that its worker can be killed in the middle."""

from __future__ import annotations

import os
import time
from pathlib import Path

from django_tasks import task


@task()
def wait_for_word(folder: str) -> str:
    """Say that it began, wait until `go` is there, then say that it is done."""
    here = Path(folder)
    (here / f"began-{os.getpid()}").touch()
    while not (here / "go").exists():
        time.sleep(0.02)
    with (here / "done").open("a") as done:
        done.write("done\n")
    return "done"
