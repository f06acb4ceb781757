"""Why something is left out of the case file for the public: each omission has its ground.

The records law presumes that everybody may see a record (Wis. Stat. § 19.35(1)(a)); what is
held back must be named with its reason. No ground here is the last word: each is marked
where the city attorney must confirm it.
"""

from __future__ import annotations

from dataclasses import dataclass

from portal.city import say, worded

__all__ = ["GROUNDS", "Ground"]


@dataclass(frozen=True)
class Ground:
    """One reason to leave something out: in a sentence, and where it stands written."""

    key: str
    title: str
    sentence: str
    citation: str = ""

    @property
    def confirm(self) -> str:
        """What is still to be settled about it."""
        return say("The {attorney} must confirm this ground.")


_ALL = (
    Ground(
        "contact",
        "Telephone numbers and e-mail addresses",
        "How a person can be reached at home says nothing about what the city did.",
        "Wis. Stat. § 19.36",
    ),
    Ground(
        "signature",
        "Signatures",
        "A signature can be copied; who signed, in what capacity and when is told without it.",
    ),
    Ground(
        "position",
        "Where a camera stood",
        "A photo's position, time and device tell of the person who took it. The picture is "
        "given without them where the portal has made one.",
    ),
    Ground(
        "bank",
        "Bank, bond and letter-of-credit data",
        "Account, check and instrument numbers could be used to draw money. Amounts and dates "
        "are given.",
        "Wis. Stat. § 19.36",
    ),
    Ground(
        "attorney",
        worded("The {attorney}'s papers"),
        "What the city and its attorney tell each other to prepare a case in court.",
    ),
    Ground(
        "draft",
        "Drafts",
        "What was never filed, or a visit that is not finished, is no record yet.",
    ),
    Ground(
        "complainant",
        "Whoever reported something",
        "A person who reports to the city must not be found by the one reported.",
    ),
    Ground(
        "internal",
        "Internal notes",
        "A note from one person of the city to the next, made for the work on the case.",
    ),
    Ground(
        "letter",
        "Letters and e-mails to one person",
        "They hold an address and may repeat what else is left out. Each is listed with its day "
        "and its cause; the notices and decisions they brought are given as papers.",
    ),
    Ground(
        "sent_in",
        "Files that people sent with an appeal, a report or a proof",
        "Nobody has looked through them for personal data; the custodian does so when asked.",
    ),
    Ground(
        "access",
        "Keys of pages",
        "The secret part of an address in the portal, the token of a form, or the code with which "
        "a payer opens a bill. What a bill says is given in its rows.",
    ),
    Ground(
        "undecided",
        "Not decided yet",
        "The city has not decided whether this is given out; until it does, it stays out. The "
        "custodian decides when it is asked for.",
    ),
)

GROUNDS = {ground.key: ground for ground in _ALL}
"""Every ground by its key."""
