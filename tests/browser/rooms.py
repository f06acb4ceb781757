"""Every page there is, as addresses with the cases of a small city behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from enforcement.models import Addressee
from permits.models import STEPS
from portal.models import Role
from tests import factory
from tests.browser import rooms_agreements, rooms_of_records
from tests.browser.city import CLOSED, City
from tests.browser.rooms_of_upkeep import UPKEEP, Keys, things

__all__ = ["NO_PAGES", "PEOPLE", "addresses", "names_of_addresses", "who_goes"]

NO_PAGES: Mapping[str, str] = {
    "healthz": "one line for machines",
    "favicon": "a picture",
    "upload": "a file that somebody sent",
    "preview": "a picture",
    "paper": "a PDF",
    "case_file_zip": "a ZIP",
    **dict.fromkeys(("feed", "receipt_calendar"), "a calendar file"),
    "hand_over_recall": "a button",
    "feed_renew": "a button",
    "account_inactive": "shown at sign-in only",
    "account_set_password": "leads to changing the password: every account has one",
    "account_confirm_login_code": "switched off: nobody signs in by a mailed code",
    "account_request_reauthentication_code": "switched off: a mailbox alone changes no account",
    "account_confirm_reauthentication_code": "switched off: a mailbox alone changes no account",
    "mfa_download_recovery_codes": "a text file",
    "annual_csv": "a table for other programs",
    "service_worker": "a script",
    "visit_report": "a PDF",
    "report_photo": "a picture",
    "report_photo_file": "a file that somebody sent",
    "visit_save": "a button",
    "visit_photo": "a button",
    "visit_finding": "a button",
    "visit_seen": "a button",
    "report_link": "a button",
    "upkeep_begin": "a button",
    "report_site": "a button",
    "report_answer": "a button",
    "season_letters": "a button",
    "mail_print": "a button",
    "mail_batch_pdf": "a PDF",
    "mail_batch_again": "a button",
    "mailing_letter": "a PDF",
    "mailing_certificate": "a file that somebody sent",
    "trial_balance_csv": "a table for other programs",
    "trial_balance_pdf": "a PDF",
    "cash_book_csv": "a table for other programs",
    "deposit_slip": "a PDF",
    "roll_file": "a file for the county",
    "roll_certification": "a PDF",
    "roll_control": "a text file",
    "agreement_proof": "a PDF",
    **rooms_of_records.NO_PAGES,
    "receipt_by_code": "a PDF",
    "pay_close": "a button",
    "online_callback": "for the payment provider's machine",
    **dict.fromkeys(("import_report", "open_csv", "open_geojson", "open_schema"), "a data file"),
    "import_file": "a file that somebody sent",
}
"""Addresses that answer with something else than a page of ours, and why."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "works": ("inspections.", "enforcement."),
    "money": ("escrow.", "portal.desk.records."),
}
"""Where the pages of a part of the house live; whatever is left is the part of permits."""

PEOPLE = ("", *Role.values)
"""Who goes round: nobody signed in, then each role."""

ACTORS = ("", Role.APPLICANT, Role.INSPECTOR, Role.CLERK, Role.ADMINISTRATOR)

CHECKED = (
    "area_amount=0.4&area_unit=acres&volume_amount=450&volume_unit=cu_yd&street_work=no"
    "&pipe_ft=60&dewatering=no&agriculture=no&state_project=no&building=dwelling"
)
FIRST_DAY = (factory.MONDAY - timedelta(days=400)).isoformat()
STILL_OPEN = "area_amount=900&area_unit=sq_ft"


def names_of_addresses(patterns: list[Any] | None = None, *, part: str = "") -> Iterator[str]:
    """Return the name of every address but those of Django's own admin; of one part alone."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from names_of_addresses(each.url_patterns, part=part)
        elif isinstance(each, URLPattern) and each.name:
            view = getattr(each.callback, "view_class", each.callback)
            if part in ("", part_of(view.__module__)):
                yield each.name


def part_of(module: str) -> str:
    """Return the part of the house to which a page belongs."""
    return next((part for part, apps in PARTS.items() if module.startswith(apps)), "permits")


def unconfirmed() -> EmailAddress:
    """An address whose owner has not answered yet."""
    owner = factory.user(email="new@example.test")
    owner.emailaddress_set.update(verified=False)
    return owner.emailaddress_set.get()


def of(*states: str) -> Keys:
    """An address of an application, in some of its states."""
    return lambda city: [(state, [city.cases[state].key]) for state in states]


def steps(city: City) -> list[tuple[str, Any]]:
    empty = [("empty", [city.cases["draft"].key, step]) for step in STEPS]
    filled = [("filled", [city.cases["complete_draft"].key, step]) for step in STEPS]
    plans = [(state, [city.cases[state].key, "plan"]) for state in ("large", "in revision")]
    return [*empty, *filled, *plans]


def sites(*states: str) -> Keys:
    return lambda city: [(state, [city.cases[state].site.number]) for state in states]


def rows(*names: str) -> Keys:
    """An address that is made of the number of a row."""
    return lambda city: [(name, [city.things[name].pk]) for name in names]


def letters(*stages: str) -> Keys:
    """An address of a letter, at some of its stages."""
    return lambda city: [(stage, [city.things[f"letter {stage}"].pk]) for stage in stages]


def works(name: str) -> Keys:
    """An address of a notice, of city work or of a request."""
    return lambda city: [("", [getattr(city.works, name).key])]


ROOMS: Mapping[str, Keys] = {
    "application_step": steps,
    "revise": of("denied", "in revision"),
    "revise_file": of("in revision"),
    "plan_revision": lambda city: [("filed", [city.cases["denied"].key, 1])],
    "correct": of("received", "denied"),
    "correct_site": of("received"),
    "correct_people": of("received"),
    "correct_contacts": of("received", "granted"),
    "correct_work": of("received", "granted"),
    "withdraw": of("received"),
    "hand_over": of("received"),
    "review": of("draft", "late", "denied", "revised", "granted"),
    "compare": of("received", "revised"),
    "grant": of("received", "late", "submitted"),
    "deny": of("received", "revised", "granted"),
    "fee": of("submitted", "received"),
    "fee_reverse": of("received", "granted"),
    "controls_date": of("granted", "issued"),
    "issue": of("received", "granted", "posted", "issued"),
    "receipt": of("draft", "submitted", "late", "granted", "withdrawn"),
    "escrow_post": of("received", "granted", "posted"),
    "escrow_how": of("received", "granted", "posted"),
    "escrow_reverse": of("posted", "issued"),
    "escrow_account": of("drawn", "bonded", "released", "overdue", "demanded", "granted"),
    "escrow_draw": of("drawable", "drawn"),
    "escrow_release": of("finished", "drawn"),
    "escrow_release_decide": of("release proposed", "drawn"),
    "escrow_forfeit": of("overdue", "drawn"),
    "escrow_forfeit_decide": of("forfeiture proposed", "drawn"),
    "escrow_renew": of("bonded", "drawn"),
    "escrow_replace": of("bonded", "drawn"),
    "escrow_owner": of("drawn"),
    "escrow_give_back": of("released", "drawn"),
    "escrow_draw_reverse": lambda city: [
        ("drawn", [city.cases["drawn"].key, city.things["draw"].number])
    ],
    "escrow_issuer_paid": lambda city: [
        ("", [city.cases["demanded"].key, city.things["demand"].pk])
    ],
    "escrow_issuer_refused": lambda city: [
        ("", [city.cases["demanded"].key, city.things["demand"].pk])
    ],
    "escrow_refusal_reverse": lambda city: [
        ("", [city.cases["demanded"].key, city.things["refusal"].pk])
    ],
    "escrow_issuer_reverse": lambda city: [
        ("", [city.cases["demanded"].key, city.things["issuer paid"].pk])
    ],
    "bill": things(
        *("bill", "bill late", "bill settled", "bill withdrawn", "bill levied"),
        *("bill certified", "bill of two parcels"),
    ),
    "bill_work": things("work to bill"),
    "bill_reverse": rows("payment"),
    "bill_pay": things("bill", "bill late", "bill settled"),
    "bill_credit": things("bill"),
    "bill_withdraw": things("bill late", "bill"),
    "bill_off_roll": things("bill certified", "bill"),
    "bill_levy": things("bill to levy"),
    "bill_divide": things("bill of two parcels"),
    "bill_statement": things("bill"),
    "pay_bill": things("bill", "bill settled"),
    "pay_fee": of("submitted"),
    "pay_by_code": things("bill"),
    "paid_by_code": lambda city: [
        ("", [city.things["bill late"].key, city.things["payment with the code"].key])
    ],
    **{
        name: lambda city: [(each, [each]) for each in ("special-charge", "assessment")]
        for name in ("roll_propose", "roll_correct")
    },
    "roll_batch": things("batch certified", "batch proposed"),
    "roll_certify": things("batch proposed", "batch certified"),
    "roll_withdraw": things("batch proposed"),
    "roll_file_new": things("batch certified"),
    "roll_accept": things("batch certified"),
    "roll_reject": lambda city: [("", [city.things["charge"].number])],
    "roll_settle": lambda city: [
        ("", [city.things["charge"].number]),
        ("late", [city.things["charge untold"].number]),
    ],
    "roll_collect": lambda city: [("", [city.things["charge"].number])],
    "roll_uncollect": rows("collected"),
    "parcel_add": sites("issued"),
    **rooms_of_records.ROOMS,
    "online_payment": things("online payment"),
    "online_settle": rows("set aside"),
    "roll_layout": rows("layout"),
    "parcel_note": rows("parcel"),
    "case": lambda city: [
        *sites(
            *("draft", "received", "late", "denied", "granted", "issued", "inspected"),
            *("finished", "release proposed", "overdue", "drawable"),
        )(city),
        ("earlier", [city.things["earlier permit"].site.number]),
    ],
    "public_site": lambda city: [
        *sites("submitted", "received", "denied", "issued")(city),
        ("earlier", [city.things["earlier permit"].site.number]),
    ],
    "earlier_settle": lambda city: [("", [city.things["earlier permit"].site.number])],
    "import": things("import done", "import read", "import sent"),
    **{name: things("import read") for name in ("import_columns", "import_take", "import_drop")},
    "import_words": things("import read", "import sent"),
    "case_file": sites("draft", "received", "denied"),
    "account_confirm_email": lambda city: [("", [EmailConfirmationHMAC(unconfirmed()).key])],
    "account_reset_password_from_key": lambda city: [("spent", ["1", "spent"])],
    **{
        name: sites("inspected")
        for name in (
            *("visits", "visit_begin", "findings", "log", "log_add"),
            *("complete", "permit_close", "certificate"),
        )
    },
    "visit": things("visit", "finished visit"),
    "visit_finish": things("visit"),
    "visit_discard": things("visit"),
    "final": things("visit"),
    "finding": things("finding", "answered"),
    "finding_answer": things("finding"),
    "finding_confirm": things("answered"),
    "finding_refuse": things("answered"),
    "finding_drop": things("finding"),
    "log_entry": things("entry"),
    "report_received": things("report"),
    "report_case": things("report"),
    "person": lambda city: [("", [city.people[Role.CLERK].pk])],
    "closure_remove": lambda city: [("", [CLOSED.isoformat()])],
    "hand_over_accept": lambda city: [("", [city.cases["offered"].handovers.get().key])],
    "mail_batch": things("batch", "batch made", "batch in trouble"),
    "mailing": letters("waiting", "accepted", "returned"),
    "mailing_deposit": letters("waiting", "accepted"),
    "mailing_accept": letters("handed in"),
    "mailing_number": letters("handed in"),
    "mailing_certificate_add": letters("accepted"),
    "mailing_returned": letters("accepted"),
    "mailing_stands": letters("returned"),
    "mailing_anew": letters("returned"),
    "mailing_correct": letters("accepted"),
    "mailing_affidavit": letters("accepted"),
    "orders_of_case": lambda city: [("", [city.works.order.site.number])],  # type: ignore[union-attr]
    "order_new": lambda city: [
        (state, [city.cases[state].site.number]) for state in ("issued", "received")
    ],
    "violation_new": lambda city: [("", [city.cases["issued"].site.number])],
    "violation_of_finding": things("finding"),
    "violation": things("violation"),
    "violation_seen": things("violation"),
    "violation_end": things("violation"),
    "violation_drop": things("violation"),
    "order": lambda city: [
        ("standing", [city.works.order.key]),  # type: ignore[union-attr]
        ("revoked", [city.things["revoked order"].key]),
    ],
    "order_next": works("order"),
    "order_post": works("order"),
    "posting_correct": lambda city: [
        ("", [city.works.order.postings.latest("pk").pk])  # type: ignore[union-attr]
    ],
    "order_lift": works("order"),
    "order_withdraw": works("order"),
    "order_public": works("order"),
    "revoke": works("order"),
    "revocation": things("revocation"),
    "order_serve": lambda city: [
        ("", [Addressee.objects.of(city.things["revoked order"]).earliest("pk").pk])
    ],
    "notice_new": works("order"),
    "notice": works("notice"),
    "notice_withdraw": works("notice"),
    **UPKEEP,
    "owner_notice_new": lambda city: [("", [city.works.order.site.number])],  # type: ignore[union-attr]
    "owner_notice": works("mailed"),
    "owner_notice_withdraw": works("mailed"),
    "city_work_new": works("notice"),
    "city_work": works("work"),
    "work_cost": works("work"),
    "work_cost_reverse": lambda city: [("", [city.works.work.key, city.works.cost.pk])],  # type: ignore[union-attr]
    "work_photos": works("work"),
    "work_close": works("work"),
    "request_new": works("unpermitted"),
    "request": works("request"),
    "request_step": works("request"),
    "appeal_filed": things("appeal denied"),
    "appeal_new": sites("denied", "issued"),
    "appeal_paper": sites("denied"),
    **{
        name: things("appeal posted")
        for name in (
            *("appeal", "appeal_fee", "appeal_peril", "appeal_transmit", "appeal_hearing"),
            *("appeal_decide", "appeal_withdraw", "appeal_carry_out"),
        )
    },
    "revision_order_new": sites("issued"),
    "revision_order": things("revision order"),
    "revision_plan": things("revision order"),
    "revision_order_withdraw": things("revision order"),
    "revision_line_report": lambda city: [("", [city.things["revision order"].key, 1])],
    "revision_line_confirm": lambda city: [("", [city.things["revision order"].key, 1])],
    "exposure": sites("issued"),
    "citation_sheet": things("violation"),
    **rooms_agreements.ROOMS,
    "law_section": lambda city: [("", [key]) for key in ("permit", "escrow", "site")],
    "council_value": lambda city: [("", ["fee"])],
}
"""Addresses that are made of something; the others stand for themselves."""

ASKED: Mapping[str, tuple[str, ...]] = {
    "check": ("", f"?{CHECKED}&change=1"),
    "check_result": (f"?{CHECKED}", f"?{STILL_OPEN}"),
    "determination": (f"?{CHECKED}",),
    "agreements": ("", "?list=missing", "?list=ended"),
    "lookup": ("", "?q=Prairie", "?q=nowhere"),
    "cases": ("", "?page=2", "?q=nowhere"),
    "earlier": ("", "?q=nowhere"),
    "home": ("", "?page=2"),
    "bills": ("", "?list=late", "?q=nowhere"),
    "cash_book": ("", f"?since={FIRST_DAY}", "?since=2026-01-02&until=2026-01-03"),
    "trial_balance": ("", "?on=2026-11-16", "?year=1999"),
    "deposits": ("", f"?since={FIRST_DAY}"),
    "desk": ("", "?list=later", "?list=fee", "?list=late"),
    "mailroom": ("", "?stage=returned", "?q=nowhere"),
    "law": ("", "?rule=decision&day=2026-11-13"),
}
"""Questions that go with an address."""


SIGNED_OUT = {"account_confirm_email", "account_reset_password_from_key"}
"""Links from a mail: opening one ends the session of anybody else."""


def who_goes(name: str, *, again: bool) -> tuple[str, ...]:
    """Return who tries the door of this name; one's own account is the same for everybody.

    Where a name has several rooms, all look into the first; `again` come those who act there.
    """
    if name in SIGNED_OUT:
        return ("",)
    if name.startswith(("account", "mfa_", "feed_")):
        return ("", Role.APPLICANT)
    return ACTORS if again else PEOPLE


def addresses(city: City, names: set[str], *, bare: bool) -> Iterator[tuple[str, str, str]]:
    """Yield name, state and address of every page of these names; `bare` without questions."""
    for name in sorted(names - NO_PAGES.keys()):
        for state, key in ROOMS.get(name, lambda city: [("", [])])(city):
            for question in ASKED.get(name, ("",))[: 1 if bare else None]:
                yield name, state or question, reverse(name, args=key) + question
