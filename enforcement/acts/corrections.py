"""What became of a notice of maintenance: the party's report, and the inspector's answer.

Former § 17.19(4)(f)(6)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.conf import settings
from django.db import transaction

from enforcement.acts.upkeep import demand_standing, end, tell_again, tell_end
from enforcement.models import CorrectionAnswer, CorrectionReport, UpkeepNotice, UpkeepStatus
from inspections.upkeep_telling import tell_the_inspectors
from permits.models import NotNow
from portal.city import say
from portal.formats import long_date
from portal.models import Upload, User

__all__ = ["confirm", "refuse", "report"]


@transaction.atomic
def report(
    notice: UpkeepNotice, *, by: User, on: date, text: str, photos: Sequence[Upload] = ()
) -> CorrectionReport:
    """Say that it is corrected, with photos; the inspector looks at it and answers."""
    with notice.acting():
        demand_standing(notice)
        if notice.unanswered_report() is not None:
            raise NotNow(say("A report waits for the {inspector_short}'s answer already."))
        if not text.strip():
            raise NotNow("Say what was corrected.")
        made = CorrectionReport.objects.create(notice=notice, on=on, text=text, by=by)
        made.photos.set(photos)
        notice.site.record(
            "upkeep.correction_reported",
            by=by,
            on=on,
            section="maintenance",
            facts={"notice": notice.number, "text": text, "photos": len(photos)},
        )
        tell_the_inspectors(
            notice.agreement,
            f"upkeep_corrected:{made.pk}",
            "upkeep_corrected",
            subject=f"Notice {notice}: reported as corrected",
            on=on,
            notice=notice,
            report=made,
            page_url=settings.PUBLIC_URL + notice.get_absolute_url(),
        )
        return made


def confirm(
    notice: UpkeepNotice, *, by: User, on: date, corrected_on: date, how: str = ""
) -> UpkeepNotice:
    """Confirm that everything the notice names is corrected; its clocks end."""
    with notice.acting():
        demand_standing(notice)
        if not notice.issued_on <= corrected_on <= on:
            raise NotNow(
                f"It was corrected between {long_date(notice.issued_on)}, the day of the notice, "
                f"and today."
            )
        late = notice.correction_deadline().met_late(corrected_on)
        if (waiting := notice.unanswered_report()) is not None:
            CorrectionAnswer.objects.create(report=waiting, accepted=True, reason=how, on=on, by=by)
        notice.corrected_on = corrected_on
        end(notice, UpkeepStatus.CORRECTED, by=by, on=on, why=how, met_on=corrected_on)
        notice.site.record(
            "upkeep.correction_confirmed",
            by=by,
            on=corrected_on,
            section="maintenance",
            reason=how,
            facts={"notice": notice.number, "late": late},
        )
        tell_end(notice, on, how)
        return notice


def refuse(notice: UpkeepNotice, *, by: User, on: date, reason: str) -> CorrectionAnswer:
    """Answer a report: it is not corrected, and why; the time runs on as it was."""
    with notice.acting():
        demand_standing(notice)
        waiting = notice.unanswered_report()
        if waiting is None:
            raise NotNow("No report waits for an answer.")
        if not reason.strip():
            raise NotNow("Say what is still to be corrected.")
        answer = CorrectionAnswer.objects.create(
            report=waiting, accepted=False, reason=reason, on=on, by=by
        )
        notice.site.record(
            "upkeep.correction_refused",
            by=by,
            on=on,
            section="maintenance",
            reason=reason,
            facts={"notice": notice.number, "reported_on": waiting.on},
        )
        tell_again(
            notice,
            f"upkeep_refused:{notice.number}:{waiting.pk}",
            f"Notice of maintenance {notice.number}: still to be corrected",
            "upkeep_refused",
            on=on,
            why=reason,
            clock=notice.correction_deadline(),
        )
        return answer
