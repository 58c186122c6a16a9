"""Challenges, open tables and games' rules in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.features.board import words as board_words
from bot.features.board.line_words import ADDRESSED, MOST, append_names, format_address, measure_length, strip_bold
from bot.features.board.words import describe_origin, describe_result
from bot.games.game import Game
from bot.games.position import LEVELS
from bot.games.wording import Plural, join_sentences, join_words
from bot.play import challenges, rows
from bot.play.acts import OPEN_DAYS
from bot.play.clocks import Pace
from bot.play.ids import UserId, is_computer
from bot.play.lessons import load_example
from bot.play.loaded_match import LoadedMatch, mention_user
from bot.play.match import Match
from bot.play.rows import MatchRow

# Words a challenge or an open table, and how it ended. Pure text, no Discord.


THREAD_COMES = "Its thread comes later."
LONG_WORD, BREAK = re.compile("(?<=[^ ]{10}/)(?=[^ ]{10})"), "\N{ZERO WIDTH SPACE}"
"""The place in a word too long to fit beside a small board, and the character that allows a line break there."""
HOST_ONLY = {
    (False, True): "-# Only {host} can add the computer.\n",
    (True, False): "-# Only {host} can begin early.\n",
    (True, True): "-# Only {host} can begin early, or add the computer.\n",
}
"""By whether there is a button to begin with fewer, and a select that seats the computer."""
SEATING = {
    "lot": "who starts is drawn by lot",
    "host": "the challenger starts",
    "guest": "the challenger moves last",
    "order": "seats swapped",
}
INTRODUCTION = (
    "-# New here? Graph Paper lets you play pencil-and-paper games.\n"
    "-# Use /play to find a game and somebody to play with, or /learn to see how one works."
)
"""The introduction of the bot in the first message in a server."""
IS_ON = "{people} are playing **{game}**: {where}"
ENDED = "{people}'s match of **{game}** is over: [how it ended]({link})"
CALLED_OFF = "{people}'s match of **{game}**: {result} {link}"
CHALLENGE, TABLE = "{host} challenges {asked} to {game}.", "{host} opens a table of {game}."
SEEKING = "{host} looks for players for {game}."
"""For a challenge without invited users left."""
ASKED = "{told}, {host} challenges you to {game}."
ASKED_SEVERAL = "{host} challenges {number} people to {game}."
"""For more people than fit on a lock screen: they are named below."""
JOINED = Plural("{names} has joined.", "{names} have joined.")
HAD_JOINED = "{names} had joined."
DECLINED, LEFT = "{names} declined.", "{names} left."
FREED = Plural(
    "One seat is free: anybody can press *{button}* to take it.",
    "{number} seats are free: anybody can press *{button}* to take one.",
)
"""The seats of those who have declined or left, and any others."""
NOT_ANSWERED = Plural("{names} hasn't answered yet.", "{names} haven't answered yet.")
DECLINED_CHALLENGE = "{names} declined {host}'s challenge to {game}."
WAS_DECLINED = "{host}'s challenge to {game} was declined."
LEFT_CHALLENGE = "{names} left {host}'s challenge to {game}, which is over."
TOLD_DECLINED = "{names} declined your challenge to {game}, {host}."
TOLD_LEFT = "{names} left your challenge to {game}, {host}."
UNNAMED = "somebody"
FEWER = "starts without those who decline"
ASKED_LATER = "{told}, {host} has asked you to play {game}.\n{link}"
PLAYS_TOO = Plural("{names} plays too.", "{names} play too.")
FREE = Plural("{number} of {seats} seats is free.", "{number} of {seats} seats are free.")
UNANSWERED = "{host}'s challenge to {game} expired, because {names} didn't answer within {days} days."
UNANSWERED_LATER = "{host}'s challenge to {game} expired, because {names} didn't answer in time."
"""Where a person had declined: those who were asked after that had less time."""
AWAY = "{name} is away until <t:{until}:D>."
ASKS_AGAIN = "/{key} challenge asks again."
NOT_FULL = "{host}'s table of {game} expired, because not every seat was taken within {days} days."
NOT_FILLED = "{host}'s challenge to {game} expired, because not every seat was taken within {days} days."
WITHDRAWN, CLOSED = "{host}'s challenge to {game} was withdrawn.", "{host}'s table of {game} was closed."
IN_TWO_LEGS = "{game}, two legs"
TWO_LEGS = "You play two games at once, one from each seat. The combined score decides."


def describe_terms(loaded: LoadedMatch) -> str:
    """The options and conditions of a match in a line: "size 7 · who starts is drawn by lot · rated"."""
    match = Match.start(loaded.game, loaded.row.options, loaded.row.seats)
    level, most = (
        challenges.find_match_level(loaded.row),
        challenges.find_highest_level(loaded.game, loaded.row.options, loaded.row.seats),
    )
    rated = "rated" if loaded.row.rated and level is None else "not rated"
    best = [f"level {most} is the best here"] if level == most < LEVELS[-1] else []
    pace = [str(Pace.parse(loaded.row.pace))] if loaded.row.seats > 1 else []
    legs = ["in two legs"] if loaded.game.single else []
    # In two legs every player has each seat once; where all move at once, nobody starts.
    seating = [] if loaded.game.single or len(match.position.turn) > 1 else [SEATING[loaded.row.seating]]
    fewer = [FEWER] if rows.starts_with_fewer(loaded.row) else []
    return " · ".join([*match.options.describe(), *legs, *seating, rated, *best, *pace, *fewer])


def describe_to_invited(loaded: LoadedMatch, told: Sequence[UserId]) -> str:
    """The text of a challenge that pings users. A phone shows its first line on the lock screen."""
    asked = ASKED if len(told) <= ADDRESSED else ASKED_SEVERAL
    parts = {"host": mention_user(loaded.row.host), "game": loaded.game.title}
    head = asked.format(told=format_address(told), number=len(told), **parts)
    return "\n".join((append_names(join_sentences(head, *describe_joined(loaded)), told), *list_facts(loaded)))


def format_ended_line(loaded: LoadedMatch, told: Sequence[UserId]) -> str:
    """How a challenge ended, for the users it pings, in place of its message. A phone shows its first line when
    locked."""
    text = strip_bold(describe_ended(loaded))
    whole = text if measure_length(text) <= MOST else text.replace(". ", ".\n", 1)
    return f"{append_names(whole, told)}\n-# match {loaded.id}"


def describe_challenge(loaded: LoadedMatch) -> str:
    """The text of a challenge or an open table."""
    return "\n".join((describe_opening(loaded), *list_facts(loaded)))


def list_facts(loaded: LoadedMatch) -> list[str]:
    """What is played, and how, in lines."""
    row, game = loaded.row, loaded.game
    options = Match.start(game, row.options, row.seats).options
    # In two legs every player has each seat once, so the board favours none.
    favoured = TWO_LEGS if game.single else None if row.imported_plies else game.seat_advantage(options, row.seats)
    remarks = [remark for remark in (favoured, game.challenge_note(options, row.seats)) if remark]
    remarks = [*describe_origin(loaded), *remarks]
    lines = [game.goal, f"-# {describe_terms(loaded)}", *(f"-# {remark}" for remark in remarks)]
    return [*lines, *(f"-# {AWAY.format(name=mention_user(user), until=ends)}" for user, ends in loaded.away)]


def describe_host_only(loaded: LoadedMatch, early: bool, computer: bool) -> str:
    """The line about the buttons below a challenge that are for its host alone; empty where there are none."""
    return HOST_ONLY.get((early, computer), "").format(host=mention_user(loaded.row.host))


def describe_opening(loaded: LoadedMatch) -> str:
    """Who is asked, who has joined, how many seats are free."""
    row, title = loaded.row, f"**{loaded.game.title}**"
    asked = [mention_user(player.user) for player in loaded.players if player.invited]
    opens = SEEKING if is_challenge(row) else TABLE
    told = (CHALLENGE if asked else opens).format(host=mention_user(row.host), asked=join_words(asked), game=title)
    return join_sentences(told, *describe_joined(loaded))


def is_challenge(row: MatchRow) -> bool:
    """Whether users were asked by name, of whom some have not joined; else it is an open table."""
    return bool(rows.list_decliners(row)) or any(player.invited for player in row.players)


def describe_joined(loaded: LoadedMatch) -> list[str]:
    """Who has joined, and how many seats are free, in sentences."""
    people = [mention_user(user) for user in list_joined(loaded) if not is_computer(user)]
    rivals = [mention_user(user) for user in list_joined(loaded) if is_computer(user)]
    free, seats = loaded.row.seats - len(loaded.players), loaded.row.seats
    button = "Accept" if any(player.invited for player in loaded.players) else "Join"
    absent = describe_absent(loaded)
    told = FREED.fill_in(free, button=button) if absent else FREE.fill_in(free, seats=seats)
    return [
        *([JOINED.fill_in(len(people), names=join_words(people))] if people else []),
        *([PLAYS_TOO.fill_in(len(rivals), names=join_words(rivals))] if rivals else []),
        *absent,
        *([told] if free else []),
    ]


def describe_absent(loaded: LoadedMatch) -> list[str]:
    """Who has declined a challenge, and who has left it, in sentences."""
    told = (DECLINED, list_decliners(loaded)), (LEFT, list_leavers(loaded))
    return [said.format(names=join_words(names)) for said, names in told if names]


def list_decliners(loaded: LoadedMatch) -> list[str]:
    """Users who have declined a challenge and have no seat."""
    leavers = rows.list_leavers(loaded.row)
    return [mention_user(user) for user in rows.list_unseated_decliners(loaded.row) if user not in leavers]


def list_leavers(loaded: LoadedMatch) -> list[str]:
    """Users who had joined a challenge, have left it, and have no seat."""
    leavers = rows.list_leavers(loaded.row)
    return [mention_user(user) for user in rows.list_unseated_decliners(loaded.row) if user in leavers]


def format_declined_line(loaded: LoadedMatch, told: Sequence[UserId] = ()) -> str:
    """The line that tells the host of a challenge who does not play; its buttons are the possible actions."""
    declined, left = list_decliners(loaded), list_leavers(loaded)
    text = (TOLD_LEFT if left and not declined else TOLD_DECLINED).format(
        host=mention_user(loaded.row.host), names=join_words(declined or left) or UNNAMED, game=loaded.game.title
    )
    text = join_sentences(text, LEFT.format(names=join_words(left))) if declined and left else text
    asked = [mention_user(player.user) for player in loaded.players if player.invited]
    yet = NOT_ANSWERED.fill_in(len(asked), names=join_words(asked)) if asked else ""
    return append_names(f"{join_sentences(text, yet)}\n-# {loaded.link}", told)


def describe_late_invitation(loaded: LoadedMatch, told: Sequence[UserId]) -> str:
    """The line for a user who is asked to a challenge that is posted already."""
    host, game = mention_user(loaded.row.host), loaded.game.title
    return append_names(ASKED_LATER.format(told=format_address(told), host=host, game=game, link=loaded.link), told)


def has_fallen_short(loaded: LoadedMatch) -> bool:
    """Whether the host of a challenge has to decide how it goes on, since an invited user has declined."""
    row = loaded.row
    return (
        row.state == "open" and len(row.players) < row.seats and bool(describe_absent(loaded) or is_host_untold(loaded))
    )


def is_host_untold(loaded: LoadedMatch) -> bool:
    """Whether the host of an open challenge is still to be told who has declined it."""
    return loaded.row.state == "open" and loaded.row.host in loaded.users_to_notify


def list_joined(loaded: LoadedMatch) -> tuple[UserId, ...]:
    """The users who have joined a challenge, without its host."""
    return tuple(one.user for one in loaded.players if not one.invited and one.user != loaded.row.host)


def describe_ended(loaded: LoadedMatch) -> str:
    """The text in place of a challenge that is no longer open."""
    row, title = loaded.row, loaded.game.title
    if row.is_private:
        people = join_words([mention_user(player.user) for player in loaded.players])
        return f"{people} · **{title}** · {loaded.place_link}"
    if row.state == "live":
        where = loaded.place_link if loaded.has_own_thread else loaded.link
        where = f"{where}\n-# {THREAD_COMES}" if row.awaits_thread else where
        return IS_ON.format(people=name_everybody(loaded), game=title, where=where)
    if row.state == "aborted":
        return CALLED_OFF.format(
            people=name_everybody(loaded), game=title, result=describe_result(loaded), link=loaded.place_link
        )
    if row.state == "finished":
        over = ENDED.format(people=name_everybody(loaded), game=title, link=find_result_link(loaded))
        return describe_outcome(loaded) if is_told_here(loaded) else over
    others = [mention_user(one.user) for one in loaded.players if one.user != row.host and not is_computer(one.user)]
    left = list_leavers(loaded)
    refused = list_decliners(loaded) or (others if len(others) == 1 and not left else [])
    by = (DECLINED_CHALLENGE if refused else LEFT_CHALLENGE if left else WAS_DECLINED).format(
        names=join_words(refused or left), host=mention_user(row.host), game=f"**{title}**"
    )
    by = join_sentences(by, LEFT.format(names=join_words(left))) if refused and left else by
    ends = {
        "declined": by,
        "cancelled": join_sentences(
            (WITHDRAWN if is_challenge(row) else CLOSED).format(host=mention_user(row.host), game=f"**{title}**"),
            *describe_answers(loaded),
        ),
        "expired": describe_expiry(loaded),
    }
    return ends[row.state]


def name_everybody(loaded: LoadedMatch) -> str:
    """All players of a match, its host first."""
    host = loaded.row.host
    return join_words(mention_user(one.user) for one in sorted(loaded.players, key=lambda one: one.user != host))


def describe_outcome(loaded: LoadedMatch, *, short: bool = False) -> str:
    """How a match ended, and in which game, for users who did not follow it. `short`: above the line of each player."""
    ended = board_words.describe_lead(loaded) if short else board_words.describe_outcome(loaded)
    told = ended.removesuffix(".")
    title = LONG_WORD.sub(BREAK, loaded.game.title)
    title = IN_TWO_LEGS.format(game=title) if loaded.game.single else title
    why = board_words.describe_reason(loaded), board_words.explain_counting(loaded)
    return "\n".join((f"**{told} · {title}**", *(f"-# {line}" for line in why if line)))


def is_told_here(loaded: LoadedMatch) -> bool:
    """Whether the message of its challenge announces how a match ended: for an old match, or one whose result could not
    be posted while it was news."""
    row = loaded.row
    return row.state == "finished" and loaded.has_own_thread and row.announce_until is None and not row.announcement


def find_result_link(loaded: LoadedMatch) -> str:
    """A link to the message that announces the result of a match in its channel."""
    row = loaded.row
    if loaded.has_own_thread and row.announcement:
        return f"https://discord.com/channels/{row.guild}/{row.channel}/{row.announcement}"
    return loaded.place_link if loaded.has_own_thread else loaded.link


def describe_expiry(loaded: LoadedMatch) -> str:
    """Why a challenge or a table expired, with all users concerned."""
    row = loaded.row
    asked = [mention_user(player.user) for player in loaded.players if player.invited and player.user != row.host]
    unanswered = UNANSWERED_LATER if rows.list_decliners(row) else UNANSWERED
    told = unanswered if asked else NOT_FILLED if describe_absent(loaded) else NOT_FULL
    text = told.format(
        host=mention_user(row.host), game=f"**{loaded.game.title}**", names=join_words(asked), days=OPEN_DAYS
    )
    away = [
        AWAY.format(name=mention_user(user), until=ends) for user, ends in loaded.away if mention_user(user) in asked
    ]
    return join_sentences(
        text, *describe_answers(loaded), *away, ASKS_AGAIN.format(key=loaded.game.key) if asked else ""
    )


def describe_answers(loaded: LoadedMatch) -> list[str]:
    """Who had joined a challenge that has ended, and who had declined it, in sentences."""
    come = [mention_user(user) for user in list_joined(loaded) if not is_computer(user)]
    return [*([HAD_JOINED.format(names=join_words(come))] if come else []), *describe_absent(loaded)]


SIT_DOWN, GET_UP, UP = "Add the computer …", "No computer at this table", "up"


# Describes a game: its rules page, how its moves are entered, its entry in the list. Pure text, no Discord.


DIFFICULTIES = ("easy to begin with", "takes some thought", "takes some study")
TO_MOVE = "**To move** Press {buttons} under the board, or use {commands} or `/move`."
TO_MOVE_IN_SECRET = (
    "**To move** Press {buttons} under your own board, which *My board* opens, or use {commands} or `/move`."
)
IN_A_LINE = "`/move` takes a line like `{move}`."
SQUARES = "`c4` is column c, row 4 from the top."
SHORTLY = ("easy", "some thought", "some study")
"""The difficulties in short."""


GOAL = "**Goal**"
FIRST_PAGE = ("**Example**", GOAL, "**A turn**", "**Scoring**")
"""The headings of the rules page; what follows the last of them are further rules."""


def format_rules(game: Game) -> str:
    """The rules page: the goal, an example, and what a newcomer needs for a first match."""
    title, *paragraphs = _split_rules(game)[0]
    goal = "".join(one.removeprefix(GOAL).strip() for one in paragraphs if one.startswith(GOAL))
    rest = [one for one in paragraphs if not one.startswith(GOAL)]
    return "\n\n".join(["\n".join(filter(None, (title, goal))), *rest])


def format_further_rules(game: Game) -> str:
    """The further rules: sizes, variants, rulings, and how a move is entered."""
    title = _split_rules(game)[0][0]
    return "\n".join([title, "\n\n".join([*_split_rules(game)[1], describe_move_entry(game)])])


def _split_rules(game: Game) -> tuple[list[str], list[str]]:
    """The docstring of the rules without the doctest, unwrapped: the paragraphs of the first page, and the rest."""
    title, _, body = (game.rules or "").partition(">>>")[0].strip().partition("\n")
    paragraphs = [re.sub(r"\n(?!- ) *", " ", paragraph) for paragraph in re.split(r"\n\s*\n", body.strip())]
    titled = [at for at, paragraph in enumerate(paragraphs) if paragraph.startswith("**")]
    last = max((at for at in titled if paragraphs[at].startswith(FIRST_PAGE)), default=len(paragraphs))
    end = next((at for at in titled if at > last), len(paragraphs))
    return [f"### {title}", *paragraphs[:end]], paragraphs[end:]


def describe_move_entry(game: Game) -> str:
    """Which buttons and commands enter a move, and how squares are named."""
    buttons = join_words((f"*{kind.name.capitalize()}*" for kind in game.moves), " or ")
    commands = join_words((f"`/{game.key} {kind.name}`" for kind in game.moves), " or ")
    said = [(TO_MOVE_IN_SECRET if game.secret else TO_MOVE).format(buttons=buttons, commands=commands)]
    if match := load_example(game):
        said.append(IN_A_LINE.format(move=match.record[0].text))
    if any(part.kind == "square" for kind in game.moves for part in kind.parts):
        said.append(SQUARES)
    return " ".join(said)


def difficulty_key(game: Game) -> tuple[int, int, str]:
    """Sorting key: the easiest and shortest games first."""
    return game.difficulty, game.minutes, game.title


def name_inventors(games: Iterable[Game]) -> str:
    """Whose games they are, each inventor once, that of the most games first."""
    return join_words(name for name, _ in Counter(game.inventor for game in games).most_common())


def group_by_difficulty(games: Iterable[Game]) -> list[str]:
    """A line a game, with how many play it and how long a match takes; the easiest first, below how hard they are."""
    lines: list[str] = []
    for difficulty, these in groupby(sorted(games, key=difficulty_key), key=lambda game: game.difficulty):
        lines.append(f"**{DIFFICULTIES[difficulty - 1].capitalize()}**")
        lines += [f"-# {game.title} · {_format_size(game)}" for game in these]
    return lines


def format_choice(game: Game) -> str:
    """A game among those to begin with: its name, how many play it and how long, and its aim."""
    return f"**{game.title}** · {_format_size(game)}\n-# {game.goal}"


def _format_size(game: Game) -> str:
    """How many play a game, and how long a match takes."""
    return f"{format_seats_range(game)}, {game.minutes}{board_words.HELD}min"


def format_card(game: Game) -> str:
    """The card of a game: its name, its goal, its facts."""
    return f"### {game.title} ({game.year})\n{game.goal}\n-# {format_facts(game)}"


def format_facts(game: Game) -> str:
    """How many play a game, how long a match takes, and how hard it is."""
    difficulty = DIFFICULTIES[game.difficulty - 1]
    return f"{format_player_count(game)} · about {game.plies} moves, {game.minutes} minutes · {difficulty}"


def format_brief_facts(game: Game) -> str:
    """The facts in fewer words, the most important first: a phone cuts off the lines of a list."""
    return f"{format_player_count(game)} · {game.minutes} min, {game.plies} moves · {SHORTLY[game.difficulty - 1]}"


def format_seats_range(game: Game) -> str:
    """How many play a game, briefly: "2 players", "1–8 players"."""
    low, high = game.seats[0], game.seats[-1]
    return f"{low} players" if low == high else f"{low}–{high} players"


def format_player_count(game: Game) -> str:
    low, high = game.seats[0], game.seats[-1]
    return f"{low} players" if low == high else f"{low} to {high} players"
