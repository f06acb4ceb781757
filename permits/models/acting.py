"""What all acts on a case have in common: one at a time, in order, or refused with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from django.db import models, transaction

from portal.ordinance import Obstacle


class NotNow(Exception):
    """The act is refused; says why in a sentence, with every obstacle where there are some.

    Nothing was changed.
    """

    def __init__(self, sentence: str, obstacles: Sequence[Obstacle] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.obstacles = tuple(obstacles)


class Acting(models.Model):
    """A model whose status changes only by named acts under the site's lock."""

    NEXT: ClassVar[dict[Any, frozenset[Any]]]
    site: Any
    status: Any

    class Meta:
        abstract = True

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Hold the case, read the facts anew, and do all of the act or nothing."""
        with transaction.atomic():
            self.site.lock()
            self.refresh_from_db()
            yield

    def demand(self, status: Any) -> None:
        """Refuse unless the table of what may follow allows the status."""
        if status not in self.NEXT[type(status)(self.status)]:
            raise NotNow(self.why_not(status))

    def move_to(self, status: Any) -> None:
        """Change the status if the table of what may follow allows it, else refuse."""
        self.demand(status)
        self.status = status

    def why_not(self, status: Any) -> str:
        """Say why the status cannot change to `status` now."""
        return f"This cannot be done any more: it is already {self.get_status_display().lower()}."  # type: ignore[attr-defined]

    @staticmethod
    def refuse(obstacles: Sequence[Obstacle], sentence: str) -> None:
        """Raise NotNow with all the obstacles, if there are any."""
        if obstacles:
            raise NotNow(sentence, obstacles)
