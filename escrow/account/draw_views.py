"""The clerk draws on the escrow, and takes back a draw made in error or refused."""

from __future__ import annotations

from typing import Any

from django import forms
from django.shortcuts import get_object_or_404

from escrow.models import CENT, Draw
from permits.models import NotNow
from permits.people import notice_parties
from permits.views.casework import find_application
from portal import city, clock
from portal.models import User
from portal.ordinance import Obstacle

from . import drawing
from .draw_forms import DrawForm, TakeBackForm
from .views import AccountAct

__all__ = ["DrawOnEscrow", "ReverseDraw"]


class DrawOnEscrow(AccountAct):
    """Draw for closed city work, once the notice to the owner has run out."""

    act = "draw on the escrow"
    template = "escrow/draw.html"
    confirm_template = "escrow/draw_confirm.html"
    done_message = "The draw for {} is recorded. The parties are told."

    def make_form(self, data: Any) -> DrawForm:
        return DrawForm(data, permit=self.permit, on=clock.today())

    def why_not(self) -> NotNow | None:
        works = drawing.drawable(self.permit)
        if not works:
            text = "No closed city work under a notice to the owner waits for a draw."
            citation = city.edition_on(clock.today()).citation("draws")
            none = Obstacle("no-work", text, citation, "close the city work")
            return NotNow("There is nothing to draw for.", [none])
        found = [self._obstacles(work) for work in works]
        if all(found):
            return NotNow("The escrow cannot be drawn on today.", found[0])
        return None

    @staticmethod
    def _obstacles(work: Any) -> list[Obstacle]:
        """What stands against the smallest draw stands against every one."""
        return drawing.obstacles_to_draw(work, CENT, on=clock.today())

    def context(self) -> dict[str, Any]:
        works = drawing.drawable(self.permit)
        return super().context() | {
            "works": [(work, drawing.opens(work), drawing.undrawn(work)) for work in works]
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        work = form.cleaned_data["work"]
        return self.context() | {
            "work": work,
            "period": drawing.opens(work),
            "costs": work.costs.all(),
            "parts": form.parts(),
            "amount": form.amount(),
            "left": drawing.undrawn(work) - form.amount(),
            "recipients": notice_parties(self.application),
        }

    def run(self, form: forms.Form) -> str:
        assert isinstance(form, DrawForm)
        answers = form.cleaned_data
        drawing.draw(
            answers["work"],
            form.parts(),
            by=self.user,
            on=clock.today(),
            before_safe_why=answers["before_safe_why"],
            reason=answers["reason"],
        )
        return self.account_url()


class ReverseDraw(AccountAct):
    """Take back a draw made in error or refused by its issuer, before its work is billed."""

    act = "take back a draw"
    template = "escrow/draw_reverse.html"
    confirm_template = "escrow/draw_reverse_confirm.html"
    done_message = "The draw for {} is taken back. The parties are told."
    draw: Draw

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        number = kwargs.pop("number")
        if isinstance(request.user, User):
            application = find_application(request, kwargs["key"], self.may)
            rows = Draw.objects.select_related("permit", "work", "owner_notice")
            self.draw = get_object_or_404(rows, permit__application=application, number=number)
        return super().dispatch(request, *args, **kwargs)

    def make_form(self, data: Any) -> TakeBackForm:
        return TakeBackForm(data, draw=self.draw)

    def why_not(self) -> NotNow | None:
        why = drawing.why_not_reverse(self.draw)
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        entries = self.draw.entries.filter(kind="drawn").select_related("instrument")
        return super().context() | {
            "draw": self.draw,
            "entries": entries,
            "recipients": notice_parties(self.application),
        }

    def run(self, form: forms.Form) -> str:
        answers = form.cleaned_data
        drawing.reverse(
            self.draw,
            by=self.user,
            on=clock.today(),
            reason=answers["reason"],
            refused=list(answers.get("refused", ())),
        )
        return self.account_url()
