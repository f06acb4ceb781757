"""Which parts of an application may still be written, and why the others may not."""

from __future__ import annotations

from permits.models import Application, PlanRevision

__all__ = ["is_revising", "open_for", "revision_in_hand"]


def revision_in_hand(application: Application) -> PlanRevision | None:
    """Return the plan revision that is being written after a denial, if one was begun."""
    if application.status != Application.Status.DENIED:
        return None
    revision = application.latest_revision()
    return revision if revision is not None and revision.filed_on is None else None


def is_revising(application: Application) -> bool:
    """Whether the plan is being revised after a denial."""
    return revision_in_hand(application) is not None


def open_for(application: Application, step: str) -> str:
    """Return why a step may not be written any more, or nothing while it may."""
    if application.status == Application.Status.DRAFT:
        return ""
    if step in ("plan", "answers") and is_revising(application):
        return ""
    if application.status == Application.Status.DENIED:
        return "The answers of a filed application stay as they were signed. Revise the plan."
    return application.why_not(Application.Status.SUBMITTED)
