"""Destruction lists: what may go, one list with its steps, and the acts on it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from permits.models import CaseEvent, NotNow
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock, files, known
from portal.city_calendar import current_calendar
from portal.desk.records import access
from portal.desk.records.acts import destroying, lists
from portal.desk.records.forms.keeping import DestroyForm, NoticeForm, ProposeForm, WhyForm
from portal.desk.records.models import Destruction, DestructionList
from portal.desk.records.ways import tabs
from portal.formats import long_date
from portal.models import User
from portal.ordinance.records import destruction_opens
from portal.ordinance.retention import schedule

from .acting import RecordsAct

__all__ = [
    "Approve",
    "CarryOut",
    "Notice",
    "Propose",
    "WithdrawList",
    "certificate",
    "destroyed_case",
    "destruction_list",
    "destruction_lists",
    "society_letter",
]

SHOWN = 25
MOST_DIGITS = 18


@only(access.may_read_records)
@require_safe
def destruction_lists(request: HttpRequest) -> HttpResponse:
    """Show every list, the newest first, and what was destroyed."""
    on = clock.today()
    rows = DestructionList.objects.select_related("proposed_by").annotate(count=Count("cases"))
    text = request.GET.get("q", "").replace("\x00", "").strip()[:100]
    done = Destruction.objects.filter(erased_at__isnull=False).select_related("listed__list")
    if text:
        done = done.filter(listed__number__iexact=text) | done.filter(listed__place__icontains=text)
    context = {
        "tabs": tabs(request.path),
        "page": page_of(request, rows.order_by("-pk")),
        "destroyed": list(done.order_by("-pk")[: SHOWN + 1]),
        "shown": SHOWN,
        "text": text,
        "may_act": access.may_keep_records(request.user),
        "schedule": schedule(),
        "warns": schedule().warns(on),
        "expired": schedule().has_expired(on),
        "on": on,
    }
    return render(request, "records/lists.html", context)


def find_list(key: Any) -> DestructionList:
    """Return a list by its key, or 404."""
    related = ("proposed_by", "ended_by", "letter", "notice__by")
    return get_object_or_404(DestructionList.objects.select_related(*related), key=key)


@only(access.may_read_records)
@require_safe
def destruction_list(request: HttpRequest, key: Any) -> HttpResponse:
    """Show a list: each case with why, the approvals, the notice, and what is next."""
    found, on = find_list(key), clock.today()
    user = request.user
    assert isinstance(user, User)
    with known.reading_once():
        notice = getattr(found, "notice", None)
        waits = notice.opens() if notice and not notice.is_waiver else None
        cases = found.cases.select_related("site", "kept", "destruction__certificate")
        context = {
            "tabs": tabs(reverse("destruction_lists")),
            "list": found,
            "cases": list(cases),
            "approvals": list(found.approvals.select_related("by")),
            "notice": notice,
            "waits": waits,
            "refused": destroying.why_not(found, on=on) if found.is_running else None,
            "may_approve": access.may_approve(user) and lists.why_not_approve(found, user) is None,
            "may_act": found.is_running and access.may_keep_records(user),
            "is_approved": found.status == DestructionList.Status.APPROVED,
            "on": on,
        }
        return render(request, "records/list.html", context)


@only(access.may_read_records)
@require_safe
def society_letter(request: HttpRequest, key: Any) -> HttpResponseBase:
    """Give out the letter to the historical society."""
    found = find_list(key)
    if found.letter is None:
        raise Http404
    return files.serve(request, found.letter, inline=True)


def find_destruction(number: str) -> Destruction:
    """Return what is left of a destroyed case, or 404."""
    related = ("site", "by", "listed__list", "certificate")
    done = Destruction.objects.filter(erased_at__isnull=False).select_related(*related)
    return get_object_or_404(done, listed__number=number)


@only(access.may_read_records)
@require_safe
def destroyed_case(request: HttpRequest, number: str) -> HttpResponse:
    """Show what is left of a destroyed case: its certificate, its skeleton, its hashes."""
    found = find_destruction(number)
    events = CaseEvent.objects.filter(site=found.site).order_by("sequence")
    context = {
        "tabs": tabs(reverse("destruction_lists")),
        "destruction": found,
        "listed": found.listed,
        "parcels": list(found.site.parcels.all()),
        "files": list(found.files.order_by("pk")[:200]),
        "page": page_of(request, events, per_page=50),
        "erased": sorted(found.erased.items()),
    }
    return render(request, "records/destroyed.html", context)


@only(access.may_read_records)
@require_safe
def certificate(request: HttpRequest, number: str) -> HttpResponseBase:
    """Give out a certificate of destruction."""
    found = find_destruction(number)
    if found.certificate is None:
        raise Http404
    return files.serve(request, found.certificate, inline=True)


class Propose(RecordsAct):
    """The clerk proposes cases that the schedule lets go."""

    act = "propose destruction"
    title = "Propose cases for destruction"
    template = "records/propose.html"
    button = "Propose the list"
    done_message = "The list is proposed. Attorney and administrator approve it, each once."

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(request, *args, **{**kwargs, "key": ""})

    def find(self, key: Any) -> None:
        return None

    def subject(self) -> str:
        return ""

    def back(self) -> str:
        return reverse("destruction_lists")

    def why_not(self) -> NotNow | None:
        return lists.why_no_list(clock.today())

    def make_form(self, data: Any) -> forms.Form:
        text = self.request.GET.get("after", "")
        after = int(text) if text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else 0
        self.free, self.kept, self.last = lists.candidates(clock.today(), after=after)
        return ProposeForm(data, sites=[site for site, _ in self.free])

    def context(self) -> dict[str, Any]:
        kept = [(site, each.why_not(clock.today())) for site, each in self.kept[:SHOWN]]
        found = {"free": self.free, "kept": kept, "last": self.last}
        return {**super().context(), **found, "schedule": schedule()}

    def will_happen(self, form: Any) -> list[str]:
        numbers = ", ".join(site.number for site in form.chosen())
        return [
            f"A list is made of: {numbers}.",
            "Each case has on its record that it is listed. Nothing is destroyed yet.",
            "Attorney and administrator approve it; then the historical society has sixty days.",
        ]

    def run(self, form: Any) -> str:
        made = lists.propose(form.chosen(), by=self.user, on=clock.today())
        return made.get_absolute_url()


class ListAct(RecordsAct):
    """An act on one list."""

    found: DestructionList

    def find(self, key: Any) -> None:
        self.found = find_list(key)

    def subject(self) -> str:
        return str(self.found)

    def name(self) -> str:
        return f"{self.title} {self.found}"

    def back(self) -> str:
        return self.found.get_absolute_url()

    def context(self) -> dict[str, Any]:
        cases = self.found.cases.select_related("site")
        return {**super().context(), "list": self.found, "cases": list(cases)}

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)


class Approve(ListAct):
    """Attorney or administrator approve exactly this list."""

    act = "approve destruction"
    title = "Approve list"
    lede = "Look at each case. Two persons approve, and neither is the one who proposed."
    button = "Approve the list"
    done_message = "Your approval is on record."

    def may(self) -> bool:
        return access.may_approve(self.user)

    def why_not(self) -> NotNow | None:
        return lists.why_not_approve(self.found, self.user)

    def will_happen(self, form: Any) -> list[str]:
        second = self.found.approvals.exists()
        return [
            f"You approve list {self.found} as the {self.user.get_role_display().lower()}.",
            "Yours is the second approval: the letter to the historical society is made."
            if second
            else "Another person's approval is still needed.",
            "Nothing is destroyed yet, and a hold still takes a case off the list.",
        ]

    def run(self, form: Any) -> str:
        lists.approve(self.found, by=self.user, on=clock.today())
        return self.back()


class Notice(ListAct):
    """The clerk records the mailing to the historical society, or its waiver."""

    act = "notice to society"
    title = "Notice to the historical society, list"
    lede = (
        "On paper and by mail. The sixty days run from the day on which the post took the letter."
    )
    done_message = "The notice is on record."

    def why_not(self) -> NotNow | None:
        if self.found.status != DestructionList.Status.APPROVED:
            return NotNow("Two approvals come first: the attorney's and the administrator's.")
        if hasattr(self.found, "notice"):
            return NotNow("The notice for this list is recorded already.")
        return None

    def make_form(self, data: Any) -> forms.Form:
        return NoticeForm(data)

    def will_happen(self, form: Any) -> list[str]:
        answers = form.cleaned_data
        if answers["what"] == "waived":
            return [f"The society has waived its notice: {answers['words']}"]
        opens = destruction_opens(answers["mailed_on"], calendar=current_calendar())
        return [
            f"The letter was handed to the post on {long_date(answers['mailed_on'])}.",
            f"The list can be carried out from {long_date(opens.on)} on, not before.",
        ]

    def run(self, form: Any) -> str:
        answers = form.cleaned_data
        if answers["what"] == "waived":
            lists.waive_notice(self.found, words=answers["words"], by=self.user, on=clock.today())
        else:
            lists.mail_notice(
                self.found,
                mailed_on=answers["mailed_on"],
                tracking_number=answers["tracking_number"],
                by=self.user,
            )
        return self.back()


class CarryOut(ListAct):
    """The clerk destroys what is on an approved list and still may be."""

    act = "destroy list"
    title = "Destroy what is on list"
    lede = "This cannot be undone. Each case is looked at once more; what is held is kept."
    button = "Destroy it for good"
    final = True
    done_message = "The list is carried out. Each case destroyed has its certificate."

    def may(self) -> bool:
        return access.may_destroy(self.user)

    def why_not(self) -> NotNow | None:
        return destroying.why_not(self.found, on=clock.today())

    def make_form(self, data: Any) -> forms.Form:
        return DestroyForm(data, wanted=str(self.found))

    def will_happen(self, form: Any) -> list[str]:
        numbers = ", ".join(each.number for each in self.found.cases.all())
        return [
            f"Destroyed for good: the files, papers, e-mails, and every text, name and position "
            f"in the rows of {numbers}.",
            "Kept for good: the certificate with the hash of each file, the case's number, parcels "
            "and address, kinds and days of what happened, the seals of its record, and the books "
            "of the money.",
            "A case that is held today, or in which something is open, is kept and says why.",
        ]

    def run(self, form: Any) -> str:
        destroying.carry_out(self.found, by=self.user, on=clock.today())
        return self.back()


class WithdrawList(ListAct):
    """The clerk withdraws a list before it is carried out."""

    act = "withdraw destruction"
    title = "Withdraw list"
    lede = "Nothing on it was destroyed. Its cases may stand on a later list."
    button = "Withdraw the list"
    done_message = "The list is withdrawn."

    def why_not(self) -> NotNow | None:
        if self.found.is_running:
            return None
        return NotNow(f"List {self.found}: {self.found.get_status_display().lower()}.")

    def make_form(self, data: Any) -> forms.Form:
        return WhyForm(data)

    def will_happen(self, form: Any) -> list[str]:
        return ["The list ends. Each case on it has on its record that it is kept."]

    def run(self, form: Any) -> str:
        lists.withdraw(self.found, why=form.cleaned_data["why"], by=self.user, on=clock.today())
        return self.back()
