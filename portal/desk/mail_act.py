"""What the acts of the mail room have in common: asked, shown before they are done, done once."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views import View

from permits import access
from permits.models import NotNow
from portal import clock, mailroom, operations
from portal.letters import AT_ONCE
from portal.models import Mailing, MailingEvent, User
from portal.uploads.collect import Collected, collect
from portal.uploads.complete import cut_off, is_whole

from . import mail_forms
from .acting import token_of

__all__ = ["MailAct", "chosen_letters"]


def chosen_letters(request: HttpRequest) -> list[Mailing]:
    """Return the letters that were marked: each by itself, or all of the page."""
    sent = request.POST if request.method == "POST" else request.GET
    name = "listed" if sent.get("all_listed") else "letter"
    keys = [int(key) for key in sent.getlist(name)[:AT_ONCE] if key.isdecimal() and len(key) < 19]
    found = Mailing.objects.by_post().filter(pk__in=keys)
    return list(found.select_related("document", "letter"))


class MailAct(LoginRequiredMixin, View):
    """One act on one letter or on many."""

    act: ClassVar[str]
    kind: ClassVar[MailingEvent.Kind]
    heading: ClassVar[str]
    lede: ClassVar[str]
    button: ClassVar[str]
    question: ClassVar[str]
    form_class: ClassVar[type[mail_forms.LetterForm]]
    danger: ClassVar[bool] = False
    user: User
    letters: list[Mailing]
    left_out: list[Mailing]

    def run(self, form: Any) -> str:
        """Do the act; return what to say of it. Raises NotNow."""
        raise NotImplementedError

    def effects(self, form: Any) -> list[str]:
        """Return what happens when it is confirmed."""
        raise NotImplementedError

    def fits(self, letter: Mailing) -> bool:
        """Whether the act can be done to a letter as it stands."""
        return mailroom.fits(letter, self.kind)

    # The steps ----------------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if isinstance(request.user, User):
            if not access.may_mail(request.user):
                raise Http404
            if not is_whole(request):  # only after that: for a stranger there is no such page
                return cut_off(request)
            self.user = request.user
            self.find_letters(kwargs.get("pk"))
        return super().dispatch(request, *args, **kwargs)

    def find_letters(self, pk: int | None) -> None:
        """Take the letter of the address, or those that were marked in the queue."""
        if pk is None:
            found = chosen_letters(self.request)
        else:
            rows = Mailing.objects.by_post().select_related("document", "letter")
            found = list(rows.filter(pk=pk))
            if not found:
                raise Http404
        self.letters = [letter for letter in found if self.fits(letter)]
        self.left_out = [letter for letter in found if not self.fits(letter)]

    def get(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        return self.show_form(self.make_form(None))

    def post(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        step = request.POST.get("step", "check")
        if step == "choose" or not self.found:
            return self.show_form(self.make_form(None))
        form = self.make_form(request.POST)
        if step == "confirm":
            return self.do(form)
        if step == "change" or not self.letters or not form.is_valid():
            return self.show_form(form, status=200 if self.letters else 409)
        return self.show("mailroom/confirm.html", form, {"effects": self.effects(form)})

    @property
    def found(self) -> list[Mailing]:
        """The letters that were asked for, whether or not the act can be done to them."""
        return self.letters + self.left_out

    def make_form(self, data: Any) -> Any:
        """Return the form; a scan that came with it is kept first."""
        if not self.found:
            return None
        scan = self.collect_scan()
        if data is not None and scan.stored:
            data = data.copy()
            data["scan_key"] = str(scan.stored[0].key)
        letters = self.letters or self.left_out
        return self.form_class(data, letters=letters, user=self.user, scan=scan)

    def collect_scan(self) -> Collected:
        """Store the scan that was sent, so that a mistake elsewhere does not lose it."""
        if "scan" not in self.request.FILES or not issubclass(self.form_class, mail_forms.ScanForm):
            return Collected()
        return collect(self.request, "scan", by=self.user)

    def do(self, form: Any) -> HttpResponse:
        """Do the act once; a refusal shows the page again with all that was typed."""
        try:
            url = operations.perform(self.request, self.act, lambda: self.run_valid(form))
        except operations.TokenReused as reused:
            context = {"result_url": str(reused)}
            return render(self.request, "desk/sent_before.html", context, status=409)
        except NotNow as refused:
            return self.show_form(form, refused=refused, status=409)
        if getattr(self, "said", ""):
            messages.success(self.request, self.said)
        return HttpResponseRedirect(url)

    def run_valid(self, form: Any) -> str:
        """Do the act if all that was entered can be taken; a repeat never gets here."""
        if not self.letters:
            raise NotNow("This was recorded already, or cannot be recorded any more.")
        if not form.is_valid():
            raise NotNow("Something that was entered cannot be taken.")
        self.said = self.run(form)
        return self.result_url()

    def result_url(self) -> str:
        """Return where the result is seen: the letter, or the queue."""
        letters = self.letters
        return letters[0].get_absolute_url() if len(letters) == 1 else reverse("mailroom")

    def show_form(
        self, form: Any, *, refused: NotNow | None = None, status: int = 200
    ) -> HttpResponse:
        """Show the questions; with `refused`, why the act was not done."""
        if refused is None and self.found and not self.letters:
            refused = NotNow(self.why_left_out())
        return self.show("mailroom/act.html", form, {"refused": refused}, status)

    def why_left_out(self) -> str:
        """Say of a letter to which the act cannot be done how it stands."""
        letter = self.left_out[0]
        return (
            f"This cannot be recorded of the letter to {letter.addressee}: "
            f"{letter.get_stage_display().lower()}."
        )

    def show(
        self, template: str, form: Any, context: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        shared = {
            "view": self,
            "form": form,
            "letters": self.letters,
            "left_out": self.left_out,
            "operation": token_of(self.request),
            "on": clock.today(),
            "single": self.found[0] if "pk" in self.kwargs else None,
        }
        return render(self.request, template, shared | context, status=status)
