"""What each thing that people ask for costs of their bucket: as much as it costs the bot, a move being one.

Dear is what is drawn for one person alone, what reads many rows, and what is sent as half a megabyte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.client.interactions.custom_ids import ButtonId, PadId, PageId, ReplayId, TrialId

USUAL = 1.0
COMMANDS: Mapping[str, float] = {
    "games": 8, "play": 2, "pick": 2, "table": 2, "alone": 2, "computer": 2, "tables": 2, "matches": 2,
    "leaderboard": 3, "profile": 4, "records": 2, "learn": 1,
    "match board": 2, "match record": 2, "match replay": 2, "match resign": 1, "match abort": 1, "match publish": 1,
    "match replace": 2, "match hint": 3, "match review": 8,
    "away until": 3, "away back": 3, "away show": 1, "preferences": 2,
    "privacy export": 5, "privacy forget": 5,
    "rules": 2, "challenge": 2,
}  # fmt: skip
"""By a command's name; those that every game has, by their last word. /play without options is the page "pick"."""
BUTTONS: Mapping[str, float] = {"rules": 2, "board": 2, "replay": 2}
"""By a button's verb; a button under a page costs what its command does."""
THOUGHT: Mapping[str, float] = {"hint": 3, "which": 2, "review": 8}
"""Buttons for which the computer thinks: whoever waits for that holds up nobody who merely looks."""
FILMS: Mapping[str, float] = {"film": 8, "show": 4, "tell": 4}
STEP = 0.5
"""By where a button under a replay or a review leads; to any other place it is a step, one of many. A film is many
boards."""
TYPED: Mapping[str, float] = {"game": 1, "match": 1, "until": 1, "zone": 1, "seat": 1}
"""By the option that is being typed: these are found in lists, for the others moves are worked out."""
TAPPED = 0.5
"""A tap on a pad; a move takes several, one after another."""
TYPED_MOVE = 2.0
ACTING = {"begin", "challenge", "computer", "table", "alone"}
"""Pages on which somebody begins a match; on all others they look."""
LOOKS = {
    "games", "pick", "tables", "matches", "leaderboard", "profile", "records", "learn", "match board", "match record",
    "match replay", "privacy export", "rules", "away show",
}  # fmt: skip
"""Commands that change nothing. However dear they are, others who act do not wait for them."""


def looks(data: Mapping[str, Any], typing: bool = False) -> bool:
    """Whether an interaction asks only to see something."""
    custom_id = str(data.get("custom_id", ""))
    if not custom_id:
        return typing or any(name in LOOKS for name in _names(data))
    if button := ButtonId.parse(custom_id):
        return button.verb in BUTTONS
    if replay := ReplayId.parse(custom_id):
        return replay.step not in FILMS
    page = PageId.parse(custom_id)
    return TrialId.parse(custom_id) is not None or (page is not None and page.page not in ACTING)


def cost(data: Mapping[str, Any], typing: bool = False) -> float:
    """What an interaction costs whoever it comes from."""
    if typing:
        typed = [str(each.get("name")) for each in _options(data) if each.get("focused")]
        return TYPED.get(typed[0], TYPED_MOVE) if typed else TYPED_MOVE
    if custom_id := str(data.get("custom_id", "")):
        return _pressed(custom_id)
    return next((COMMANDS[name] for name in _names(data) if name in COMMANDS), USUAL)


def _names(data: Mapping[str, Any]) -> tuple[str, str]:
    """What a command is called: whole, and by its last word."""
    parts = [str(each.get("name")) for each in _options(data) if each.get("type") in (1, 2)]
    path = [str(data.get("name")), *parts]
    if path == ["play"] and not data.get("options"):
        path = ["pick"]
    return " ".join(path), path[-1]


def _pressed(custom_id: str) -> float:
    if button := ButtonId.parse(custom_id):
        return BUTTONS.get(button.verb) or THOUGHT.get(button.verb, USUAL)
    if pad := PadId.parse(custom_id) or TrialId.parse(custom_id):
        return USUAL if pad.tap.does == "play" else TAPPED
    if replay := ReplayId.parse(custom_id):
        return FILMS.get(replay.step, STEP)
    page = PageId.parse(custom_id)
    return COMMANDS.get(page.page, USUAL) if page else USUAL


def _options(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All options of a command, those of its parts too, as they stand."""
    for option in data.get("options", ()):
        yield option
        yield from _options(option)
