"""What may stand on a destruction list, who approves it, and what its pages say."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse

from permits import acts
from permits.models import CaseEvent, NotNow
from portal.desk.records.acts import destroying, holds, lists, requests
from portal.desk.records.facts import facts_of, old_enough, retention_for
from portal.desk.records.models import DestructionList, SocietyNotice
from portal.ordinance import retention
from tests import factory
from tests.records import scene
from tests.records.test_requests import send, text_of

pytestmark = pytest.mark.django_db


# What a case must be ----------------------------------------------------------------------


def test_a_case_withdrawn_long_ago_may_go(at: Any) -> None:
    site = scene.old_case(at).site
    found = retention_for(site, on=scene.TODAY)
    assert found.closed_on == scene.LONG_AGO
    assert found.until == date(2025, 5, 14)
    assert list(old_enough(scene.TODAY)) == [site]
    assert [each for each, _ in lists.candidates(scene.TODAY)[0]] == [site]


@pytest.mark.parametrize(
    ("state", "keys"),
    [
        ("draft", {"application"}),
        ("submitted", {"application"}),
        ("received", {"application", "clock"}),
        ("granted", {"permit"}),
        ("posted", {"permit", "money"}),
        ("issued", {"permit", "money", "clock"}),
    ],
)
def test_whatever_is_open_keeps_a_case_and_says_so(at: Any, state: str, keys: set[str]) -> None:
    at(scene.LONG_AGO)
    case = factory.STATES[state](on=scene.LONG_AGO)
    at(scene.TODAY)
    found = retention_for(case.site, on=scene.TODAY)
    assert {each.key for each in found.why_not(scene.TODAY)} >= keys
    assert found.until is None
    free, kept, last = lists.candidates(scene.TODAY)
    assert last is None
    assert free == []
    assert [site for site, _ in kept] == [case.site]


def test_a_case_with_a_maintenance_agreement_is_kept_for_good(at: Any) -> None:
    at(scene.LONG_AGO)
    case = factory.received(on=scene.LONG_AGO)
    terms = {**factory.GRANT, "maintenance_agreement": True}
    until = scene.LONG_AGO + timedelta(240)
    acts.grant(
        case, by=factory.inspector(), on=scene.LONG_AGO, permanent_controls_by=until, **terms
    )
    at(scene.TODAY)
    found = retention_for(case.site, on=scene.TODAY)
    assert found.series.key == "agreement"
    assert "agreement" in {each.key for each in found.obstacles}


def test_a_fact_about_the_file_makes_the_case_no_younger(at: Any) -> None:
    site = scene.old_case(at).site
    hold = scene.held(site)
    holds.end(hold, reason="The suit was settled.", by=scene.attorney(), on=scene.TODAY)
    assert retention_for(site, on=scene.TODAY).may_be_destroyed(scene.TODAY)
    assert list(old_enough(scene.TODAY)) == [site]


def test_a_fact_of_the_case_does(at: Any) -> None:
    site = scene.old_case(at).site
    site.lock()
    site.record("finding.recorded", by=factory.inspector(), on=scene.TODAY)
    assert retention_for(site, on=scene.TODAY).until == date(2033, 11, 16)
    assert not old_enough(scene.TODAY).exists()


def test_a_case_is_on_one_list_at_a_time(at: Any) -> None:
    site = scene.old_case(at).site
    first = scene.proposed(site)
    with pytest.raises(NotNow, match="something in it has changed"):
        scene.proposed(site)
    lists.withdraw(first, why="Made too early.", by=factory.clerk(), on=scene.TODAY)
    assert site.events.last().kind == "case.kept"
    assert scene.proposed(site).cases.count() == 1


def test_each_case_has_one_fact_that_it_is_listed(at: Any) -> None:
    sites = [scene.old_case(at).site for _ in range(2)]
    made = scene.proposed(*sites)
    for site in sites:
        event = site.events.last()
        assert (event.kind, event.facts) == ("case.listed_for_destruction", {"list": made.number})
        assert site.events.filter(kind=CaseEvent.Kind.CASE_LISTED_FOR_DESTRUCTION).count() == 1


def test_nothing_is_listed_once_the_schedule_has_expired(at: Any) -> None:
    site = scene.old_case(at).site
    with pytest.raises(NotNow, match="expired on"):
        lists.propose([site], by=factory.clerk(), on=date(2028, 8, 27))
    assert lists.propose([site], by=factory.clerk(), on=date(2028, 8, 26))


def test_an_approved_list_is_not_carried_out_after_the_schedule_expired(at: Any) -> None:
    made, _ = scene.ready(at, scene.old_case(at).site)
    assert destroying.why_not(made, on=date(2028, 8, 26)) is None
    assert "expired" in str(destroying.why_not(made, on=date(2028, 8, 27)))


def test_the_facts_of_many_cases_cost_as_much_as_those_of_one(
    at: Any, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    sites = [scene.old_case(at).site.pk for _ in range(5)]
    with CaptureQueriesContext(connection) as asked:
        facts_of(sites[:1], on=scene.TODAY)
    with django_assert_num_queries(len(asked)):
        facts_of(sites, on=scene.TODAY)


# The society ------------------------------------------------------------------------------


def test_the_second_approval_makes_the_letter(at: Any) -> None:
    made = scene.proposed(scene.old_case(at).site)
    lists.approve(made, by=factory.administrator(), on=scene.TODAY)
    made.refresh_from_db()
    assert made.letter is None
    lists.approve(made, by=scene.attorney(), on=scene.TODAY)
    made.refresh_from_db()
    assert made.status == "approved"
    assert made.letter is not None
    text = text_of(made.letter)
    assert "sixty days" in text
    assert made.cases.get().number in text
    assert "Wisconsin Historical Society" in text


def test_the_sixty_days_run_from_the_mailing_not_from_its_entry(at: Any) -> None:
    made = scene.approved(scene.old_case(at).site)
    at("2026-11-20")
    notice = lists.mail_notice(
        made, mailed_on=date(2026, 11, 17), tracking_number="", by=factory.clerk()
    )
    assert notice.opens_on == date(2027, 1, 17)


def test_the_letter_is_not_mailed_before_it_was_made(at: Any) -> None:
    made = scene.approved(scene.old_case(at).site)
    with pytest.raises(NotNow, match="not before"):
        lists.mail_notice(
            made, mailed_on=date(2026, 11, 15), tracking_number="", by=factory.clerk()
        )


def test_a_waiver_opens_the_list_at_once_and_is_on_the_certificate(at: Any) -> None:
    made = scene.approved(scene.old_case(at).site)
    lists.waive_notice(made, words="Letter of May 4, 2026.", by=factory.clerk(), on=scene.TODAY)
    [done] = destroying.carry_out(made, by=factory.clerk(), on=scene.TODAY).destroyed
    assert done.certificate is not None
    text = text_of(done.certificate)
    assert "Letter of May 4, 2026." in text
    assert done.chain_head in text.replace(" ", "")
    assert done.listed.number in text


def test_a_series_that_the_schedule_waives_needs_no_letter(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    known = retention.schedule()
    case = replace(known.series["case"], society="W")
    waived = replace(known, series={**known.series, "case": case})
    monkeypatch.setattr("portal.desk.records.models.destruction.schedule", lambda: waived)
    made = scene.approved(scene.old_case(at).site)
    assert made.letter is None
    assert SocietyNotice.objects.get(list=made).is_waiver


# The pages --------------------------------------------------------------------------------


def test_the_page_offers_what_may_go_and_says_why_the_rest_stays(at: Any, enter: Any) -> None:
    free, held = scene.old_case(at).site, scene.old_case(at).site
    scene.held(held)
    page = enter(factory.clerk()).get(reverse("destruction_propose"))
    assert [site for site, _ in page.context["free"]] == [free]
    [(site, why)] = page.context["kept"]
    assert site == held
    assert "A suit is likely." in why[0].text
    assert "Held since" in page.content.decode()


def test_old_cases_that_are_kept_hide_none_behind_them(
    at: Any, enter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LOOKED_AT", 1)
    held, free = scene.old_case(at).site, scene.old_case(at).site
    scene.held(held)
    client = enter(factory.clerk())
    page = client.get(reverse("destruction_propose"))
    assert page.context["free"] == []
    assert f'href="?after={held.pk}"' in page.content.decode()
    url = f"{reverse('destruction_propose')}?after={held.pk}"
    assert [site for site, _ in client.get(url).context["free"]] == [free]
    send(client, url, {"sites": [free.pk]})
    assert DestructionList.objects.get().cases.get().site == free
    for odd in ("x", "\u0663", "9" * 40, ""):
        odd_page = client.get(reverse("destruction_propose"), {"after": odd})
        assert odd_page.status_code == 200


def test_a_list_goes_its_whole_way_by_its_pages(at: Any, enter: Any) -> None:
    site = scene.old_case(at).site
    clerk = enter(factory.clerk())
    url = send(clerk, reverse("destruction_propose"), {"sites": [site.pk]}).url
    made = DestructionList.objects.get()
    for person in (scene.attorney(), factory.administrator()):
        page = enter(person).get(url)
        assert page.context["may_approve"]
        answer = enter(person).post(
            reverse("destruction_approve", args=[made.key]), {"step": "confirm"}
        )
        assert answer.url == url
    notice = {"what": "mailed", "mailed_on": "2026-11-16", "tracking_number": "", "words": ""}
    clerk.post(reverse("society_notice", args=[made.key]), {**notice, "step": "confirm"})
    do = reverse("destruction_do", args=[made.key])
    early = clerk.post(do, {"number": made.number, "step": "confirm"})
    assert early.status_code == 409
    assert b"sixty days run" in early.content
    at("2027-01-16")
    clerk = enter(factory.clerk())
    wrong = clerk.post(do, {"number": "DL-2026-0009", "step": "check"})
    assert f"This list is {made.number}." in wrong.content.decode()
    shown = clerk.post(do, {"number": made.number, "step": "check"})
    assert b"This cannot be undone." in shown.content
    clerk.post(do, {"number": made.number, "step": "confirm"})
    page = clerk.get(reverse("case", args=[site.number]), follow=True)
    assert page.redirect_chain[0][0] == reverse("destroyed_case", args=[site.number])
    assert b"Certificate of destruction" in page.content
    pdf = clerk.get(reverse("destruction_certificate", args=[site.number]))
    assert pdf["Content-Type"] == "application/pdf"
    holder = enter(site.applications.get().applicant)
    assert holder.get(reverse("case", args=[site.number])).status_code == 404
    assert enter(factory.inspector()).get(reverse("case", args=[site.number])).status_code == 404
    assert holder.get(reverse("public_site", args=[site.number])).status_code == 404


def test_the_clerk_who_proposed_has_no_button_to_approve(at: Any, enter: Any) -> None:
    made = scene.proposed(scene.old_case(at).site)
    assert not enter(factory.clerk()).get(made.get_absolute_url()).context["may_approve"]
    url = reverse("destruction_approve", args=[made.key])
    assert enter(factory.clerk()).get(url).status_code == 404


def test_a_hold_is_placed_from_the_case_and_told_in_its_story(at: Any, enter: Any) -> None:
    case = factory.received()
    client = enter(scene.attorney())
    page = client.get(case.site.get_absolute_url())
    assert f"{reverse('hold_add')}?case={case.site.number}" in page.content.decode()
    asked = client.get(reverse("hold_add"), {"case": case.site.number})
    assert case.site.number in asked.content.decode()
    form = {"numbers": case.site.number, "reason": "The neighbor sues."}
    assert b"The hold wins over it." in send(client, reverse("hold_add"), form, "check").content
    send(client, reverse("hold_add"), form)
    text = client.get(case.site.get_absolute_url()).content.decode()
    assert "The case is held: nothing of it is destroyed" in text
    assert "The neighbor sues." in text


def test_a_hold_is_ended_once_with_a_reason(enter: Any) -> None:
    hold = scene.held(factory.received().site)
    client, url = enter(scene.attorney()), reverse("hold_end", args=[hold.pk])
    assert client.post(url, {"reason": "", "step": "check"}).status_code == 200
    assert hold.is_standing
    client.post(url, {"reason": "Settled.", "step": "confirm"})
    assert hold.site.events.last().reason == "Settled."
    assert client.post(url, {"reason": "Again.", "step": "confirm"}).status_code == 409


def test_pages_of_lists_ask_little_however_many_cases_they_have(
    at: Any, enter: Any, django_assert_max_num_queries: Any
) -> None:
    sites = [scene.old_case(at).site for _ in range(6)]
    made = scene.proposed(*sites[:3])
    client = enter(factory.clerk())
    for url in (
        reverse("destruction_lists"),
        made.get_absolute_url(),
        reverse("destruction_propose"),
        reverse("holds"),
        reverse("retention_schedule"),
    ):
        with django_assert_max_num_queries(25):
            assert client.get(url).status_code == 200


def test_the_schedule_page_names_every_series_and_warns_before_its_end(at: Any, enter: Any) -> None:
    at("2027-08-27")
    page = enter(scene.attorney()).get(reverse("retention_schedule")).content.decode()
    for row in retention.schedule().series.values():
        assert row.title in page
    assert "The schedule expires" not in page
    at("2027-08-28")
    page = enter(scene.attorney()).get(reverse("retention_schedule")).content.decode()
    assert "The schedule expires on Sunday, August 27, 2028." in page
    assert requests.prices(scene.TODAY).page == 0
