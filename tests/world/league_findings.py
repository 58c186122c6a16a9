"""What must be seen of leagues when nothing happens any more: each as it is stored, once, and its end with who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.features.leagues import words as leagues_words
from bot.sandbox import people
from bot.sandbox.errors import Json
from bot.sandbox.world import World
from tests.world import visible_leagues
from tests.world.findings import Ledger
from tests.world.visible_matches import everything

STORED = """
    select id, state, channel, message, farewell, version - shown_version,
           (select count(*) from pairings p where p.league = leagues.id),
           (select count(*) from pairings p join matches m on m.id = p.match
             where p.league = leagues.id and m.state != 'live')
      from leagues order by id
"""
LAGGING = "select id, channel from leagues where shown_version < version order by id"
WINNER, NOBODY = "🏆", "so nobody won"
ENDED = (leagues_words.CALLED_OFF, leagues_words.TOO_FEW)
PROGRESS = "{over} of {all} matches are over."
WEEKS_END = "update leagues set ends = {now} where state = 'live' and ends > {now}"
CHANGED = "update leagues set version = version + 1"


def faults(world: World, ledger: Ledger) -> Iterator[str]:
    """Leagues that are shown otherwise than they are stored, twice, or nowhere."""
    yield from twice(world)
    for league, state, channel, message, farewell, lag, drawn, over in ledger.ask(STORED):
        if str(channel) not in world.channels:
            continue
        said, ends = text(world, channel, message), text(world, channel, farewell)
        if said and ends and f"/{channel}/{farewell})" in said:
            said += ends  # it leads there
        if said is None:
            yield f"league {league} is {state} and has no message"
        elif told := belied(state, said, visible_leagues.pressable(posted(world, channel, message)), drawn, over):
            yield f"league {league} {told}"
        if state == "finished" and not tells(ends or ""):
            yield f"league {league} is over, and nobody was told who won"
        if lag:
            yield f"league {league}: its last {lag} changes are not noted as shown"


def belied(state: str, said: str, buttons: dict[str, int], drawn: int, over: int) -> str:
    """What the message of a league says otherwise than what is stored; empty where it does not."""
    if state == "open":
        return "" if "Join" in buttons else "is open, and nobody can join it"
    if buttons:
        return f"is {state}, and its message has buttons: {', '.join(buttons)}"
    if state == "live":
        wanted = PROGRESS.format(over=over, all=drawn)
        return "" if wanted in said else f"does not say: {wanted}"
    if state == "cancelled":
        return "" if any(one in said for one in ENDED) else "is called off, and its message does not say so"
    return "" if tells(said) else "is over, and its message does not say who won"


def tells(said: str) -> bool:
    """Whether a text tells who won a league."""
    return WINNER in said or NOBODY in said


def twice(world: World) -> Iterator[str]:
    """Leagues that can be joined on two messages, or whose end is told twice."""
    offers = Counter[tuple[int, str]]()
    for message in everything(world):
        for label, league in visible_leagues.pressable(message).items():
            offers[league, label] += 1
    for (league, label), times in offers.items():
        if times > 1:
            yield f"league {league}: {label} stands on {times} messages"


def posted(world: World, channel: int, message: int | None) -> Json:
    """A message; an empty one where it is not there."""
    return world.messages.get(str(channel), {}).get(str(message), {})


def text(world: World, channel: int, message: int | None) -> str | None:
    """What a message says; None where it is not there."""
    found = posted(world, channel, message)
    return people.text_of(found) if found else None


def lagging(ledger: Ledger) -> list[tuple[int, int]]:
    """The leagues whose last changes are not noted as shown, each with its channel."""
    return [(league, channel) for league, channel in ledger.ask(LAGGING)]
