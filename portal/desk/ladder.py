"""What may be done in a case today, act by act, and why not where not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings

from permits import access
from permits.models import STEPS, Application, Permit
from portal.city import edition_on, in_words_of, say
from portal.formats import long_date, money
from portal.models import User
from portal.ordinance import Citation, Obstacle

from .case_file import CaseFile
from .links import find_url
from .standing_stopped import why_stopped

__all__ = ["Rung", "ladder_of"]

STATUS = Application.Status

STEP_NAMES = {
    "site": "the site",
    "people": "the people",
    "work": "the work",
    "plan": "the plan",
    "acknowledgements": "the acknowledgements",
    "fee": "the fee",
    "check": "the last look",
}


@dataclass(frozen=True)
class Reason:
    """One obstacle, with the page that removes it."""

    obstacle: Obstacle
    url: str = ""
    label: str = ""


@dataclass(frozen=True)
class Rung:
    """One act: open with its link, or closed with every reason."""

    key: str
    title: str
    text: str
    url: str = ""
    label: str = ""
    obstacles: tuple[Reason, ...] = ()
    why_not: str = ""
    citation: Citation | None = None
    first: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the act may be done today by this person."""
        return not self.obstacles and not self.why_not


def ladder_of(file: CaseFile, *, user: User, on: date) -> list[Rung]:
    """Return the acts of a case in their order, for one person on one day."""
    if user.is_city_staff:
        return _for_staff(file, user, on)
    if access.may_edit(user, file.application):
        return _for_holder(file, user, on)
    return []


# The holder -------------------------------------------------------------------------------


def _for_holder(file: CaseFile, user: User, on: date) -> list[Rung]:
    status = file.application.status
    if status == STATUS.WITHDRAWN:
        return [_begin_again()]
    rungs = {
        STATUS.DRAFT: _draft_rungs,
        STATUS.SUBMITTED: _fee_rungs,
        STATUS.UNDER_REVIEW: _wait_rungs,
        STATUS.DENIED: _revise_rungs,
        STATUS.GRANTED: _permit_rungs,
    }[STATUS(status)](file, user, on)
    return [*rungs, *_work(file, on)]


def _begin_again() -> Rung:
    text = "Nothing more can be done in this case. A new application begins afresh."
    return Rung("again", "Apply anew", text, find_url("apply"), "Begin an application")


def _draft_rungs(file: CaseFile, user: User, on: date) -> Iterable[Rung]:
    application = file.application
    missing = application.obstacles_to_submit(on=on)
    url = find_url("application_step", application.key, _next_step(application))
    yield Rung(
        "write",
        "Go on with the application",
        "It saves itself, step by step.",
        url,
        "Go on",
        first=True,
    )
    yield Rung(
        "file",
        "Sign and file it",
        "Everything is answered. Look it over, sign, and send it.",
        find_url("application_step", application.key, "check"),
        "Look it over",
        obstacles=cured(application, missing, user),
    )


def _next_step(application: Application) -> str:
    return next((step for step in STEPS if step not in application.steps_done), STEPS[-1])


def _fee_rungs(file: CaseFile, user: User, on: date) -> Iterable[Rung]:
    city, application = settings.CITY, file.application
    yield Rung(
        "pay",
        f"Pay the fee of {money(application.fee_due(on=on))}",
        f"In cash or by check at the counter ({city['hours']}), or by check to {city['office']}, "
        f"{city['address']}. Write {application.number} on it.",
        find_url("pay_fee", application.key),
        "How to pay it",
        citation=edition_on(on).citation("permit", "(b)"),
    )
    yield _correct(file)


def _wait_rungs(file: CaseFile, user: User, on: date) -> Iterable[Rung]:
    yield Rung(
        "receipt",
        "See the receipt",
        "What came in and when, and the date of the decision with its count.",
        find_url("receipt", file.application.key),
        "Receipt",
    )
    yield _correct(file)


def _correct(file: CaseFile) -> Rung:
    return Rung(
        "correct",
        "Correct what was filed",
        "A wrong date, address, telephone number or contractor; the record keeps both answers.",
        find_url("correct", file.application.key),
        "Correct it",
    )


def _revise_rungs(file: CaseFile, user: User, on: date) -> Iterable[Rung]:
    begun = any(revision.filed_on is None for revision in file.revisions)
    yield Rung(
        "revise",
        "Answer the required changes",
        "Revise the plan and say for each change what was done. No new fee is due.",
        find_url("revise", file.application.key),
        "Go on with the revision" if begun else "Begin the plan revision",
        citation=edition_on(on).citation("permit", "(c)"),
        first=True,
    )


def _permit_rungs(file: CaseFile, user: User, on: date) -> Iterable[Rung]:
    permit, city = file.permit, settings.CITY
    if permit is not None and permit.issued_on is None and permit.escrow_posted_on is None:
        yield Rung(
            "escrow",
            f"Post the escrow of {money(permit.escrow_amount)}",
            say("Cash, a bond or a letter of credit, brought or sent to the {clerk}: ")
            + f"{city['name']}, {city['address']}.",
            find_url("escrow_how", file.application.key),
            "How to post it",
            citation=edition_on(on).citation("escrow"),
        )


def _work(file: CaseFile, on: date) -> Iterable[Rung]:
    """Say whether the ground may be disturbed: the question everybody comes with."""
    edition, permit = edition_on(on), file.permit
    if stopped := why_stopped(permit, file.orders):
        cited = edition.citation("enforcement", "(a)")
        yield Rung("work", "Work under the plan", "", why_not=stopped, citation=cited)
        return
    if permit is not None and permit.issued_on is not None:
        yield Rung(
            "work",
            "Work under the approved plan",
            f"Permit {permit.number} was issued on {long_date(permit.issued_on)}. Keep the permit "
            "card on the site.",
            file.site.get_public_url(),
            "What the public sees",
        )
        return
    yield Rung(
        "work",
        "Begin the work",
        "",
        why_not="Not yet: work may begin only once the permit is issued.",
        citation=edition.citation("permit", "(a)"),
    )


# The city ---------------------------------------------------------------------------------


def _for_staff(file: CaseFile, user: User, on: date) -> list[Rung]:
    application = file.application
    if application.status == STATUS.DRAFT:
        why = "The application is still being written; nothing is filed."
        return [Rung("wait", "Nothing to do yet", "", why_not=why)]
    rungs = [_take_fee(file, user, on), _decide(file, user, on), _look(file, user)]
    if file.permit is not None:
        rungs += [_post(file, user, on), _issue(file, user, on)]
    if access.may_correct(user, application) and application.is_correctable():
        rungs.append(_correct(file))
    if access.may_post_escrow(user):
        rungs += _reversals(file)
    return [rung for rung in rungs if rung is not None]


def _take_fee(file: CaseFile, user: User, on: date) -> Rung | None:
    application = file.application
    if application.status != STATUS.SUBMITTED:
        return None
    amount = money(application.fee_due(on=on))
    return Rung(
        "fee",
        f"Take the fee of {amount}",
        say("The {inspector_short}'s {decision_working_days} working days start when it came in."),
        find_url("fee", application.key),
        "Take the fee",
        why_not="" if access.may_take_fee(user) else policy(access.may_take_fee),
        first=True,
    )


def _decide(file: CaseFile, user: User, on: date) -> Rung | None:
    """The decision: the page of review is open to staff as long as there is a plan to see."""
    application, edition = file.application, edition_on(on)
    if application.status == STATUS.SUBMITTED:
        obstacles = application.missing_to_receive(on=on)
        return Rung("decide", "Decide", "", obstacles=cured(application, obstacles, user))
    if application.status == STATUS.UNDER_REVIEW:
        return Rung(
            "decide",
            "Review the plan and decide",
            "Grant it, or deny it with the required changes.",
            find_url("review", application.key),
            "Review the plan",
            why_not="" if access.may_decide(user) else policy(access.may_decide),
            citation=edition.citation("permit", "(c)"),
            first=True,
        )
    if application.status in (STATUS.DENIED, STATUS.WITHDRAWN):
        return Rung("decide", "Decide", "", why_not=_decided(file))
    return None


def _look(file: CaseFile, user: User) -> Rung | None:
    """Whoever may read the review without deciding finds it here."""
    if file.revision is None or access.may_decide(user) or not access.may_review(user):
        return None
    text = "The drawings, and what the plan must contain against what it does."
    return Rung(
        "look",
        "See the plan and its review",
        text,
        find_url("review", file.application.key),
        "See the review",
    )


def _decided(file: CaseFile) -> str:
    """Say who denied the plan and when, or that the application was withdrawn."""
    decision = file.decision
    if file.application.status == STATUS.WITHDRAWN or decision is None:
        return "The application was withdrawn."
    day = long_date(decision.decided_on)
    by = decision.decided_by.signature
    return f"{by} denied it on {day}. It waits for the applicant's plan revision."


def _post(file: CaseFile, user: User, on: date) -> Rung | None:
    permit, application = file.permit, file.application
    assert permit is not None
    if permit.status != Permit.Status.AWAITING_ESCROW or permit.escrow_posted_on is not None:
        return None
    return Rung(
        "escrow",
        f"Post the escrow of {money(permit.escrow_amount)}",
        "Cash with its receipt, a bond or a letter of credit; together they cover the amount.",
        find_url("escrow_post", application.key),
        "Post the escrow",
        why_not="" if access.may_post_escrow(user) else policy(access.may_post_escrow),
        citation=edition_on(on).citation("escrow"),
        first=True,
    )


def _issue(file: CaseFile, user: User, on: date) -> Rung | None:
    permit, application = file.permit, file.application
    assert permit is not None
    if permit.issued_on is not None or permit.status == Permit.Status.WITHDRAWN:
        return None
    obstacles = permit.obstacles_to_issue(on=on)
    return Rung(
        "issue",
        "Issue the permit",
        "The permit card is made, the parties are told, and the permit's dates start.",
        find_url("issue", application.key),
        "Issue the permit",
        obstacles=cured(application, obstacles, user),
        why_not="" if access.may_issue(user) else policy(access.may_issue),
        first=True,
    )


def _reversals(file: CaseFile) -> list[Rung]:
    """What a clerk may take back while nothing rests on it yet."""
    found, application, permit = [], file.application, file.permit
    if application.status == STATUS.UNDER_REVIEW and not file.decisions and file.fees:
        url = find_url("fee_reverse", application.key)
        text = "A check that came back: the city's time to decide then waits for the fee again."
        found.append(Rung("fee-reverse", "Reverse the fee", text, url, "Reverse the fee"))
    if permit is not None and permit.issued_on is None and permit.escrow_posted_on is not None:
        url = find_url("escrow_reverse", application.key)
        text = "A posting entered in error, before the permit is issued."
        found.append(Rung("escrow-reverse", "Reverse the escrow", text, url, "Reverse the escrow"))
    return found


# Words ------------------------------------------------------------------------------------


def policy(predicate: Any) -> str:
    """Return the sentence of policy behind an act that belongs to others."""
    return in_words_of(str(predicate.__doc__))


def cured(
    application: Application, obstacles: Sequence[Obstacle], user: User
) -> tuple[Reason, ...]:
    """Return each obstacle with the page that removes it, where this person may open it."""
    return tuple(Reason(each, *_cure(application, each.cure, user)) for each in obstacles)


def _cure(application: Application, cure: str, user: User) -> tuple[str, str]:
    """Return address and label of the page that removes an obstacle."""
    key, holder = application.key, access.may_edit(user, application)
    if holder and cure in STEPS:
        return find_url("application_step", key, cure), f"Go to {STEP_NAMES[cure]}"
    if holder and cure == "complete the plan":
        return find_url("application_step", key, "plan"), f"Go to {STEP_NAMES['plan']}"
    if cure == "pay the fee" and access.may_take_fee(user):
        return find_url("fee", key), "Take the fee"
    if cure == "set a new date" and access.may_decide(user):
        return find_url("controls_date", key), "Set a new date"
    if cure == "post the escrow" and access.may_post_escrow(user):
        return find_url("escrow_post", key), "Post the escrow"
    return "", ""
