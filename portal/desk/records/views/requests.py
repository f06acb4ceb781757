"""Requests for records: the list with the overdue on top, one request, and its acts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from permits.models import CaseExport, CasePaper, NotNow
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock, files, known
from portal.desk.records import access
from portal.desk.records.acts import requests
from portal.desk.records.forms.requests import (
    AcknowledgeForm,
    AnswerForm,
    RequestForm,
    WithdrawForm,
)
from portal.desk.records.models import Answer, RecordsRequest
from portal.desk.records.ways import tabs
from portal.formats import long_date, money

from .acting import RecordsAct

__all__ = [
    "Acknowledge",
    "AnswerIt",
    "Log",
    "Withdraw",
    "answer_paper",
    "records_request",
    "records_requests",
]

MOST_PAPERS = 100
LISTS = (("open", "Waiting"), ("closed", "Answered or withdrawn"))


@only(access.may_read_records)
@require_safe
def records_requests(request: HttpRequest) -> HttpResponse:
    """Show the open requests, the oldest first, or those that are closed."""
    on = clock.today()
    which = "closed" if request.GET.get("list") == "closed" else "open"
    rows = RecordsRequest.objects.still_open()
    if which == "closed":
        rows = RecordsRequest.objects.exclude(status="open").order_by("-closed_on", "-pk")
    with known.reading_once():
        page = page_of(request, rows.prefetch_related("sites"))
        context = {
            "tabs": tabs(request.path),
            "page": page,
            "rows": [(each, each.answer_deadline(), each.is_late(on)) for each in page],
            "which": which,
            "lists": LISTS,
            "may_act": access.may_keep_records(request.user),
            "on": on,
        }
        return render(request, "records/requests.html", context)


@only(access.may_read_records)
@require_safe
def records_request(request: HttpRequest, key: Any) -> HttpResponse:
    """Show one request: what was asked, by when, and what the city answered."""
    found, on = find_request(key), clock.today()
    answer = find_answer(found)
    with known.reading_once():
        context = {
            "tabs": tabs(reverse("records_requests")),
            "asked": found,
            "deadline": found.answer_deadline(),
            "late": found.is_late(on),
            "sites": list(found.sites.order_by("pk")),
            "told": list(found.acknowledgments.select_related("by")),
            "answer": answer,
            "given": list(answer.given.select_related("site")) if answer else [],
            "refusals": list(answer.refusals.all()) if answer else [],
            "fee": requests.fee_for(requests.copying_of(answer), requests.prices_of(answer))
            if answer
            else None,
            "may_act": found.is_open and access.may_keep_records(request.user),
            "on": on,
        }
        return render(request, "records/request.html", context)


@only(access.may_read_records)
@require_safe
def answer_paper(request: HttpRequest, key: Any) -> HttpResponseBase:
    """Give out the answer as it was sent."""
    answer = find_answer(find_request(key))
    if answer is None or answer.paper is None:
        raise Http404
    return files.serve(request, answer.paper, inline=True)


def find_request(key: Any) -> RecordsRequest:
    """Return a request by its key, or 404."""
    return get_object_or_404(RecordsRequest.objects.select_related("logged_by"), key=key)


def find_answer(found: RecordsRequest) -> Answer | None:
    """Return the answer of a request, if it has one."""
    return Answer.objects.select_related("paper", "by").filter(request=found).first()


class Log(RecordsAct):
    """The clerk logs a request that came in."""

    act = "log request"
    title = "Log a request for records"
    lede = (
        "Nobody must say who they are or why they ask. Nothing of the cases it concerns is "
        "destroyed while it is open."
    )
    button = "Log the request"
    done_message = "The request is logged and has its number."

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(request, *args, **{**kwargs, "key": ""})

    def find(self, key: Any) -> None:
        return None

    def subject(self) -> str:
        return ""

    def back(self) -> str:
        return reverse("records_requests")

    def make_form(self, data: Any) -> forms.Form:
        return RequestForm(data)

    def will_happen(self, form: Any) -> list[str]:
        asked = form.entered()
        due = RecordsRequest(received_on=asked.received_on).answer_deadline()
        sites = form.cleaned_data["numbers"]
        numbers = ", ".join(site.number for site in sites)
        return [
            f"The request gets a number. It was received on {long_date(asked.received_on)}.",
            f"The answer is due without delay; the rule of thumb ends on {long_date(due.on)}.",
            f"It is held until the answer: {numbers}." if sites else "It concerns no case by name.",
        ]

    def run(self, form: Any) -> str:
        sites = form.cleaned_data["numbers"]
        made = requests.log(form.entered(), sites=sites, by=self.user, on=clock.today())
        return made.get_absolute_url()


class RequestAct(RecordsAct):
    """An act on one request."""

    asked: RecordsRequest

    def find(self, key: Any) -> None:
        self.asked = find_request(key)

    def subject(self) -> str:
        return str(self.asked)

    def name(self) -> str:
        return f"{self.title} {self.asked}"

    def back(self) -> str:
        return self.asked.get_absolute_url()

    def why_not(self) -> NotNow | None:
        if self.asked.is_open:
            return None
        return NotNow(f"Request {self.asked}: {self.asked.get_status_display().lower()}.")

    def context(self) -> dict[str, Any]:
        return {**super().context(), "asked": self.asked}


class Acknowledge(RequestAct):
    """The clerk writes down what the requester was told first."""

    act = "acknowledge request"
    title = "Acknowledge request"
    lede = "What the requester is told before the answer. The time for the answer runs on."
    done_message = "Written down. The request is still to be answered."

    def make_form(self, data: Any) -> forms.Form:
        return AcknowledgeForm(data)

    def will_happen(self, form: Any) -> list[str]:
        asked = form.cleaned_data["prepayment"]
        return [
            f"What was told is kept: {form.cleaned_data['words']}",
            f"Prepayment of {money(asked)} was asked for." if asked else "No prepayment is asked.",
            "The portal sends nothing by itself: tell the requester the way they chose.",
        ]

    def run(self, form: Any) -> str:
        requests.acknowledge(
            self.asked,
            words=form.cleaned_data["words"],
            prepayment=form.cleaned_data["prepayment"],
            by=self.user,
            on=clock.today(),
        )
        return self.back()


class AnswerIt(RequestAct):
    """The clerk answers a request, once, with its paper."""

    act = "answer request"
    title = "Answer request"
    template = "records/answer.html"
    lede = "Each record that is withheld needs its own ground and reason."
    button = "Answer the request"
    done_message = "Answered. The answer is ready to be printed or sent."

    def make_form(self, data: Any) -> forms.Form:
        papers = CasePaper.objects.filter(site__in=self.asked.sites.all())
        papers = papers.exclude(kind__in=CasePaper.FOR_THE_CITY_ONLY)
        rows = papers.select_related("site", "document").order_by("site_id", "-pk")
        exports = CaseExport.objects.filter(site__in=self.asked.sites.all(), audience="public")
        files = exports.select_related("site").order_by("site_id", "-pk")
        return AnswerForm(data, papers=rows[:MOST_PAPERS], exports=files[:MOST_PAPERS])

    def context(self) -> dict[str, Any]:
        on = clock.today()
        return {**super().context(), "prices": requests.prices(on), "on": on}

    def will_happen(self, form: Any) -> list[str]:
        reply = form.reply()
        fee = requests.fee_of(reply.copying, on=clock.today())
        given = len(reply.papers) + len(reply.exports) + len(reply.also)
        lines = [
            f"The answer: {Answer.Outcome(reply.outcome).label.lower()}. Given: {given}. "
            f"Withheld: {len(reply.refusals)}.",
            *(f"{line.text}: {money(line.amount)} ({line.citation})." for line in fee.lines),
            f"The fee is {money(fee.total)}.",
            "A paper is made that says so, with the way to a review of each refusal.",
        ]
        if self.asked.sites.exists():
            lines.append("Each case concerned has the answer on its record.")
        return lines

    def run(self, form: Any) -> str:
        requests.answer(self.asked, form.reply(), by=self.user, on=clock.today())
        return self.back()


class Withdraw(RequestAct):
    """The clerk closes a request that the requester withdrew."""

    act = "withdraw request"
    title = "Close withdrawn request"
    lede = (
        "Only where the requester has said so. A request that the city does not answer stays open."
    )
    done_message = "The request is closed as withdrawn."

    def make_form(self, data: Any) -> forms.Form:
        return WithdrawForm(data)

    def will_happen(self, form: Any) -> list[str]:
        return [
            "The request is closed. It cannot be opened again; a new request is logged anew.",
            "What it held is held by it no longer.",
        ]

    def run(self, form: Any) -> str:
        words = form.cleaned_data["words"]
        requests.withdraw(self.asked, words=words, by=self.user, on=clock.today())
        return self.back()
