"""What an id says is read in one place: outside of the kernel no regular expression goes over an id or a field of one,
and none takes such a field apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.routes import ROUTES

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "bot/platform/custom_ids.py"
MODULES = sorted(
    one
    for part in ("bot/app", "bot/features", "bot/platform", "bot/host", "cogs")
    for one in (ROOT / part).rglob("*.py")
)
KINDS = {base.__name__ for kind in ROUTES.kinds for base in kind.__mro__} - {"object"}
HEADS = {text[:2] for kind in ROUTES.kinds for text in kind.samples()}
PATTERN = re.compile(r"[(\\]|\[[^{-]")
"""What a pattern has and no template."""
TAKES_APART = {
    "fullmatch", "match", "search", "findall", "finditer", "split", "rsplit", "partition", "rpartition", "startswith",
    "endswith", "removeprefix", "removesuffix",
}  # fmt: skip
"""Methods of patterns and of texts."""


def kinds_in(annotation: ast.expr | None) -> set[str]:
    named = ast.walk(annotation) if annotation else ()
    return {getattr(one, "id", getattr(one, "attr", "")) for one in named} & KINDS


def is_of(node: ast.expr, ids: set[str]) -> bool:
    """Whether an expression is an id, a field of one, its text, or the custom_id of something."""
    if isinstance(node, ast.Attribute):
        return node.attr == "custom_id" or (isinstance(node.value, ast.Name) and node.value.id in ids)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "str" and node.args:
        return is_of(node.args[0], ids)
    return isinstance(node, ast.Name) and node.id in {*ids, "custom_id"}


def breaches(source: str) -> Iterator[int]:
    """The lines that take an id apart, or have a pattern of one."""
    for node in ast.walk(ast.parse(source)):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if text[:2] in HEADS and PATTERN.search(text):
            yield getattr(node, "lineno", 0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            ids = {one.arg for one in given if kinds_in(one.annotation)}
            for call in (one for one in ast.walk(node) if isinstance(one, ast.Call)):
                if isinstance(call.func, ast.Attribute) and call.func.attr in TAKES_APART:
                    yield from (call.lineno for one in (call.func.value, *call.args) if is_of(one, ids))


@pytest.mark.parametrize("module", MODULES, ids=lambda one: str(one.relative_to(ROOT)))
def test_an_id_is_taken_apart_in_the_kernel_alone(module: Path) -> None:
    found = [] if module == KERNEL else [*breaches(module.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "planted",
    [
        "def pressed(interaction, button: MatchButton):\n    return re.fullmatch('on([1-8])', button.verb)",
        "async def pressed(interaction, button: AnswerButton | ClaimButton):\n    return SEAT.search(button.verb)",
        "def pressed(interaction, button: ids.GameButton):\n    return button.game.rpartition('-x')",
        "def pressed(interaction, pad: PadId):\n    return str(pad).split(':')",
        "def read(custom_id: str):\n    return PAGE.match(custom_id)",
        "def read(item):\n    return item.custom_id.removeprefix('p:')",
        "PAGE = re.compile('p:([a-z]+)')",
    ],
)
def test_what_is_planted_is_found(planted: str) -> None:
    assert [*breaches(planted)]
