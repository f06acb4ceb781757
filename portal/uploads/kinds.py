"""The kinds of file that the city takes, and how each is told from the others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of file: its family, what it is stored as, and how it is recognised."""

    key: str
    family: str
    called: str
    content_type: str
    extension: str
    endings: frozenset[str]
    magic: frozenset[str]
    """What libmagic may call it; anything else is a file in disguise."""


PDF = Kind(
    "pdf",
    "pdf",
    "PDF",
    "application/pdf",
    "pdf",
    frozenset({".pdf"}),
    frozenset({"application/pdf"}),
)
JPEG = Kind(
    "jpeg",
    "image",
    "JPEG picture",
    "image/jpeg",
    "jpg",
    frozenset({".jpg", ".jpeg", ".jpe", ".jfif"}),
    frozenset({"image/jpeg"}),
)
PNG = Kind(
    "png",
    "image",
    "PNG picture",
    "image/png",
    "png",
    frozenset({".png"}),
    frozenset({"image/png"}),
)
HEIC = Kind(
    "heic",
    "image",
    "HEIC photo",
    "image/heic",
    "heic",
    frozenset({".heic", ".heif", ".hif"}),
    frozenset({"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"}),
)
DWG = Kind(
    "dwg",
    "drawing",
    "DWG drawing",
    "image/vnd.dwg",
    "dwg",
    frozenset({".dwg"}),
    frozenset({"image/vnd.dwg"}),
)
DXF = Kind(
    "dxf",
    "drawing",
    "DXF drawing",
    "image/vnd.dxf",
    "dxf",
    frozenset({".dxf"}),
    # A DXF that begins with a comment is to libmagic a text like any other; our own
    # reading of it, group by group, decides.
    frozenset({"image/vnd.dxf", "text/plain", "application/octet-stream"}),
)
XLSX = Kind(
    "xlsx",
    "sheet",
    "Excel workbook",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xlsx",
    frozenset({".xlsx"}),
    # libmagic knows a workbook by the order of its parts; other programs order them otherwise.
    frozenset(
        {
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/zip",
            "application/octet-stream",
        }
    ),
)
"""Taken only where a spreadsheet is asked for, and only ever handed out to be saved."""

CSV = Kind(
    "csv",
    "sheet",
    "table of text",
    "text/csv",
    "csv",
    frozenset({".csv", ".txt", ".tsv"}),
    frozenset({"text/csv", "text/plain"}),
)
"""Taken only where earlier permits are imported, and read there as the text it is."""

EVERYWHERE: tuple[Kind, ...] = (PDF, JPEG, PNG, HEIC, DWG, DXF)
KINDS = (*EVERYWHERE, XLSX)
BY_KEY = {kind.key: kind for kind in KINDS}
BY_ENDING = {ending: kind for kind in KINDS for ending in kind.endings}
BY_EXTENSION = {kind.extension: kind for kind in (*KINDS, CSV)}

ACCEPTED = "PDF, JPEG, PNG, HEIC, DWG or DXF"
ACCEPT_ATTRIBUTE = ",".join(
    [ending for kind in EVERYWHERE for ending in sorted(kind.endings)]
    + [kind.content_type for kind in EVERYWHERE if kind.family != "drawing"]
)
"""For the file chooser. HEIC is named, so that a telephone sends the original photo."""

# fmt: off
OTHER_ENDINGS = frozenset(
    {
        ".7z", ".avif", ".bat", ".bmp", ".cmd", ".com", ".csv", ".css", ".doc", ".docx", ".eml",
        ".exe", ".gif", ".gz", ".htm", ".html", ".jar", ".js", ".json", ".mov", ".mp4", ".msg",
        ".msi", ".php", ".ppt", ".pptx", ".ps1", ".rar", ".rtf", ".sh", ".svg", ".tar", ".tif",
        ".tiff", ".txt", ".vbs", ".webp", ".xhtml", ".xls", ".xlsm", ".xml", ".zip",
    }
)
# fmt: on
"""Endings that promise another kind; others (a `.v2`, a `.B`) promise nothing."""


def promised(name: str) -> str:
    """Return the ending of a name when it promises a kind of file, else nothing."""
    dot = name.rfind(".")
    ending = name[dot:].lower() if dot > 0 else ""
    return ending if ending in BY_ENDING or ending in OTHER_ENDINGS else ""


def fits(kind: Kind, name: str) -> bool:
    """Whether a name may stand for the kind: telephones call a HEIC photo .jpg, and that is fine.

    Only a name that promises another family (a PDF, a spreadsheet) is a contradiction.
    """
    ending = promised(name)
    if not ending:
        return True
    other = BY_ENDING.get(ending)
    return other is not None and (other is kind or (other.family == kind.family == "image"))
