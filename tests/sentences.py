"""Lists every sentence that players and hosts are told, with where it is said, so that all of them can be read aloud.

`python -m tests.sentences` prints a line for each: file and line, then the sentence, with its named parts in braces.
`python -m tests.sentences bot/features cogs` takes these folders alone. A sentence is a text in the code that holds a
blank and is no docstring. Lines of the log, patterns, SQL and what only programmers read are left out; rules pages and
lessons are listed as what players read.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "cogs", "rendering", "data")
NOT_FOR_PEOPLE = ("bot/sandbox", "data/migrations", "data/queries", "data/tables", "data/engine/postgres_driver")
"""The stand-in for Discord speaks to nobody, and these parts of `data` only to the database."""
LOGS = frozenset({"log", "steps", "logging", "logger"})
SQL = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CASE ")
NEWLINE = r"\n"
CODE = frozenset({"compile", "fullmatch", "match", "search", "sub", "text", "execute", "exec_driver_sql", "TypeVar"})
"""Functions whose texts are patterns or SQL."""


class Sentence(NamedTuple):
    """A sentence and where it is said."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {NEWLINE.join(self.text.strip().splitlines())}"


def sentences(*folders: str) -> Iterator[Sentence]:
    """The sentences of some folders of the project, or of all that speak to people."""
    for folder in folders or PACKAGES:
        for path in sorted((ROOT / folder).rglob("*.*")):
            name = str(path.relative_to(ROOT))
            if name.startswith(NOT_FOR_PEOPLE):
                continue
            if path.suffix == ".py":
                yield from in_code(path.read_text("utf-8"), name)
            elif path.name == "lesson.jsonl":
                yield from in_lesson(path.read_text("utf-8"), name)


def in_code(source: str, name: str) -> Iterator[Sentence]:
    """The sentences of a module, in their order; of a game's rules its docstring too, which is the rules page."""
    tree = ast.parse(source)
    if name.endswith("/rules.py") and (page := ast.get_docstring(tree)):
        yield from (Sentence(name, 1, " ".join(part.split())) for part in page.split("\n\n"))
    texts = ((line, text) for line, text in said(tree) if " " in text.strip() and not text.startswith(SQL))
    yield from sorted(Sentence(name, line, text) for line, text in texts)


def in_lesson(source: str, name: str) -> Iterator[Sentence]:
    """What a lesson says."""
    for line, row in enumerate(source.splitlines(), 1):
        if say := json.loads(row).get("say"):
            yield Sentence(name, line, say)


def said(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The texts below a node that are no docstrings, each with its line."""
    if silent(node):
        return
    match node:
        case ast.JoinedStr():
            yield node.lineno, template(node)
            inner = (value.value for value in node.values if isinstance(value, ast.FormattedValue))
            for value in inner:
                yield from said(value)
        case ast.Constant(value=str(text)):
            yield node.lineno, text
        case _:
            for child in ast.iter_child_nodes(node):
                yield from said(child)


def silent(node: ast.AST) -> bool:
    """Whether what stands below a node is not said to players or hosts."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():
            return True
        case ast.FunctionDef(name="__repr__"):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if owner in LOGS:
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in CODE
        case _:
            return False


def template(text: ast.JoinedStr) -> str:
    """An f-string with its parts by name."""
    return "".join(
        f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(getattr(part, "value", ""))
        for part in text.values
    )


if __name__ == "__main__":
    for one in sentences(*sys.argv[1:]):
        print(one)
