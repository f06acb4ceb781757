"""Draws in feet on a sheet: lots, contours and the signs of control devices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from .canvas import Canvas, Colour, Point

__all__ = ["Pen"]

EARTH: Colour = (0.62, 0.45, 0.28)
WATER: Colour = (0.16, 0.38, 0.62)
GREEN: Colour = (0.2, 0.45, 0.25)
ORANGE: Colour = (0.8, 0.33, 0.05)
GREY: Colour = (0.55, 0.56, 0.58)
POINTS_AN_INCH = 72


class Pen:
    """A hand that draws to scale: a point is so many feet east and north of a corner."""

    def __init__(self, canvas: Canvas, *, origin: Point, feet_an_inch: int, seed: int) -> None:
        self.canvas, self.origin, self.feet_an_inch = canvas, origin, feet_an_inch
        self.unit = POINTS_AN_INCH / feet_an_inch
        self.chance = Random(seed)  # noqa: S311 - a drawing, no secret

    def at(self, point: Point) -> Point:
        """Return where a point in feet lies on the paper."""
        return (self.origin[0] + point[0] * self.unit, self.origin[1] + point[1] * self.unit)

    def line(self, points: Sequence[Point], **look: object) -> None:
        """Draw straight lines between points in feet."""
        self.canvas.path([self.at(p) for p in points], **look)  # type: ignore[arg-type]

    def block(self, x: float, y: float, w: float, h: float, **look: object) -> None:
        """Draw a rectangle in feet."""
        self.line([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], closed=True, **look)

    def words(
        self, point: Point, text: str, *, size: float = 8, turn: float = 0, **look: object
    ) -> None:
        """Write at a point in feet."""
        x, y = self.at(point)
        self.canvas.text(x, y, text, size=size, turn=turn, **look)  # type: ignore[arg-type]

    # The land -------------------------------------------------------------------------

    def lot(self, corners: Sequence[Point]) -> None:
        """Draw a lot's line, with the length of each side beside it."""
        self.line(corners, closed=True, width=1.8, dashes=(18, 4, 4, 4, 4, 4))
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            length = math.dist(a, b)
            turn = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
            middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            upright = turn - 180 if turn > 90 else turn + 180 if turn <= -90 else turn
            # Beside the line and outside the lot: the corners go round against the clock.
            aside = (5 if upright != turn else -11) / self.unit
            lean = math.radians(upright + 90)
            place = (middle[0] + aside * math.cos(lean), middle[1] + aside * math.sin(lean))
            self.words(place, f"{length:.2f}'", size=7, turn=upright)

    def contours(
        self,
        width: float,
        *,
        start: float,
        step: float,
        count: int,
        south: int,
        rise: int = 1,
        tilt: float = 0.05,
    ) -> None:
        """Draw contours from south to north; every fifth is heavy and has its height."""
        phase = self.chance.uniform(0, 6)
        for n in range(count):
            points = [
                self.at((x, start + n * step + tilt * x + self._swell(x, width, phase + n * 0.35)))
                for x in range(0, int(width) + 1, max(6, int(width / 24)))
            ]
            heavy = n % 5 == 0
            self.canvas.curve(points, width=0.9 if heavy else 0.4, colour=EARTH)
            if heavy:
                x, y = points[len(points) // 3]
                self.canvas.text(x, y + 2, f"{south + rise * n}", size=6.5, colour=EARTH)

    def _swell(self, x: float, width: float, phase: float) -> float:
        return width * 0.018 * math.sin(x / width * 7 + phase)

    def street(self, y: float, width: float, length: float, name: str) -> None:
        """Draw a street from west to east, its kerbs and its name."""
        for edge in (y, y + width):
            self.line([(0, edge), (length, edge)], width=1.1)
            self.line([(0, edge + 1), (length, edge + 1)], width=0.4, colour=GREY)
        middle = y + width / 2
        self.line([(0, middle), (length, middle)], width=0.4, dashes=(14, 6), colour=GREY)
        self.words((length * 0.42, middle + 1.5), name.upper(), size=11, font="bold")

    def flow(self, start: Point, end: Point) -> None:
        """Draw an arrow that says where the water runs."""
        self.canvas.arrow(self.at(start), self.at(end), colour=WATER)

    # Control devices ------------------------------------------------------------------

    def silt_fence(self, points: Sequence[Point]) -> None:
        """Draw a silt fence: a heavy line with the letters SF along it."""
        self.line(points, width=1.6, colour=ORANGE)
        for x, y in self._along(points, every=28 / self.unit):
            px, py = self.at((x, y))
            self.canvas.box(px - 6, py - 3.5, 12, 7, fill=(1, 1, 1), colour=(1, 1, 1))
            self.canvas.text(px - 4.5, py - 2.5, "SF", size=6.5, font="bold", colour=ORANGE)

    def inlet(self, point: Point, number: int) -> None:
        """Draw a storm drain inlet with its protection round it."""
        x, y = self.at(point)
        self.canvas.box(x - 5, y - 4, 10, 8, fill=(0.9, 0.93, 0.97), colour=WATER, width=1)
        self.canvas.box(x - 10, y - 8, 20, 16, colour=ORANGE, width=1.4, dashes=(3, 2))
        self.canvas.text(x + 13, y - 3, f"IP-{number}", size=7, font="bold", colour=ORANGE)

    def tracking_pad(self, x: float, y: float, w: float, h: float) -> None:
        """Draw a stone tracking pad: a rectangle strewn with stones."""
        self.block(x, y, w, h, colour=ORANGE, width=1.2, fill=(0.97, 0.95, 0.9))
        for _ in range(int(w * h * self.unit * self.unit / 26)):
            px, py = self.at((self.chance.uniform(x, x + w), self.chance.uniform(y, y + h)))
            self.canvas.ellipse(px, py, 1.3, 0.9, width=0.4, colour=GREY)

    def stockpile(self, point: Point, radius: float) -> None:
        """Draw a stockpile of topsoil with a silt fence on its low side."""
        x, y = self.at(point)
        reach = radius * self.unit
        self.canvas.ellipse(x, y, reach, reach * 0.7, fill=(0.93, 0.88, 0.8), colour=EARTH)
        self.canvas.text(x - 24, y - 2, "TOPSOIL PILE", size=6.5, colour=EARTH)
        low = [
            (point[0] + radius * 1.2 * math.cos(t), point[1] + radius * 0.9 * math.sin(t))
            for t in (math.pi * n / 8 for n in range(8, 17))
        ]
        self.silt_fence(low)

    def basin(self, point: Point, rx: float, ry: float, label: str) -> None:
        """Draw a sediment basin: rings that go down to the water."""
        x, y = self.at(point)
        for share, shade in ((1.0, 0.98), (0.8, 0.93), (0.6, 0.87)):
            fill = (shade * 0.9, shade * 0.95, shade)
            self.canvas.ellipse(
                x, y, rx * self.unit * share, ry * self.unit * share, fill=fill, colour=WATER
            )
        self.canvas.text(x - 2.1 * len(label), y - 2, label, size=7, font="bold", colour=WATER)

    def planting(self, x: float, y: float, w: float, h: float, *, marks: int = 60) -> None:
        """Strew marks of grass: permanent seeding or a buffer."""
        for _ in range(marks):
            px, py = self.at((self.chance.uniform(x, x + w), self.chance.uniform(y, y + h)))
            for lean in (-1.6, 0, 1.6):
                self.canvas.path([(px, py), (px + lean, py + 4)], width=0.35, colour=GREEN)

    def _along(self, points: Sequence[Point], *, every: float) -> Iterator[Point]:
        left = every / 2
        for a, b in pairwise(points):
            length = math.dist(a, b)
            while left < length:
                share = left / length
                yield (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
                left += every
            left -= length
