"""`manage.py import_cases FILE`: earlier permits from a spreadsheet, reported row by row."""

from __future__ import annotations

import json
import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import BaseCommand, CommandError

from permits.imports import files, opening, reading, taking
from permits.imports.columns import FIELDS, clean_columns, guess_columns, same_words
from permits.imports.report import LINES, report_of
from permits.models import EarlierStatus, ImportBatch, ImportSource
from portal import clock
from portal.models import User
from portal.tables import NotATable, Table

FIRST_REFUSED = 200


class Command(BaseCommand):
    help = (
        "Read earlier permits from a CSV file or a workbook (.xlsx) and report them row by row. "
        "Nothing is saved without --apply; with it all good rows come in together, and rows that "
        "came in before are left alone. Exit status 1 if rows were refused, 2 if the file cannot "
        "be read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="CSV file or workbook (.xlsx)")
        parser.add_argument(
            "--columns",
            type=Path,
            metavar="MAPPING.toml",
            help="source = NAME; [columns] fact = heading; [words] status = "
            + ", ".join(EarlierStatus.values),
        )
        parser.add_argument("--source", default="", help="name of the register the file is from")
        parser.add_argument("--apply", action="store_true", help="import the good rows")
        parser.add_argument("--by", default="", metavar="EMAIL", help="account that imports")
        parser.add_argument("--json", action="store_true", help="answer in JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Report, and with --apply import."""
        mapping = read_mapping(options["columns"])
        name = options["source"] or str(mapping.get("source", "")) or options["file"].stem
        by = find_user(options["by"])
        try:
            report = (self.apply if options["apply"] else self.report)(
                options["file"], mapping, name[:120], by
            )
        except NotATable as error:
            raise CommandError(f"{options['file']}: {error}", returncode=2) from None
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}", returncode=2) from None
        say = as_json if options["json"] else as_text
        self.stdout.write(say(report, applied=options["apply"]))
        if refused := report["counts"]["refused"]:
            rows = "1 row was" if refused == 1 else f"{refused:,} rows were"
            raise CommandError(f"{rows} refused.", returncode=1)

    def report(
        self, path: Path, mapping: dict[str, Any], name: str, by: User | None
    ) -> dict[str, Any]:
        """Read the file and say what would become of each row; nothing is saved."""
        raw = path.read_bytes()
        table = files.read_table(raw, is_workbook=raw.startswith(b"PK"))
        source = ImportSource.objects.filter(name=name).first() or ImportSource(name=name)
        columns = columns_of(table, mapping, source)
        words = source.words | words_of(mapping)
        return report_of(reading.check(table, source, columns, words, today=clock.today()))

    def apply(
        self, path: Path, mapping: dict[str, Any], name: str, by: User | None
    ) -> dict[str, Any]:
        """Keep the file and import its good rows in one act."""
        with path.open("rb") as file:
            upload, table = files.keep(File(file, name=path.name), by=by)
        batch = opening.begin(upload, table, source=name, by=by)
        opening.name_columns(batch, columns_of(table, mapping, batch.source))
        opening.name_words(batch, words_of(mapping))
        ImportBatch.objects.filter(pk=batch.pk).update(status=ImportBatch.Status.READ)
        taking.take(batch, by=by, on=clock.today())
        batch.refresh_from_db()
        found: dict[str, Any] = batch.report
        return found


def read_mapping(path: Path | None) -> dict[str, Any]:
    """Return what the mapping file says."""
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: this is no TOML: {error}", returncode=2) from None


def words_of(mapping: dict[str, Any]) -> dict[str, str]:
    """Return what the status words of a mapping mean."""
    words: dict[str, str] = mapping.get("words", {})
    for word, meant in words.items():
        if meant not in EarlierStatus.values:
            known = ", ".join(EarlierStatus.values)
            raise CommandError(f"“{word}” = “{meant}”: write one of {known}.", returncode=2)
    return {same_words(word): meant for word, meant in words.items()}


def columns_of(table: Table, mapping: dict[str, Any], source: ImportSource) -> dict[str, str]:
    """Return the columns as the mapping names them, else as they are guessed."""
    named: dict[str, str] = mapping.get("columns", {})
    facts = {field.key for field in FIELDS}
    for key, heading in named.items():
        if key not in facts:
            raise CommandError(f"“{key}” is no fact; there are {', '.join(facts)}.", returncode=2)
        if heading not in table.headings:
            raise NotATable(
                f"There is no column “{heading}”. There are: {', '.join(table.headings)}."
            )
    found = clean_columns(named, table.headings) or guess_columns(table.headings, source.columns)
    if "number" not in found:
        raise NotATable("No column is named as the permit number. Name it with --columns.")
    return found


def find_user(email: str) -> User | None:
    """Return the account that imports, if one is named."""
    if not email:
        return None
    user = User.objects.filter(email__iexact=email, is_active=True).first()
    if user is None or not user.is_city_staff:
        raise CommandError(f"{email} has no account of the city's staff.", returncode=2)
    return user


def as_text(report: dict[str, Any], *, applied: bool) -> str:
    """Report, one fact a line."""
    counts = report["counts"]
    lines = [f"{LINES[key].capitalize()}: {counts[key]:,}" for key in LINES]
    lines.append(
        f"Permits that stand: {report['standing']:,}; day of permanent cover computed for "
        f"{report['computed']:,}, not computed here for {report['standing'] - report['computed']:,}"
    )
    refused = [row for row in report["rows"] if row["outcome"] == "refused"]
    for row in refused[:FIRST_REFUSED]:
        for column, reason in row["why"]:
            lines.append(f"  row {row['row']}{f', {column}' if column else ''}: {reason}")
    if len(refused) > FIRST_REFUSED:
        lines.append(f"  and {len(refused) - FIRST_REFUSED:,} more")
    lines.append("Imported." if applied else "Nothing is saved; --apply imports the good rows.")
    return "\n".join(lines)


def as_json(report: dict[str, Any], *, applied: bool) -> str:
    """Report for a machine."""
    return json.dumps({"applied": applied, **report}, indent=1, ensure_ascii=False)
