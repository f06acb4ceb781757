"""Acts on stop-work orders: issue, post, serve, lift, withdraw. Former § 17.19(7)(a)"""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404

from enforcement import access, holding
from enforcement.acts import beside
from enforcement.acts import orders as acts
from enforcement.acts.requests import attorneys
from enforcement.forms.order import LiftForm, OrderForm, PostForm, ReasonForm, ServeForm
from enforcement.models import Addressee, NoticeStatus, StopWorkOrder, Violation, ViolationStatus
from enforcement.persons import persons_of
from inspections.acts.visits import standing_permit
from inspections.models import Visit
from inspections.views.acting import ActView, site_of
from permits.models import NotNow, Permit, Site
from portal import clock

from .rows import find_order, visits_of
from .tell_view import TellView

__all__ = ["Issue", "Lift", "OrderAct", "Post", "Serve", "TellView", "Withdraw"]


class Issue(TellView):
    """The inspector issues an order on one of the ordinance's three grounds."""

    act = "stop-work order"
    template = "enforcement/order_new.html"
    confirm_template = "enforcement/order_preview.html"
    done_message = "The order is issued. Post the placard on the site, and record it with a photo."
    permit: Permit | None

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        self.permit = standing_permit(self.site)

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return self.site.number

    def make_form(self, data: Any) -> OrderForm:
        return OrderForm(
            data,
            known=persons_of(self.site, self.permit),
            permit=self.permit,
            violations=self.violations(),
            chosen=self.request.GET.get("violation", ""),
            more=self.more,
        )

    def violations(self) -> list[Violation]:
        """The open violations of the site."""
        rows = Violation.objects.filter(site=self.site, status=ViolationStatus.OPEN)
        return list(rows.order_by("-number"))

    def context(self) -> dict[str, Any]:
        return {
            "permit": self.permit,
            "others": holding.standing_orders(self.site),
            "nobody_told": not self.site.filed_on,
            "no_parcel": not self.site.parcels.exists(),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        order = StopWorkOrder(
            site=self.site,
            permit=form.ordered_permit,
            ground=form.cleaned_data["ground"],
            facts=form.facts_in_words,
            must_stop=form.must_stop,
            must_do=form.must_do,
            issued_on=clock.today(),
            issued_by=self.user,
        )
        return {"order": order, "clocks": order.counts(), "told": form.told_in_words()}

    def run(self, form: Any) -> str:
        order = acts.issue(
            self.site,
            by=self.user,
            on=clock.today(),
            ground=form.cleaned_data["ground"],
            facts=form.facts_in_words,
            must_stop=form.must_stop,
            must_do=form.must_do,
            permit=form.ordered_permit,
            violations=form.chosen_violations(),
            told=form.told(),
        )
        return order.get_absolute_url()


class OrderAct(ActView):
    """What the acts on a standing order have in common."""

    order: StopWorkOrder

    def find(self, key: Any) -> None:
        self.order = find_order(self.request, key)
        self.site = self.order.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.order.key)

    def why_not(self) -> NotNow | None:
        if self.order.is_standing:
            return None
        return NotNow(f"The order is {self.order.get_status_display().lower()}.")

    def context(self) -> dict[str, Any]:
        return {"order": self.order, "nobody_told": not self.site.filed_on}


class Post(OrderAct):
    """The inspector records that the placard was put up; the photo is the proof."""

    act = "stop-work posting"
    template = "enforcement/order_post.html"
    confirm_template = "enforcement/order_post_shown.html"
    takes_photos = True
    done_message = "The posting is on record."

    def make_form(self, data: Any) -> PostForm:
        return PostForm(data, order=self.order, today=clock.today())

    def is_valid(self, form: Any) -> bool:
        valid = super().is_valid(form)
        if valid and not self.photos.uploads:
            form.add_error("photos", "Add a photo of the placard where it hangs: it is the proof.")
            return False
        return valid

    def confirm_context(self, form: Any) -> dict[str, Any]:
        shown = StopWorkOrder(
            site=self.site,
            permit=self.order.permit,
            issued_on=self.order.issued_on,
            posted_on=form.cleaned_data["posted_on"],
        )
        first = self.order.posted_on is None
        return {"first": first, "opens": shown.notice_of_intent_opens() if first else None}

    def run(self, form: Any) -> str:
        cleaned = form.cleaned_data
        acts.post(
            self.order,
            by=self.user,
            on=clock.today(),
            posted_on=cleaned["posted_on"],
            place=cleaned["place"],
            photos=self.photos.uploads,
        )
        return self.order.get_absolute_url()


class Serve(ActView):
    """The inspector or the clerk records that a paper was handed over."""

    act = "paper served"
    template = "enforcement/order_serve.html"
    confirm_template = "enforcement/order_serve_shown.html"
    takes_photos = True
    done_message = "The service is on record."
    addressee: Addressee

    def find(self, key: Any) -> None:
        rows = Addressee.objects.filter(site__in=Site.objects.visible_to(self.request.user))
        self.addressee = get_object_or_404(rows.select_related("site"), pk=key)
        self.site = self.addressee.site

    def may(self) -> bool:
        return access.may_record_service(self.user)

    def subject(self) -> str:
        return str(self.addressee.pk)

    def make_form(self, data: Any) -> ServeForm:
        return ServeForm(data, since=acts.made_on(self.addressee), by=str(self.user))

    def context(self) -> dict[str, Any]:
        return {
            "addressee": self.addressee,
            "subject": self.addressee.subject,
            "nobody_told": not self.site.filed_on,
        }

    def run(self, form: Any) -> str:
        cleaned = form.cleaned_data
        photos = self.photos.uploads
        acts.serve(
            self.addressee,
            by=self.user,
            on=clock.today(),
            served_on=cleaned["served_on"],
            place=cleaned["place"],
            served_by=cleaned["served_by"],
            proof=photos[0] if photos else None,
        )
        subject: Any = self.addressee.subject
        return str(subject.get_absolute_url())


class Lift(OrderAct):
    """The inspector lifts the order with the visit that shows that it is obeyed."""

    act = "stop-work lift"
    template = "enforcement/order_lift.html"
    confirm_template = "enforcement/order_lift_shown.html"
    done_message = "The order is lifted, and everybody who was told of it is told."

    def visits(self) -> list[Visit]:
        """The finished visits on or after the day of the order."""
        return visits_of(self.site, visited_on__gte=self.order.issued_on)

    def make_form(self, data: Any) -> LiftForm:
        return LiftForm(data, visits=self.visits())

    def why_not(self) -> NotNow | None:
        if refused := super().why_not():
            return refused
        if not self.visits():
            return NotNow(
                "No visit was finished since the order was issued. The order is lifted with the "
                "visit that shows that it is obeyed."
            )
        return None

    def context(self) -> dict[str, Any]:
        return {**super().context(), **falling(self.order)}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {"visit": form.chosen}

    def run(self, form: Any) -> str:
        acts.lift(
            self.order,
            by=self.user,
            on=clock.today(),
            visit=form.chosen,
            why=form.cleaned_data["why"],
        )
        return self.order.get_absolute_url()


class Withdraw(OrderAct):
    """The inspector withdraws an order that was issued in error."""

    act = "stop-work withdraw"
    template = "enforcement/order_withdraw.html"
    confirm_template = "enforcement/order_withdraw_shown.html"
    done_message = "The order is withdrawn, and everybody who was told of it is told."

    def make_form(self, data: Any) -> ReasonForm:
        return ReasonForm(data)

    def context(self) -> dict[str, Any]:
        revocation = getattr(self.order, "revocation", None)
        stands = revocation if revocation and revocation.reversed_on is None else None
        return {**super().context(), **falling(self.order), "revocation": stands}

    def run(self, form: Any) -> str:
        acts.withdraw(self.order, by=self.user, on=clock.today(), why=form.cleaned_data["why"])
        return self.order.get_absolute_url()


def falling(order: StopWorkOrder) -> dict[str, Any]:
    """Return what falls with an order, and what goes on standing beside it."""
    standing = holding.standing_orders(order.site)
    return {
        "falling": list(order.notices.filter(status=NoticeStatus.STANDING)),
        "others": [each for each in standing if each.pk != order.pk],
        "request_made": beside.open_request(order),
        "attorneys": attorneys(),
        "under_way": beside.work_under_way(order),
    }
