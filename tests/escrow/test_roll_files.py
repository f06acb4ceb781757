"""The files of the roll: text stays text, amounts stay numbers, nothing is ever computed.

Each file is read again by another library than the one that wrote it.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from python_calamine import CalamineWorkbook

from escrow.models import RollBatch, RollLayout
from escrow.roll.columns import UNREADABLE, tame
from escrow.roll.first_layouts import FIRST_LAYOUTS
from escrow.roll.writers import Unfit, write
from tests.conftest import CASES, needs_cases

BATCH = RollBatch(year=2026, number=1, instrument="special-charge")
LAYOUTS = {facts["name"]: facts for facts in FIRST_LAYOUTS}
FORMULAS = (
    "=cmd|'/C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "-Smith",
    "\tx",
    "\rx",
    '=HYPERLINK("http://x.test")',
    "＝1+1",
)


def row(number: int = 1, **facts: Any) -> tuple[Any, ...]:
    """One line as the writers read it."""
    values = {
        "position": number,
        "charge": f"SC-2026-{number:04d}",
        "parcel": "0010001000",
        "amount": Decimal("1234.50"),
        "owner": "Northfield Builders LLC (Mai Vang)",
        "address": "PO Box 7\nBeaver Dam, WI 05391-0001",
        "site": "N170 W20019 Prairie Road",
        "bill": "BL-2026-0001",
        "resolution": "2026-14",
        "delinquent": date(2026, 11, 3),
    } | facts
    return tuple(values.values())


def layout(name: str, **facts: Any) -> RollLayout:
    return RollLayout(**LAYOUTS[name] | {"county_code": "099", "muni_code": "01"} | facts)


def written(made: RollLayout, *rows: tuple[Any, ...]) -> bytes:
    target = io.BytesIO()
    write(made, BATCH, rows, target)
    return target.getvalue()


def read_csv(content: bytes, encoding: str = "utf-8") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(encoding), newline="")))


def test_csv_keeps_zeros_punctuation_and_cents() -> None:
    (found,) = read_csv(written(layout("CSV, all columns"), row()))
    assert found == {
        "tax_year": "2026",
        "county_muni_code": "09901",
        "parcel_number": "0010001000",
        "charge_code": "EROSN",
        "charge_description": "EROSION CONTROL CHARGE",
        "amount": "1234.50",
        "owner_name": "Northfield Builders LLC (Mai Vang)",
        "owner_street": "PO Box 7",
        "owner_city": "Beaver Dam",
        "owner_state": "WI",
        "owner_zip": "05391-0001",
        "site_address": "N170 W20019 Prairie Road",
        "resolution": "2026-14",
        "invoice_number": "BL-2026-0001",
        "charge_number": "SC-2026-0001",
    }


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_in_a_name_is_harmless(text: str) -> None:
    (found,) = read_csv(written(layout("CSV, all columns"), row(owner=text)))
    assert found["owner_name"] == f"'{text}"
    assert found["amount"] == "1234.50"


def test_an_amount_below_zero_stays_a_number() -> None:
    (found,) = read_csv(written(layout("CSV, all columns"), row(amount=Decimal("-12.50"))))
    assert found["amount"] == "-12.50"


def test_an_assessment_has_its_own_code() -> None:
    batch = RollBatch(year=2026, number=1, instrument="assessment")
    target = io.BytesIO()
    write(layout("CSV, all columns"), batch, [row()], target)
    assert read_csv(target.getvalue())[0]["charge_code"] == "EROAS"


@needs_cases
def test_every_parcel_number_as_written_is_exported_unchanged() -> None:
    with (CASES / "parcel_numbers.csv").open(newline="", encoding="utf-8") as file:
        numbers = [line["example_as_written"] for line in csv.DictReader(file)]
    rows = [row(place, parcel=number) for place, number in enumerate(numbers, 1)]
    found = read_csv(written(layout("CSV, all columns"), *rows))
    assert [line["parcel_number"] for line in found] == numbers
    sheet = CalamineWorkbook.from_filelike(
        io.BytesIO(written(layout("Excel, all columns"), *rows))
    ).get_sheet_by_index(0)
    assert [line[2] for line in sheet.to_python()[1:]] == numbers


def test_xlsx_read_by_two_libraries_shows_the_same_text_and_numbers() -> None:
    rows = [row(place, owner=text) for place, text in enumerate(FORMULAS[:5], 1)]
    content = written(layout("Excel, all columns"), *rows)
    book = openpyxl.load_workbook(io.BytesIO(content))
    cells = list(book.active.iter_rows(min_row=2))
    for given, line in zip(rows, cells, strict=True):
        assert (line[2].value, line[2].data_type) == ("0010001000", "s")
        assert (line[6].value, line[6].data_type) == (given[4], "s")
        assert (line[10].value, line[10].data_type) == ("05391-0001", "s")
        assert (line[5].value, line[5].data_type) == (1234.5, "n")
    other = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()
    assert other[0] == [cell.value for cell in book.active[1]]
    assert other[1:] == [[cell.value for cell in line] for line in cells]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
@pytest.mark.parametrize("name", ["Excel, all columns", "CSV, all columns"])
def test_libreoffice_shows_the_same_text_and_numbers(name: str, tmp_path: Path) -> None:
    """By hand, where LibreOffice is: the builds have none."""
    parcels = ["0010001000", "01-0240-0001-001", "0240.0001.001", "-12 E", "1E5", "3/4", "00"]
    owners = [*FORMULAS[:5], 'Zoë & Søn, "the" <LLC>', "楊 Vang"]
    rows = [
        row(place, parcel=parcel, owner=owner, amount=Decimal("1234567.50") + place)
        for place, (parcel, owner) in enumerate(zip(parcels, owners, strict=True), 1)
    ]
    is_book = name.startswith("Excel")
    book = tmp_path / ("roll.xlsx" if is_book else "roll.csv")
    book.write_bytes(written(layout(name), *rows))
    shown = tmp_path / "shown"
    # Comma, quotes, UTF-8; every cell as it is shown. Only the book itself says which cells are
    # text: of a CSV whoever opens it says so, here of every column but the amount.
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless"]
    if not is_book:
        kinds = "/".join(f"{n}/{1 if n == 6 else 2}" for n in range(1, 16))
        command.append(f"--infilter=CSV:44,34,76,1,{kinds},0,false,false")
    command += ["--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true"]
    subprocess.run([*command, "--outdir", str(shown), str(book)], check=True, timeout=120)
    found = read_csv((shown / "roll.csv").read_bytes())
    mark = "" if is_book else "'"
    texts = [line["parcel_number"] for line in found]
    assert texts == [mark * each.startswith("-") + each for each in parcels]
    names = [line["owner_name"] for line in found]
    assert names == [mark * (each in FORMULAS) + each for each in owners]
    assert {line["owner_zip"] for line in found} == {"05391-0001"}
    amounts = [Decimal(line["amount"].replace(",", "")) for line in found]
    assert amounts == [given[3] for given in rows]


def test_fixed_width_has_implied_decimals_and_no_header() -> None:
    content = written(layout("Fixed width, two implied decimals"), row(), row(2))
    first, second, rest = content.split(b"\r\n")
    assert rest == b""
    assert len(first) == len(second) == 30 + 4 + 6 + 12 + 30 + 40 + 14
    assert first[:30] == b"0010001000".ljust(30)
    assert first[30:34] == b"2026"
    assert first[34:40] == b"EROSN "
    assert first[40:52] == b"000000123450"
    assert first[52:82] == b"EROSION CONTROL CHARGE".ljust(30)


def test_fixed_width_writes_a_correction_with_its_sign_first() -> None:
    content = written(layout("Fixed width, two implied decimals"), row(amount=Decimal("-12.50")))
    assert content[40:52] == b"-00000001250"


def test_the_published_example_of_eighty_characters_is_met() -> None:
    made = layout(
        "Fixed width, two implied decimals",
        charge_code="F33",
        columns=[
            {"name": "Charge Type", "source": "constant", "constant": "6", "width": 1},
            {"name": "Charge Code", "source": "charge_code", "width": 3},
            {"name": "Parcel ID", "source": "parcel_number", "width": 9},
            {
                "name": "Amount",
                "source": "amount",
                "width": 8,
                "align": "right",
                "fill": "0",
                "implied": 2,
            },
            {"name": "Filler", "source": "constant", "width": 59},
        ],
    )
    content = written(made, row(parcel="022540157", amount=Decimal("555.00")))
    assert content == b"6F3302254015700055500" + b" " * 59 + b"\r\n"


@pytest.mark.parametrize(
    "facts", [{"parcel": "0" * 31}, {"amount": Decimal("99999999999.99")}], ids=["parcel", "amount"]
)
def test_what_does_not_fit_is_refused_and_never_cut(facts: dict[str, Any]) -> None:
    with pytest.raises(Unfit, match=r"Line 1: .* is longer than"):
        written(layout("Fixed width, two implied decimals"), row(**facts))


def test_a_long_name_is_cut_and_its_marks_are_left_out() -> None:
    content = written(layout("Fixed width, two implied decimals"), row(owner="Zoë Müller " * 6))
    assert content[82:122] == b"Zoe Muller Zoe Muller Zoe Muller Zoe Mul"


NAMES = ("Zoë Müller", "Łukasz Żółć", "楊 Vang", "Ω", "e\u0301clair", "A\u2028B", "Søn\x07", "ﬁn")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "utf-8-sig"])
def test_each_record_has_its_width_in_bytes_whatever_the_name(encoding: str) -> None:
    made = layout("Fixed width, two implied decimals", encoding=encoding)
    rows = [row(place, owner=name * 9) for place, name in enumerate(NAMES, 1)]
    *records, rest = written(made, *rows).split(b"\r\n")
    assert rest == b""
    assert {len(record) for record in records} == {136}
    for record, given in zip(records, rows, strict=True):
        assert record[:30].decode(encoding) == "0010001000".ljust(30)
        assert record[40:52] == b"000000123450"
        name = record[82:122].decode(encoding)
        assert not set(name) & set("\x07\u2028\ufeff")
        if encoding != "ascii":
            assert "?" not in name
        if given[4].isascii():
            assert name == given[4][:40].ljust(40)
        assert record[122:].decode(encoding).strip() == given[1]


def test_a_parcel_that_the_layout_cannot_write_is_refused_and_never_changed() -> None:
    for parcel in ("0240–0001", "0240\u00a00001", "Nº 7", "02  40"):
        with pytest.raises(Unfit, match=r"Line 1: .* cannot be written"):
            written(layout("Fixed width, two implied decimals"), row(parcel=parcel))
    with pytest.raises(Unfit, match="cannot be written"):
        written(layout("CSV, all columns", encoding="ascii"), row(parcel="0240–0001"))
    (found,) = read_csv(written(layout("CSV, all columns"), row(parcel="0240–0001")))
    assert found["parcel_number"] == "0240–0001"


@pytest.mark.parametrize("name", ["CSV, all columns", "Fixed width, two implied decimals"])
@pytest.mark.parametrize("implied", [0, 1])
def test_a_layout_without_place_for_cents_loses_none(name: str, implied: int) -> None:
    column = {"name": "Amount", "source": "amount", "width": 9, "fill": "0", "implied": implied}
    made = layout(name, columns=[column], header=False)
    whole = written(made, row(amount=Decimal("1234.00"))).strip().lstrip(b"0")
    assert whole == b"1234" + b"0" * implied
    with pytest.raises(Unfit, match="has cents"):
        written(made, row(amount=Decimal("1234.56")))


@pytest.mark.parametrize("text", ["a\x00b", "\ud83d\ude00", "]]>", "&#1;", "<x>", "\ufffe", "\x0b"])
def test_xml_is_well_formed_whatever_the_name(text: str) -> None:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    tree = ElementTree.fromstring(written(layout("County roll elements (XML)"), row(owner=text)))
    owner = "Municipality/Item/OwnerAndAddressInfo/Owner/Business/Name/BusinessNameLine1"
    assert tree.findtext(owner) == " ".join(text.split()).translate(UNREADABLE)


def test_xml_has_the_element_names_of_the_county_roll() -> None:
    content = written(layout("County roll elements (XML)"), row(owner="A & B <LLC>\x01"), row(2))
    tree = ElementTree.fromstring(content)
    assert tree.findtext("Municipality/MunicipalityNumber") == "09901"
    first, second = tree.findall("Municipality/Item")
    assert first.findtext("PropertyInfo/LocalID1") == "0010001000"
    owner = "OwnerAndAddressInfo/Owner/Business/Name/BusinessNameLine1"
    assert first.findtext(owner) == "A & B <LLC>"
    zip_code = "OwnerAndAddressInfo/MailingAddress/USAddress/ZIPCode"
    assert first.findtext(zip_code) == "05391-0001"
    charge = "TaxSummary/SpecialAssessment/SpecialAssessmentCharge"
    assert second.findtext(charge) == "1234.50"


@needs_cases
def test_the_element_names_are_those_of_the_states_file() -> None:
    skeleton = ElementTree.parse(CASES / "taxroll" / "countyrolls_skeleton.xml")
    item = skeleton.getroot().find("Municipality/Item")
    assert item is not None
    for column in LAYOUTS["County roll elements (XML)"]["columns"]:
        assert item.find(column["name"]) is not None, column["name"]


def test_numbers_are_never_tamed() -> None:
    assert tame("1234") == "1234"
    assert tame("") == ""
