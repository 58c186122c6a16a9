"""What a person sees of a match in the sandbox: lobbies with a button to accept, boards and their squares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.sandbox import reading
from bot.sandbox.errors import Json
from bot.sandbox.world import PUBLIC_THREAD, World

GAME = "Binary Primes"
CHANNEL = "games"
PLIES = re.compile(r"(move|finished after) (\d+)")
TO_MOVE = re.compile(r"<@(\d+)> is to move")
CHALLENGE = re.compile(r"<@(\d+)> challenges <@(\d+)>")
BUTTON = re.compile(r"m:(\d+):(\d+):(\w+)")


@dataclass(frozen=True)
class Board:
    """A message with a picture: how many moves it shows, which squares are empty, who is to move, its move button."""

    message: Json
    plies: int
    empty: tuple[str, ...]
    to_move: str | None
    match: int | None
    over: bool

    @property
    def live(self) -> bool:
        """Whether it can be played on."""
        return self.match is not None


def board(message: Json) -> Board | None:
    """The board that a message shows, if it does."""
    shown = reading.media(message)
    found = PLIES.search(shown[0].alt or "") if shown else None
    if not found:
        return None
    turn = TO_MOVE.search(reading.text(message))
    match = next((number for number, verb in pressable(message) if verb == "move"), None)
    empty = tuple(squares(shown[0].alt or ""))
    return Board(message, int(found[2]), empty, turn[1] if turn else None, match, found[1] != "move")


def pressable(message: Json) -> Iterator[tuple[int, str]]:
    """The buttons of a message: the number of the match and the verb."""
    for button in reading.buttons(message):
        if named := BUTTON.fullmatch(button.custom_id or ""):
            yield int(named[1]), named[3]


def squares(alt: str) -> Iterator[str]:
    """The empty squares of a board, from its text in the picture's alt text."""
    for line in alt.splitlines()[1:]:
        name, *cells = line.split()
        if name.isdigit() and any(cell in ".#O" for cell in cells):
            yield from (f"{chr(97 + column)}{name}" for column, cell in enumerate(cells) if cell == ".")


def threads(world: World) -> list[str]:
    """The threads of matches, oldest first."""
    return [
        one["id"] for one in world.channels.values() if one["type"] == PUBLIC_THREAD and f" · {GAME} · " in one["name"]
    ]


def boards(world: World, thread: str) -> list[Board]:
    """All boards of a thread, oldest first."""
    messages = world.messages.get(thread, {}).values()
    return [found for message in messages if not message["ephemeral_for"] and (found := board(message))]


def latest(world: World, thread: str) -> Board | None:
    """The last board of a thread."""
    for message in reversed(world.messages.get(thread, {}).values()):
        if not message["ephemeral_for"] and (found := board(message)):
            return found
    return None


@dataclass(frozen=True)
class Lobby:
    """An open challenge: its message, its match, who is challenged."""

    message: Json
    match: int
    guest: str


def lobbies(world: World, most: int = 10**6) -> Iterator[Lobby]:
    """The challenges that can be accepted, the latest first, among the last so many messages."""
    messages = world.messages[world.channel_named(CHANNEL)["id"]]
    for _, message in zip(range(most), reversed(messages.values()), strict=False):
        match = next((number for number, verb in pressable(message) if verb == "accept"), None)
        parties = CHALLENGE.search(reading.text(message))
        if match is not None and parties:
            yield Lobby(message, match, parties[2])
