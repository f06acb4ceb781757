"""Five pieces of land and how their soil is held: what the demo's plan sheets show.

Each takes the pen, the street's name and whether the plan is already revised: a revised
sheet shows the inlet and the dates that the first one lacked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .pen import GREEN, GREY, WATER, Pen

__all__ = ["LAYOUTS", "Layout"]


@dataclass(frozen=True)
class Layout:
    """A drawing and the scale it is made for."""

    draw: Callable[[Pen, str, bool], None]
    feet_an_inch: int
    notes: tuple[str, ...]


def house(pen: Pen, street: str, revised: bool) -> None:
    """A dwelling on an inside lot that falls toward the street."""
    pen.street(8, 34, 262, street)
    pen.contours(262, start=52, step=8.5, count=15, south=812)
    pen.lot([(70, 50), (184, 50), (184, 186), (70, 186)])
    for x in (8, 190):
        pen.block(x, 50, 56, 136, width=0.5, colour=GREY)
    pen.block(96, 98, 56, 42, width=1.4, fill=(0.94, 0.94, 0.95))
    pen.words((106, 120), "PROPOSED DWELLING", size=8, font="bold")
    pen.words((106, 114), "FIRST FLOOR 818.5", size=7)
    pen.block(128, 42, 16, 56, width=0.8, colour=GREY)
    pen.tracking_pad(128, 44, 16, 26)
    pen.silt_fence([(72, 120), (72, 53), (126, 53)])
    pen.silt_fence([(146, 53), (182, 53), (182, 100)])
    pen.stockpile((150, 166), 14)
    pen.planting(74, 142, 60, 40)
    pen.flow((90, 160), (86, 132))
    pen.flow((168, 92), (164, 66))
    if revised:
        pen.inlet((196, 43), 1)
        pen.words((203, 52), "existing inlet, protected", size=7)


def corner(pen: Pen, street: str, revised: bool) -> None:
    """A public building on a corner, with a sediment basin at the low corner."""
    pen.street(12, 48, 524, street)
    pen.contours(524, start=80, step=17, count=17, south=846, tilt=0.09)
    pen.lot([(40, 74), (420, 74), (420, 360), (40, 360)])
    pen.block(170, 190, 170, 110, width=1.4, fill=(0.94, 0.94, 0.95))
    pen.words((196, 244), "PROPOSED BUILDING, 18,700 SQ FT", size=8, font="bold")
    pen.block(170, 100, 170, 74, width=0.8, colour=GREY)
    for n in range(1, 12):
        pen.line([(170 + n * 14, 100), (170 + n * 14, 122)], width=0.4, colour=GREY)
    pen.words((214, 142), "PARKING, 34 STALLS", size=7)
    pen.basin((98, 128), 44, 32, "SEDIMENT BASIN SB-1")
    pen.tracking_pad(348, 62, 26, 60)
    pen.silt_fence([(44, 250), (44, 78), (344, 78)])
    pen.silt_fence([(378, 78), (416, 78), (416, 180)])
    pen.stockpile((362, 320), 30)
    pen.flow((150, 210), (120, 164))
    pen.flow((300, 96), (150, 118))
    pen.inlet((200, 60), 1)
    if revised:
        pen.inlet((392, 60), 2)
    pen.planting(48, 300, 110, 50, marks=90)


def main_in_street(pen: Pen, street: str, revised: bool) -> None:
    """A water main along a street: trench, ditch checks and inlets."""
    pen.contours(655, start=20, step=26, count=17, south=790, tilt=-0.04)
    pen.street(200, 44, 655, street)
    pen.line([(20, 190), (635, 190)], width=2.2, colour=WATER, dashes=(16, 5))
    pen.words((30, 178), "8-INCH WATER MAIN, 1,150 FEET, TRENCH OPEN 300 FEET AT MOST", size=8)
    for n, x in enumerate((90, 250, 410, 570), start=1):
        pen.line([(x, 252), (x + 6, 268), (x + 12, 252)], width=1.2, closed=True)
        pen.words((x - 4, 274), f"ditch check DC-{n}", size=7)
        if revised or n < 4:
            pen.inlet((x + 40, 202), n)
    for x in range(40, 620, 96):
        pen.block(x, 300, 80, 130, width=0.4, colour=GREY)
    pen.silt_fence([(20, 168), (300, 164)])
    pen.silt_fence([(340, 164), (635, 168)])
    pen.tracking_pad(300, 168, 36, 30)
    pen.stockpile((560, 110), 34)
    pen.flow((120, 300), (118, 258))
    pen.flow((470, 300), (468, 258))
    pen.planting(20, 110, 420, 44, marks=120)


def creek(pen: Pen, street: str, revised: bool) -> None:
    """A deep lot that runs down to a creek, with a buffer along the water."""
    pen.street(8, 40, 393, street)
    pen.contours(393, start=64, step=11, count=18, south=892, rise=-1, tilt=-0.06)
    pen.lot([(60, 56), (300, 56), (310, 250), (70, 262)])
    bank = [(0, 246), (60, 258), (130, 246), (210, 266), (290, 250), (393, 268)]
    for rise in (0, 9):
        points = [pen.at((x, y + rise)) for x, y in bank]
        pen.canvas.curve(points, width=1.2, colour=WATER)
    pen.words((300, 272), "HERON CREEK", size=9, font="bold", colour=WATER)
    pen.line([(60, 226), (150, 216), (230, 232), (306, 222)], dashes=(8, 4), colour=GREEN)
    pen.words((186, 220), "edge of wetland, 30-foot buffer", size=7, colour=GREEN)
    pen.planting(66, 226, 238, 22, marks=130)
    pen.block(120, 100, 66, 48, width=1.4, fill=(0.94, 0.94, 0.95))
    pen.words((127, 122), "PROPOSED DWELLING", size=8, font="bold")
    pen.tracking_pad(196, 50, 20, 44)
    pen.silt_fence([(66, 90), (66, 206), (150, 200), (230, 212), (302, 204)])
    pen.block(220, 150, 60, 36, width=0.7, dashes=(3, 2), colour=GREEN)
    pen.words((224, 166), "erosion mat, 3:1 slope", size=7, colour=GREEN)
    pen.stockpile((254, 100), 20)
    pen.flow((150, 160), (140, 192))
    pen.flow((250, 146), (256, 196))
    if revised:
        pen.silt_fence([(66, 214), (150, 208), (230, 220), (302, 212)])
        pen.inlet((232, 49), 1)


def plat(pen: Pen, street: str, revised: bool) -> None:
    """A new street with lots on both sides, graded at once."""
    pen.contours(786, start=24, step=24, count=21, south=902, tilt=0.07)
    pen.street(270, 60, 786, street)
    pen.lot([(24, 60), (762, 60), (762, 540), (24, 540)])
    for n in range(7):
        x = 40 + n * 102
        for y in (76, 346):
            pen.block(x, y, 96, 180, width=0.6)
            pen.words((x + 34, y + 92), f"LOT {n + 1 if y == 346 else 14 - n}", size=8)
    pen.basin((110, 150), 70, 50, "BASIN SB-1")
    if revised:
        pen.basin((690, 150), 62, 44, "BASIN SB-2")
    pen.tracking_pad(4, 276, 44, 48)
    pen.silt_fence([(28, 420), (28, 64), (400, 64), (758, 64), (758, 300)])
    for n, x in enumerate((200, 420, 640), start=1):
        pen.inlet((x, 274), n)
        pen.inlet((x, 326), n + 3)
    pen.stockpile((600, 500), 36)
    pen.flow((300, 250), (190, 190))
    pen.flow((560, 250), (640, 190) if revised else (440, 110))
    pen.planting(60, 500, 400, 34, marks=110)


LAYOUTS: dict[str, Layout] = {
    "house": Layout(
        house,
        20,
        (
            "Silt fence before any grading; inspect each week and after each rain of 0.5 inch.",
            "Stone pad 50 feet long, 12 inches of 3-inch stone over fabric.",
            "Bare soil left for 7 days is seeded and mulched.",
        ),
    ),
    "corner": Layout(
        corner,
        40,
        (
            "Build the basin first; all runoff of the lot goes through it until cover holds.",
            "Parking base course within 14 days of grading.",
            "Sweep the street at the end of each workday.",
        ),
    ),
    "main": Layout(
        main_in_street,
        50,
        (
            "Backfill, seed and mulch behind the trench each day; 300 feet open at most.",
            "Trench water is pumped into a filter bag on grass, never into an inlet.",
            "Ditch checks of stone, 12 inches high, center lower than the sides.",
        ),
    ),
    "creek": Layout(
        creek,
        30,
        (
            "No equipment beyond the buffer; the fence stands before trees are felled.",
            "Erosion mat on slopes of 3:1 within 7 days of final grade.",
            "Keep 300 feet of silt fence on the site for repairs.",
        ),
    ),
    "plat": Layout(
        plat,
        60,
        (
            "Strip 5 acres at a time; the next part only when the last is mulched.",
            "Inlets are protected from the day their casting is set.",
            "Basins are cleaned when half full.",
        ),
    ),
}
