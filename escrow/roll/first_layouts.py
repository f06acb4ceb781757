"""The layouts that every city begins with; a county's own is made from one of them.

The names of the XML layout are element names of the state's county roll file. That file is
what a county sends to the state, and its schema is not checked here.
"""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.apps.registry import Apps

__all__ = ["FIRST_LAYOUTS", "enter"]


def _column(name: str, source: str, **details: Any) -> dict[str, Any]:
    return {"name": name, "source": source, **details}


PLAIN = [
    _column("tax_year", "tax_year"),
    _column("county_muni_code", "county_muni_code"),
    _column("parcel_number", "parcel_number"),
    _column("charge_code", "charge_code"),
    _column("charge_description", "description"),
    _column("amount", "amount"),
    _column("owner_name", "owner_name"),
    _column("owner_street", "owner_street"),
    _column("owner_city", "owner_city"),
    _column("owner_state", "owner_state"),
    _column("owner_zip", "owner_zip"),
    _column("site_address", "site_address"),
    _column("resolution", "resolution"),
    _column("invoice_number", "bill_number"),
    _column("charge_number", "charge_number"),
]

FIXED = [
    _column("Parcel", "parcel_number", width=30),
    _column("Year", "tax_year", width=4),
    _column("Charge code", "charge_code", width=6),
    _column("Amount", "amount", width=12, align="right", fill="0", implied=2),
    _column("Description", "description", width=30),
    _column("Owner", "owner_name", width=40),
    _column("Charge", "charge_number", width=14),
]

XML = [
    _column("RecordNumber", "record_number"),
    _column("PropertyInfo/LocalID1", "parcel_number"),
    _column("OwnerAndAddressInfo/MailingAddress/USAddress/AddressLine1", "owner_street"),
    _column("OwnerAndAddressInfo/MailingAddress/USAddress/City", "owner_city"),
    _column("OwnerAndAddressInfo/MailingAddress/USAddress/State", "owner_state"),
    _column("OwnerAndAddressInfo/MailingAddress/USAddress/ZIPCode", "owner_zip"),
    _column("OwnerAndAddressInfo/Owner/Business/Name/BusinessNameLine1", "owner_name"),
    _column("OwnerAndAddressInfo/SiteAddress/AddressLine1", "site_address"),
    _column("TaxSummary/SpecialAssessment/SpecialAssessmentDesc", "description"),
    _column("TaxSummary/SpecialAssessment/SpecialAssessmentCharge", "amount"),
]

CODES = {"charge_code": "EROSN", "assessment_code": "EROAS"}

FIRST_LAYOUTS: list[dict[str, Any]] = [
    {"name": "CSV, all columns", "format": "csv", "columns": PLAIN, **CODES},
    {"name": "Excel, all columns", "format": "xlsx", "columns": PLAIN, **CODES},
    {
        "name": "Parcel and amount",
        "format": "csv",
        "columns": [_column("Parcel Number", "parcel_number"), _column("Amount", "amount")],
        **CODES,
    },
    {
        "name": "Fixed width, two implied decimals",
        "format": "fixed",
        "columns": FIXED,
        "encoding": "ascii",
        "header": False,
        **CODES,
    },
    {"name": "County roll elements (XML)", "format": "xml", "columns": XML, **CODES},
]


def enter(*, apps: Apps = apps, using: str = "default", **kwargs: Any) -> None:
    """Enter the first layouts into a database that has none, however its tables were made."""
    try:
        rows = apps.get_model("escrow", "RollLayout").objects.using(using)
    except LookupError:
        return  # on the way back to tables without layouts
    if not rows.exists():
        for facts in FIRST_LAYOUTS:
            rows.create(**facts)
