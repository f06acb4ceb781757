"""Photos and pictures: decoded whole, where and when taken, and an upright JPEG of each."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .shape import check_heif, check_jpeg, check_png
from .verdict import Finding, Picture, Refusal, refuse

if TYPE_CHECKING:
    from PIL import Image

PIXELS_MOST = 50_000_000
LONG_SIDE = 1_600
QUALITY = 82
FORMATS = {"jpeg": "JPEG", "png": "PNG", "heic": "HEIF"}
SHAPES: dict[str, Callable[[bytes], None]] = {
    "jpeg": check_jpeg,
    "png": check_png,
    "heic": check_heif,
}

GPS_FOLDER, EXIF_FOLDER = 0x8825, 0x8769
TAKEN_AT, TAKEN_OFFSET = 0x9003, 0x9011
MOMENT = re.compile(r"(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)")
OFFSET = re.compile(r"[+-]\d\d:\d\d")


def examine(path: Path, data: bytes, kind: str) -> Finding:
    """Return what a picture is, after decoding all of it."""
    SHAPES[kind](data)
    image = decode(path, kind)
    return Finding(metadata(image), show(image))


def show_from(path: Path, kind: str) -> Iterator[Picture]:
    """Yield the one picture of a stored file."""
    return show(decode(path, kind))


def decode(path: Path, kind: str) -> Image.Image:
    """Decode the whole picture; a flood of pixels or a missing end is refused."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = PIXELS_MOST
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    if kind == "heic":
        import pillow_heif

        pillow_heif.options.DECODE_THREADS = 1
        pillow_heif.register_heif_opener(thumbnails=False)
    try:
        image = Image.open(path, formats=[FORMATS[kind]])
        image.load()
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        refuse("too_many_pixels", most=PIXELS_MOST // 1_000_000)
    except (OSError, ValueError, SyntaxError, EOFError, RuntimeError, TypeError) as error:
        raise Refusal("cut_off" if "truncated" in str(error) else "damaged") from error
    return image


def metadata(image: Image.Image) -> dict[str, Any]:
    """When and where a photo was taken, as its camera says; nothing when it does not."""
    try:
        exif = image.getexif()
        details, gps = exif.get_ifd(EXIF_FOLDER), exif.get_ifd(GPS_FOLDER)
        return {"taken_at": moment(details)} | position(gps)
    except (ValueError, TypeError, KeyError, OSError, SyntaxError, ZeroDivisionError):
        return {}  # a photo with garbled notes is still a photo


def moment(details: dict[int, Any]) -> str:
    """The camera's own clock, with its offset when it knew one."""
    found = MOMENT.match(str(details.get(TAKEN_AT, "")))
    if not found:
        return ""
    year, month, day, time = found.groups()
    offset = str(details.get(TAKEN_OFFSET, "")).strip("\0 ")
    return f"{year}-{month}-{day} {time}" + (f" {offset}" if OFFSET.fullmatch(offset) else "")


def position(gps: dict[int, Any]) -> dict[str, str]:
    """Latitude and longitude in degrees; a position of exactly zero is no position."""
    if not {1, 2, 3, 4} <= gps.keys():
        return {}
    latitude = degrees(gps[2], gps[1], "S", 90)
    longitude = degrees(gps[4], gps[3], "W", 180)
    if latitude is None or longitude is None or (latitude == 0 and longitude == 0):
        return {}
    return {"latitude": f"{latitude:.6f}", "longitude": f"{longitude:.6f}"}


def degrees(parts: Any, side: str, negative: str, most: int) -> float | None:
    """Degrees, minutes and seconds as one number, or None when they cannot be meant."""
    degree, minute, second = (float(part) for part in parts)
    value = degree + minute / 60 + second / 3600
    if not 0 <= value <= most:  # also what is not a number
        return None
    return -value if str(side).strip("\0 ").upper() == negative else value


def show(image: Image.Image) -> Iterator[Picture]:
    """Yield the picture small, upright and without a word about where it was taken."""
    yield picture(1, image)


def picture(page: int, image: Image.Image) -> Picture:
    """Make the JPEG: only its pixels come along."""
    from PIL import Image, ImageOps

    turned = image.getexif().get(0x0112, 1)
    profile = image.info.get("icc_profile")
    small = image if image.mode in ("RGB", "RGBA", "L", "LA", "CMYK") else flatten_mode(image)
    small.thumbnail((LONG_SIDE, LONG_SIDE), Image.Resampling.LANCZOS)
    if turned in range(2, 9):
        small.getexif()[0x0112] = turned
        small = ImageOps.exif_transpose(small)
    small = as_screen_colours(on_white(small), profile)
    out = BytesIO()
    bare = Image.new("RGB", small.size)
    bare.paste(small)
    bare.save(out, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return Picture(page, bare.width, bare.height, out.getvalue())


def flatten_mode(image: Image.Image) -> Image.Image:
    """Palettes and deep greys as plain colours, kept see-through where they are."""
    if image.mode.startswith("I;16") or image.mode == "I":
        return image.point(lambda value: value / 256).convert("L")
    return image.convert("RGBA" if "transparency" in image.info or "A" in image.mode else "RGB")


def on_white(image: Image.Image) -> Image.Image:
    """Lay a see-through picture on white paper."""
    from PIL import Image

    if image.mode not in ("RGBA", "LA"):
        return image
    colours = image.convert("RGBA")
    paper = Image.new("RGB", image.size, "white")
    paper.paste(colours, mask=colours.getchannel("A"))
    return paper


def as_screen_colours(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Translate a camera's colours to those of a screen, since the profile stays behind."""
    from PIL import ImageCms

    if profile and image.mode in ("RGB", "CMYK", "L"):
        try:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            screen = ImageCms.createProfile("sRGB")
            translated = ImageCms.profileToProfile(image, source, screen, outputMode="RGB")
            if translated is not None:
                return translated
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            pass  # a wrong profile costs a shade, not the picture
    return image.convert("RGB")
