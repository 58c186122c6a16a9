"""How a match stands, in sentences: headline, seats, who is to move, result."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from bot.games.game import Game
from bot.games.legs import LEGS, Leg, LegMove, Legs, get_single_game, seat_in
from bot.games.notation import keep_rows_whole
from bot.games.position import BOTH, LEVELS, Position, Seat, Viewer
from bot.games.reasons import SLIGHTLY, is_readable, measure_lead, shorten_product
from bot.games.wording import Plural, count_units, cut_text, join_sentences, join_words, shorten_text
from bot.platform.messages import LONGEST_NAME
from bot.play import challenges, claims
from bot.play.ids import UserId, is_computer
from bot.play.league_tables import LeagueRound, LeagueStanding
from bot.play.loaded_match import LoadedMatch, MatchView, mention_user
from bot.play.match import Match
from bot.play.record import Withdrawal, parse_handovers
from rendering.pages import seat_colour

CHIPS = "🟦🟧🟩🟪🟥🟫⬛🟨"
"""A chip for each seat, in the order of the seats' inks, which have the same colours on the boards
(`rendering.theme.HEX`). White would not be seen on paper, and yellow, least seen there, is the last."""
NARROW = "\N{NARROW NO-BREAK SPACE}"
HELD = "\N{NO-BREAK SPACE}"
GROUPS = re.compile("(?<=[0-9]) (?=[0-9]{3}(?![0-9]))")
"""The spaces between the groups of a long number: no line is broken there."""
TO = f"{HELD}:{HELD}"
"""Between the scores of two, which stay on one line."""
SCORE = "{score}"
"""In what a seat wants now, where it says of what its score is made."""
LAST = f" ·{HELD}"
"""Before a score that ends a line, so that it does not wrap onto a line of its own."""
ABREAST = 2
"""Players in a line where there are many: as few as a phone can show without breaking it."""
OVER, DONE = "✓ ", f"{HELD}✓"
"""The mark before the name of a thread whose match has ended, and behind a player who has finished."""
GOES_ON = "The match goes on here: {link}"
THREAD_LATER = "Discord makes no new thread right now. This match moves to one with a later board."
MARKUP = frozenset("@#<>*_~|`\\")
MOST_TEXT = 2000
"""The longest text of a plain message (Discord's limit)."""
TO_MOVE = Plural("{names} is to move.", "{names} are to move.")
YOUR_MOVE = "It's your move."
STILL_PLAYING = Plural("{names} is still playing.", "{names} are still playing.")
ONLY_YOU = "Only you are still playing."
FEW_STILL_PLAYING, MANY = "{number} of {seats} are still playing.", 3
"""The same in secret games, where nobody moves in turn; of more players than this the ticks say who has finished."""
MOVE_ONE_LEG = Plural("{names} is to move in leg {leg}.", "{names} are to move in leg {leg}.")
MOVE_BOTH_LEGS = Plural("{names} is to move in both legs.", "{names} are to move in both legs.")
MOVE_EACH_LEG = "To move: {first} in leg 1, {second} in leg 2."
IN_MATCH = "match {match}"
WITH_MATCH = "{line} · match {match}"
LEG, SMALL_LEG = "**Leg {leg}**", "-# **Leg {leg}**"
GOES_FIRST, WENT_FIRST = "{name} goes first", "{name} went first"
LEG_OVER, DRAWN_LEG = "over", "a draw"
BROKEN_LEG, UNPLAYED_LEG = "not finished", "not played"
"""How far a leg is."""
BOTH_LEGS, BOTH_PRODUCTS = "-# leg 1 + leg 2", "-# the sum of both legs decides"
SUM, IN_ONE_LEG, WON_LEG = "{one} + {other} = **{total}**", "**{score}** in leg {leg}", "won leg {leg}"
"""How a player stands in both legs, and what stands above sums."""
IT_IS_LEVEL, HAS, HAVE = "the products are equal", ("has", "still has"), ("have", "still have")
LEADS, WHOSE, YOU, YOUR = "{who} {has} {times} {whose} product", "{name}'s", "you", "your"
"""How two products compare."""
IN_LEAGUE = "[League]({link}), season {season}, round {round} of {rounds}"
LEAGUES = "league, season {season}, round {round} of {rounds}"
FROM_MATCH = "This match goes on from match {match}, after move {move}."
FROM_RECORD = "This match goes on from an imported record, after move {move}."
OPENS_IN_LEG = "Leg {leg} · {opening}"
MOVE, MOVES_IN_LEG = "**{move}**", "{moves} in leg {leg}"
TO_PLACE, PLACE_IN_LEG = "{name}, place your {number}.", "{name}, place your {number} in leg {leg}."
PLACE_IN_BOTH = "{name}, place your {number} in leg 1 and your {second} in leg 2."
PLACE_EACH = "To place: {name} {number} in leg 1, {other} {second} in leg 2."
PLACE_SAME = "To place {number}: {name} in leg 1, {other} in leg 2."
THINKING = Plural("{names} is thinking …", "{names} are thinking …")
CALLING_OFF = Plural("{names} wants to call the match off.", "{names} want to call the match off.")
ENDS_IF = Plural("It ends if {names} agrees.", "It ends if {names} agree.")
GONE = Plural("{names} has left this server.", "{names} have left this server.")
ON_WITHOUT = Plural(
    "{names} can claim the match, name a substitute or call it off.",
    "{names} can go on without them (Claim), name a substitute or call the match off.",
)
"""What players can do who wait for one who has left the server."""
PLACED: Mapping[tuple[bool, bool], Plural] = {
    (True, True): Plural(
        "{first} won with {score}, ahead of {behind}.", "{first} share first place with {score}, ahead of {behind}."
    ),
    (True, False): Plural("{first} won with {score}.", "{first} share first place with {score}."),
    (False, True): Plural("{first} won, ahead of {behind}.", "{first} share first place, ahead of {behind}."),
    (False, False): Plural("{first} won.", "{first} share first place."),
}
"""How a match of several ended: whether with scores, and whether a player who finished came behind."""
DREW, LOWER = "{names} drew.", "The lower score wins."
WITH_PRODUCT, WITH_SLIGHTLY = "{winner} beat {loser} with {times} the {what}.", "{winner} beat {loser} by a little."
OUT: Mapping[str, Plural] = {
    "resign": Plural("{names} resigned.", "{names} resigned."),
    "timeout": Plural("{names} ran out of time.", "{names} ran out of time."),
}
"""The part about players who did not finish."""
STRUCK = {
    True: "{names} left the league, so it doesn't count this match. It goes on, and is still rated.",
    False: "{names} left the league, so it doesn't count this match.",
}
"""By whether the match is still played."""
VOID = {
    "late": "The league doesn't count it: it wasn't finished in time.",
    "off": "The league was called off and doesn't count it.",
}
"""Why a match doesn't count in its league. That may change, so it is said where it can be edited."""
NOBODY_MOVED = ("Not rated: nobody had moved.", "Not rated, though the league counts it: nobody had moved.")
NEVER_MOVED = ("Not rated: {names} hadn't moved.", "Not rated, though the league counts it: {names} hadn't moved.")
"""Why a match that was to be rated is not: outside of a league, and in one."""


def format_list(
    head: str, lines: Sequence[str], foot: str = "", total: int | None = None, *, small: str = "-# "
) -> str:
    """A message of as many whole lines as fit, and the number of those that are left out, of `total` in all. `small`:
    the prefix of small print, where there is markup."""

    def text(shown: int) -> str:
        left = (len(lines) if total is None else total) - shown
        more = f"{small}… and {left} more." if left else ""
        return "\n".join(line for line in (head, *lines[:shown], more, foot) if line)

    return next(
        found for shown in range(len(lines), -1, -1) if count_units(found := text(shown)) <= MOST_TEXT or not shown
    )


def format_number(number: int) -> str:
    """With digits in groups of three."""
    return f"{number:,}".replace(",", NARROW)


def format_player(loaded: LoadedMatch, seat: Seat) -> str:
    """The player of a seat, behind the chip of the seat. Only where a line begins: Discord draws the chip as an image,
    beside which browsers break a line whatever space stands between."""
    return f"{CHIPS[seat - 1]}{HELD}{format_mention(loaded, seat)}"


def format_mention(loaded: LoadedMatch, seat: Seat) -> str:
    """The player of a seat in a sentence."""
    return mention_user(loaded.user_at(seat))


def format_mentions(loaded: LoadedMatch, seats: tuple[Seat, ...]) -> str:
    """Several seats in a sentence: "A, B and C"."""
    return join_words([format_mention(loaded, seat) for seat in seats])


def describe_colours(loaded: LoadedMatch) -> str:
    """The players' colours on a picture, for screen readers: "Ann is blue and Bea is orange."."""
    people = enumerate((player.user for player in loaded.players), 1)
    return f"{join_words([f'{mention_user(user)} is {seat_colour(seat)}' for seat, user in people])}."


def format_headline(loaded: LoadedMatch, progress: str = "") -> str:
    """The headline of a board: the game, and what is counted in it or the number of the match."""
    number = IN_MATCH.format(match=loaded.id).replace(" ", HELD) if loaded.id else "imported record"
    wins = loaded.game.wins if loaded.row.state != "finished" else ""
    return " · ".join(filter(None, (f"### {loaded.game.title}{HELD}· {progress or number}", wins)))


def describe_origin(loaded: LoadedMatch) -> list[str]:
    """The line about the match from which this one goes on; none where it began without moves."""
    row = loaded.row
    said = FROM_MATCH if row.source_match else FROM_RECORD
    return [said.format(match=row.source_match, move=row.imported_plies)] if row.imported_plies else []


def describe_league(loaded: LoadedMatch) -> list[str]:
    """The line about the league of a match with a link to the table; none where it is of no league."""
    if loaded.row.round is None:
        return []
    one = LeagueRound.parse(loaded.row.round)
    return [IN_LEAGUE.format(link=one.link, season=one.season, round=one.round, rounds=one.rounds)]


def format_thread_title(loaded: LoadedMatch) -> str:
    """The end of a thread's name: "Plexus · 12", "Plexus · 12 · league, season 1, round 2 of 3"."""
    title = f"{loaded.game.title} · {loaded.row.id}"
    if loaded.row.round is None:
        return title
    one = LeagueRound.parse(loaded.row.round)
    return f"{title} · {LEAGUES.format(season=one.season, round=one.round, rounds=one.rounds)}"


def format_match_line(loaded: LoadedMatch) -> str:
    """A match in a line, "Plexus · 12 · A – B", since boards of several matches in one place look alike."""
    return f"{loaded.game.title} · {loaded.id} · {' – '.join(mention_user(player.user) for player in loaded.players)}"


def format_seats(sight: MatchView, scored: bool = True) -> str:
    """A line for each seat: its chip, its player, what it counts, and its score unless that is still secret, or not to
    be told. Two share a line of more than two, so that their board fits a phone, and where nothing else is said. Of two
    legs the totals."""
    loaded = sight.loaded
    if isinstance(sight.position, Legs):
        return format_totals(sight)
    sides = loaded.game.sides or sight.position.roles
    abreast, lines = loaded.row.seats > 2 or not (scored or sides), list[str]()
    for seat, score in enumerate(format_scores(loaded.game, sight.position.scores()), 1):
        side = shorten_side(sides[seat - 1]) if sides else ""
        told = f"**{score}**" if score and scored and is_score_known(sight, seat) else ""
        if SCORE in side:
            side, told = LAST.join(part.replace(" ", HELD) for part in side.split(" · ")).format(score=told), ""
        result = f"{':' + HELD if abreast else LAST}{told}" if told else ""
        done = DONE if has_finished(sight, seat) else ""
        lines.append(f"{format_player(loaded, seat)}{done}{f' · {side}' if side else ''}{result}")
    if abreast:
        lines = [" · ".join(lines[at : at + ABREAST]) for at in range(0, len(lines), ABREAST)]
    return "\n".join(lines)


def has_finished(sight: MatchView, seat: Seat) -> bool:
    """Whether a seat of a secret match is done, or out of it, while others still play."""
    return sight.loaded.game.secret and bool(sight.turn) and seat not in sight.turn


def is_score_known(sight: MatchView, seat: Seat) -> bool:
    """Whether the score of a seat says anything yet, and the viewer may know it."""
    secret = sight.loaded.game.secret and sight.match.ranks is None and seat != sight.viewer
    return not secret and sight.position.has_score(seat)


def tells_scores(loaded: LoadedMatch) -> bool:
    """Whether the sentence about the end of a match of two has both scores."""
    return loaded.row.seats == 2 and TO in describe_outcome(loaded)


def has_totals(loaded: LoadedMatch, legs: Legs, over: bool) -> bool:
    """Whether totals of both legs can be told: not where no points are counted, or somebody has no score yet in one of
    them, or where the match was `over` earlier."""
    if not loaded.game.scored or over and not all(map(legs.is_played_out, LEGS)):
        return False
    return all(has_score_in(legs, leg, seat) for leg in LEGS for seat in BOTH)


def has_score_in(legs: Legs, leg: Leg, seat: Seat) -> bool:
    """Whether the score of a seat in a leg says anything yet: not before the first move there."""
    return bool(legs.made[leg - 1]) and legs.get_position(leg).has_score(seat_in(leg, seat))


def format_scores(game: Game, scores: Sequence[int]) -> list[str]:
    """The scores of all seats with what they count; nothing in a game without scores."""
    once = get_single_game(game)
    if not game.scored:
        return [""] * len(scores)
    return [once.unit.fill_in(score) if once.unit else format_score(once, score, scores) for score in scores]


def format_score(game: Game, score: int, scores: Sequence[int] = ()) -> str:
    """One of some scores as a number; products of which one is too large to be compared at sight are shortened."""
    if not game.products:
        return format_number(score)
    return GROUPS.sub(NARROW, shorten_product(score, max(scores, default=0)))


def shorten_side(side: str) -> str:
    """What a seat counts, where the game says of what: "rows" for "flips in rows"."""
    return re.sub("^.* in ", "", side)


def compare_products(scores: Sequence[int], names: Mapping[Seat, str], *, still: bool = False) -> str:
    """Which of two players has how many times the other's product, perhaps `still`: "Ann has 12 times Bea's product",
    "you have 12 times Bea's product"."""
    if scores[0] == scores[1]:
        return IT_IS_LEVEL
    ahead = 1 if scores[0] > scores[1] else 2
    who, other = names[ahead], names[3 - ahead]
    has, whose = (HAVE if who == YOU else HAS)[still], YOUR if other == YOU else WHOSE.format(name=other)
    times = measure_lead(max(scores), min(scores))
    return GROUPS.sub(NARROW, LEADS.format(who=who, has=has, times=times, whose=whose))


def format_totals(sight: MatchView) -> str:
    """A line for each player of two legs: how they stand in each, and in both; where nothing is scored, which they have
    won."""
    legs, loaded = sight.position, sight.loaded
    assert isinstance(legs, Legs) and loaded.game.single
    whole = has_totals(loaded, legs, is_over(sight))
    each, totals = [format_scores(loaded.game, legs.scores_in(leg)) for leg in LEGS], legs.scores()
    # A sum of products is told alone: its line has no space for them.
    products = loaded.game.single.products
    lines = [BOTH_PRODUCTS if products else BOTH_LEGS] if whole else []
    for seat in BOTH:
        known = [leg for leg in LEGS if has_score_in(legs, leg, seat) and each[leg - 1][seat - 1]]
        numbers = [format_score(loaded.game.single, legs.scores_in(leg)[seat - 1]) for leg in LEGS]
        if not loaded.game.scored:
            told = " · ".join(WON_LEG.format(leg=leg) for leg in LEGS if legs.find_winners(leg) == (seat,))
        elif whole and products:
            told = f"**{format_score(loaded.game.single, totals[seat - 1], totals)}**"
        elif len(known) == len(LEGS):
            told = SUM.format(one=numbers[0], other=numbers[1], total=format_number(totals[seat - 1]))
        else:
            told = " · ".join(IN_ONE_LEG.format(score=numbers[leg - 1], leg=leg) for leg in known)
        lines.append(f"{format_player(loaded, seat)}{f' · {told}' if told else ''}")
    return "\n".join(lines)


def format_leg(sight: MatchView, leg: Leg, small: bool = False) -> str:
    """The line about a leg, above its picture or beside its `small` one: how far it is, and who plays what in it; one
    of these where there is little space."""
    legs, loaded = sight.position, sight.loaded
    assert isinstance(legs, Legs) and loaded.game.single
    sides, head = loaded.game.single.sides, (SMALL_LEG if small else LEG).format(leg=leg)
    if is_over(sight) and not legs.made[leg - 1]:
        return f"{head} · {UNPLAYED_LEG}"
    if sides:
        told = (1,) if small or any(" " in shorten_side(side) for side in sides) else BOTH
        role = join_words(
            (f"{format_mention(loaded, seat)} {shorten_side(sides[seat_in(leg, seat) - 1])}" for seat in told), ", "
        )
    else:
        first = format_mention(loaded, seat_in(leg, 1))
        role = GOES_FIRST if legs.get_position(leg).turn else WENT_FIRST if is_over(sight) else ""
        role = role.format(name=first)
    state = describe_leg_state(sight, leg)
    if sides and state and state == legs.get_position(leg).progress:
        state = ""  # both would not fit a line
    if small and not is_over(sight):
        line = f"{head} · {role if legs.get_position(leg).turn else state}"
    else:
        line = " · ".join(filter(None, (head, state, role)))
    if not loaded.game.single.products or not legs.made[leg - 1]:
        return line
    return f"{line}\n-# {TO.join(format_scores(loaded.game, legs.scores_in(leg)))}"


def describe_leg_state(sight: MatchView, leg: Leg) -> str:
    """How far a leg is: what is counted in it, or that it is over."""
    legs, loaded = sight.position, sight.loaded
    assert isinstance(legs, Legs)
    if not legs.is_played_out(leg):
        return BROKEN_LEG if is_over(sight) else legs.get_position(leg).progress
    if not loaded.game.scored and len(legs.find_winners(leg)) != 1:
        return DRAWN_LEG
    return "" if is_over(sight) else LEG_OVER


def is_over(sight: MatchView) -> bool:
    """Whether the viewer sees the end of a match, also of one that was called off."""
    whole = len(sight.record) == len(sight.loaded.row.record)
    return sight.match.is_over or sight.loaded.row.state == "aborted" and whole


def format_thread_name(names: Sequence[str], title: str) -> str:
    """The name of a match's thread, by its players and its game: "Ann – Bea · Plexus · 12"."""
    said, most = [strip_markup(name) for name in names], LONGEST_NAME - len(OVER) - count_units(title) - 3
    if count_units(" – ".join(said)) > most:
        said = [shorten_text(name, compute_name_length(names, most)) for name in said]
    return cut_text(" · ".join([*([" – ".join(said)] if said else []), title]), LONGEST_NAME)


def compute_name_length(names: Sequence[str], most: int) -> int:
    """The longest each name may be so that all fit with the dashes between them."""
    return max(1, (most + 3) // len(names) - 3)


def strip_markup(name: str) -> str:
    """A display name without mentions, markup and changes of the direction of writing."""
    kept = "".join(" " if one in MARKUP or unicodedata.category(one)[0] in "CZ" else one for one in name)
    return " ".join(kept.split()) or "somebody"


def format_place(rank: int) -> str:
    """An ordinal: 1st, 2nd, 3rd, 4th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def format_move(loaded: LoadedMatch, text: str) -> str:
    """A move in a sentence: "**c4**", "**c4** in leg 2"."""
    return format_moves(loaded, [text])


def format_moves(loaded: LoadedMatch, texts: Iterable[str]) -> str:
    """Several moves in a sentence."""
    return join_by_leg((find_leg(loaded, text), format_bold(strip_leg(loaded, text))) for text in texts)


def format_bold(said: str) -> str:
    """The words of a move in bold, shortened."""
    return MOVE.format(move=keep_rows_whole(shorten_text(said)))


def strip_leg(loaded: LoadedMatch, text: str) -> str:
    """A move as it was written, without its leg."""
    return LegMove.parse(text).move if loaded.game.single else text


def find_leg(loaded: LoadedMatch, text: str) -> Leg | None:
    """The leg of a move, where there are two."""
    return LegMove.parse(text).leg if loaded.game.single else None


def describe_openings(
    loaded: LoadedMatch, reader: UserId | None = None, seen: Position | None = None
) -> list[str]:  # fmt: skip
    """The rounds and phases that begin, of two legs that which the last turn has begun there, with its leg; as their
    `reader` reads it who begins, and as a viewer has `seen` the position."""
    position, before = loaded.begun_match.position, loaded.before.position if loaded.before else None
    if isinstance(position, Legs):
        known = [before.get_position(leg).opening if isinstance(before, Legs) else None for leg in LEGS]
        found = zip(position.numbered_legs, known, strict=True)
        begun = [(leg, one) for (leg, one), then in found if one.opening != then]
        each = [(leg, describe_opening(loaded, one, leg, reader)) for leg, one in begun]
        return [OPENS_IN_LEG.format(leg=leg, opening=told) for leg, told in each if told]
    told = describe_opening(loaded, seen or position, reader=reader)
    return [told] if told else []


def describe_opening(loaded: LoadedMatch, position: Position, leg: Leg = 0, reader: UserId | None = None) -> str:
    """The round or phase that begins in a position, that of a leg in the leg's own seats; empty without one."""
    opening = position.opening
    if opening is None:
        return ""
    seat = seat_in(leg, opening.seat) if leg else opening.seat
    if not seat:
        return opening.told
    return opening.own if loaded.user_at(seat) == reader else opening.told.format(name=format_mention(loaded, seat))


def join_by_leg(moves: Iterable[tuple[Leg | None, str]]) -> str:
    """Moves in a sentence, of those in one leg with the leg said once: "**c4** and **d3** in leg 2"."""
    each = [(leg, join_words([said for _, said in told])) for leg, told in groupby(moves, key=lambda one: one[0])]
    return join_words([MOVES_IN_LEG.format(moves=told, leg=leg) if leg else told for leg, told in each])


def describe_status(sight: MatchView) -> str:
    """Who is to move, or how the match ended."""
    loaded, turn = sight.loaded, sight.turn
    if not turn:
        return describe_result(loaded)
    lines = [" ".join(describe_waiting(loaded, turn, sight.position, sight.viewer))]
    if certain := describe_certain(loaded):
        lines[0] = join_sentences(lines[0], certain)
    if not sight.record and (weaker := describe_level_cap(loaded)):
        lines.append(f"-# {weaker}")
    if gone := tuple(player.seat for player in loaded.missing_players if player.seat):
        others = tuple(player.seat for player in claims.list_waiting_players(loaded) if player.seat)
        then = ON_WITHOUT.fill_in(loaded.row.seats - 1, names=format_mentions(loaded, others)) if others else ""
        lines.append(f"-# {join_sentences(GONE.fill_in(len(gone), names=format_mentions(loaded, gone)), then)}")
    if uncounted := explain_uncounted(loaded):
        lines.append(f"-# {uncounted}")
    if loaded.row.awaits_thread:
        lines.append(f"-# {THREAD_LATER}")
    if loaded.queued:
        lines.append(f"-# {loaded.queued}")
    asking = tuple(player.seat for player in loaded.players if player.consent and player.seat)
    if asking and loaded.row.proposal is None:
        asked = claims.asked_to_abort(loaded, loaded.user_at(asking[0]))
        answering = tuple(player.seat for player in loaded.players if player.user in asked and player.seat)
        wish = CALLING_OFF.fill_in(len(asking), names=format_mentions(loaded, asking))
        ends = ENDS_IF.fill_in(len(answering), names=format_mentions(loaded, answering)) if answering else ""
        lines.append(f"-# {join_sentences(wish, ends)}")
    return "\n".join(filter(None, lines))


def describe_waiting(
    loaded: LoadedMatch, turn: tuple[Seat, ...], seen: Position | None = None, viewer: Viewer = None
) -> list[str]:
    """Sentences about the seats to move: players, and computers that think; of a round or phase who begins it. Who
    works in secret is not told that of themselves."""
    thinking = tuple(seat for seat in turn if is_computer(loaded.user_at(seat)))
    moving = tuple(seat for seat in turn if seat not in thinking)
    told, position = describe_openings(loaded, seen=seen), loaded.begun_match.position
    if loaded.game.secret and len(moving) > 1 and moving == tuple(range(1, loaded.begun_match.seats + 1)):
        return [*told, "Both play now, in secret." if len(moving) == 2 else "All play now, in secret."]
    if moving and (placing := describe_placing(loaded, moving)):
        return [
            placing,
            *([THINKING.fill_in(len(thinking), names=format_mentions(loaded, thinking))] if thinking else []),
        ]
    if loaded.game.secret and moving == (viewer,) and loaded.row.seats > 1:
        return [*told, ONLY_YOU]
    moving = tuple(seat for seat in moving if seat != viewer) if loaded.game.secret else moving
    if moving and (not told or loaded.game.secret or isinstance(position, Legs)):
        told.append(describe_movers(loaded, moving, viewer))
    return [*told, *([THINKING.fill_in(len(thinking), names=format_mentions(loaded, thinking))] if thinking else [])]


def describe_movers(loaded: LoadedMatch, seats: tuple[Seat, ...], viewer: Viewer = None) -> str:
    """Which players are to move; in two legs also where."""
    names, legs = [format_mention(loaded, seat) for seat in seats], loaded.begun_match.position
    if not isinstance(legs, Legs):
        if seats == (viewer,) and not loaded.game.secret:
            return YOUR_MOVE
        all_seats, playing = loaded.row.seats, len(loaded.turn)
        if loaded.game.secret and all_seats > MANY and playing > 1:
            return FEW_STILL_PLAYING.format(number=playing, seats=all_seats)
        told = STILL_PLAYING if loaded.game.secret and loaded.row.seats > 1 else TO_MOVE
        return told.fill_in(len(seats), names=join_words(names))
    where = list(dict.fromkeys(legs.list_waiting_legs(seat) for seat in seats))
    if len(where) > 1:
        first, second = sorted(zip(map(legs.list_waiting_legs, seats), names, strict=True))
        return MOVE_EACH_LEG.format(first=first[1], second=second[1])
    told = MOVE_BOTH_LEGS if where == [LEGS] else MOVE_ONE_LEG
    return told.fill_in(len(seats), names=join_words(names), leg=where[0][0])


def describe_certain(loaded: LoadedMatch) -> str:
    """What is certain of the result of a match that is played; of two legs nothing is said, as their sum decides."""
    position = loaded.begun_match.position
    return position.explain_certain(lambda seat: format_mention(loaded, seat))


def describe_placing(loaded: LoadedMatch, seats: Sequence[Seat]) -> str:
    """Which number each of one or two seats is to place, in two legs also where; empty where that is a choice."""
    found = [(leg, seat, number) for seat in seats for leg, number in list_next_numbers(loaded, seat)]
    names = {seat: format_mention(loaded, seat) for seat in seats}
    match sorted(found):
        case [(0, seat, number)]:
            return TO_PLACE.format(name=names[seat], number=number)
        case [(leg, seat, number)]:
            return PLACE_IN_LEG.format(name=names[seat], number=number, leg=leg)
        case [(1, seat, number), (2, other, second)] if seat == other:
            return PLACE_IN_BOTH.format(name=names[seat], number=number, second=second)
        case [(1, seat, number), (2, other, second)]:
            placing = PLACE_SAME if number == second else PLACE_EACH
            return placing.format(name=names[seat], other=names[other], number=number, second=second)
        case _:
            return ""


def list_next_numbers(loaded: LoadedMatch, seat: Seat) -> list[tuple[Leg, int]]:
    """The numbers that a seat places with its next move, where they are no choice, each with its leg."""
    position = loaded.begun_match.position
    kinds = [kind for kind in loaded.game.moves if kind.places and kind.when(position, seat)]
    numbers = ((kind.leg, kind.places(position, seat)) for kind in kinds if kind.places)
    return [(leg, number) for leg, number in numbers if number is not None]


def describe_level_cap(loaded: LoadedMatch) -> str:
    """The sentence that the computer has no higher level with these options; empty where it has."""
    level, row = challenges.find_match_level(loaded.row), loaded.row
    if (
        level is None
        or level == LEVELS[-1]
        or level < challenges.find_highest_level(loaded.game, row.options, row.seats)
    ):
        return ""
    return f"With these options, level {level} is the computer's best."


def describe_handovers(loaded: LoadedMatch) -> list[str]:
    """The lines about seats that were taken over; only the last change of each seat."""
    if loaded.row.substitutions is None:
        return []
    last = {one.seat: one.user for one in parse_handovers(loaded.row.substitutions)}
    lines = [
        f"{format_mention(loaded, seat)} took over from {mention_user(user)}." for seat, user in sorted(last.items())
    ]
    return [*lines[:-1], f"{lines[-1]} The match is not rated."] if lines else []


def format_seat_choice(
    loaded: LoadedMatch, seat: Seat, user: UserId, gone: Collection[UserId], name: str | None
) -> str:
    """A seat as a suggestion, which shows no mentions: "Bea · ran out of time"; without a name, by its colour."""
    player = next(player for player in loaded.players if player.seat == seat)
    told = [
        word
        for word, is_so in (
            ("yours", player.user == user),
            ("has left this server", player.user in gone),
            ("ran out of time", player.forfeit_at is not None),
            ("to move", seat in loaded.turn and player.forfeit_at is None),
        )
        if is_so
    ]
    return shorten_text(" · ".join([shorten_text(name, 60) if name else seat_colour(seat), *told]))


def describe_result(loaded: LoadedMatch) -> str:
    """How a match ended, in sentences: "Ann beat Bea 19 : 9.", by what, why it is not rated if it was to be, and
    whether its league counts it."""
    return join_sentences(describe_outcome(loaded), describe_reason(loaded), explain_counting(loaded))


def explain_counting(loaded: LoadedMatch) -> str:
    """Why a match is not rated that was to be, and whether its league counts it."""
    return join_sentences(explain_unrated(loaded, loaded.league == LeagueStanding()), explain_uncounted(loaded))


def describe_lasting_result(loaded: LoadedMatch) -> str:
    """The same without its league, for messages that stay and are not edited."""
    return join_sentences(describe_outcome(loaded), describe_reason(loaded), explain_unrated(loaded))


def describe_reason(loaded: LoadedMatch) -> str:
    """By what a match was decided that the rules have ended; empty where they did not, and where it was played
    alone."""
    if loaded.row.state != "finished" or loaded.begun_match.ending_kind != "play" or loaded.row.seats == 1:
        return ""
    match = loaded.begun_match
    why = match.position.explain_result(lambda seat: format_mention(loaded, seat))
    decided = match.game.lowest_wins and len(match.position.winners) < match.seats
    lower = LOWER if decided and (match.game.single or not why) else ""
    return join_sentences(lower, GROUPS.sub(NARROW, why).replace(" = ", f"{HELD}= "))


def describe_outcome(loaded: LoadedMatch) -> str:
    """How a match ended, without the sentence about its rating."""
    if loaded.row.state == "aborted":
        return loaded.row.close_reason or "The match was called off. It doesn't count."
    match = loaded.begun_match
    if match.ranks is None:
        return ""
    if match.seats == 1:
        return _describe_solo(loaded, format_mention(loaded, 1))
    names = [format_mention(loaded, seat) for seat in range(1, match.seats + 1)]
    if match.seats > 2:
        return _describe_several(match, names)
    return _describe_two(match, names, {player.seat for player in loaded.players if player.gone})


def describe_lead(loaded: LoadedMatch) -> str:
    """How a match ended, above the line of each player: of many who played to the end who won and who came next."""
    match = loaded.begun_match
    if match.seats < 3 or match.ranks is None or match.withdrawn_seats:
        return describe_outcome(loaded)
    names = [format_mention(loaded, seat) for seat in range(1, match.seats + 1)]
    return _describe_several(match, names, most=1)


def describe_winner(loaded: LoadedMatch) -> str:
    """Who came first, in the fewest words."""
    ranks = loaded.begun_match.ranks or ()
    first = [format_mention(loaded, seat) for seat, rank in enumerate(ranks, 1) if rank == 1]
    if len(first) == len(ranks) == 2:
        return DREW.format(names=join_words(first))
    return PLACED[False, False].fill_in(len(first), first=join_words(first))


def explain_unrated(loaded: LoadedMatch, counts: bool = False) -> str:
    """Why a match that was to be rated is not; empty where it is, or was not to be. `counts`: say that its league
    counts it all the same."""
    idle = loaded.unmoved_seats
    if not idle:
        return ""
    told = NOBODY_MOVED if len(idle) == loaded.row.seats else NEVER_MOVED
    return told[counts].format(names=join_words([format_mention(loaded, seat) for seat in idle]))


def explain_uncounted(loaded: LoadedMatch) -> str:
    """Why the league of a match does not count it; empty where it does, or may still."""
    if loaded.league is None:
        return ""
    if loaded.league.struck:
        return STRUCK[loaded.row.state == "live"].format(names=join_words(map(mention_user, loaded.league.struck)))
    return VOID[loaded.league.void] if loaded.league.void else ""


def _describe_solo(loaded: LoadedMatch, who: str) -> str:
    """The score of a solo match, and how far it is from the record."""
    score, best = loaded.begun_match.scores[0], loaded.best
    if best is None:
        return f"{who} reached {format_number(score)}."
    if score >= best:
        return f"{who} reached {format_number(score)}, the record here."
    return f"{who} reached {format_number(score)}, {format_number(best - score)} short of the record."


def _describe_two(match: Match, names: list[str], gone: Collection[Seat | None]) -> str:
    ranks = [*(match.ranks or ())]
    if ranks.count(1) == len(ranks):
        if match.agreed:
            return f"{join_words(names)} agreed to a draw."
        scores = _format_scores(match, 1, 2)
        return f"{join_words(names)} drew {scores}." if scores else DREW.format(names=join_words(names))
    first = ranks.index(1)
    winner, loser = names[first], names[1 - first]
    for line in match.standing:
        if isinstance(line, Withdrawal) and line.seat == 2 - first:
            if line.text == "resign":
                return f"{winner} beat {loser}, who resigned."
            if line.seat in gone:
                return f"{winner} beat {loser}, who left this server."
            return f"{winner} beat {loser}, who ran out of time."
    if get_single_game(match.game).products and not is_readable(match.scores):
        times = GROUPS.sub(NARROW, measure_lead(max(match.scores), min(match.scores)))
        told, what = WITH_SLIGHTLY if times == SLIGHTLY else WITH_PRODUCT, "score" if match.game.single else "product"
        return told.format(winner=winner, loser=loser, times=times, what=what)
    scores = _format_scores(match, first + 1, 2 - first)
    return f"{winner} beat {loser} {scores}." if scores else f"{winner} beat {loser}."


def _format_scores(match: Match, one: Seat, other: Seat) -> str:
    """Two scores on one line: "19 : 9"; in a game without scores the legs won, or nothing."""
    scores, legs = match.scores, match.position
    if not match.game.scored:
        if not isinstance(legs, Legs) or any(len(legs.find_winners(leg)) != 1 for leg in LEGS):
            return ""
        scores = [sum(legs.find_winners(leg) == (seat,) for leg in LEGS) for seat in BOTH]
    return TO.join(format_score(get_single_game(match.game), scores[seat - 1]) for seat in (one, other))


def _describe_several(match: Match, names: list[str], most: int | None = None) -> str:
    """How a match of several ended. `most`: those who came behind are named only if no more than these came next."""
    assert match.ranks is not None
    order = sorted(zip(match.ranks, match.scores, names, strict=True), key=lambda one: one[0])
    first = [name for rank, _, name in order if rank == 1]
    left = {
        line.seat: line.text
        for line in match.standing
        if isinstance(line, Withdrawal) and match.ranks[line.seat - 1] > 1
    }
    stayed = [one for seat, one in enumerate(zip(match.ranks, match.scores, names, strict=True), 1) if seat not in left]
    second = min((rank for rank, _, _ in stayed if rank > 1), default=0)
    behind = [
        f"{name} ({format_number(score)})" if match.game.scored else name
        for rank, score, name in sorted(stayed, key=lambda one: one[0])
        if rank > 1 and (most is None or rank == second)
    ]
    if not match.game.scored and len({rank for rank, _, _ in stayed}) == 2 or most and len(behind) > most:
        behind = []  # nobody was ahead of another of the others
    # A player's score when all others have left tells nothing.
    told = PLACED[match.game.scored and not match.agreed and (bool(behind) or not left), bool(behind)]
    out = [
        sentence.fill_in(len(who), names=join_words(who))
        for word, sentence in OUT.items()
        if (who := [names[seat - 1] for seat, text in left.items() if (text == "resign") == (word == "resign")])
    ]
    ended = told.fill_in(
        len(first), first=join_words(first), score=format_number(order[0][1]), behind=join_words(behind)
    )
    return join_sentences(ended, *out)
