"""What a browser or a device sends at a visit."""

from __future__ import annotations

import json
import uuid
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from inspections.models import Visit

JSON: dict[str, Any] = {"headers": {"accept": "application/json"}}


def photo(name: str = "IMG_1.jpg", shade: int = 40, **exif) -> SimpleUploadedFile:
    data = BytesIO()
    Image.new("RGB", (40, 30), (shade, 90, 120)).save(data, "JPEG", **exif)
    return SimpleUploadedFile(name, data.getvalue(), "image/jpeg")


def url(name: str, visit: Visit) -> str:
    return reverse(name, args=[visit.key])


def send(client, visit, **item):
    item = {"key": str(uuid.uuid4()), "kind": "answer", **item}
    return client.post(
        url("visit_save", visit), json.dumps(item), content_type="application/json", **JSON
    )


def send_photo(client, visit, file, **fields):
    data = {"key": str(uuid.uuid4()), "photo": file, **fields, "end_of_form": ""}
    return client.post(url("visit_photo", visit), data, **JSON)


def form_of(visit, **changed) -> dict:
    """The page's form as a browser without scripts sends it."""
    data = {"line": [line.ref for line in visit.lines.all()], "end_of_form": ""}
    return {**data, **changed}
