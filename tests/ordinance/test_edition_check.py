"""`check_edition` says in plain words what is wrong with a city's file, and what is odd."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from portal.ordinance import RULES, cities
from portal.ordinance.edition_check import ROLL_RULES, check
from portal.ordinance.editions import FOLDER, NUMBER_NAMES, OFFICER_ROLES, SECTION_KEYS, TABLES
from tests.conftest import ROOT

FILE = FOLDER / "neighbor" / "2024-07-01.toml"
TEXT = FILE.read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "another-city.md").read_text(encoding="utf-8")


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*/*.toml")), ids=lambda file: file.parent.name)
def test_the_files_that_come_with_siltfence_have_no_fault(file):
    found = check(file.read_text(encoding="utf-8"), file_name=file.name)
    assert found.faults == []
    assert found.edition is not None
    assert file.parent.name in cities()


WRONG = [
    ("fee = ", "fie = ", "[numbers]: fie is unknown; did you mean fee?"),
    ("fee = ", "fie = ", "[numbers]: fee is missing."),
    ('fee = "60.00"', "fee = 60.0", 'fee is 60.0; write it in quotes, such as "25.00".'),
    ('fee = "60.00"', 'fee = "-1"', "fee must not be negative."),
    ("mail_days = 3", "mail_days = -3", "mail_days must not be negative."),
    ("mail_days = 3", 'mail_days = "3"', "mail_days is '3'; write a whole number without quotes."),
    ("appeal_days = 20", "appeal_days = 0", "appeal_days must be 1 or more."),
    ("mail_days = 3", "mail_days = 1000000000", "so long a time cannot be meant."),
    ('"24 hours"', '"9999 hours"', "is 9,999 hours; so long a time cannot be meant."),
    ('"24 hours"', "99999999999999999999", "so long a time cannot be meant."),
    ('"24 hours"', '"a day"', 'is \'a day\'; write "10 days" or "24 hours".'),
    ('"24 hours"', '"0 hours"', "stop_work_period must be 1 or more."),
    ('cover_due = "07-31"', 'cover_due = "06-31"', "cover_due is '06-31', no day of every year"),
    ('cover_due = "07-31"', 'cover_due = "02-29"', "cover_due is '02-29', no day of every year"),
    ('= "100.00"', '= "900.00"', "forfeiture_min is more than forfeiture_max."),
    ("percent = 80", "percent = 180", "cover_density_percent is more than 100 percent."),
    ('appeal = "filing"', 'appeal = "friday"', "[rolls]: appeal is 'friday'; write one of none"),
    ("city-work = ", "citywork = ", "[rolls]: citywork is unknown; did you mean city-work?"),
    ("in_force_on = 2024-07-01", 'in_force_on = "2024-07-01"', "must be a day without quotes"),
    ("in_force_on = 2024-07-01", "in_force_on = 2024-02-30", "The file is no TOML"),
    ("in_force_on = 2024-07-01", "in_force_on = 0224-07-01", "the year 224 cannot be meant"),
    ('permit = "§ 14.04"', 'permit = ""', "permit must be a text in quotes, and not empty."),
    ("[short]", "[shorts]", "the top of the file: shorts is unknown; did you mean short?"),
    ("[paragraphs.enforcement]", "[paragraphs.enforcing]", "did you mean enforcement?"),
    ('"(c)" = "(3)"', '"(c)" = 3', "[paragraphs.enforcement] must be lines such as"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[row[1] for row in WRONG])
def test_a_fault_is_named_with_its_cure(old, new, said):
    found = check(changed(old, new))
    assert any(said in fault for fault in found.faults), found.faults
    assert found.edition is None


ODD = [
    ("rain_inspection_hours = 24", "rain_inspection_hours = 12", "Is the city's own text"),
    ('site = "§ 14.02"', 'site = "§ 14.04"', "§ 14.04 is the label of more than one section."),
    ('cover_due = "07-31"', 'cover_due = "12-31"', "does not lie between winter_ends"),
    ('city-work = "sunday-holiday"\n', "", "[rolls] does not name city-work"),
    ('board = "board of appeals"', 'board = "Board of Appeals"', "used inside sentences"),
    ('key = "2024-07-01"', 'key = "new"', "by custom it is the day in_force_on"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), ODD, ids=[row[1] for row in ODD])
def test_what_is_only_odd_is_said_and_the_file_is_read(old, new, said):
    found = check(changed(old, new), file_name="2024-07-01.toml")
    assert found.faults == []
    assert found.edition is not None
    assert any(said in oddity for oddity in found.oddities), found.oddities


def test_the_command_prints_what_the_attorney_signs():
    out = StringIO()
    call_command("check_edition", str(FILE), "--on", "2027-05-28", stdout=out)
    sheet = out.getvalue()
    assert "director of public works, for short: director" in sheet
    assert "24 hours                 Time to comply after a stop-work order" in sheet
    assert sheet.count("Friday, May 28, 2027") >= len(RULES)
    assert "Saturday, May 29, 2027" in sheet
    assert "Tuesday, June 1, 2027" in sheet
    assert "These dates are right: ____" in sheet


def test_the_command_refuses_a_file_with_faults_and_one_that_is_not_there(tmp_path):
    bad = tmp_path / "2027-01-01.toml"
    bad.write_text(changed("fee = ", "fie = "), encoding="utf-8")
    with pytest.raises(CommandError, match=r"2 faults; it is not used(?s:.*)did you mean fee"):
        call_command("check_edition", str(bad))
    with pytest.raises(CommandError, match="No such file"):
        call_command("check_edition", str(tmp_path / "none.toml"))
    with pytest.raises(CommandError, match="not a day of the calendar"):
        call_command("check_edition", str(FILE), "--on", "2027-02-30")


def test_the_page_for_another_city_describes_every_field_of_an_edition():
    for name in (*NUMBER_NAMES, *OFFICER_ROLES, *SECTION_KEYS, *ROLL_RULES):
        assert f"`{name}`" in PAGE, name
    for table in TABLES:
        assert f"`[{table}]`" in PAGE, table
    for name in ("key", "title", "in_force_on"):
        assert f"`{name}`" in PAGE
