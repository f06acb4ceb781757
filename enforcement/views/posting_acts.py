"""Correcting how the posting of an order was recorded. Former § 17.19(7)(e)"""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404

from enforcement import access
from enforcement.acts import postings as acts
from enforcement.forms.order import CorrectPostingForm
from enforcement.models import Posting, StopWorkOrder
from inspections.views.acting import ActView
from permits.models import NotNow, Site
from portal import clock

__all__ = ["CorrectPosting"]


class CorrectPosting(ActView):
    """The inspector puts right the day or the place of a posting; the old entry stays."""

    act = "posting correction"
    template = "enforcement/posting_correct.html"
    confirm_template = "enforcement/posting_correct_shown.html"
    done_message = "The posting is corrected, and everybody who was told of the order is told."
    posting: Posting

    def find(self, key: Any) -> None:
        visible = Site.objects.visible_to(self.request.user)
        rows = Posting.objects.filter(order__site__in=visible)
        joined = rows.select_related("order__site", "order__permit__application__applicant")
        self.posting = get_object_or_404(joined, pk=key)
        self.site = self.posting.order.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.posting.pk)

    def make_form(self, data: Any) -> CorrectPostingForm:
        return CorrectPostingForm(data, posting=self.posting)

    def why_not(self) -> NotNow | None:
        why = acts.why_not_correct(self.posting)
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        order = self.posting.order
        return {"order": order, "posting": self.posting, "nobody_told": not self.site.filed_on}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        order = self.posting.order
        shown = StopWorkOrder(
            site=self.site,
            permit=order.permit,
            issued_on=order.issued_on,
            posted_on=form.cleaned_data["posted_on"],
        )
        counts = order.posted_on == self.posting.posted_on
        return {"opens": shown.notice_of_intent_opens() if counts else None}

    def run(self, form: Any) -> str:
        cleaned = form.cleaned_data
        acts.correct(
            self.posting,
            by=self.user,
            on=clock.today(),
            posted_on=cleaned["posted_on"],
            place=cleaned["place"],
            reason=cleaned["reason"],
        )
        return self.posting.order.get_absolute_url()
