"""The terms of a challenge, the computer's levels and seats, and quick games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.engine import levels
from bot.engine.levels import SearchQuestion, Thought, make_budget
from bot.games.game import Game
from bot.games.legs import expect_legs
from bot.games.options import BadOptions
from bot.games.position import LEVELS, Seat
from bot.play import rows
from bot.play.acts import (
    OPEN_FOR,
    NotPossibleNow,
    NotYours,
    Outcome,
    StaleBoard,
    begin_match,
    configure_options,
    exclude_gone,
    expect_open,
    expect_seat,
    list_others,
)
from bot.play.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    UserId,
    choose_free_computer,
    is_computer,
    level_of,
    make_act_id,
    make_computer_user,
)
from bot.play.loaded_match import (
    LoadedMatch,
    MatchView,
    Proposal,
    Refusal,
    RefusedProposal,
    format_refusals,
    mention_user,
)
from bot.play.match import Match
from bot.play.proposals import expect_askable, expect_voter, put_proposal, recent_refusals
from bot.play.ratings import GameLosses, LevelAdvice, LossRate, ResultAgainstComputer, advise_level
from bot.play.record import Entry, parse_handovers
from bot.play.rows import MatchRow, NewMatch, Seating

# Computer levels: those offered in a match, by its game and options, and the one that suits a user.


def find_highest_level(game: Game, options: Mapping[str, int | str], seats: int) -> int:
    """The highest level that is offered in a match with some options, settled or not."""
    return levels.find_highest_level(game, Match.start(game, options, seats).position)


def list_offered_levels(game: Game, options: Mapping[str, int | str], seats: int) -> range:
    return range(LEVELS[0], find_highest_level(game, options, seats) + 1)


def list_usual_levels(game: Game) -> range:
    """The levels that are offered in a match of two, or where the game has none, of as many as it can have."""
    return list_offered_levels(game, {}, 2 if 2 in game.seats else game.seats[-1])


def advise_usual_level(
    game: Game, results: Sequence[ResultAgainstComputer], lost: GameLosses | None = None
) -> LevelAdvice | None:
    """Which of the usual levels suits a user, by their results against the computer at this game, and by the points
    that their moves lost at it."""
    first = game.mind.measured.lost_by_lot
    losing = LossRate(lost, first) if lost and first else None
    return advise_level([one for one in results if one.game == game.key], list_usual_levels(game), losing)


def find_match_level(row: MatchRow) -> int | None:
    """The level of the computers in a match, the highest where they differ; None where only people play."""
    return max((level_of(player.user) for player in row.players if is_computer(player.user)), default=None)


# Checks and settles the terms of a challenge or a rematch: who plays, on how many seats, in how many legs.


@dataclass(frozen=True, slots=True)
class ChallengeTerms:
    """The terms of a challenge as a user gives them: guests are those invited by name, none for an open table."""

    guild: GuildId
    channel: ChannelId
    host: UserId
    game: Game
    options: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    seats: int | None = None
    guests: tuple[UserId, ...] = ()
    seating: Seating = "lot"
    rated: bool = True
    pace: str | None = None
    """None for the server's default."""
    level: int | None = None
    """The level of the computer that takes all seats that are left; None for people on them."""
    legs: int | None = 1
    """2: the game is played twice at once, with the seats swapped. None for the game's default."""
    fewer: bool = False
    """Whether it starts without those who decline, where enough are left."""
    origin: MatchId | None = None
    lines: tuple[Entry, ...] = ()
    """The moves played before, in the match `origin` or in an uploaded record, from which the match goes on."""


def check_terms(challenge: ChallengeTerms) -> int:
    """The number of seats of a challenge; raises a refusal that says what is wrong with it."""
    if challenge.host in challenge.guests:
        raise Refusal("You can't challenge yourself. Name somebody else, or leave the name out to open a table.")
    if len(set(challenge.guests)) != len(challenge.guests):
        raise Refusal("You named somebody twice. Name each opponent once.")
    fewest, most = challenge.game.seats[0], challenge.game.seats[-1]
    asked = len(challenge.guests) + 1 + (challenge.level is not None)
    seats = challenge.seats or max(asked, fewest, 2 if 2 in challenge.game.seats else fewest)
    if challenge.level is not None and (asked > seats or seats > most >= asked - 1):
        raise Refusal("There is no seat left for the computer. Name fewer people or more seats, or leave out level.")
    if len(challenge.guests) >= seats:
        raise Refusal(f"That's {len(challenge.guests) + 1} players for {seats} seats. Name at most {seats - 1} others.")
    configure_options(challenge.game, challenge.options, seats)
    try:
        if choose_legs(challenge, seats) == 2:
            expect_legs(challenge.game, seats)
    except BadOptions as refusal:
        raise Refusal(str(refusal)) from None
    return seats


def choose_computers(challenge: ChallengeTerms, seats: int) -> tuple[UserId, ...]:
    """The computers that fill the remaining seats of a challenge."""
    if challenge.level is None:
        return ()
    return tuple(make_computer_user(challenge.level, number) for number in range(1, seats - len(challenge.guests)))


def cap_level(challenge: ChallengeTerms, seats: int) -> ChallengeTerms:
    """The challenge with its level lowered to the highest offered in such a match."""
    if challenge.level is None:
        return challenge
    if challenge.level not in LEVELS:
        raise Refusal(f"The computer plays at levels {LEVELS[0]} to {LEVELS[-1]}. Choose one of them.")
    return replace(challenge, level=min(challenge.level, find_highest_level(challenge.game, challenge.options, seats)))


def choose_legs(challenge: ChallengeTerms, seats: int) -> int:
    """In how many legs a challenge is played: a lopsided game of two people usually in two."""
    if challenge.legs is not None:
        return challenge.legs
    return 2 if challenge.game.lopsided and seats == 2 and challenge.level is None else 1


def make_new_match(challenge: ChallengeTerms, seats: int, now: int) -> NewMatch:
    """The open match that a challenge becomes. Alone and with computers nothing is rated."""
    return NewMatch(
        guild=challenge.guild,
        channel=challenge.channel,
        game=challenge.game.key,
        game_version=challenge.game.version,
        options=challenge.options,
        seats=seats,
        seating=challenge.seating,
        rated=challenge.rated and seats > 1 and challenge.level is None and not challenge.lines,
        pace=challenge.pace or "",
        host=challenge.host,
        created=now,
        expires=now + OPEN_FOR,
        legs=choose_legs(challenge, seats),
        source_match=challenge.origin,
        refused=rows.format_decliners((), fewer=True)
        if challenge.fewer and seats > 2 and not challenge.lines
        else None,
        lines=challenge.lines,
    )


def make_rematch(
    loaded: LoadedMatch, user: UserId, level: int | None = None
) -> tuple[ChallengeTerms, tuple[UserId, ...]]:
    """The challenge to play a finished match again, and the order of seats: each player moves up by one; with the
    computers of that match, or others of a level."""
    row = loaded.row
    if row.state != "finished":
        raise NotPossibleNow("This match was not played to the end, so it has no rematch. Make a new challenge.")
    if not loaded.has(user):
        raise NotYours("Only the players of this match can ask for a rematch.")
    if any(player.user < 0 for player in row.players):
        raise Refusal("Somebody from this match isn't here any more. Make a new challenge to the others.")
    users = [player.user for player in loaded.players]
    if level is not None:
        users = replace_computers(users, min(level, find_highest_level(loaded.game, row.options, row.seats)))
    order = (*users[1:], users[0])
    guests = tuple(player for player in order if player != user)
    # A substitution made the last match unrated; it does not make the rematch unrated.
    rated = row.rated or any(one.rated for one in parse_handovers(row.substitutions))
    again = ChallengeTerms(
        row.guild, row.channel, user, loaded.game, row.options, row.seats, guests, "order", rated, row.pace,
        legs=row.legs, origin=row.source_match, lines=row.record[: row.imported_plies],
    )  # fmt: skip
    return again, order


def replace_computers(users: Sequence[UserId], level: int) -> list[UserId]:
    """The same users, with computers of this level in place of the computers."""
    found: list[UserId] = []
    for user in users:
        found.append(choose_free_computer(level, found) if is_computer(user) else user)
    return found


# Computers at a table: the host adds and removes them, and they answer draw proposals.


WENT_ON = "The match moved on while the computer was thinking about a draw. Offer it again if you still want to."
EVEN = 0.5
"""The share of a match that a draw is."""


def seat_computer(loaded: LoadedMatch, user: UserId, level: int, gone: Collection[UserId] = ()) -> Outcome:
    """The host gives a free seat to a computer of a level, or of the highest offered; with the last seat the match
    begins, unless an invited user has not answered. Users who are `gone` from the server lose their seats."""
    expect_open(loaded)
    loaded = exclude_gone(loaded, gone)
    expect_host(loaded, user)
    if level not in LEVELS:
        raise Refusal(f"The computer plays at levels {LEVELS[0]} to {LEVELS[-1]}. Choose one of them.")
    row = loaded.row
    if len(row.players) >= row.seats:
        raise NotPossibleNow("Every seat at this table is taken, so there is none for the computer.")
    options = configure_options(loaded.game, row.options, row.seats)
    comes = choose_free_computer(
        min(level, find_highest_level(loaded.game, options, row.seats)), [player.user for player in row.players]
    )
    row = row.add_player(comes)
    if len(row.players) < row.seats or any(player.invited for player in row.players):
        return Outcome(row)
    return begin_match(row, list_others(loaded, user))


def remove_computers(loaded: LoadedMatch, user: UserId) -> Outcome:
    expect_open(loaded)
    expect_host(loaded, user)
    sitting = tuple(player.user for player in loaded.row.players if is_computer(player.user))
    if not sitting:
        raise NotPossibleNow("No computer sits at this table.")
    return Outcome(loaded.row.remove_players(sitting))


def expect_host(loaded: LoadedMatch, user: UserId) -> None:
    if user != loaded.row.host:
        raise NotYours(f"Only {mention_user(loaded.row.host)}, who opened this table, can add the computer.")


# Draws.


def find_seats_to_ask(loaded: LoadedMatch, user: UserId, now: int) -> tuple[Seat, ...]:
    """The seats of the computers that are asked when a user proposes a draw; raises a refusal where that is not allowed
    now."""
    expect_askable(loaded, user, Proposal("draw", expect_voter(loaded, user)), now)
    left = loaded.begun_match.withdrawn_seats
    return tuple(
        player.seat for player in loaded.players if player.seat and player.seat not in left and is_computer(player.user)
    )


def make_draw_question(loaded: LoadedMatch, seat: Seat) -> SearchQuestion:
    """The search request of a computer before it answers a draw: the board as it stands, for the seat to move, at the
    computer's level. If it is to move itself, that is also the thought of its next move."""
    match, level = loaded.begun_match, level_of(loaded.user_at(seat))
    position, mover = match.position.seen_by(seat), match.turn[0]
    seed = f"{loaded.id}:{len(match.record)}:{mover}:{level}"
    return SearchQuestion(loaded.game.key, position, mover, make_budget(loaded.game, position, level), seed)


def accepts_draw(thought: Thought, seat: Seat) -> bool:
    """Whether the computer on a seat agrees to a draw: it expects no more than a draw's share."""
    return thought.shares[seat - 1] <= EVEN


def decline_draw(loaded: LoadedMatch, user: UserId, by: Seat, plies: int, now: int) -> Outcome:
    """A computer, on seat `by`, does not agree to a draw, having thought after `plies` lines of the record."""
    expect_unchanged(loaded, plies)
    find_seats_to_ask(loaded, user, now)
    # At moment 0: a computer can be asked again after another move, without an hour's wait.
    refused = RefusedProposal(Proposal("draw", expect_voter(loaded, user)), by, 0, loaded.begun_match.version_for(None))
    return Outcome(replace(loaded.row, refused=format_refusals((*recent_refusals(loaded, now), refused))))


def offer_draw(loaded: LoadedMatch, user: UserId, plies: int, now: int) -> Outcome:
    """Propose a draw to which all computers agree, having searched after `plies` lines of the record."""
    expect_unchanged(loaded, plies)
    find_seats_to_ask(loaded, user, now)
    return put_proposal(loaded, user, Proposal("draw", expect_voter(loaded, user)), now)


def expect_unchanged(loaded: LoadedMatch, plies: int) -> None:
    """Refuse an answer about a board that has changed since."""
    if loaded.row.plies != plies:
        raise StaleBoard(WENT_ON, loaded)


# Quick games: which one a user gets, and when one is taken away again. Pure decisions.


TAKEN_AWAY = "Nothing had been played, so this match was called off."
"""The reason for aborting a quick game whose player went back before the first move."""
ONCE_TAKEN_AWAY = "Nothing had been played, so this match was taken away."
"""The same as it was stored at first."""
FIRST_GAMES = 5
"""How many games are shown to begin with."""


class QuickGame(NamedTuple):
    """A game, and the level of the computer in it."""

    game: Game
    level: int


def order_games(games: Iterable[Game]) -> list[Game]:
    """The games of two that can be played at once: that of the quick start, then the easiest, of them those whose first
    move takes the fewest taps."""
    able = [game for game in games if 2 in game.seats and not game.secret]
    easiest = sorted(able, key=lambda game: (game.difficulty, len(game.moves[0].parts), game.minutes, game.title))
    return sorted(easiest, key=lambda game: not game.quick_start)


def choose_first_games(games: Iterable[Game]) -> list[Game]:
    """The games to begin with: the few of `order_games` that come first."""
    return order_games(games)[:FIRST_GAMES]


def choose_quick_game(
    games: Iterable[Game], results: Sequence[ResultAgainstComputer], playing: Mapping[str, int]
) -> QuickGame:
    """A user's next quick game, by their results against the computer and how many of each game they are `playing`: the
    easiest of those that they have had least often."""
    had = dict(playing)
    for one in results:
        had[one.game] = had.get(one.game, 0) + one.won + one.drawn + one.lost
    game = min(order_games(games), key=lambda game: had.get(game.key, 0))
    return QuickGame(game, min(choose_level(results), list_usual_levels(game)[-1]))


def choose_level(results: Sequence[ResultAgainstComputer]) -> int:
    """The level above the highest that a user has won against more often than lost, over all games."""
    levels = {one.level for one in results}
    beaten = [
        each
        for each in levels
        if sum(one.won for one in results if one.level == each) > sum(one.lost for one in results if one.level == each)
    ]
    return min(max(beaten, default=LEVELS[0] - 1) + 1, LEVELS[-1])


def is_untouched(row: MatchRow, user: UserId) -> bool:
    """Whether a match is a quick game of a user in which nothing has been played."""
    rivals = [player.user for player in row.players if player.user != user]
    alone = len(rivals) == 1 and is_computer(rivals[0]) and row.host == user
    begins = row.state == "live" and row.plies == 0 and row.seating == "host"
    return alone and begins and row.legs == 1 and row.rematch_of is None and row.source_match is None


def is_taken_away(row: MatchRow) -> bool:
    """Whether a match is a quick game whose player went back before the first move."""
    return row.state == "aborted" and row.close_reason in (TAKEN_AWAY, ONCE_TAKEN_AWAY)


def take_away(loaded: LoadedMatch, user: UserId) -> Outcome:
    """Abort a quick game whose player goes back before the first move."""
    expect_seat(loaded, user)
    if not is_untouched(loaded.row, user):
        raise StaleBoard("You have moved already. Here is the board now.", loaded)
    return Outcome(replace(loaded.row, state="aborted", close_reason=TAKEN_AWAY))


# The request to the engine when a computer is to move: its turn, and the position as its seat may see it.


@dataclass(frozen=True, slots=True)
class ComputerTurn:
    """A computer's turn, and its question to the engine; `seen` is how many lines of the record its seat may see."""

    act: InteractionId
    loaded: LoadedMatch
    user: UserId
    seen: int
    question: SearchQuestion


def find_computer_turn(loaded: LoadedMatch) -> ComputerTurn | None:
    """The turn of the computer that is to move, the first where several are; None where none is."""
    if loaded.row.paused is not None:
        return None
    seat = next((seat for seat in loaded.turn if is_computer(loaded.user_at(seat))), None)
    if seat is None:
        return None
    user, sight = loaded.user_at(seat), MatchView.of(loaded, seat)
    # Lines that this seat may not see are not counted: they would change what it plays, and so leak information.
    seen, level = sight.version, level_of(user)
    budget = levels.make_budget(loaded.game, sight.position, level)
    question = SearchQuestion(loaded.game.key, sight.position, seat, budget, f"{loaded.id}:{seen}:{seat}:{level}")
    return ComputerTurn(make_act_id("computer", loaded.id, seen, seat), loaded, user, seen, question)
