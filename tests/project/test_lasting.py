"""Every message of ours that lives longer than its moment is edited or removed by name, or says nothing that expires.

Found are the calls that post something which stays; what answers one person alone goes with their client. Each call is
known here with the kinds of message that it posts. What edits a kind is named, and must be there; of all others the
sentences are looked through for moments that turn into the past, and for words that count down.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOOR = "bot/platform/messages.py"
EXPIRES = re.compile(r":R>|days? to |(is|are) waiting|waits? for|lines? ready|can still|\bnow\b|\btoday\b")
TEXTS, LEAGUE = "bot/client/text", "bot/features/leagues/words.py"


@dataclass(frozen=True)
class Kind:
    """A kind of message: what edits or removes it, as `file::name`; or the texts that it says, as a file or some names
    in one."""

    edited: str = ""
    says: tuple[str, ...] = ()


BOARDS, LOBBIES = "bot/features/board/posts.py", "bot/features/board/lobbies.py"
REMINDERS, PLACES = f"{TEXTS}/reminder_text.py", f"{TEXTS}/place_text.py"
DAILY, MATCHES = "bot/features/daily/words.py", f"{TEXTS}/match_text.py"
RESULTS = (
    "result", "outcome", "unrated", "_alone", "_of_two", "_of_several", "PLACED", "OUT", "NOBODY_MOVED", "NEVER_MOVED",
)  # fmt: skip
"""What `match_text` says a result with, which stays one."""
BEGINNINGS = "begun", "BEGINS", "BEGUN", "AGAINST"
"""What `league_text` says once that matches have begun."""
POSTED: Mapping[str, Mapping[str, Kind]] = {
    f"{LOBBIES}::_post": {"challenge": Kind(f"{LOBBIES}::redraw")},
    f"{LOBBIES}::_say": {
        "end of a challenge, or who is asked to it later": Kind(says=(f"{TEXTS}/challenge_text.py",)),
        "who has declined a challenge": Kind(f"{LOBBIES}::_tell_host"),
    },
    "bot/features/board/lobbies.py::_post": {
        "end of a match": Kind(
            says=(f"{TEXTS}/challenge_text.py::outcome", *(f"{MATCHES}::{name}" for name in RESULTS))
        )
    },
    f"{BOARDS}::post": {"board": Kind(f"{BOARDS}::redraw"), "earlier board": Kind(f"{BOARDS}::closed_view")},
    # It tells what led to the board below it, which says how the match went on.
    f"{BOARDS}::_tell": {"line above a board": Kind(says=(f"{TEXTS}/told_text.py",))},
    "bot/features/board/closed_places.py::_said": {
        "notice elsewhere": Kind(
            says=(f"{PLACES}::notice", f"{PLACES}::TIME_ENDS", f"{PLACES}::LOST", f"{PLACES}::FOOT")
        )
    },
    "bot/features/time/loop.py::_sent": {
        "reminder in a thread": Kind("bot/umpire/notifications.py::removal"),
        "direct reminder": Kind(
            says=(f"{REMINDERS}::DIRECTLY", f"{REMINDERS}::DIRECTLY_SINCE", f"{REMINDERS}::_until")
        ),
        "digest": Kind(says=(f"{REMINDERS}::WAITING", f"{REMINDERS}::YOURS_LATE", f"{REMINDERS}::_line")),
    },
    "bot/features/leagues/loop.py::_say": {
        "beginning of somebody's matches in a league": Kind(says=tuple(f"{LEAGUE}::{name}" for name in BEGINNINGS))
    },
    "bot/features/leagues/loop.py::_posted": {
        "table of a league": Kind("bot/features/leagues/loop.py::_table"),
        "end of a league": Kind(says=(f"{LEAGUE}::won", f"{LEAGUE}::WINS", f"{LEAGUE}::VOIDED")),
    },
    "bot/features/ranking/handlers.py::pressed": {"list for everybody": Kind(says=(f"{TEXTS}/ranking_text.py",))},
    "bot/features/study/posts.py::show": {
        "film": Kind(says=("bot/features/study/films.py",)),
        "review": Kind(says=(f"{TEXTS}/review_text.py",)),
    },
    "bot/features/daily/loop.py::_sent": {
        "puzzle of the day": Kind(
            says=(f"{DAILY}::yesterday", f"{DAILY}::weekend", f"{DAILY}::RECORD", f"{DAILY}::task")
        ),
        "week": Kind(says=("bot/features/ranking/words.py",)),
    },
    "bot/features/board/closed_places.py::_tell": {
        "closed channel, to all": Kind(says=(f"{TEXTS}/closed_text.py::FOR_ALL",))
    },
    "bot/features/board/closed_places.py::_is_told_directly": {
        "closed channel, directly": Kind(says=(f"{TEXTS}/closed_text.py",))
    },
    "bot/features/challenges/handlers.py::greet": {"greeting": Kind(says=("bot/features/challenges/handlers.py",))},
}
KINDS = {name: kind for kinds in POSTED.values() for name, kind in kinds.items()}


def posts_in(source: str) -> Iterator[str]:
    """The functions that post a message which stays."""
    functions = (one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    for function in functions:
        for node in ast.walk(function):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            given = {one.arg: ast.unparse(one.value) for one in node.keywords}
            by_channels = node.func.attr in ("post", "say") and "channels" in ast.unparse(node.func)
            by_itself = node.func.attr == "send" and {"view", "content"} & {*given}
            if by_channels or by_itself or given.get("ephemeral") == "False":
                yield function.name


def texts_in(where: str) -> Iterator[str]:
    """The texts of a file, or of one name in it, without what is written for readers of the code."""
    file, _, name = where.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    parts = [part for part in tree.body if not name or name in names_of(part)]
    assert parts, f"{where} is not there"
    for part in parts:
        prose = {id(one.value) for one in ast.walk(part) if isinstance(one, ast.Expr)}
        prose |= {id(one) for one in (part.value,)} if isinstance(part, ast.Expr) else set()
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                yield node.value


def names_of(part: ast.stmt) -> set[str]:
    """What a statement of a module defines."""
    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {part.name} | {
            one.name for one in ast.walk(part) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        }
    targets = part.targets if isinstance(part, ast.Assign) else [part.target] if isinstance(part, ast.AnnAssign) else []
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def test_every_message_that_stays_is_known() -> None:
    files = (path for part in ("bot/client", "cogs") for path in (ROOT / part).rglob("*.py"))
    sources = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in files}
    found = {f"{file}::{name}" for file, source in sources.items() if file != DOOR for name in posts_in(source)}
    assert found == {*POSTED}


@pytest.mark.parametrize("name", KINDS)
def test_it_is_edited_or_says_nothing_that_expires(name: str) -> None:
    kind = KINDS[name]
    assert bool(kind.edited) is not bool(kind.says)
    if kind.edited:
        file, _, what = kind.edited.partition("::")
        assert any(what in names_of(part) for part in ast.parse((ROOT / file).read_text("utf-8")).body)
    expiring = [text for where in kind.says for text in texts_in(where) if EXPIRES.search(text)]
    assert expiring == []


def test_what_is_planted_is_found() -> None:
    assert [
        *posts_in("async def f():\n    await self._channels.say(1)\n    await edits.answer_anew(i, ephemeral=False)")
    ] == ["f", "f"]
    planted = (
        "Your time ends <t:5:R>.",
        "who has 2 days to accept",
        "You have 1 line ready",
        "3 matches wait for you.",
    )
    assert all(EXPIRES.search(text) for text in planted)
