"""All answers of an application as people read them, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from permits.forms.acknowledgements import AcknowledgementsForm
from permits.forms.base import StepForm, show
from permits.forms.people import BLOCKS
from permits.forms.plan import PlanForm
from permits.forms.site import SiteForm
from permits.forms.work import WorkForm
from permits.models import Application, Party, PlanRevision
from permits.views.frame import TITLES

__all__ = ["Answer", "Part", "answers_of", "plan_answers"]

UNSAID = "no answer"


@dataclass(frozen=True)
class Answer:
    """A question and what was answered; empty where nothing was."""

    question: str
    text: str


@dataclass(frozen=True)
class Part:
    """The answers of one step, and where they are changed."""

    step: str
    title: str
    url: str
    answers: tuple[Answer, ...]


def answers_of(application: Application) -> list[Part]:
    """Return the answers of every step but the plan's tables, in their order."""
    return [
        _part(application, "site", _of_form(SiteForm(application))),
        _part(application, "people", _of_people(application)),
        _part(application, "work", _of_form(WorkForm(application))),
        _part(application, "acknowledgements", _of_form(AcknowledgementsForm(application))),
    ]


def _part(application: Application, step: str, answers: Iterator[Answer]) -> Part:
    return Part(step, TITLES[step], application.get_step_url(step), tuple(answers))


def _of_form(form: StepForm) -> Iterator[Answer]:
    on_record = form.read()
    for name, field in form.fields.items():
        if name in on_record:
            text = show(field, on_record[name])
            if isinstance(on_record[name], list) and name == "parcels":
                text = "\n".join(on_record[name]) or UNSAID
            yield Answer(str(field.label), "" if text == UNSAID else text)


def _of_people(application: Application) -> Iterator[Answer]:
    parties = {party.role: party for party in application.parties.all()}
    for block in BLOCKS:
        party = parties.get(block.role)
        if party is not None or block.needed:
            yield Answer(block.legend, _in_lines(party) if party else "")


def _in_lines(party: Party) -> str:
    name = f"{party.name}, {party.title}" if party.title else party.name
    kind = party.get_body_display()
    lines = [party.organization, name, kind, party.mailing_address, party.telephone, party.email]
    lines.append(party.authorization)
    return "\n".join(line for line in lines if line)


def plan_answers(revision: PlanRevision) -> list[Answer]:
    """Return the plan's own answers, without its sheets and tables."""
    return list(_of_form(PlanForm(revision)))
