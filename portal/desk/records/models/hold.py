"""Legal holds: a case that is held is not destroyed, whatever the schedule says."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from permits.models import Site
from portal import clock
from portal.models import current_operation


class HoldQuerySet(models.QuerySet["Hold"]):
    def standing(self) -> HoldQuerySet:
        """Holds that nobody has ended."""
        return self.filter(end__isnull=True)


class Hold(models.Model):
    """A hold placed by clerk or attorney; it stands until somebody ends it with a reason."""

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="holds")
    on = models.DateField()
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    objects = HoldQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="hold_has_its_reason")]

    def __str__(self) -> str:
        return f"{self.site.number}: held since {self.on}"

    @property
    def is_standing(self) -> bool:
        """Whether nobody has ended it."""
        return not hasattr(self, "end")


class HoldEnd(models.Model):
    """The end of a hold, with its reason."""

    hold = models.OneToOneField(Hold, on_delete=models.PROTECT, related_name="end")
    on = models.DateField()
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="end_of_hold_has_its_reason")
        ]

    def __str__(self) -> str:
        return f"{self.hold}: ended on {self.on}"
