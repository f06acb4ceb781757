"""Photos of the demo's sites: drawn by a program, since no real land may be shown."""

from __future__ import annotations

import math
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from random import Random

from PIL import Image, ImageDraw, ImageFilter, ImageFont

__all__ = ["draw_photo", "draw_placard"]

SIZE = (1280, 960)
HORIZON = 400
SKIES = (((126, 168, 208), (222, 232, 238)), ((150, 158, 168), (214, 216, 216)))


def draw_photo(seed: int) -> bytes:
    """Return a JPEG of bare ground, a silt fence and trees, another one for each seed."""
    return _jpeg(_land(seed))


def draw_placard(seed: int, number: str) -> bytes:
    """Return a photo of the land with the placard of an order on a post before it."""
    image = _land(seed).copy()
    pencil = ImageDraw.Draw(image)
    pencil.rectangle([610, 330, 650, SIZE[1]], fill=(150, 120, 82))
    pencil.rectangle([430, 250, 830, 770], fill=(252, 252, 248), outline=(120, 120, 116), width=3)
    pencil.rectangle([450, 270, 810, 420], fill=(176, 28, 36))
    for text, y, size, fill in (
        ("STOP WORK", 345, 58, (255, 255, 255)),
        (number, 490, 46, (30, 30, 30)),
        ("City of Example", 560, 32, (30, 30, 30)),
    ):
        font = ImageFont.load_default(size)
        pencil.text((630, y), text, font=font, fill=fill, anchor="mm")
    for y in range(620, 740, 24):
        pencil.line([(470, y), (790 - (y % 50), y)], fill=(110, 110, 110), width=5)
    return _jpeg(image)


def _jpeg(image: Image.Image) -> bytes:
    target = BytesIO()
    image.save(target, "JPEG", quality=80)
    return target.getvalue()


@lru_cache(maxsize=4)
def _land(seed: int) -> Image.Image:
    chance = Random(seed)  # noqa: S311 - a picture, no secret
    image = Image.new("RGB", SIZE)
    pencil = ImageDraw.Draw(image)
    _sky(pencil, *SKIES[seed % len(SKIES)])
    _trees(pencil, chance)
    _ground(pencil, chance)
    image = image.filter(ImageFilter.GaussianBlur(1.2))
    pencil = ImageDraw.Draw(image)
    _fence(pencil, chance)
    noise = Image.effect_noise(SIZE, 24).convert("RGB")
    return Image.blend(image, noise, 0.06)


def _sky(pencil: ImageDraw.ImageDraw, top: tuple[int, ...], low: tuple[int, ...]) -> None:
    for y in range(HORIZON + 40):
        share = min(1.0, y / HORIZON)
        colour = tuple(round(a + (b - a) * share) for a, b in zip(top, low, strict=True))
        pencil.line([(0, y), (SIZE[0], y)], fill=colour)


def _trees(pencil: ImageDraw.ImageDraw, chance: Random) -> None:
    for _ in range(120):
        x = chance.uniform(-40, SIZE[0] + 40)
        r = chance.uniform(18, 52)
        y = HORIZON - r * 0.3 + chance.uniform(-16, 10)
        green = chance.randint(58, 112)
        pencil.ellipse([x - r, y - r, x + r, y + r * 0.9], fill=(green - 26, green, green - 34))


def _ground(pencil: ImageDraw.ImageDraw, chance: Random) -> None:
    """Draw turned soil: rows of clods, darker and larger as they come near."""
    phase = chance.uniform(0, 6)
    pencil.rectangle([0, HORIZON + 8, *SIZE], fill=(139, 110, 78))
    for y in range(HORIZON + 8, SIZE[1], 6):
        near = (y - HORIZON) / (SIZE[1] - HORIZON)
        for _ in range(34):
            x = chance.uniform(-20, SIZE[0])
            w, h = 6 + 40 * near, 2 + 9 * near
            shade = round(20 * math.sin(x / 160 + y / 70 + phase)) + chance.randint(-16, 16)
            fill = (128 + shade - round(26 * near), 100 + shade - round(22 * near), 70 + shade)
            pencil.ellipse([x, y, x + w, y + h], fill=fill)


def _fence(pencil: ImageDraw.ImageDraw, chance: Random) -> None:
    """Draw the silt fence: stakes, and the black fabric between them."""
    left, right = chance.uniform(560, 680), chance.uniform(470, 560)
    tops = []
    for n in range(12):
        x = n * SIZE[0] / 11
        share = n / 11
        foot = left + (right - left) * share + 10 * math.sin(n)
        height = 118 - 46 * share if left > right else 90
        tops.append((x, foot, height))
    for (x1, y1, h1), (x2, y2, h2) in pairwise(tops):
        sag = chance.uniform(2, 9)
        middle = ((x1 + x2) / 2, (y1 - h1 + y2 - h2) / 2 + 14 + sag)
        fabric = [(x1, y1 - h1 + 14), middle, (x2, y2 - h2 + 14), (x2, y2), (x1, y1)]
        pencil.polygon(fabric, fill=(34, 36, 38))
    for x, foot, height in tops:
        pencil.rectangle([x - 5, foot - height, x + 5, foot + 16], fill=(176, 146, 104))
