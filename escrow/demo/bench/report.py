"""The figures of a run, and the table in which they are read."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import median, quantiles

from .pages import ANNUAL, BARE, BUSIEST

__all__ = ["Figures", "table", "write"]

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
MOST_QUERIES, MOST_RATIO, MOST_BARE, MOST_ANNUAL = 25, 1.3, 3.0, 2000
"""The goals: queries of a page, large city against small, desk against the bare view, and
milliseconds for the annual report on PostgreSQL: it counts a year and so grows with the city."""
LEAST_LETTERS = 5
"""Letters a second and core, in a warm process."""
MOST_PREVIEW, MOST_SHEET, LEAST_OF_COPY, MOST_MEMORY = 3.0, 5.0, 1 / 3, 20
"""Seconds for the preview of 10,000 charges and for an XLSX of 10,000 rows; the speed of the
CSV against PostgreSQL's own COPY of the same rows; megabytes that it may take."""


@dataclass
class Figures:
    """What was measured on one kind of database: the small city and the large one."""

    engine: str
    sites: tuple[int, int]
    seconds: list[float | None] = field(default_factory=list)
    queries: list[dict[str, int | str]] = field(default_factory=list)
    times: tuple[dict[str, list[float]], dict[str, list[float]]] = field(
        default_factory=lambda: ({}, {})
    )
    cards: list[float] = field(default_factory=list)
    letters: dict[str, float] = field(default_factory=dict)
    money: dict[str, float] = field(default_factory=dict)

    def median(self, city: int, page: str) -> float:
        """The median of a page, in milliseconds."""
        return median(self.times[city][page])

    def ratio(self, page: str) -> float:
        """The large city's median to the small one's."""
        return self.median(1, page) / self.median(0, page)

    def missed(self) -> Iterator[str]:
        """Say which goals were not met."""
        for page, count in self.queries[1].items():
            if isinstance(count, str):
                yield f"{page}: {count}"
                continue
            if count > MOST_QUERIES:
                yield f"{page}: {count} queries, the goal is {MOST_QUERIES}"
            if page == ANNUAL:
                took = self.median(1, page)
                if self.engine == "PostgreSQL" and took > MOST_ANNUAL:
                    yield f"{page}: {took:.0f} ms, the goal is {MOST_ANNUAL}"
            elif page != BUSIEST and (ratio := self.ratio(page)) > MOST_RATIO:
                yield f"{page}: ratio {ratio:.2f}, the goal is {MOST_RATIO}"
        if self.letters.get("letters") and self.letters["a second"] < LEAST_LETTERS:
            rate = self.letters["a second"]
            yield f"Batch of letters: {rate:.1f} a second and core, the goal is {LEAST_LETTERS}"
        yield from self.missed_money()
        if "Desk" in self.times[1]:
            against = self.median(1, "Desk") / self.median(1, BARE)
            if against > MOST_BARE:
                yield f"Desk: {against:.1f} times the bare view, the goal is {MOST_BARE:.0f}"

    def missed_money(self) -> Iterator[str]:
        """Say which goals of the tax roll were not met."""
        for name, key, most in (
            ("Preview of the roll", "preview s", MOST_PREVIEW),
            ("XLSX", "sheet s", MOST_SHEET),
        ):
            if self.money.get(key, 0) > most:
                yield f"{name}: {self.money[key]:.1f} s, the goal is {most:.0f}"
        if "copy s" in self.money and of_copy(self.money) < LEAST_OF_COPY:
            yield f"CSV: {of_copy(self.money):.2f} of the speed of COPY, the goal is 1/3"
        if self.money.get("csv MB", 0) > MOST_MEMORY:
            yield f"CSV: {self.money['csv MB']:.0f} MB more memory, the goal is {MOST_MEMORY}"


def of_copy(money: dict[str, float]) -> float:
    """The speed of the CSV against COPY: 1 is as fast."""
    return money["copy s"] / money["csv s"]


def high(times: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def table(figures: Figures) -> str:
    """Return the figures of one database as Markdown."""
    small, large = (f"{sites:,}" for sites in figures.sites)
    head = ["Page", "Queries", f"{small} sites", "95 %", f"{large} sites", "95 %", "Ratio"]
    rows = [head, ["---", *["--:"] * 6]]
    for page, count in figures.queries[1].items():
        if isinstance(count, str):
            rows.append([page, count, "", "", "", "", ""])
            continue
        cells = [page, most(figures.queries[0][page], count)]
        for city in (0, 1):
            times = figures.times[city][page]
            cells += [f"{median(times):.1f}", f"{high(times):.1f}"]
        rows.append([*cells, f"{figures.ratio(page):.2f}"])
    lines = [f"### {figures.engine}", "", *(f"| {' | '.join(row)} |" for row in rows), ""]
    return "\n".join([*lines, *sentences(figures)])


def most(small: int | str, large: int) -> str:
    """Queries of a page; both counts where the cities differ."""
    return str(large) if small == large else f"{small}, {large}"


def sentences(figures: Figures) -> Iterator[str]:
    """What the table does not say."""
    if "Desk" in figures.times[1]:
        against = [figures.median(n, "Desk") / figures.median(n, BARE) for n in (0, 1)]
        yield f"The desk takes {against[0]:.1f} and {against[1]:.1f} times the bare view."
    if figures.cards:
        yield (
            f"Permit card (PDF): median {median(figures.cards):.0f} ms, "
            f"95 % {high(figures.cards):.0f} ms, of {len(figures.cards)} in a warm process."
        )
    if figures.letters.get("letters"):
        yield (
            f"Batch of letters (PDF): {figures.letters['letters']:.0f} letters, "
            f"{figures.letters['a second']:.1f} a second and core, "
            f"{figures.letters['megabytes']:.0f} MB more memory after three batches than after one."
        )
    yield from november(figures.money)
    took = [f"{seconds:.0f} s" for seconds in figures.seconds if seconds is not None]
    if took:
        yield f"Loading took {' and '.join(took)}."
    missed = list(figures.missed())
    yield "Every goal is met." if not missed else "Not met: " + "; ".join(missed) + "."


def november(money: dict[str, float]) -> Iterator[str]:
    """The tax roll and the trial balance, in the larger city."""
    if "csv s" in money:
        text = f"CSV of {money['csv rows']:,.0f} charges: {money['csv s']:.2f} s"
        if "copy s" in money:
            text += f" ({of_copy(money):.2f} of the speed of COPY, {money['copy s']:.2f} s)"
        yield f"{text}, {money['csv MB']:.0f} MB more memory."
        yield f"XLSX of {money['sheet rows']:,.0f} rows: {money['sheet s']:.1f} s."
    if "preview s" in money:
        yield (
            f"Preview of {money['preview charges']:,.0f} charges: {money['preview s']:.2f} s. "
            f"Trial balance of everything: {money['balance s']:.1f} s."
        )


def machine(on: date) -> str:
    """Say where and when it was measured."""
    return (
        f"Measured on {on:%B} {on.day}, {on.year}, with {os.cpu_count()} cores and Python "
        f"{platform.python_version()}. Times are milliseconds: the median, and the 95th percentile."
    )


def write(path: Path, tables: list[str], *, on: date) -> None:
    """Put the tables in the place that the document keeps for them."""
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    measured = "\n\n".join([machine(on), *tables])
    path.write_text(f"{before}{BEGIN}\n\n{measured}\n\n{END}{after}", encoding="utf-8")
