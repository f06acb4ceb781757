"""The house rules that a machine can see: imports, the clock, inline code, sizes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

PARTS = ("portal", "permits", "inspections", "enforcement", "escrow")
ROOF = ("portal.desk", "portal.urls", "portal.management")
"""Pages and commands that gather from everywhere; nobody imports them."""

CODE = sorted(
    path for part in PARTS for path in (ROOT / part).rglob("*.py") if "migrations" not in path.parts
)
TEMPLATES = sorted(
    path for top in ("templates", *PARTS) for path in (ROOT / top).rglob("*.html") if path.is_file()
)


def _name(path: Path) -> str:
    """Return the module's dotted name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def _where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


# What imports what ------------------------------------------------------------------------


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _storey(module: str) -> int | None:
    """Return how high in the house a module stands; None for other people's."""
    if any(_is_in(module, place) for place in ROOF):
        return 9
    if _is_in(module, "portal.ordinance"):
        return 0
    top = module.partition(".")[0]
    return 1 + PARTS.index(top) if top in PARTS else None


def _imports(path: Path) -> Iterator[tuple[ast.AST, str]]:
    """Return every module that a file imports, those within functions too."""
    package = _name(path) if path.name == "__init__.py" else _name(path).rpartition(".")[0]
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            yield node, base
            # `from portal import desk` imports portal.desk.
            yield from ((node, f"{base}.{alias.name}") for alias in node.names)


def test_imports_run_downhill() -> None:
    uphill = [
        f"{_where(path, node)} imports {module}"
        for path in CODE
        for node, module in _imports(path)
        if (storey := _storey(module)) is not None and storey > (_storey(_name(path)) or 0)
    ]
    assert uphill == []


def test_nobody_imports_a_command() -> None:
    found = [
        f"{_where(path, node)} imports {module}"
        for path in CODE
        for node, module in _imports(path)
        if ".management" in module and _is_in(module, "portal")
    ]
    assert found == []


def test_the_law_needs_nothing_but_python() -> None:
    found = [
        f"{_where(path, node)} imports {module}"
        for path in CODE
        if _is_in(_name(path), "portal.ordinance")
        for node, module in _imports(path)
        if not _is_in(module, "portal.ordinance")
        and module.partition(".")[0] not in sys.stdlib_module_names
    ]
    assert found == []


# Who reads the clock ----------------------------------------------------------------------

READS_THE_CLOCK = {
    ("date", "today"),
    ("datetime", "now"),
    ("datetime", "today"),
    ("datetime", "utcnow"),
    ("timezone", "now"),
    ("timezone", "localdate"),
    ("timezone", "localtime"),
    ("time", "time"),
}
TAKES_A_MOMENT = {"localdate", "localtime"}


def _reads_the_clock(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute):
        return isinstance(call.func, ast.Name) and call.func.id in TAKES_A_MOMENT and not call.args
    holder, asked = call.func.value, call.func.attr
    if asked == "date" and isinstance(holder, ast.Call):
        return isinstance(holder.func, ast.Attribute) and holder.func.attr == "now"
    name = holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")
    if asked in TAKES_A_MOMENT and call.args:
        return False
    return (name, asked) in READS_THE_CLOCK


def _handed_on(node: ast.AST) -> bool:
    """`default=timezone.now` reads the clock, too, though it does not call it here."""
    return (
        isinstance(node, ast.keyword)
        and isinstance(node.value, ast.Attribute)
        and (getattr(node.value.value, "id", ""), node.value.attr) in READS_THE_CLOCK
    )


def test_only_the_clock_module_reads_the_clock() -> None:
    found = [
        _where(path, node)
        for path in CODE
        if path != ROOT / "portal" / "clock.py"
        for node in ast.walk(_tree(path))
        if (isinstance(node, ast.Call) and _reads_the_clock(node))
        or _handed_on(node)
        or (isinstance(node, ast.keyword) and node.arg in {"auto_now", "auto_now_add"})
        or (isinstance(node, ast.alias) and node.name in {"Now", "TruncNow"})
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "date.today()",
        "datetime.date.today()",
        "datetime.now(UTC)",
        "timezone.now()",
        "timezone.localdate()",
        "localdate()",
        "clock.now().date()",
        "DateTimeField(default=timezone.now)",
    ],
)
def test_the_rule_about_the_clock_sees(line: str) -> None:
    assert any(
        (isinstance(node, ast.Call) and _reads_the_clock(node)) or _handed_on(node)
        for node in ast.walk(ast.parse(line))
    )


@pytest.mark.parametrize(
    "line", ["clock.today()", "clock.now()", "timezone.localdate(moment)", "time.monotonic()"]
)
def test_the_rule_about_the_clock_lets_pass(line: str) -> None:
    assert not any(
        isinstance(node, ast.Call) and _reads_the_clock(node) for node in ast.walk(ast.parse(line))
    )


# What a request may not decide ------------------------------------------------------------


KEPT_STATEMENTS = {ROOT / "portal/reading.py"}
"""Django's own SQL of our querysets, put together once and kept; values go beside it."""


def test_no_request_decides_the_names_in_a_query() -> None:
    """ASVS 1.2.4: neither `**request.GET`, nor raw SQL through the ORM's side doors."""
    found: list[str] = []
    for path in CODE:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.keyword) and node.arg is None:
                given = ast.unparse(node.value)
                if re.search(r"\b(GET|POST|FILES|COOKIES)\b", given):
                    found.append(f"{_where(path, node)} **{given}")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in {"extra", "raw"} and path not in KEPT_STATEMENTS:
                    found.append(f"{_where(path, node)} .{node.func.attr}(")
                if node.func.attr == "order_by" and "request" in ast.unparse(node):
                    found.append(f"{_where(path, node)} {ast.unparse(node)}")
            elif isinstance(node, ast.alias) and node.name == "RawSQL":
                found.append(f"{_where(path, node)} RawSQL")
    assert found == []


# What a page may not hold -----------------------------------------------------------------

COMMENT = re.compile(r"\{#.*?#\}|\{% comment.*?%\}.*?\{% endcomment %\}|<!--.*?-->", re.S)
INLINE = {
    "a script in the page": re.compile(r"<script\b(?![^>]*\bsrc\s*=)", re.I),
    "a style in the page": re.compile(r"<style\b", re.I),
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
    "a handler attribute": re.compile(r"<[^>]*\s(?:on[a-z]+|hx-on[:a-z-]*)\s*=", re.I),
    "a script in an address": re.compile(r"javascript:|\bjs:", re.I),
    # A form's hints, legends and drawn fields come from the code, not from who fills it in.
    "text that is not escaped": re.compile(
        r"(?<!help_text)(?<!legend)(?<!\{ fields)\|\s*safe\b|\{%\s*autoescape\s+off"
    ),
}


def _inline(text: str) -> list[str]:
    text = COMMENT.sub("", text)
    return [what for what, pattern in INLINE.items() if pattern.search(text)]


def test_no_page_holds_inline_code() -> None:
    found = {str(p.relative_to(ROOT)): said for p in TEMPLATES if (said := _inline(p.read_text()))}
    assert found == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<script>go()</script>", ["a script in the page"]),
        ('<script src="{% static "a.js" %}" defer></script>', []),
        ('<p class="a" style="color: red">', ["a style attribute"]),
        ('<button\n  onclick="go()">', ["a handler attribute"]),
        ('<form hx-on:submit="go()">', ["a handler attribute"]),
        ('<a href="javascript:go()">', ["a script in an address"]),
        ("{{ text|safe }}", ["text that is not escaped"]),
        ("{{ field.help_text|safe }}", []),
        ("{# <style> is not allowed #}", []),
        ('<option value="on" selected>', []),
    ],
)
def test_the_rule_about_inline_code_sees(text: str, said: list[str]) -> None:
    assert _inline(text) == said


# The size of a file, and what none may name -----------------------------------------------


def _tracked() -> list[Path]:
    """Return the repository's files, or whatever is here where git is not."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\0")
        paths = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        away = {".venv", "var", ".git", "__pycache__"}
        paths = [p for p in ROOT.rglob("*") if not away & set(p.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def test_no_file_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in _tracked()
        if path.suffix in {".py", ".html", ".css", ".js"} or path.name == "run"
        if "migrations" not in path.parts
        if (lines := len(path.read_text().splitlines())) > 400
    }
    assert long == {}


def test_no_file_names_a_package_registry() -> None:
    hosts = [
        "pypi" + ".org",
        "python" + "hosted.org",
        "registry." + "npmjs",
        "ghcr" + ".io",
        "quay" + ".io",
        "docker" + ".io",
        "deb." + "debian.org",
        "--index" + "-url",
        "--extra-index" + "-url",
    ]
    found = [
        f"{path.relative_to(ROOT)} names {host}"
        for path in _tracked()
        if path.suffix not in {".pdf", ".png", ".jpg", ".heic", ".ico", ".woff2"}
        for host in hosts
        if host in path.read_text(errors="ignore")
    ]
    assert found == []


# The words of one city ------------------------------------------------------------------------

OF_ONE_CITY = re.compile(
    r"building inspector|city clerk|city administrator|city attorney|board of zoning appeals|"
    r"common council|\b(?:the|an) inspectors?\b|\bten (?:working )?days|half an inch|"
    r"edition\.labels|§ 40-|17\.19",
    re.IGNORECASE,
)
"""What the first city's ordinance says; another one has other officers, numbers and sections."""

SAID_FOR_A_REASON = {
    "portal/models/accounts.py",
    "portal/models/calendar.py",
    "permits/models/decision.py",
    "permits/models/docket.py",
    "enforcement/models/service.py",
    *(f"inspections/models/{name}.py" for name in ("log", "need", "visit")),  # the state's rain
    "portal/ordinance/edition_words.py",  # which writes such words for all others
}
"""Labels of choices that belong to migrations; pages show the city's own titles instead."""

CURE = (
    'write {% officer "clerk" %}, {% called "inspector" %}, {% law "decision_working_days" %}, '
    '{% place "draws" "(e)" %} in a template, city.say("The {clerk} …") in code (docs/law.md)'
)


def _texts_of_code(path: Path) -> Iterator[tuple[int, str]]:
    """Each text of a module that is no docstring."""
    tree = _tree(path)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    } | {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_no_template_writes_out_what_the_ordinance_of_one_city_says() -> None:
    found = {
        str(path.relative_to(ROOT)): sorted(set(words))
        for path in _tracked()
        if "templates" in path.parts and path.suffix in {".html", ".txt"}
        if (words := OF_ONE_CITY.findall(re.sub(r"\{#.*?#\}", "", path.read_text())))
    }
    assert found == {}, CURE


def test_no_code_writes_out_what_the_ordinance_of_one_city_says() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text[:80]}"
        for path in _tracked()
        if path.suffix == ".py" and path.parts[len(ROOT.parts)] in STOREYS_OF_CODE
        if not {"migrations", "demo"} & set(path.parts)
        if str(path.relative_to(ROOT)) not in SAID_FOR_A_REASON
        for line, text in _texts_of_code(path)
        if OF_ONE_CITY.search(text)
    ]
    assert found == [], CURE


STOREYS_OF_CODE = {"portal", "permits", "inspections", "enforcement", "escrow"}
