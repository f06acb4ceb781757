"""The columns of the open data, described once: for the page, the files and the metadata."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FIELDS", "OpenField"]


@dataclass(frozen=True)
class OpenField:
    """One column; `ours` stands for those that are not of the BLDS standard."""

    name: str
    datatype: str
    text: str
    ours: bool = False


FIELDS = (
    OpenField("PermitNum", "string", "Number of the permit; of an earlier permit the old one"),
    OpenField("Description", "string", "Kinds of work, as the public page names them"),
    OpenField("AppliedDate", "date", "Day on which the form came in"),
    OpenField("IssuedDate", "date", "Day on which the permit was issued"),
    OpenField("CompletedDate", "date", "Day on which the permit was closed"),
    OpenField("StatusCurrent", "string", "Issued, Work stopped, Closed, Revoked, Expired …"),
    OpenField("StatusCurrentMapped", "string", "The same in the words of BLDS"),
    OpenField("OriginalAddress1", "string", "Address of the site, or its parcels"),
    OpenField("OriginalCity", "string", "The city that issues the permits"),
    OpenField("OriginalState", "string", "Its state"),
    OpenField("Jurisdiction", "string", "The city, by its whole name"),
    OpenField("PermitClass", "string", "Kind of building, if one is put up"),
    OpenField("PermitClassMapped", "string", "Residential or Non-Residential"),
    OpenField("PermitType", "string", "Erosion control"),
    OpenField("PermitTypeMapped", "string", "Grading"),
    OpenField("TotalSqFt", "integer", "Area disturbed, in square feet"),
    OpenField("PIN", "string", "Parcel numbers as they are written, parted by semicolons"),
    OpenField("Latitude", "decimal", "Of the site, where the public page shows it"),
    OpenField("Longitude", "decimal", "Of the site, where the public page shows it"),
    OpenField("Link", "anyURI", "The public page of the site"),
    OpenField("Publisher", "string", "Who gives out the data"),
    OpenField("SiteNum", "string", "Number of the site", ours=True),
    OpenField("ApplicationNum", "string", "Number of the application", ours=True),
    OpenField("WorkAllowed", "boolean", "Whether digging is allowed now", ours=True),
    OpenField("Answer", "string", "The answer of the public page, in a sentence", ours=True),
)
