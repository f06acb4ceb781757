"""Makes the pictures for which nobody had to wait."""

from __future__ import annotations

from django_tasks import task

from portal.models import Upload

from .store import make_previews


@task()
def make_previews_later(upload_id: int) -> int:
    """Make the pictures that an upload still lacks; safe to run twice."""
    upload = Upload.objects.filter(pk=upload_id).first()
    return make_previews(upload) if upload else 0
