"""The sentences of a match: headline, seats, who is to move, result, terms of a challenge. Pure text, no Discord.

People appear as mentions, ``<@id>``, which Discord shows by name and which tell nobody unless a message says so.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from bot.core.game.legs import Leg, LegMove, Legs, seat_in
from bot.core.match.clocks import Pace
from bot.core.match.handover import handings
from bot.core.match.loaded_match import Seated, Sight, person, together
from bot.core.match.match import Match
from bot.core.values.computer_users import LEVELS, is_computer
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules import computer_levels

CHIPS = "🟦🟧🟩🟪🟨🟫⬜⬛"
"""A chip for each seat, in the order of the seats' inks on the boards."""
SEATING = {
    "lot": "seats by lot",
    "host": "the challenger has seat 1",
    "guest": "the challenger has the last seat",
    "order": "everybody one seat on",
}
NARROW = "\N{NARROW NO-BREAK SPACE}"
INTRODUCTION = (
    "-# New here? Graph Paper keeps the boards of pencil-and-paper games.\n"
    "-# /play finds a game and somebody to play with, /learn shows how one goes."
)
"""What the first message in a server says of all that follows."""
TWO_LEGS = "Two legs: it is played twice at the same time, the second time with the seats swapped; the sum decides."
OVER = "✓ "
"""What stands before the name of the thread of a match that is over."""
LONGEST_NAME = 100
"""Characters of a thread's name (Discord's limit)."""
MARKUP = frozenset("@#<>*_~|`\\")
MOST_TEXT = 2000
"""The longest text of a plain message (Discord's limit)."""


def listed(head: str, lines: Sequence[str], foot: str = "", total: int | None = None) -> str:
    """A message of whole lines, as many as it holds, and how many of all there are (`total`) it leaves out."""

    def text(shown: int) -> str:
        left = (len(lines) if total is None else total) - shown
        more = f"-# … and {left} more." if left else ""
        return "\n".join(line for line in (head, *lines[:shown], more, foot) if line)

    return next(found for shown in range(len(lines), -1, -1) if len(found := text(shown)) <= MOST_TEXT or not shown)


def counted(number: int) -> str:
    """A number with its digits in groups of three."""
    return f"{number:,}".replace(",", NARROW)


def mention(seated: Seated, seat: Seat) -> str:
    """The person in a seat, with the chip of the seat."""
    return f"{CHIPS[seat - 1]} {person(seated.user_at(seat))}"


def mentions(seated: Seated, seats: tuple[Seat, ...]) -> str:
    """Several seats in a sentence: "A, B and C"."""
    return together([mention(seated, seat) for seat in seats])


def terms(seated: Seated) -> str:
    """The options and conditions of a match in a line: "size 7 · seats by lot · rated"."""
    match = Match.start(seated.game, seated.row.options, seated.row.seats)
    options = [f"{name} {value}" for name, value in match.options.record().items()]
    level, most = (
        computer_levels.level(seated.row),
        computer_levels.highest(seated.game, seated.row.options, seated.row.seats),
    )
    rated = "rated" if seated.row.rated and level is None else "not rated"
    rated += f" · level {most} is the highest here" if level == most < LEVELS[-1] else ""
    pace = [str(Pace.parse(seated.row.pace))] if seated.row.seats > 1 else []
    legs = ["in two legs"] if seated.game.once else []
    return " · ".join([*options, *legs, SEATING[seated.row.seating], rated, *pace])


def challenge(seated: Seated) -> str:
    """What a challenge or an open table says."""
    row, game = seated.row, seated.game
    options = Match.start(game, row.options, row.seats).options
    # In two legs everybody has each seat once, so whom the board favours is nothing.
    favoured = TWO_LEGS if game.once else game.edge(options, row.seats)
    remarks = [remark for remark in (favoured, game.advice(options, row.seats)) if remark]
    lines = [opening(seated), game.goal, f"-# {terms(seated)}", *(f"-# {remark}" for remark in remarks)]
    return "\n".join([*lines, *(f"-# {person(user)} is away until <t:{ends}:D>." for user, ends in seated.away)])


def opening(seated: Seated) -> str:
    """Who is asked, who has come, how many seats are free."""
    row, title = seated.row, f"**{seated.game.title}**"
    asked = [person(player.user) for player in seated.players if player.invited]
    come = [person(user) for user in joined(seated) if not is_computer(user)]
    rivals = [person(user) for user in joined(seated) if is_computer(user)]
    free = row.seats - len(seated.players)
    text = (
        f"{person(row.host)} challenges {together(asked)} to {title}."
        if asked
        else f"{person(row.host)} opens a table of {title}."
    )
    if come:
        text += f" {together(come)} {'has' if len(come) == 1 else 'have'} accepted."
    if rivals:
        text += f" Also at the table: {together(rivals)}."
    if free:
        text += f" {free} of {row.seats} seats {'is' if free == 1 else 'are'} free."
    return text


def joined(seated: Seated) -> tuple[UserId, ...]:
    """Those who have come to a challenge, beside whoever made it."""
    return tuple(one.user for one in seated.players if not one.invited and one.user != seated.row.host)


def headline(seated: Seated) -> str:
    """What stands above a board: the game and the number of the match."""
    return f"### {seated.game.title} · {seated.id}{' · two legs' if seated.game.once else ''}"


def whose(seated: Seated) -> str:
    """A match in a line: "Plexus · 12 · A – B"; where several are played in one place, their boards look alike."""
    return f"{seated.game.title} · {seated.id} · {' – '.join(person(player.user) for player in seated.players)}"


def challenge_ended(seated: Seated) -> str:
    """What stands in place of a challenge that is no longer open."""
    row, title = seated.row, seated.game.title
    if row.state == "live":
        return f"{person(row.host)}'s match of **{title}** is on: {seated.home}"
    if row.state in ("finished", "aborted"):
        return f"{person(row.host)}'s match of **{title}**: {result(seated)} {seated.home}"
    others = [person(one.user) for one in seated.players if one.user != row.host and not is_computer(one.user)]
    ends = {
        "declined": f"{together(others)} declined {person(row.host)}'s challenge to **{title}**.",
        "cancelled": f"{person(row.host)}'s challenge to **{title}** was taken back.",
        "expired": expired(seated),
    }
    return ends[row.state]


def expired(seated: Seated) -> str:
    """Why a challenge or a table was closed, with everybody whom it concerns."""
    row, guests = seated.row, [player for player in seated.players if player.user != seated.row.host]
    asked = [person(player.user) for player in guests if player.invited]
    come = [person(player.user) for player in guests if not player.invited and not is_computer(player.user)]
    opened = f"{person(row.host)}'s {'challenge to' if asked else 'table of'} **{seated.game.title}** expired"
    why = f"{together(asked)} did not answer" if asked else "too few sat down"
    return f"{opened}: {why} within 48 hours." + (f" {together(come)} had accepted." if come else "")


def seats(sight: Sight) -> str:
    """A line for each seat: its chip, who sits there, what it counts, its score unless that is a secret still."""
    seated, ranks = sight.seated, sight.match.ranks
    lines: list[str] = []
    for seat, score in enumerate(sight.position.scores(), 1):
        side = f" · {seated.game.sides[seat - 1]}" if seated.game.sides else ""
        place = f" · {place_name(ranks[seat - 1])}" if ranks and len(ranks) > 2 else ""
        secret = seated.game.secret and ranks is None and seat != sight.viewer
        result = "" if secret or not seated.game.scored else f" · **{counted(score)}**{by_legs(sight, seat)}"
        lines.append(f"{mention(seated, seat)}{side}{result}{place}")
    return "\n".join(lines)


def by_legs(sight: Sight, seat: Seat) -> str:
    """What a score is made of, where there are two legs."""
    if not isinstance(sight.position, Legs):
        return ""
    first, second = (sight.position.scores_in(leg)[seat - 1] for leg in (1, 2))
    return f" = {counted(first)} + {counted(second)}"


def leg(sight: Sight, leg: Leg) -> str:
    """What stands above a leg: who has which seat of it, and how far it is."""
    assert isinstance(sight.position, Legs) and sight.seated.game.once
    sides, scored = sight.seated.game.once.sides, sight.seated.game.scored
    scores, position = sight.position.scores_in(leg), sight.position.leg(leg)
    said: list[str] = []
    for inner in (1, 2):
        seat = seat_in(leg, inner)
        side = sides[inner - 1] if sides else ("first", "second")[inner - 1]
        said.append(f"{CHIPS[seat - 1]} {side}{f' {counted(scores[seat - 1])}' if scored else ''}")
    return f"**Leg {leg}** · {', '.join(said)}{'' if position.turn else f' · {leg_result(sight.position, leg)}'}"


def leg_result(legs: Legs, leg: Leg) -> str:
    """Who has won a leg that is over."""
    won = legs.won_by(leg)
    return f"{CHIPS[won[0] - 1]} won" if len(won) == 1 else "a draw"


def thread_name(names: Sequence[str], title: str) -> str:
    """The name of a match's thread, by its people and its game: "Ann – Bea · Plexus · 12"."""
    said = [shortened(plain(name), fair(names, LONGEST_NAME - len(OVER) - len(title) - 3)) for name in names]
    return " · ".join([*([" – ".join(said)] if said else []), title])[:LONGEST_NAME]


def fair(names: Sequence[str], room: int) -> int:
    """How many characters each name may have so that all of them fit with what stands between."""
    return max(1, (room + 3) // len(names) - 3)


def plain(name: str) -> str:
    """A display name without what could mention somebody, dress up as markup or turn the direction of writing."""
    kept = "".join(" " if one in MARKUP or unicodedata.category(one)[0] in "CZ" else one for one in name)
    return " ".join(kept.split()) or "somebody"


def place_name(rank: int) -> str:
    """A rank as people say it: 1st, 2nd, 3rd, 4th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def shortened(text: str, most: int = 100) -> str:
    """A text cut to a length, with a mark that it was."""
    return text if len(text) <= most else text[: most - 1] + "…"


def move(seated: Seated, text: str) -> str:
    """A move in a sentence: "**c4**", "**c4** in leg 2"."""
    said, where = apart(seated, text)
    return f"**{shortened(said)}**{where}"


def apart(seated: Seated, text: str) -> tuple[str, str]:
    """A move, and behind it in which leg it was made."""
    said = LegMove.parse(text) if seated.game.once else LegMove(None, text)
    return said.move, f" in leg {said.leg}" if said.leg else ""


def status(sight: Sight) -> str:
    """Who is to move, or how the match ended."""
    seated, turn = sight.seated, sight.turn
    if not turn:
        return result(seated)
    lines = [" ".join(waiting(seated, turn))]
    if not sight.record and (weaker := capped(seated)):
        lines.append(f"-# {weaker}")
    if gone := tuple(seat for seat in turn if seated.user_at(seat) in seated.gone):
        lines.append(f"-# {left(mentions(seated, gone), len(gone))}: /match replace hands a seat on.")
    asking = tuple(player.seat for player in seated.players if player.consent and player.seat)
    if asking:
        lines.append(f"-# {mentions(seated, asking)} would call the match off; /match abort agrees.")
    return "\n".join(lines)


def waiting(seated: Seated, turn: tuple[Seat, ...]) -> list[str]:
    """Whom a match waits for, in sentences: people who are to move, and computers that think."""
    thinking = tuple(seat for seat in turn if is_computer(seated.user_at(seat)))
    moving = tuple(seat for seat in turn if seat not in thinking)
    kinds = ((moving, "to move."), (thinking, "thinking …"))
    return [f"{mentions(seated, one)} {'is' if len(one) == 1 else 'are'} {what}" for one, what in kinds if one]


def capped(seated: Seated) -> str:
    """That the computer plays no better at these options, where it plays as well as it can there."""
    level, row = computer_levels.level(seated.row), seated.row
    if level is None or level == LEVELS[-1] or level < computer_levels.highest(seated.game, row.options, row.seats):
        return ""
    return f"Level {level} is the highest of the computer with these options."


def handed(seated: Seated) -> list[str]:
    """Who has taken over a seat from whom, in lines: of each seat the last."""
    last = {one.seat: one.user for one in handings(seated.row.handed)}
    lines = [f"{mention(seated, seat)} took over from {person(user)}." for seat, user in sorted(last.items())]
    return [*lines[:-1], f"{lines[-1]} The match is not rated."] if lines else []


def seat_choice(seated: Seated, seat: Seat, user: UserId, gone: Collection[UserId], name: str | None) -> str:
    """A seat in a list of choices, which shows no mentions: "seat 2: Bea, ran out of time"."""
    player = next(player for player in seated.players if player.seat == seat)
    told = [
        word
        for word, is_so in (
            ("yours", player.user == user),
            ("has left this server", player.user in gone),
            ("ran out of time", player.lapse is not None),
            ("to move", seat in seated.turn and player.lapse is None),
        )
        if is_so
    ]
    return shortened(", ".join([f"seat {seat}{f': {shortened(name, 40)}' if name else ''}", *told]))


def left(names: str, number: int) -> str:
    """That some people are not in the server any more."""
    return f"{names} {'has' if number == 1 else 'have'} left this server"


def result(seated: Seated) -> str:
    """How a match ended, in a sentence."""
    if seated.row.state == "aborted":
        return seated.row.closing or "The match was called off; it counts for nothing."
    ranks = seated.folded.ranks
    if ranks is None:
        return ""
    winners = tuple(seat for seat, rank in enumerate(ranks, 1) if rank == 1)
    if len(ranks) == 1:
        return "The puzzle is done."
    if len(winners) == 1:
        return f"**{mention(seated, winners[0])} wins!**"
    return f"**A draw between {mentions(seated, winners)}.**"


def resigning(seated: Seated, seat: Seat) -> str:
    """What somebody is asked before they leave a match for good."""
    against = with_others(seated, seated.user_at(seat))
    return f"Resign match {seated.id}{against}? That cannot be undone.\n-# {seated.game.title} · {seated.link}"


def calling_off(seated: Seated, user: UserId) -> str:
    """What somebody is asked before their word ends a match."""
    against = with_others(seated, user)
    return (
        f"Call match {seated.id}{against} off? It ends and counts for nothing.\n-# {seated.game.title} · {seated.link}"
    )


def with_others(seated: Seated, user: UserId) -> str:
    """Between whom a match is, for somebody: " against B and C", for a stranger " between A and B"."""
    others = [person(player.user) for player in seated.players if player.user != user]
    if not others:
        return ""
    return f" {'against' if seated.has(user) else 'between'} {together(others)}"
