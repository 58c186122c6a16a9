"""Says how a match stands: headline, seats, who is to move, result. Pure text, no Discord.

People appear as mentions, ``<@id>``, which Discord shows by name; they notify nobody unless a message asks for it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence

from bot.core.game.legs import LEGS, Leg, LegMove, Legs, seat_in
from bot.core.game.notation import unbroken
from bot.core.league.league_round import LeagueRound
from bot.core.match.handover import handings
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.match import Match
from bot.core.match.record import Withdrawal
from bot.core.values.computer_users import LEVELS, is_computer
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural, sentences, together
from bot.core.values.seats import Seat
from bot.core.values.text_lengths import cut, shortened, units
from bot.service.rules import calling_off, claims, computer_levels
from rendering.legend import colour

CHIPS = "🟦🟧🟩🟪🟨⬜🟫⬛"
"""A chip for each seat, in the order of the seats' inks; `rendering.theme.HEX` has their colours on the boards."""
NARROW = "\N{NARROW NO-BREAK SPACE}"
HELD = "\N{NO-BREAK SPACE}"
TO = f"{HELD}:{HELD}"
"""Between the scores of two, which stay on one line."""
LAST = f" ·{HELD}"
"""Before a score that ends a line: where that is broken, the score does not stand alone."""
OVER = "✓ "
"""The mark before the name of a thread whose match is over."""
LONGEST_NAME = 100
"""Characters of a thread's name (Discord's limit)."""
GOES_ON = "The match goes on here: {link}"
THREAD_LATER = "Discord makes no new thread right now. This match moves to one with a later board."
MARKUP = frozenset("@#<>*_~|`\\")
MOST_TEXT = 2000
"""The longest text of a plain message (Discord's limit)."""
TO_MOVE = Plural("{names} is to move.", "{names} are to move.")
MOVE_ONE_LEG = Plural("{names} is to move in leg {leg}.", "{names} are to move in leg {leg}.")
MOVE_BOTH_LEGS = Plural("{names} is to move in both legs.", "{names} are to move in both legs.")
MOVE_EACH_LEG = "{first} is to move in leg 1, and {second} in leg 2."
LEG, DRAWN_LEG = "**Leg {leg}**", "**Leg {leg}** · a draw"
BROKEN_LEG, UNPLAYED_LEG = "**Leg {leg}** · not finished", "**Leg {leg}** · not played"
"""Of a match that somebody ended early, by whether anything was played there."""
IN_LEG = ("{who}, {side}", "{who}, {side}, won")
SCORED_IN_LEG = ("{who} {side} {score}", "{who} {side} {score}, won")
POINTS_IN_LEG = ("{who} {score}", "{who} {score}, won")
"""Who plays which side of a leg, by whether they have won it."""
FIRST_AND_SECOND = "first", "second"
BOTH_LEGS, FEWEST_IN_BOTH = "Total: {scores}", "Total, lower wins: {scores}"
IN_LEAGUE = "[League]({link}), season {season}, round {round} of {rounds}"
LEAGUES = "league, season {season}, round {round} of {rounds}"
FROM_MATCH = "This match goes on from match {match}, after move {move}."
FROM_RECORD = "This match goes on from an imported record, after move {move}."
MOVE, MOVE_IN_LEG = "**{move}**", "**{move}** in leg {leg}"
TO_PLACE = "{name} is to place {number}."
THINKING = Plural("{names} is thinking …", "{names} are thinking …")
CALLING_OFF = Plural("{names} wants to call the match off.", "{names} want to call the match off.")
ENDS_IF = Plural("It ends if {names} agrees.", "It ends if {names} agree.")
GONE = Plural("{names} has left this server.", "{names} have left this server.")
ON_WITHOUT = Plural(
    "{names} can claim the match, name a substitute or call it off.",
    "{names} can go on without them (Claim), name a substitute or call the match off.",
)
"""What those can do who wait for somebody who has left the server."""
NOT_COUNTED = Plural(
    "This match no longer counts in its league, which {names} has left.",
    "This match no longer counts in its league, which {names} have left.",
)
PLACED: Mapping[tuple[bool, bool], Plural] = {
    (True, True): Plural(
        "{first} won with {score}, ahead of {behind}.", "{first} share first place with {score}, ahead of {behind}."
    ),
    (True, False): Plural("{first} won with {score}.", "{first} share first place with {score}."),
    (False, True): Plural("{first} won, ahead of {behind}.", "{first} share first place, ahead of {behind}."),
    (False, False): Plural("{first} won.", "{first} share first place."),
}
"""How a match of several ended: whether with scores, and whether somebody came behind who played to the end."""
DREW = "{names} drew."
OUT: Mapping[str, Plural] = {
    "resign": Plural("{names} resigned.", "{names} resigned."),
    "timeout": Plural("{names} ran out of time.", "{names} ran out of time."),
}
"""What is said of those who did not."""
NOBODY_MOVED = ("Not rated: nobody had moved.", "Not rated, though the league counts it: nobody had moved.")
NEVER_MOVED = ("Not rated: {names} hadn't moved.", "Not rated, though the league counts it: {names} hadn't moved.")
"""Why a match that was to be rated is not: outside of a league, and in one."""


def listed(head: str, lines: Sequence[str], foot: str = "", total: int | None = None, *, small: str = "-# ") -> str:
    """A message of as many whole lines as it holds, and the number that it leaves out, of `total` in all. `small`: what
    makes a line small, where there is markup."""

    def text(shown: int) -> str:
        left = (len(lines) if total is None else total) - shown
        more = f"{small}… and {left} more." if left else ""
        return "\n".join(line for line in (head, *lines[:shown], more, foot) if line)

    return next(found for shown in range(len(lines), -1, -1) if units(found := text(shown)) <= MOST_TEXT or not shown)


def counted(number: int) -> str:
    """A number with its digits in groups of three."""
    return f"{number:,}".replace(",", NARROW)


def mention(seated: LoadedMatch, seat: Seat) -> str:
    """The person in a seat, behind the chip of the seat; both stand in one line."""
    return f"{CHIPS[seat - 1]}{HELD}{person(seated.user_at(seat))}"


def mentions(seated: LoadedMatch, seats: tuple[Seat, ...]) -> str:
    """Several seats in a sentence: "A, B and C"."""
    return together([mention(seated, seat) for seat in seats])


Naming = Callable[[LoadedMatch, Seat], str]
"""How people are named: with the chip of their seat, or without."""


def unmarked(seated: LoadedMatch, seat: Seat) -> str:
    """The person in a seat, where no board is beside it."""
    return person(seated.user_at(seat))


def coloured(seated: LoadedMatch) -> str:
    """Whose colours are on a picture, for whoever has it read out: "Ann is blue and Bea is orange."."""
    people = enumerate((player.user for player in seated.players), 1)
    return f"{together([f'{person(user)} is {colour(seat)}' for seat, user in people])}."


def headline(seated: LoadedMatch) -> str:
    """The headline of a board: the game and the number of the match, which never stands alone on a line."""
    legs = ["two legs"] if seated.game.once else []
    return " · ".join([f"### {seated.game.title}{HELD}·{HELD}{seated.id or 'imported record'}", *legs])


def played_on(seated: LoadedMatch) -> list[str]:
    """From where a match goes on, in a line; none where it began without moves."""
    row = seated.row
    said = FROM_MATCH if row.source_match else FROM_RECORD
    return [said.format(match=row.source_match, move=row.imported_plies)] if row.imported_plies else []


def in_league(seated: LoadedMatch) -> list[str]:
    """Which match of a league it is, in a line with the way to the table; none where it is of no league."""
    if seated.row.round is None:
        return []
    one = LeagueRound.parse(seated.row.round)
    return [IN_LEAGUE.format(link=one.link, season=one.season, round=one.round, rounds=one.rounds)]


def thread_title(seated: LoadedMatch) -> str:
    """What a thread is called behind its people: "Plexus · 12", "Plexus · 12 · league, season 1, round 2 of 3"."""
    title = f"{seated.game.title} · {seated.row.id}"
    if seated.row.round is None:
        return title
    one = LeagueRound.parse(seated.row.round)
    return f"{title} · {LEAGUES.format(season=one.season, round=one.round, rounds=one.rounds)}"


def whose(seated: LoadedMatch) -> str:
    """A match in a line, "Plexus · 12 · A – B", since boards of several matches in one place look alike."""
    return f"{seated.game.title} · {seated.id} · {' – '.join(person(player.user) for player in seated.players)}"


def seats(sight: Sight) -> str:
    """A line for each seat: its chip, who sits there, what it counts, and its score unless that is still secret. Many
    who are still playing stand side by side, so that their board fits a phone. Of two legs, whose lines say the rest,
    what both come to."""
    seated, ranks = sight.seated, sight.match.ranks
    if isinstance(sight.position, Legs):
        return both_legs(seated, sight.position, is_over(sight))
    abreast = ranks is None and seated.row.seats > 2
    lines: list[str] = []
    for seat, score in enumerate(sight.position.scores(), 1):
        side = f" · {seated.game.sides[seat - 1]}" if seated.game.sides else ""
        place = f" · {place_name(ranks[seat - 1])}" if ranks and len(ranks) > 2 else ""
        secret = seated.game.secret and ranks is None and seat != sight.viewer
        result = "" if secret or not seated.game.scored else f"{' ' if abreast else LAST}**{counted(score)}**"
        lines.append(f"{mention(seated, seat)}{side}{result}{place}")
    return (" · " if abreast else "\n").join(lines)


def both_legs(seated: LoadedMatch, legs: Legs, over: bool) -> str:
    """What both legs come to so far; nothing where no points are counted, or where the match was `over` earlier."""
    if not seated.game.scored or over and not all(map(legs.played_out, LEGS)):
        return ""
    each = (f"{mention(seated, seat)} **{counted(score)}**" for seat, score in enumerate(legs.scores(), 1))
    return (FEWEST_IN_BOTH if seated.game.lowest_wins else BOTH_LEGS).format(scores=" · ".join(each))


def leg(sight: Sight, leg: Leg) -> str:
    """The line above the pictures of a leg: whether it was played out, who plays which side of it, and how it stands.
    Of one that was never begun there is nothing to say."""
    legs, game = sight.position, sight.seated.game.once
    assert isinstance(legs, Legs) and game
    won = legs.won_by(leg)
    if legs.played_out(leg):
        head = LEG if len(won) == 1 else DRAWN_LEG
    elif not is_over(sight):
        head = LEG
    elif legs.made[leg - 1]:
        head = BROKEN_LEG
    else:
        return UNPLAYED_LEG.format(leg=leg)
    # On a phone names have room in one line: in that of the totals, if there is one.
    total = both_legs(sight.seated, legs, is_over(sight))
    scores, line = legs.scores_in(leg), [head.format(leg=leg)]
    for seat in (seat_in(leg, 1), seat_in(leg, 2)):
        sides = game.sides or (() if game.scored else FIRST_AND_SECOND)
        side = sides[seat_in(leg, seat) - 1].replace(" ", HELD) if sides else ""
        told = (SCORED_IN_LEG if side and game.scored else IN_LEG if side else POINTS_IN_LEG)[won == (seat,)]
        line.append(
            told.format(
                who=CHIPS[seat - 1] if total else mention(sight.seated, seat),
                side=side,
                score=counted(scores[seat - 1]),
            )
        )
    return " · ".join(line)


def is_over(sight: Sight) -> bool:
    """Whether what is seen is the end of a match, also of one that was called off."""
    whole = len(sight.record) == len(sight.seated.row.record)
    return sight.match.finished or sight.seated.row.state == "aborted" and whole


def thread_name(names: Sequence[str], title: str) -> str:
    """The name of a match's thread, by its people and its game: "Ann – Bea · Plexus · 12"."""
    said = [shortened(plain(name), fair(names, LONGEST_NAME - len(OVER) - units(title) - 3)) for name in names]
    return cut(" · ".join([*([" – ".join(said)] if said else []), title]), LONGEST_NAME)


def fair(names: Sequence[str], room: int) -> int:
    """How long each name may be so that all fit with the dashes between them."""
    return max(1, (room + 3) // len(names) - 3)


def plain(name: str) -> str:
    """A display name without mentions, markup and changes of the direction of writing."""
    kept = "".join(" " if one in MARKUP or unicodedata.category(one)[0] in "CZ" else one for one in name)
    return " ".join(kept.split()) or "somebody"


def place_name(rank: int) -> str:
    """A rank as people say it: 1st, 2nd, 3rd, 4th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def move(seated: LoadedMatch, text: str) -> str:
    """A move in a sentence: "**c4**", "**c4** in leg 2"."""
    return in_leg(seated, text, LegMove.parse(text).move if seated.game.once else text)


def in_leg(seated: LoadedMatch, text: str, said: str) -> str:
    """A move by other words than it was written in, with its leg where there are two."""
    leg = LegMove.parse(text).leg if seated.game.once else None
    return (MOVE_IN_LEG if leg else MOVE).format(move=unbroken(shortened(said)), leg=leg)


def status(sight: Sight) -> str:
    """Who is to move, or how the match ended."""
    seated, turn = sight.seated, sight.turn
    if not turn:
        return result(seated)
    lines = [" ".join(waiting(seated, turn))]
    if not sight.record and (weaker := capped(seated)):
        lines.append(f"-# {weaker}")
    if gone := tuple(player.seat for player in seated.missing if player.seat):
        others = tuple(player.seat for player in claims.waiting(seated) if player.seat)
        then = ON_WITHOUT.of(seated.row.seats - 1, names=mentions(seated, others)) if others else ""
        lines.append(f"-# {sentences(GONE.of(len(gone), names=mentions(seated, gone)), then)}")
    if seated.struck:
        lines.append(f"-# {NOT_COUNTED.of(len(seated.struck), names=together([person(one) for one in seated.struck]))}")
    if seated.row.awaits_thread:
        lines.append(f"-# {THREAD_LATER}")
    if seated.queued:
        lines.append(f"-# {seated.queued}")
    asking = tuple(player.seat for player in seated.players if player.consent and player.seat)
    if asking and seated.row.proposal is None:
        asked = calling_off.asked_to_abort(seated, seated.user_at(asking[0]))
        answering = tuple(player.seat for player in seated.players if player.user in asked and player.seat)
        wish = CALLING_OFF.of(len(asking), names=mentions(seated, asking))
        ends = ENDS_IF.of(len(answering), names=mentions(seated, answering)) if answering else ""
        lines.append(f"-# {sentences(wish, ends)}")
    return "\n".join(lines)


def waiting(seated: LoadedMatch, turn: tuple[Seat, ...]) -> list[str]:
    """Sentences about the seats to move: people, and computers that think."""
    thinking = tuple(seat for seat in turn if is_computer(seated.user_at(seat)))
    moving = tuple(seat for seat in turn if seat not in thinking)
    if seated.game.secret and len(moving) > 1 and moving == tuple(range(1, seated.folded.seats + 1)):
        return ["Both of you play now, in secret." if len(moving) == 2 else "All of you play now, in secret."]
    if len(moving) == 1 and (number := placed_next(seated, moving[0])) is not None:
        return [TO_PLACE.format(name=mentions(seated, moving), number=number)]
    told = [to_move(seated, moving)] if moving else []
    return [*told, *([THINKING.of(len(thinking), names=mentions(seated, thinking))] if thinking else [])]


def to_move(seated: LoadedMatch, seats: Sequence[Seat], name: Naming = mention) -> str:
    """Which people are to move; in two legs also where."""
    names, legs = [name(seated, seat) for seat in seats], seated.folded.position
    if not isinstance(legs, Legs):
        return TO_MOVE.of(len(seats), names=together(names))
    where = list(dict.fromkeys(legs.waiting(seat) for seat in seats))
    if len(where) > 1:
        first, second = sorted(zip(map(legs.waiting, seats), names, strict=True))
        return MOVE_EACH_LEG.format(first=first[1], second=second[1])
    told = MOVE_BOTH_LEGS if where == [LEGS] else MOVE_ONE_LEG
    return told.of(len(seats), names=together(names), leg=where[0][0])


def placed_next(seated: LoadedMatch, seat: Seat) -> int | None:
    """The number that a seat places with its move, where that is no choice; in two legs each has its own."""
    position, kinds = seated.folded.position, [kind for kind in seated.game.moves if kind.places and not kind.leg]
    return next((kind.places(position, seat) for kind in kinds if kind.places and kind.when(position, seat)), None)


def capped(seated: LoadedMatch) -> str:
    """The sentence that the computer has no higher level with these options; empty where it has."""
    level, row = computer_levels.level(seated.row), seated.row
    if level is None or level == LEVELS[-1] or level < computer_levels.highest(seated.game, row.options, row.seats):
        return ""
    return f"With these options, level {level} is the computer's best."


def handed(seated: LoadedMatch) -> list[str]:
    """Who has taken over a seat from whom, in lines; only the last change of each seat."""
    if seated.row.substitutions is None:
        return []
    last = {one.seat: one.user for one in handings(seated.row.substitutions)}
    lines = [f"{mention(seated, seat)} took over from {person(user)}." for seat, user in sorted(last.items())]
    return [*lines[:-1], f"{lines[-1]} The match is not rated."] if lines else []


def seat_choice(seated: LoadedMatch, seat: Seat, user: UserId, gone: Collection[UserId], name: str | None) -> str:
    """A seat as a suggestion, which shows no mentions: "Bea · ran out of time"; without a name, by its colour."""
    player = next(player for player in seated.players if player.seat == seat)
    told = [
        word
        for word, is_so in (
            ("yours", player.user == user),
            ("has left this server", player.user in gone),
            ("ran out of time", player.forfeit_at is not None),
            ("to move", seat in seated.turn and player.forfeit_at is None),
        )
        if is_so
    ]
    return shortened(" · ".join([shortened(name, 60) if name else colour(seat), *told]))


def result(seated: LoadedMatch, name: Naming = mention) -> str:
    """How a match ended, in a sentence: "Ann beat Bea 19 : 9.", and why it is not rated if it was to be."""
    return sentences(outcome(seated, name), unrated(seated, name))


def outcome(seated: LoadedMatch, name: Naming = mention) -> str:
    """How a match ended alone."""
    if seated.row.state == "aborted":
        return seated.row.close_reason or "The match was called off. It doesn't count."
    match = seated.folded
    if match.ranks is None:
        return ""
    if match.seats == 1:
        return _alone(seated, name(seated, 1))
    names = [name(seated, seat) for seat in range(1, match.seats + 1)]
    if match.seats > 2:
        return _of_several(match, names)
    return _of_two(match, names, {player.seat for player in seated.players if player.gone})


def placed(seated: LoadedMatch, name: Naming = mention) -> str:
    """Who came first, in the fewest words."""
    ranks = seated.folded.ranks or ()
    first = [name(seated, seat) for seat, rank in enumerate(ranks, 1) if rank == 1]
    if len(first) == len(ranks) == 2:
        return DREW.format(names=together(first))
    return PLACED[False, False].of(len(first), first=together(first))


def unrated(seated: LoadedMatch, name: Naming = mention) -> str:
    """Why a match that was to be rated is not; empty where it is, or was not to be."""
    idle = seated.unmoved
    if len(idle) == seated.row.seats:
        return NOBODY_MOVED[seated.in_league]
    names = together([name(seated, seat) for seat in idle])
    return NEVER_MOVED[seated.in_league].format(names=names) if idle else ""


def _alone(seated: LoadedMatch, who: str) -> str:
    """What somebody reached alone, and how far that is from the record."""
    score, best = seated.folded.scores[0], seated.best
    if best is None:
        return f"{who} reached {counted(score)}."
    if score >= best:
        return f"{who} reached {counted(score)}, the record here."
    return f"{who} reached {counted(score)}, {counted(best - score)} short of the record."


def _of_two(match: Match, names: list[str], gone: Collection[Seat | None]) -> str:
    ranks = [*(match.ranks or ())]
    if ranks.count(1) == len(ranks):
        if match.agreed:
            return f"{together(names)} agreed to a draw."
        return (
            f"{together(names)} drew {_scores(match, 1, 2)}."
            if match.game.scored
            else DREW.format(names=together(names))
        )
    first = ranks.index(1)
    winner, loser = names[first], names[1 - first]
    for line in match.standing:
        if isinstance(line, Withdrawal) and line.seat == 2 - first:
            if line.text == "resign":
                return f"{winner} beat {loser}, who resigned."
            if line.seat in gone:
                return f"{winner} beat {loser}, who left this server."
            return f"{winner} beat {loser}, who ran out of time."
    if not match.game.scored:
        return f"{winner} beat {loser}. {match.game.decided}".strip()
    scores = _scores(match, first + 1, 2 - first)
    if match.game.lowest_wins:
        return f"{winner} beat {loser} {scores}. The lower score wins."
    return f"{winner} beat {loser} {scores}."


def _scores(match: Match, one: Seat, other: Seat) -> str:
    """Two scores on one line: "19 : 9"."""
    return TO.join(counted(match.scores[seat - 1]) for seat in (one, other))


def _of_several(match: Match, names: list[str]) -> str:
    assert match.ranks is not None
    order = sorted(zip(match.ranks, match.scores, names, strict=True), key=lambda one: one[0])
    first = [name for rank, _, name in order if rank == 1]
    left = {
        line.seat: line.text
        for line in match.standing
        if isinstance(line, Withdrawal) and match.ranks[line.seat - 1] > 1
    }
    stayed = [one for seat, one in enumerate(zip(match.ranks, match.scores, names, strict=True), 1) if seat not in left]
    behind = [
        f"{name} ({counted(score)})" if match.game.scored else name
        for rank, score, name in sorted(stayed, key=lambda one: one[0])
        if rank > 1
    ]
    # What somebody has when all others are out says nothing.
    told = PLACED[match.game.scored and not match.agreed and (bool(behind) or not left), bool(behind)]
    out = [
        sentence.of(len(who), names=together(who))
        for word, sentence in OUT.items()
        if (who := [names[seat - 1] for seat, text in left.items() if (text == "resign") == (word == "resign")])
    ]
    ended = told.of(len(first), first=together(first), score=counted(order[0][1]), behind=together(behind))
    return sentences(ended, *out)
