"""Measures in one process: pages through the test client, and the permit card."""

from __future__ import annotations

import json
import logging
import resource
import sys
import time
from io import BytesIO
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext, override_settings

from permits import papers
from permits.models import Permit
from portal import clock, letters
from portal.models import Mailing

from . import money
from .pages import Page, pages

__all__ = ["serve"]

WARM_UP = 5
CARDS_WARM_UP, LETTERS_WARM_UP = 3, 5


def serve() -> None:
    """Answer each line of standard input with a line of JSON, until it ends.

    `queries` warms the pages up and counts their queries; a number measures each page so
    many times, in milliseconds; `card` and a number renders so many permit cards; `letters`
    and a number prints a batch of the mail room; `money` makes the files of the roll.
    """
    logging.disable(logging.CRITICAL)
    with override_settings(ROOT_URLCONF="escrow.demo.bench.bare", ALLOWED_HOSTS=["127.0.0.1"]):
        shown = list(pages())
        for line in sys.stdin:
            word = line.strip()
            answer: Any
            if word == "queries":
                answer = {page.name: queries(page) for page in shown}
            elif word.startswith("letters"):
                answer = batch(int(word.removeprefix("letters")))
            elif word == "money":
                answer = money.measure()
            elif word.startswith("card"):
                answer = cards(int(word.removeprefix("card")))
            else:
                answer = {page.name: times(page, int(word)) for page in shown if page.url}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def queries(page: Page) -> int | str:
    """Return how many queries a page makes, or why it cannot be measured."""
    if not page.url:
        return "missing"
    for _ in range(WARM_UP):
        response = page.client.get(page.url)
        if response.status_code != 200:
            return f"status {response.status_code}"
    with CaptureQueriesContext(connection) as caught:
        page.client.get(page.url)
    return len(caught)


def times(page: Page, number: int) -> list[float]:
    """Return how long a page took, each time, in milliseconds."""
    found = []
    for _ in range(number):
        start = time.perf_counter()
        page.client.get(page.url)
        found.append((time.perf_counter() - start) * 1000)
    return found


def cards(number: int) -> list[float]:
    """Return how long the permit card took, each time, in milliseconds; none is kept."""
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    permit = Permit.objects.filter(status="issued").earliest("pk")
    found = []
    for _ in range(CARDS_WARM_UP + number):
        with transaction.atomic():
            start = time.perf_counter()
            papers.permit_card(permit, on=clock.today())
            found.append((time.perf_counter() - start) * 1000)
            transaction.set_rollback(True)
    return found[CARDS_WARM_UP:]


def batch(number: int) -> dict[str, float]:
    """Print so many letters that wait in the mail room into one PDF; nothing of it is kept.

    Returns how many letters there were, how many a second and core, and by how many megabytes
    the memory grew when it was printed twice more. The process is warm: a few letters were
    printed before.
    """
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    waiting = Mailing.objects.filter(stage=Mailing.Stage.WAITING, by_post=True)
    keys = list(waiting.order_by("go_by", "pk").values_list("pk", flat=True)[:number])
    _print(keys[:LETTERS_WARM_UP])
    begun = time.process_time()
    _print(keys)
    took, memory = time.process_time() - begun, _peak()
    for _ in range(2):
        _print(keys)
    return {
        "letters": len(keys),
        "a second": len(keys) / took if took else 0.0,
        "megabytes": _peak() - memory,
    }


def _print(keys: list[int]) -> None:
    with transaction.atomic():
        chosen = list(Mailing.objects.filter(pk__in=keys).order_by("go_by", "pk"))
        letters.make_batch(chosen, BytesIO(), on=clock.today())
        transaction.set_rollback(True)


def _peak() -> float:
    """The most memory that the process ever held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
