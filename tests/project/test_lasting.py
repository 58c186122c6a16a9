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
EXPIRES = re.compile(
    r":R>|days? to |(is|are) waiting|waits? for|lines? ready|can still|\bnow\b|\btoday\b"
    r"|league (counts|doesn't count) it|doesn't count this match"
)
ALONE = {"CROWDED", "NARROWED"}
"""What is answered to one person alone, in modules that also say what stays."""


@dataclass(frozen=True)
class Kind:
    """A kind of message: what edits or removes it, as `file::name`; or the texts that it says, as a file or some names
    in one."""

    edited: str = ""
    says: tuple[str, ...] = ()


FEATURES = "bot/features"
BOARDS, LOBBIES, PLACES = (f"{FEATURES}/board/{name}.py" for name in ("posts", "lobbies", "closed_places"))
CHALLENGES, BOARD_WORDS = f"{FEATURES}/challenges/words.py", f"{FEATURES}/board/words.py"
TIME, LEAGUES, LEAGUE_WORDS = (f"{FEATURES}/{name}.py" for name in ("time/words", "leagues/loop", "leagues/words"))
DAILY, DAILY_WORDS, RANKING_WORDS = (f"{FEATURES}/{name}.py" for name in ("daily/loop", "daily/words", "ranking/words"))
RESULTS = (
    "describe_lasting_result", "describe_outcome", "_describe_solo", "_describe_two", "_describe_several", "PLACED",
    "OUT",
)  # fmt: skip
"""What a result is said with, which stays one."""
BEGINNINGS = "describe_begun_matches", "BEGINS", "BEGUN", "AGAINST"
"""What is said once, when the matches of a league have begun."""


def named(file: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{file}::{name}" for name in names)


POSTED: Mapping[str, Mapping[str, Kind]] = {
    f"{LOBBIES}::Lobbies._post": {"challenge": Kind(f"{LOBBIES}::redraw")},
    f"{LOBBIES}::Lobbies._say": {
        "end of a challenge, or who is asked to it later": Kind(says=(CHALLENGES,)),
        "who has declined a challenge": Kind(f"{LOBBIES}::_tell_host"),
    },
    f"{LOBBIES}::Announcements._post": {
        "end of a match": Kind(f"{LOBBIES}::redraw"),
    },
    f"{BOARDS}::Boards.post": {
        "board": Kind(f"{BOARDS}::redraw"),
        "earlier board": Kind(f"{BOARDS}::build_closed_view"),
    },
    # It tells what led to the board below it, which says how the match went on.
    f"{BOARDS}::Boards._tell": {
        "line above a board": Kind(
            says=(f"{FEATURES}/board/line_words.py", f"{FEATURES}/board/turn_words.py", *named(BOARD_WORDS, *RESULTS))
        )
    },
    f"{PLACES}::PlaceNotifier._post": {
        "notice elsewhere": Kind(says=named(TIME, "format_notice", "TIME_ENDS", "LOST", "PLACE_FOOT"))
    },
    f"{FEATURES}/time/loop.py::ReminderSender._send": {
        "reminder in a thread": Kind("bot/umpire/notifications.py::make_removal"),
        "direct reminder": Kind(says=named(TIME, "DIRECTLY", "DIRECTLY_SINCE", "_format_turn")),
        "board in direct messages": Kind(f"{LOBBIES}::_edit_mail"),
        "digest": Kind(says=named(TIME, "WAITING", "YOURS_LATE", "_format_digest_line")),
    },
    f"{LEAGUES}::MatchStartNotifier._post": {
        "beginning of a player's matches in a league": Kind(says=named(LEAGUE_WORDS, *BEGINNINGS))
    },
    f"{LEAGUES}::LeagueKeeper._post_once": {
        "table of a league": Kind(f"{LEAGUES}::_show_table"),
        "end of a league": Kind(says=named(LEAGUE_WORDS, "describe_winners", "WINS", "VOIDED")),
    },
    f"{FEATURES}/ranking/handlers.py::PagedLists.show_everybody": {"list for everybody": Kind(says=(RANKING_WORDS,))},
    f"{FEATURES}/study/posts.py::PublicPosts.show": {
        "film": Kind(says=(f"{FEATURES}/study/films.py", *named(BOARD_WORDS, *RESULTS))),
        "review": Kind(says=(f"{FEATURES}/study/words.py", *named(BOARD_WORDS, *RESULTS))),
    },  # fmt: skip
    f"{DAILY}::Poster._post_once": {
        "puzzle of the day": Kind(
            says=named(DAILY_WORDS, "describe_yesterday", "describe_weekend", "RECORD", "describe_task")
        ),
        "week": Kind(says=(RANKING_WORDS,)),
    },
    f"{DAILY}::MorningSender._send": {
        "puzzle in direct messages": Kind(says=named(DAILY_WORDS, "MORNING", "describe_task"))
    },
    f"{PLACES}::ClosedChannels._send_notice": {"closed channel, to all": Kind(says=named(TIME, "FOR_ALL"))},
    f"{PLACES}::ClosedChannels._tell_directly": {
        "closed channel, directly": Kind(says=named(TIME, "FOR_ALL", "describe_closed", "describe_for_all"))
    },
    f"{FEATURES}/challenges/handlers.py::Welcome.greet": {
        "greeting": Kind(says=(f"{FEATURES}/challenges/handlers.py",))
    },
}
KINDS = {name: kind for kinds in POSTED.values() for name, kind in kinds.items()}


def posts_in(source: str) -> Iterator[str]:
    """The functions that post a message which stays."""
    for owner, function in methods_in(ast.parse(source)):
        for node in ast.walk(function):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            given = {one.arg: ast.unparse(one.value) for one in node.keywords}
            by_channels = node.func.attr in ("post", "say") and "channels" in ast.unparse(node.func)
            by_itself = node.func.attr == "send" and {"view", "content"} & {*given}
            if by_channels or by_itself or given.get("ephemeral") == "False":
                yield f"{owner}{function.name}"


def methods_in(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions, each with the name of its class and a dot before it where it has one."""
    for part in tree.body:
        for one in part.body if isinstance(part, ast.ClassDef) else [part]:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{part.name}." if isinstance(part, ast.ClassDef) else "", one


def texts_in(where: str) -> Iterator[str]:
    """The texts of a file, or of one name in it, without what is written for readers of the code."""
    file, _, name = where.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    parts = [part for part in tree.body if (name in names_of(part) if name else not names_of(part) & ALONE)]
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
    files = (
        path for part in ("bot/app", "bot/features", "bot/platform", "cogs") for path in (ROOT / part).rglob("*.py")
    )
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
        "Not rated, though the league counts it.",
        "Dora left the league, so it doesn't count this match.",
    )
    assert all(EXPIRES.search(text) for text in planted)
