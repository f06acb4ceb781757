"""What people do on a page before it is looked at: answer wrongly, or go on to confirm."""

from __future__ import annotations

from datetime import timedelta

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.urls import reverse

from portal.models import User
from tests import factory
from tests.browser import doings_agreements
from tests.browser import doings_of_records as records
from tests.browser.city import CLOSED, City
from tests.browser.doing import GO_ON, Doing, Opening
from tests.browser.person import Person

__all__ = ["CONFIRMATIONS", "MISTAKES", "OTHER_PAGES", "Doing", "careful_person"]

SAVE = "Save and go on"
SHOW = "Show the bill"
MISTAKES = (
    Doing("account_login", "", "Sign in"),
    Doing("account_signup", "", "Make my account", write={"Your name": "Mai Vang"}),
    Doing("account_reset_password", "", "Send me the link"),
    Doing("check", "", "Show the answer", write={"feet of underground pipe": "many"}),
    Doing("law", "", "Show the count"),
    Doing("account", "applicant", "Save", write={"Your name": ""}),
    Doing("account_email", "applicant", "Add it"),
    Doing("account_change_password", "applicant", "Change it"),
    Doing("mfa_activate_totp", "applicant", "Finish"),
    Doing("application_step", "applicant", SAVE, "draft", "site", {"Latitude": "99"}),
    Doing("application_step", "applicant", SAVE, "draft", "people", {"Telephone": "12"}),
    Doing("application_step", "applicant", SAVE, "draft", "work", {"Amount": "a lot"}),
    Doing("application_step", "applicant", SAVE, "draft", "plan", {"Quantity": "240 feet"}),
    Doing("application_step", "applicant", "Sign and submit", "complete_draft", "check"),
    Doing("correct_site", "applicant", GO_ON, "received", write={"Latitude": "99"}),
    Doing("hand_over", "applicant", "Offer the case", "received"),
    Doing("grant", "inspector", GO_ON, "received"),
    Doing("deny", "inspector", GO_ON, "received"),
    Doing("controls_date", "inspector", GO_ON, "granted"),
    Doing("fee", "clerk", GO_ON, "submitted"),
    Doing("case_file", "clerk", "Make the file", "received"),
    Doing("fee_reverse", "clerk", GO_ON, "received"),
    *(Doing(**each) for each in doings_agreements.MISTAKES),
    Doing("escrow_post", "clerk", GO_ON, "granted", write={"Amount": "2,499.99"}),
    Doing("escrow_reverse", "clerk", GO_ON, "posted"),
    Doing("closure_add", "clerk", "See what moves"),
    Doing("closure_remove", "clerk", "See what moves", args=(CLOSED.isoformat(),)),
    Doing("council_value", "clerk", "Look it over", args=("fee",)),
    Doing("day_close", "clerk", GO_ON),
    Doing("person_add", "administrator", "Make the account"),
    Doing("finding_answer", "applicant", "Send the answer", thing="finding"),
    Doing("finding_refuse", "inspector", "Open it again", thing="answered"),
    Doing("finding_drop", "inspector", GO_ON, thing="finding"),
    Doing("log_add", "applicant", "Write it into the log", "inspected"),
    Doing("certificate", "clerk", "Go on: see what it does", "inspected"),
    Doing("rain", "clerk", "Enter the rain"),
    Doing("report", "", "Send the report"),
    Doing("pay", "", "Show the bill", write={"Number of the bill": "BL-2026-0001"}),
    Doing("mailing_accept", "clerk", GO_ON, thing="letter handed in"),
    Doing("mailing_anew", "clerk", GO_ON, thing="letter returned"),
    Doing("mailing_affidavit", "clerk", GO_ON, thing="letter accepted"),
    Doing("escrow_draw", "clerk", GO_ON, "drawable", write={"From cash": "9,999"}),
    Doing("escrow_draw_reverse", "clerk", GO_ON, "drawn", thing="draw"),
    Doing("escrow_issuer_paid", "clerk", GO_ON, "demanded", thing="demand"),
    Doing("escrow_issuer_reverse", "clerk", GO_ON, "demanded", thing="issuer paid"),
    Doing("escrow_issuer_refused", "clerk", GO_ON, "demanded", thing="demand"),
    Doing("escrow_refusal_reverse", "clerk", GO_ON, "demanded", thing="refusal"),
    Doing("escrow_release_decide", "administrator", GO_ON, "release proposed"),
    Doing("escrow_forfeit", "inspector", GO_ON, "overdue"),
    Doing("escrow_forfeit_decide", "administrator", GO_ON, "forfeiture proposed"),
    Doing("escrow_renew", "clerk", GO_ON, "bonded", write={"Good until": "2026-01-02"}),
    Doing("escrow_replace", "clerk", GO_ON, "bonded"),
    Doing("escrow_owner", "clerk", GO_ON, "drawn", write={"Owner": ""}),
    Doing("escrow_give_back", "clerk", GO_ON, "released"),
    Doing("bill_work", "clerk", GO_ON, thing="work to bill", write={"Name": ""}),
    Doing("upkeep_report", "applicant", "Report it", thing="agreement in force"),
    Doing("upkeep_look", "inspector", "Keep it", thing="upkeep begun"),
    Doing("upkeep_notice_new", "inspector", GO_ON, thing="upkeep finished"),
    Doing("upkeep_extend", "inspector", "Give more time", thing="upkeep notice"),
    Doing("upkeep_corrected", "applicant", "Send the report", thing="upkeep notice"),
    Doing("upkeep_confirm", "inspector", GO_ON, thing="upkeep notice"),
    Doing("upkeep_withdraw", "inspector", GO_ON, thing="upkeep notice"),
    Doing("bill_pay", "clerk", GO_ON, thing="bill", write={"Amount": "12.345"}),
    Doing("bill_credit", "clerk", "Enter the credit", thing="bill"),
    Doing("bill_reverse", "clerk", "Reverse it", thing="payment"),
    Doing("bill_withdraw", "clerk", "Withdraw the bill", thing="bill late"),
    Doing("bill_levy", "clerk", "Enter the levy", thing="bill to levy"),
    Doing("bill_divide", "clerk", "Keep the division", thing="bill of two parcels"),
    Doing("roll_withdraw", "clerk", "Withdraw the list", thing="batch proposed"),
    Doing("roll_reject", "clerk", "Record the rejection", thing="charge"),
    Doing("roll_collect", "clerk", "Record it", thing="charge", write={"Amount": "1e9"}),
    Doing("roll_settle", "clerk", "Record it", thing="charge untold"),
    Doing("roll_uncollect", "clerk", "Take it back", thing="collected"),
    Doing("roll_layout", "clerk", "Keep this layout", thing="layout", write={"Width": "0"}),
    Doing("parcel_note", "clerk", "Write it down", thing="parcel"),
    Doing("parcel_add", "clerk", "Add it", "issued"),
    Doing("online_settle", "clerk", "Settle it", thing="set aside"),
    *records.MISTAKES,
    Doing("trial_balance", "clerk", "Show", write={"Only of the permit": "EC-1999-0001"}),
    Doing("cash_book", "clerk", "Show", write={"From": "2026-11-10", "To": "2026-11-02"}),
    Doing("import_new", "clerk", "Read the headings"),
    Doing("import_columns", "clerk", "Go on", thing="import read", choose={"Landowner": "Issued"}),
    Doing("import_words", "clerk", "See what becomes of each row", thing="import sent"),
    Doing("earlier_settle", "inspector", GO_ON, thing="earlier permit"),
)
"""Forms sent with an answer that cannot be taken."""

LATER = (factory.MONDAY + timedelta(days=240)).isoformat()
LATER_STILL = (factory.MONDAY + timedelta(days=300)).isoformat()
TERMS = {
    "Conditions of the permit": "Call two working days before.\nKeep the street clean.",
    "Escrow": "2,500",
    "How was the amount worked out?": "240 feet of silt fence at $4; seeding.",
    "Date for the permanent controls": LATER,
}
CONFIRMATIONS = (
    Doing(
        "grant",
        "inspector",
        GO_ON,
        "received",
        write=TERMS,
        mark=(("Who set", "Building inspector"), ("maintenance agreement", "No")),
    ),
    Doing("deny", "inspector", GO_ON, "late", write={"What must be added": "The inlet."}),
    Doing(
        "fee",
        "clerk",
        GO_ON,
        "submitted",
        write={"On which day": factory.MONDAY.isoformat(), "Receipt number": "R-77"},
        mark=(("How did the fee come in?", "Cash"),),
    ),
    Doing("fee_reverse", "clerk", GO_ON, "received", write={"Why": "The check came back."}),
    Doing("upkeep_finish", "inspector", GO_ON, thing="upkeep begun"),
    Doing(
        "upkeep_notice_new",
        "inspector",
        GO_ON,
        thing="upkeep finished",
        write={"To be corrected by": LATER_STILL},
    ),
    Doing(
        "upkeep_confirm",
        "inspector",
        GO_ON,
        thing="upkeep notice",
        write={"On which day": factory.MONDAY.isoformat(), "How do you know?": "Seen."},
    ),
    Doing(
        "upkeep_withdraw",
        "inspector",
        GO_ON,
        thing="upkeep notice",
        write={"Why is the notice": "The wrong basin."},
    ),
    Doing(
        "controls_date",
        "inspector",
        GO_ON,
        "granted",
        write={"New date": LATER_STILL, "Why?": "The escrow came late."},
    ),
    Doing(
        "correct_work",
        "applicant",
        GO_ON,
        "received",
        write={"Name of the project": "Lot 7", "Why is it corrected?": "It was left out."},
    ),
    Doing(
        "correct_contacts",
        "applicant",
        GO_ON,
        "granted",
        write={"E-mail address": "night@example.test", "Why is it corrected?": "A new one."},
    ),
    Doing(
        "escrow_post",
        "clerk",
        GO_ON,
        "granted",
        write={"Amount": "2,500", "Receipt number": "E-77"},
    ),
    Doing("escrow_reverse", "clerk", GO_ON, "posted", write={"Why": "The wrong case."}),
    Doing(
        "day_close",
        "clerk",
        GO_ON,
        write={"Cash counted": "1", "Checks": "0", "Why it differs": "The float was in it."},
    ),
    Doing(
        "closure_add",
        "clerk",
        "See what moves",
        write={"Day": "2026-11-24", "What for": "Water main", "resolution": "2026-121"},
    ),
    Doing(
        "closure_remove",
        "clerk",
        "See what moves",
        write={"resolution": "2026-122"},
        args=(CLOSED.isoformat(),),
    ),
    Doing(
        "council_value",
        "clerk",
        "Look it over",
        write={"Days": "30", "In force from": "2027-01-01", "resolution": "2026-123"},
        args=("appeal_days",),
    ),
    *(Doing(**each) for each in doings_agreements.CONFIRMATIONS),
    Doing("finding_drop", "inspector", GO_ON, thing="finding", write={"Why": "The next lot."}),
    Doing("escrow_draw", "clerk", GO_ON, "drawable"),
    Doing(
        "escrow_draw_reverse",
        "clerk",
        GO_ON,
        "drawn",
        thing="draw",
        write={"Why": "The crew was at the next lot."},
    ),
    Doing(
        "escrow_issuer_paid",
        "clerk",
        GO_ON,
        "demanded",
        thing="demand",
        write={"Number of the check": "5513"},
        mark=(("How", "Check"),),
    ),
    Doing(
        "escrow_issuer_refused",
        "clerk",
        GO_ON,
        "demanded",
        thing="demand",
        write={"Why does it refuse": "It disputes the notice, by its letter of Monday."},
    ),
    Doing(
        "escrow_refusal_reverse",
        "clerk",
        GO_ON,
        "demanded",
        thing="refusal",
        write={"Why": "It pays after all."},
    ),
    Doing("escrow_release", "clerk", GO_ON, "finished"),
    Doing(
        "escrow_release_decide",
        "administrator",
        GO_ON,
        "release proposed",
        mark=(("What do you decide?", "Approve"),),
    ),
    Doing(
        "escrow_forfeit",
        "inspector",
        GO_ON,
        "overdue",
        write={"What is not complete?": "The slope is bare."},
    ),
    Doing(
        "escrow_forfeit_decide",
        "administrator",
        GO_ON,
        "forfeiture proposed",
        mark=(("What do you decide?", "Approve"),),
    ),
    Doing("escrow_renew", "clerk", GO_ON, "bonded", write={"Good until": "2028-01-03"}),
    Doing(
        "escrow_owner",
        "clerk",
        GO_ON,
        "drawn",
        write={
            "Owner": "Ann Meyer",
            "Mailing address": "4418 Ridge Road\nExample, WI 54999",
            "Who said so": "Both, by letter.",
        },
    ),
    Doing(
        "escrow_give_back",
        "clerk",
        GO_ON,
        "released",
        write={"Returned to": "Lake States Surety", "How": "Certified mail 7014"},
    ),
    Doing("bill_work", "clerk", GO_ON, thing="work to bill"),
    Opening("paid_by_code", "", SHOW, thing="bill late", payment="payment with the code"),
    *(
        Opening("pay_by_code", "", SHOW, thing=thing)
        for thing in ("bill", "bill settled", "bill certified", "bill withdrawn", "bill levied")
    ),
    Doing(
        "earlier_settle",
        "inspector",
        GO_ON,
        thing="earlier permit",
        write={"How is that known?": "The final inspection."},
        mark=(("How does it stand?", "Closed"),),
    ),
    Doing("bill_pay", "clerk", GO_ON, thing="bill", mark=(("How", "Cash"),)),
    Doing(
        "mailing_accept",
        "clerk",
        GO_ON,
        thing="letter handed in",
        write={"Accepted by the post on": factory.MONDAY.isoformat()},
    ),
    *records.CONFIRMATIONS,
)
"""The page before an act that cannot be undone: what will happen."""


def careful_person() -> User:
    """Somebody with a second factor."""
    careful = factory.user(email="careful@example.test", name="Cara Ful")
    TOTP.activate(careful, generate_totp_secret())
    RecoveryCodes.activate(careful)
    return careful


def lost(stranger: Person, city: City) -> None:
    """Open a page that is not there."""
    stranger.go("/no/such/page/")


def forged(stranger: Person, city: City) -> None:
    """Send a form that is not surely from the person: its cookies are gone."""
    stranger.go(reverse("account_login"))
    stranger.context.clear_cookies()
    stranger.write("E-mail address", "mai@people.example")
    stranger.press("Sign in")


def changed_meanwhile(applicant: Person, city: City) -> None:
    """Save a step that another window has saved since it was opened."""
    draft = city.cases["complete_draft"]
    applicant.go(draft.get_step_url("site"))
    draft.site.address = "1 Another Window, Example, WI 54999"
    draft.site.save()
    applicant.write("Address of the site", "2 This Window, Example, WI 54999")
    applicant.press(SAVE)


def refused_file(applicant: Person, city: City) -> None:
    """Send a file that is not what its name says."""
    applicant.go(city.cases["draft"].get_step_url("plan"))
    note = {"name": "plan.pdf", "mimeType": "application/pdf", "buffer": b"not a plan"}
    applicant.main.locator("input[type=file]").set_input_files([note])  # type: ignore[list-item]
    applicant.press("Add these files")


OTHER_PAGES = (
    ("no such page", "", "", lost),
    ("not from our form", "", "", forged),
    ("application_step", "changed in another window", "applicant", changed_meanwhile),
    ("application_step", "a refused file", "applicant", refused_file),
)
"""What no address alone leads to: name, state, who, and what makes it appear."""
