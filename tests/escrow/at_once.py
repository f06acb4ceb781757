"""Many at the same moment, each with a connection of its own: on PostgreSQL only."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection

from permits.models import NotNow

__all__ = ["AT_ONCE", "all_at_once"]

AT_ONCE = 20
PATIENCE = 60  # seconds: whoever waits longer has locked somebody out


def all_at_once(
    *acts: Callable[[], Any], times: int = AT_ONCE, words: Sequence[str] = ()
) -> Counter[str]:
    """Let so many do an act at the same moment, each act in turn, and count how it went.

    "done" and "refused" are what people see; anything else is a fault, by its name. Each
    refusal must have one of the `words`, if there are any.
    """
    barrier, went = threading.Barrier(times), []

    def run(act: Callable[[], Any]) -> None:
        try:
            barrier.wait(PATIENCE)
            act()
            went.append("done")
        except NotNow as refused:
            said = " ".join([str(refused), *(each.text for each in refused.obstacles)])
            plain = not words or any(each in said for each in words)
            went.append("refused" if plain else said)
        except Exception as fault:  # the test names it
            went.append(f"{type(fault).__name__}: {fault}")
        finally:
            connection.close()

    threads = [
        threading.Thread(target=run, args=[acts[number % len(acts)]]) for number in range(times)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(went) == times, "somebody still waits"
    return Counter(went)
