"""Whether the post can deliver: a mailing address with street, city, state and ZIP code."""

from __future__ import annotations

import re

__all__ = ["ASK_FOR_ADDRESS", "can_be_delivered"]

STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia"
    "|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts"
    "|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey"
    "|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania"
    "|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington"
    "|West Virginia|Wisconsin|Wyoming|District of Columbia|Puerto Rico|Guam"
    "|AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM"
    "|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|PR|GU|VI|AS|MP|AA|AE|AP"
)
LAST_LINE = re.compile(
    rf"(?P<before>.*?)(?:^|[\s,])(?:{STATES})\.?,?\s+\d{{5}}(?:-?\d{{4}})?",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
HOME = re.compile(r"[\s,]+(?:U\.?S\.?A\.?|United States(?: of America)?)$", re.IGNORECASE)
ABROAD = re.compile(r"[A-Z][A-Z .]{3,}", re.ASCII)
PARTS_BEFORE_STATE = 2
"""Street and city."""
LINES_ABROAD = 3

ASK_FOR_ADDRESS = (
    "Write street or box, city, state and ZIP code, such as 1 Mill Street, Madison, WI 53703. "
    "Outside the United States, end with the country in capitals on a line of its own."
)


def can_be_delivered(text: str) -> bool:
    """Whether an address has all that a letter needs, on one line or several."""
    text = HOME.sub("", text.strip())
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) >= LINES_ABROAD and ABROAD.fullmatch(lines[-1]):
        return any(sign.isdigit() for sign in text)
    found = LAST_LINE.fullmatch(text)
    if found is None:
        return False
    parts = [part for part in re.split(r"[\n,]", found["before"]) if part.strip()]
    return len(parts) >= PARTS_BEFORE_STATE
