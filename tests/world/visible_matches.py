"""What a person sees of a match in the sandbox: lobbies with a button to accept, boards and what can be done on them.

Messages are told apart by the nonces that the bot gives them, which everybody may read; a match is therefore found in a
thread of its own as well as in the channel, where it is played when it could not have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.sandbox import people
from bot.sandbox.errors import Json
from bot.sandbox.world import World

CHANNEL = "games"
PLIES = re.compile(r"(move|finished after) (\d+)", re.IGNORECASE)
IN_LEGS = r" in (?:both legs|leg [12](?:(?:,| and) [^\n.]* in leg 2)?)"
REST = r"(?:[^\n.]|\.(?=[0-9]))*"
"""What a sentence may have; a number may have a dot."""
MOVERS = re.compile(
    rf"To (?:move|place(?: [0-9]+)?): {REST}\.|{REST} (?:is|are) still playing\.|"
    rf"{REST}(?: (?:is|are) to move(?: again)?|, place your [0-9]+)(?:{IN_LEGS})?\."
)
SOME_PLAY = re.compile(r"[0-9]+ of [0-9]+ are still playing\.")
TICKED = re.compile(r"<@(\d+)>\s✓")
"""Where many play in secret, a tick behind each who has finished says who still plays."""
BEGINS = re.compile(r"[^\n.:]*: [^\n.]*<@\d+> begins\b")
"""Who moves first in a round or a phase, where a board says that instead."""
ALL_MOVE = re.compile(r"(?:Both|All) play now, in secret\.")
CHALLENGE = re.compile(r"<@(\d+)> challenges (.*) to \*\*")
LINE = re.compile(r"(?:(.*), )?<@(\d+)> challenges (?:you|\d+ people) to .*\n?(.*)")
"""The same as those read it who are told; of many, the names stand below."""
TABLE = re.compile(r"<@(\d+)> (?:opens a table of|looks for players for) \*\*")
"""Of an open table, and of a challenge of which nobody is asked any more since some have declined it."""
HEADLINE = re.compile(r"### (.+?)\s·\s[^·\n]+")
PERSON = re.compile(r"<@(\d+)>")
NAME = re.compile("\u2068([^\u2069]*)\u2069")
BUTTON = re.compile(r"m:(\d+):(\d+)s?:(\w+)")
NONCE = re.compile(r"([bcdfl])(\d+)\.?\b")
DRAWING = "everybody draws a curve"
HARMLESS = {"rules", "rematch", "replay", "details", "share"}
"""The verbs of buttons that change nothing about a match."""
OVER, FIRST_LEG, SECOND = "finished", "**Leg 1**", "Leg 2."


@dataclass(frozen=True)
class Board:
    """A message that shows a match: who is to move, its buttons by verb, the empty squares where there are such.

    `stage` is what the board shows of the match: the number of moves, in two legs that of both, or how far a secret
    match has come.
    """

    message: Json
    match: int
    stage: str
    movers: tuple[str, ...]
    verbs: tuple[str, ...]
    empty: tuple[str, ...]

    @property
    def plies(self) -> int:
        """How many moves it shows; 0 where that is a secret."""
        number = self.stage.removeprefix(OVER).strip()
        return int(number) if number.isdigit() else 0

    @property
    def over(self) -> bool:
        """Whether it shows the end."""
        return self.stage.startswith(OVER)

    @property
    def late(self) -> bool:
        """Whether a player has run out of time, and may be claimed."""
        return any(verb.startswith("claim") for verb in self.verbs)

    @property
    def title(self) -> str:
        """The game's."""
        found = HEADLINE.search(text_of(self.message))
        return found[1] if found else ""

    @property
    def in_legs(self) -> bool:
        """Whether the game is played twice at once, with the seats swapped."""
        return FIRST_LEG in text_of(self.message)

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody whom it names: those who play, and who is asked to take a seat over."""
        return tuple(dict.fromkeys(PERSON.findall(text_of(self.message))))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of its buttons that can be pressed."""
        return tuple(labels(self.message))

    @property
    def live(self) -> bool:
        """Whether it can be played on."""
        return bool(self.movers) and bool(set(self.verbs) - HARMLESS)


NOBODY = "0"
PEOPLE: dict[str, str] = {}
"""The numbers of the people of the world that was looked at last, by their names."""


def text_of(message: Json) -> str:
    """The text of a message, with the numbers of the people whom it names; of a player who left, nobody's number."""
    return NAME.sub(lambda found: f"<@{PEOPLE.get(found[1], NOBODY)}>", people.text_of(message))


def introduce(world: World) -> None:
    """Know the people of a world by their names."""
    PEOPLE.clear()
    PEOPLE.update({user["global_name"] or user["username"]: number for number, user in world.users.items()})


def about(message: Json) -> tuple[str, int] | None:
    """What a message of the bot is, a (b)oard, a (l)ine above one, a (c)hallenge, (d) how that ended or (f) how a
    match did, and of which match."""
    found = NONCE.match(str(message.get("nonce") or ""))
    return (found[1], int(found[2])) if found else None


def board(message: Json) -> Board | None:
    """The board that a message shows, if it does."""
    kind = about(message)
    shown = people.list_media(message)
    if kind is None or kind[0] != "b" or not shown:
        return None
    verbs = tuple(verb for _, verb in pressable(message))
    alts = [one.alt or "" for one in shown]
    come = stage([alts[0], *[alt for alt in alts if alt.startswith(SECOND)][:1]], "rematch" in verbs)
    return Board(message, kind[1], come, movers(text_of(message)), verbs, tuple(squares(alts[0])))


def movers(text: str) -> tuple[str, ...]:
    """The numbers of those who are to move, by the text of a board; in two legs of both."""
    if ALL_MOVE.search(text):
        return tuple(dict.fromkeys(PERSON.findall(text)))
    if SOME_PLAY.search(text):
        done = TICKED.findall(text)
        return tuple(one for one in dict.fromkeys(PERSON.findall(text)) if one not in done)
    moving = MOVERS.search(text) or BEGINS.search(text)
    return tuple(PERSON.findall(moving[0])) if moving else ()


def stage(alts: Sequence[str], over: bool) -> str:
    """How far a match has come, from the text of its picture or those of its legs, and whether it can be had again."""
    firsts = [alt.split("\n")[0].split(":")[0].lower() for alt in alts]
    if found := list(filter(None, map(PLIES.search, firsts))):
        made = str(sum(int(one[2]) for one in found))
        return made if not over and any(one[1] == "move" for one in found) else f"{OVER} {made}"
    return OVER if over or OVER in firsts[0] else "drawing" if DRAWING in firsts[0] else "playing"


def pressable(message: Json) -> Iterator[tuple[int, str]]:
    """The buttons of a message: the number of the match and the verb."""
    for button in people.list_buttons(message):
        if named := BUTTON.fullmatch(button.custom_id or ""):
            yield int(named[1]), named[3]


def labels(message: Json) -> list[str]:
    """The labels of the buttons that can be pressed."""
    return [button.label for button in people.list_buttons(message) if not button.disabled]


def squares(alt: str) -> Iterator[str]:
    """The empty squares of a board, from its text in the picture's alt text."""
    for line in alt.splitlines()[1:]:
        name, *cells = line.split() or [""]
        if name.isdigit() and any(cell in ".#O" for cell in cells):
            yield from (f"{chr(97 + column)}{name}" for column, cell in enumerate(cells) if cell == ".")


@dataclass(frozen=True)
class Lobby:
    """An open challenge: its message, its match, who made it, who has not answered yet; nobody where any player may sit
    down, at a table or in place of who has declined."""

    message: Json
    match: int
    host: str
    guests: tuple[str, ...]

    @property
    def unknown(self) -> bool:
        """Whether a player is asked whom it no longer names; they find out by trying."""
        return not self.guests and "Accept" in labels(self.message)


def lobby(message: Json) -> Lobby | None:
    """The challenge that a message is, if it can be accepted."""
    match = next((number for number, verb in pressable(message) if verb in ("accept", "join")), None)
    if match is None:
        return None
    text = text_of(message)
    if parties := CHALLENGE.search(text):
        return Lobby(message, match, parties[1], known(parties[2]))
    if told := LINE.search(text):
        return Lobby(message, match, told[2], known(told[1] or "") or known(told[3]))
    table = TABLE.search(text)
    return Lobby(message, match, table[1], ()) if table else None


def known(text: str) -> tuple[str, ...]:
    """The numbers of the people in a text."""
    return tuple(one for one in PERSON.findall(text) if one != NOBODY)


def everything(world: World) -> Iterator[Json]:
    """All messages that everybody can see, oldest first in each channel."""
    introduce(world)
    for place, channel in world.messages.items():
        if place not in world.private:
            yield from (message for message in channel.values() if not message["ephemeral_for"])


def boards(world: World) -> dict[int, list[Board]]:
    """All boards of every match, oldest first."""
    found: dict[int, list[Board]] = {}
    for message in everything(world):
        if one := board(message):
            found.setdefault(one.match, []).append(one)
    for shown in found.values():
        shown.sort(key=lambda one: int(one.message["id"]))
    return found


def lines(world: World) -> dict[int, list[Json]]:
    """The lines that tell people of each match, oldest first."""
    found: dict[int, list[Json]] = {}
    for message in everything(world):
        kind = about(message)
        if kind and kind[0] == "l":
            found.setdefault(kind[1], []).append(message)
    for told in found.values():
        told.sort(key=lambda one: int(one["id"]))
    return found


def news(world: World) -> dict[int, list[Json]]:
    """What tells the channels of matches how these ended."""
    found: dict[int, list[Json]] = {}
    for message in everything(world):
        kind = about(message)
        if kind and kind[0] == "f":
            found.setdefault(kind[1], []).append(message)
    return found


def lobbies(world: World) -> Iterator[Lobby]:
    """All challenges that can be accepted."""
    return (one for message in everything(world) if (one := lobby(message)))


@dataclass
class Seen:
    """The latest board of every match and the open challenges, kept up with what is posted and changed."""

    world: World
    boards: dict[int, Board] = field(default_factory=dict[int, Board])
    lobbies: dict[str, Lobby] = field(default_factory=dict[str, Lobby])

    def heard(self, event: str, message: Json) -> None:
        """A message was posted or changed."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or message.get("ephemeral_for"):
            return
        introduce(self.world)
        if one := board(message):
            latest = self.boards.get(one.match)
            if latest is None or int(latest.message["id"]) <= int(message["id"]):
                self.boards[one.match] = one
        if found := lobby(message):
            self.lobbies[message["id"]] = found
        else:
            self.lobbies.pop(message["id"], None)
