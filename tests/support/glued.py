"""Finds the places where a sentence is put together from pieces instead of being a whole one with named parts.

Languages order and bend their words differently, so only a whole sentence can be translated. Of the syntax tree of
everything that speaks to people it reports five kinds of place:

- choice: words chosen by a condition within an f-string, as in `f"It is {'over' if over else 'on'}"`;
- piece: a text that begins as no sentence and no label does, with a blank, a comma or a colon, or ends so;
- sum: texts with words that are added by `+`;
- list: a join with commas, semicolons or words between, where `plural.together` makes a list in a sentence;
- frame: an f-string without words of its own that puts commas or colons between its parts.

What stands between whole labels (" · "), sentences one after the other (`plural.sentences`) and lines are no glue.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.sentences import NOT_FOR_PEOPLE, PACKAGES, ROOT, silent, template

PART = "\0"
WORD = re.compile("[A-Za-z]{2,}")
BETWEEN = re.compile("[A-Za-z]|[,;] ")
BROKEN = re.compile(r"[ ,;:.](?!\S*$)|.*[ ,;(]$", re.DOTALL)
FRAME = re.compile(f"{PART}[:;,.]? ?[(]?{PART}|[:;,] ")
CONJUNCTIONS = (" or ", " and ")
"""What `plural.together` is given for the last things of a list."""


class Glue(NamedTuple):
    """A place where a sentence is put together."""

    file: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.text}"


def glued() -> Iterator[Glue]:
    """All such places of the product."""
    for folder in PACKAGES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if not name.startswith(NOT_FOR_PEOPLE):
                yield from in_code(path.read_text("utf-8"), name)


def in_code(source: str, name: str) -> Iterator[Glue]:
    """Such places of one module."""
    for node in _spoken(ast.parse(source)):
        for kind, text in _kinds(node):
            yield Glue(name, getattr(node, "lineno", 0), kind, text)


def _spoken(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes whose texts are said to people; the pieces of an f-string are one text with it."""
    if silent(node):
        return
    yield node
    below = ast.iter_child_nodes(node)
    if isinstance(node, ast.JoinedStr):
        below = (part.value for part in node.values if isinstance(part, ast.FormattedValue))
    for child in below:
        yield from _spoken(child)


def _kinds(node: ast.AST) -> Iterator[tuple[str, str]]:
    said = _said(node)
    if isinstance(node, ast.JoinedStr):
        yield from _in_text(node, said or "")
    match node:
        case ast.BinOp(left, ast.Add(), right) if _speaks(left) or _speaks(right):
            yield "sum", ast.unparse(node)
        case ast.AugAssign(op=ast.Add(), value=value) if _speaks(value):
            yield "sum", ast.unparse(node)
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant(value=str(sign)))) if BETWEEN.search(sign):
            yield "list", ast.unparse(node)
        case _:
            pass
    if said and said not in CONJUNCTIONS and " " in said.strip(PART) and _words(said) and BROKEN.match(said):
        yield "piece", _shown(node)


def _in_text(node: ast.JoinedStr, said: str) -> Iterator[tuple[str, str]]:
    parts = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    for inner in (inner for part in parts for inner in ast.walk(part)):
        if isinstance(inner, ast.IfExp) and (_speaks(inner.body) or _speaks(inner.orelse)):
            yield "choice", _shown(node)
    if not _words(said) and len(parts) > 1 and FRAME.search(said) and re.search("[:;,] ", said):
        yield "frame", _shown(node)


def _said(node: ast.AST) -> str | None:
    """A text with a sign for each of its parts."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(str(one.value) if isinstance(one, ast.Constant) else PART for one in values)
        case _:
            return None


def _speaks(node: ast.AST) -> bool:
    return _words(_said(node) or "")


def _words(text: str) -> bool:
    return WORD.search(text.replace(PART, " ")) is not None


def _shown(node: ast.AST) -> str:
    return template(node) if isinstance(node, ast.JoinedStr) else str(_said(node))
