"""A sheet of paper to draw on: lines, shapes and plain text, saved as a PDF."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from io import BytesIO

import pikepdf
from pikepdf import Dictionary, Name

__all__ = ["Canvas", "Point"]

Point = tuple[float, float]
Colour = tuple[float, float, float]

BLACK: Colour = (0.1, 0.1, 0.12)
_ESCAPES = str.maketrans({"\\": r"\\", "(": r"\(", ")": r"\)"})
_FONTS = {"regular": "Helvetica", "bold": "Helvetica-Bold"}


class Canvas:
    """One page in points, the origin at its lower left corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._marks: list[str] = []

    # Lines and shapes -----------------------------------------------------------------

    def path(
        self,
        points: Sequence[Point],
        *,
        closed: bool = False,
        width: float = 0.6,
        colour: Colour = BLACK,
        fill: Colour | None = None,
        dashes: Sequence[float] = (),
    ) -> None:
        """Draw straight lines from point to point."""
        steps = [f"{x:.2f} {y:.2f} {'l' if n else 'm'}" for n, (x, y) in enumerate(points)]
        self._draw(steps, closed=closed, width=width, colour=colour, fill=fill, dashes=dashes)

    def curve(self, points: Sequence[Point], *, width: float = 0.6, colour: Colour = BLACK) -> None:
        """Draw a smooth line through the points (Catmull-Rom as Bézier curves)."""
        padded = [points[0], *points, points[-1]]
        steps = [f"{points[0][0]:.2f} {points[0][1]:.2f} m"]
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
            near = (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6)
            far = (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6)
            steps.append(" ".join(f"{p[0]:.2f} {p[1]:.2f}" for p in (near, far, c)) + " c")
        self._draw(steps, closed=False, width=width, colour=colour, fill=None, dashes=())

    def box(self, x: float, y: float, w: float, h: float, **look: object) -> None:
        """Draw a rectangle from its lower left corner."""
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        self.path(corners, closed=True, **look)  # type: ignore[arg-type]

    def ellipse(self, x: float, y: float, rx: float, ry: float, **look: object) -> None:
        """Draw an ellipse round a point."""
        turns = [math.tau * n / 36 for n in range(36)]
        around = [(x + rx * math.cos(t), y + ry * math.sin(t)) for t in turns]
        self.path(around, closed=True, **look)  # type: ignore[arg-type]

    def arrow(self, start: Point, end: Point, *, colour: Colour = BLACK, head: float = 6) -> None:
        """Draw an arrow."""
        self.path([start, end], colour=colour, width=0.9)
        turn = math.atan2(end[1] - start[1], end[0] - start[0])
        wings = [
            (end[0] - head * math.cos(turn + side), end[1] - head * math.sin(turn + side))
            for side in (0.4, -0.4)
        ]
        self.path([wings[0], end, wings[1]], closed=True, fill=colour, colour=colour)

    # Words ----------------------------------------------------------------------------

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 8,
        font: str = "regular",
        colour: Colour = BLACK,
        turn: float = 0,
    ) -> None:
        """Write a line of text from a point on, turned by degrees."""
        sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
        plain = words.encode("cp1252", "replace").decode("latin-1").translate(_ESCAPES)
        self._marks.append(
            f"BT /{font} {size:.1f} Tf {_rgb(colour)} rg {cosine:.4f} {sine:.4f} {-sine:.4f} "
            f"{cosine:.4f} {x:.2f} {y:.2f} Tm ({plain}) Tj ET"
        )

    def lines(self, x: float, y: float, rows: Iterable[str], *, size: float = 8) -> float:
        """Write rows below each other; return where the next would stand."""
        for row in rows:
            self.text(x, y, row, size=size)
            y -= size * 1.45
        return y

    # The file -------------------------------------------------------------------------

    def pdf(self, title: str) -> bytes:
        """Return the page as a PDF file."""
        made = pikepdf.new()
        page = made.add_blank_page(page_size=(self.width, self.height))
        fonts = {
            f"/{key}": Dictionary(
                Type=Name.Font,
                Subtype=Name.Type1,
                BaseFont=Name(f"/{base}"),
                Encoding=Name.WinAnsiEncoding,
            )
            for key, base in _FONTS.items()
        }
        page.obj.Resources = Dictionary(Font=Dictionary(fonts))
        page.obj.Contents = made.make_stream("\n".join(self._marks).encode("latin-1"))
        made.docinfo["/Title"] = title
        target = BytesIO()
        made.save(target, deterministic_id=True)
        return target.getvalue()

    def _draw(
        self,
        steps: list[str],
        *,
        closed: bool,
        width: float,
        colour: Colour,
        fill: Colour | None,
        dashes: Sequence[float],
    ) -> None:
        paint = ("b" if closed else "B") if fill else ("s" if closed else "S")
        inside = f"{_rgb(fill)} rg " if fill else ""
        gaps = " ".join(f"{gap:g}" for gap in dashes)
        head = f"q 1 j {width:.2f} w [{gaps}] 0 d {_rgb(colour)} RG {inside}"
        self._marks.append(" ".join([head, *steps, paint, "Q"]))


def _rgb(colour: Colour) -> str:
    return " ".join(f"{part:.3f}" for part in colour)
