"""The law imports the standard library and itself, and asks no clock."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import portal.ordinance

FOLDER = Path(portal.ordinance.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules a file imports, its own package left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_the_standard_library_is_imported(path):
    for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
        own = name == "portal.ordinance" or name.startswith("portal.ordinance.")
        assert own or name.partition(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_rule_asks_what_day_it_is(path):
    asked = {"today", "now", "utcnow", "localtime", "time"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in asked


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_and_functions_stay_short(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno <= 35, node.name


def test_the_door_says_what_it_offers():
    for name in portal.ordinance.__all__:
        assert hasattr(portal.ordinance, name), name
