"""Plan sheets of the demo: a frame, a title block, a legend, and a drawing to scale in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from .canvas import Canvas
from .layouts import LAYOUTS
from .pen import EARTH, GREEN, GREY, ORANGE, WATER, Pen

__all__ = ["SheetFacts", "draw_letter", "draw_sheet"]

WIDTH, HEIGHT = 1224.0, 792.0  # 17 by 11 inches
MARGIN, BLOCK = 30.0, 212.0
FIRM = ("Meadowlark Land Design LLC", "12 Depot Street, Example, WI 54999")


@dataclass(frozen=True)
class SheetFacts:
    """What the title block says and which land is drawn."""

    layout: str
    project: str
    place: str
    parcel: str
    street: str
    drawn_on: date
    revision: int
    seed: int

    @property
    def scale(self) -> str:
        """The scale in words, as the application states it."""
        return f"1 inch = {LAYOUTS[self.layout].feet_an_inch} feet"


def draw_sheet(facts: SheetFacts) -> bytes:
    """Return a plan sheet as PDF."""
    layout = LAYOUTS[facts.layout]
    canvas = Canvas(WIDTH, HEIGHT)
    pen = Pen(
        canvas, origin=(MARGIN + 6, MARGIN + 6), feet_an_inch=layout.feet_an_inch, seed=facts.seed
    )
    layout.draw(pen, facts.street, facts.revision > 1)
    _frame(canvas)
    _north(canvas, WIDTH - BLOCK - 70, HEIGHT - 120)
    _title_block(canvas, facts)
    _legend(canvas, layout.notes)
    _scale_bar(canvas, layout.feet_an_inch)
    return canvas.pdf(f"Erosion control plan, {facts.project}, sheet C-1")


def _frame(canvas: Canvas) -> None:
    """Cover what ran over the edge, then draw the border."""
    white = (1.0, 1.0, 1.0)
    left = WIDTH - MARGIN - BLOCK
    canvas.box(0, 0, WIDTH, MARGIN, fill=white, colour=white)
    canvas.box(0, HEIGHT - MARGIN, WIDTH, MARGIN, fill=white, colour=white)
    canvas.box(left, 0, WIDTH - left, HEIGHT, fill=white, colour=white)
    canvas.box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN, width=2)
    canvas.path([(left, MARGIN), (left, HEIGHT - MARGIN)], width=1.2)


def _title_block(canvas: Canvas, facts: SheetFacts) -> None:
    x, y = WIDTH - MARGIN - BLOCK + 12, HEIGHT - MARGIN - 22
    canvas.text(x, y, "EROSION CONTROL PLAN", size=13, font="bold")
    rows = [facts.project, facts.place, f"Parcel {facts.parcel}", "", *FIRM]
    y = canvas.lines(x, y - 20, [piece for row in rows for piece in _wrapped(row)])
    day = f"{facts.drawn_on:%B} {facts.drawn_on.day}, {facts.drawn_on.year}"
    y = canvas.lines(x, y - 8, [f"Drawn {day}", f"Scale: {facts.scale}"], size=9)
    if facts.revision > 1:
        canvas.path([(x, y - 12), (x + 16, y - 12), (x + 8, y + 2)], closed=True, width=1)
        canvas.text(x + 6, y - 10, str(facts.revision - 1), size=7, font="bold")
        canvas.text(x + 22, y - 10, "Revised as the city required", size=8)
    canvas.box(x, MARGIN + 12, BLOCK - 24, 54, width=1)
    canvas.text(x + 8, MARGIN + 48, "SHEET", size=7)
    canvas.text(x + 8, MARGIN + 20, "C-1", size=26, font="bold")
    canvas.text(x + 84, MARGIN + 22, f"plan revision {facts.revision}", size=8)


def _legend(canvas: Canvas, notes: tuple[str, ...]) -> None:
    x, y = WIDTH - MARGIN - BLOCK + 12, 468.0
    canvas.text(x, y, "LEGEND", size=10, font="bold")
    signs = (
        ("Lot line", (0.1, 0.1, 0.12), (12, 3, 3, 3)),
        ("Contour, 1 foot", EARTH, ()),
        ("Silt fence (SF), DNR 1056", ORANGE, ()),
        ("Inlet protection (IP), DNR 1060", ORANGE, (3, 2)),
        ("Stone tracking pad, DNR 1057", GREY, ()),
        ("Seeding, DNR 1059", GREEN, ()),
        ("Water and its way", WATER, ()),
    )
    for label, colour, dashes in signs:
        y -= 17
        canvas.path([(x, y + 3), (x + 30, y + 3)], width=1.8, colour=colour, dashes=dashes)
        canvas.text(x + 38, y, label, size=8)
    canvas.text(x, y - 30, "NOTES", size=10, font="bold")
    y -= 46
    for number, note in enumerate(notes, start=1):
        y = canvas.lines(x, y, _wrapped(f"{number}. {note}"), size=8) - 3


def _north(canvas: Canvas, x: float, y: float) -> None:
    canvas.ellipse(x, y, 22, 22, fill=(1, 1, 1), width=0.8)
    canvas.path([(x - 8, y - 16), (x, y + 30), (x, y - 9)], closed=True, fill=(0.1, 0.1, 0.12))
    canvas.path([(x + 8, y - 16), (x, y + 30), (x, y - 9)], closed=True, fill=(1, 1, 1))
    canvas.text(x - 4.5, y + 34, "N", size=13, font="bold")


def _scale_bar(canvas: Canvas, feet_an_inch: int) -> None:
    x, y = WIDTH - MARGIN - BLOCK + 14, MARGIN + 84
    for n in range(2):
        fill = (0.1, 0.1, 0.12) if n == 0 else (1.0, 1.0, 1.0)
        canvas.box(x + n * 72, y, 72, 5, fill=fill, width=0.6)
    for n in range(3):
        canvas.text(x + n * 72 - 3, y + 9, f"{n * feet_an_inch}", size=7)
    canvas.text(x + 152, y - 1, "feet", size=7)


def _wrapped(text: str, most: int = 44) -> list[str]:
    """Break a text into rows that fit the title block."""
    rows, row = [], ""
    for word in text.split():
        if row and len(row) + len(word) >= most:
            rows.append(row)
            row = ""
        row = f"{row} {word}".strip()
    return [*rows, row]


def draw_letter(title: str, issuer: str, rows: tuple[str, ...]) -> bytes:
    """Return a one-page letter, such as a bond, as if it came from a scanner."""
    canvas = Canvas(612, 792)
    canvas.text(72, 700, issuer, size=16, font="bold")
    canvas.path([(72, 688), (540, 688)], width=1)
    canvas.text(72, 640, title, size=13, font="bold")
    y = canvas.lines(72, 610, [piece for row in rows for piece in _wrapped(row, 84)], size=10.5)
    canvas.curve([(76, y - 40), (90, y - 22), (104, y - 44), (122, y - 26), (150, y - 38)], width=1)
    canvas.path([(72, y - 52), (260, y - 52)], width=0.6)
    canvas.text(72, y - 64, "Authorized signature", size=8)
    return canvas.pdf(title)
