"""Words a challenge or an open table, and how it ended. Pure text, no Discord."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.client.text.match_text import played_on, result, unmarked
from bot.client.text.told_text import MOST, addressed, bare, length, with_names
from bot.core.match import declined
from bot.core.match.clocks import Pace
from bot.core.match.loaded_match import LoadedMatch, person
from bot.core.match.match import Match
from bot.core.values.computer_users import LEVELS, is_computer
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural, sentences, together
from bot.service.rules import computer_levels
from bot.service.rules.challenge_limits import OPEN_DAYS

THREAD_COMES = "Its thread comes later."
LONG_WORD, BREAK = re.compile("(?<=[^ ]{10}/)(?=[^ ]{10})"), "\N{ZERO WIDTH SPACE}"
"""Where a word is too long to stand beside a small board, and what lets a line be broken there."""
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
"""What the first message in a server says of the bot."""
IS_ON = "{people}'s match of **{game}** is on: {where}"
ENDED = "{people}'s match of **{game}** is over: [how it ended]({link})"
CALLED_OFF = "{people}'s match of **{game}**: {result} {link}"
CHALLENGE, TABLE = "{host} challenges {asked} to {game}.", "{host} opens a table of {game}."
SEEKING = "{host} looks for players for {game}."
"""Of a challenge that nobody is asked to any more."""
ASKED = "{told}, {host} challenges you to {game}."
JOINED = Plural("{names} has joined.", "{names} have joined.")
HAD_JOINED = "{names} had joined."
DECLINED = "{names} declined."
DECLINED_CHALLENGE = "{names} declined {host}'s challenge to {game}."
WAS_DECLINED = "{host}'s challenge to {game} was declined."
TOLD_DECLINED = "{told}, {names} declined your challenge to {game}."
SOMEBODY = "somebody"
FEWER = "starts without those who decline"
ASKED_LATER = "{told}, {host} has asked you to play {game}.\n{link}"
PLAYS_TOO = Plural("{names} plays too.", "{names} play too.")
FREE = Plural("{number} of {seats} seats is free.", "{number} of {seats} seats are free.")
UNANSWERED = "{host}'s challenge to {game} expired, because {names} didn't answer within {days} days."
AWAY = "{name} is away until <t:{until}:D>."
ASKS_AGAIN = "/{key} challenge asks again."
NOT_FULL = "{host}'s table of {game} expired, because not every seat was taken within {days} days."
NOT_FILLED = "{host}'s challenge to {game} expired, because not every seat was taken within {days} days."
TAKEN_BACK = "{host}'s challenge to {game} was taken back."
IN_TWO_LEGS = "{game}, two legs"
TWO_LEGS = "You play two games at once, one from each seat. The combined score decides."


def terms(seated: LoadedMatch) -> str:
    """The options and conditions of a match in a line: "size 7 · who starts is drawn by lot · rated"."""
    match = Match.start(seated.game, seated.row.options, seated.row.seats)
    level, most = (
        computer_levels.level(seated.row),
        computer_levels.highest(seated.game, seated.row.options, seated.row.seats),
    )
    rated = "rated" if seated.row.rated and level is None else "not rated"
    best = [f"level {most} is the best here"] if level == most < LEVELS[-1] else []
    pace = [str(Pace.parse(seated.row.pace))] if seated.row.seats > 1 else []
    legs = ["in two legs"] if seated.game.once else []
    # In two legs everybody has each seat once.
    seating = [] if seated.game.once else [SEATING[seated.row.seating]]
    fewer = [FEWER] if declined.plays_on(seated.row) else []
    return " · ".join([*match.options.told(), *legs, *seating, rated, *best, *pace, *fewer])


def asked(seated: LoadedMatch, told: Sequence[UserId]) -> str:
    """The text of a challenge that tells some people. A phone shows its first line on the lock screen."""
    head = ASKED.format(told=addressed(told), host=person(seated.row.host), game=seated.game.title)
    return "\n".join((with_names(sentences(head, *come(seated)), told), *about(seated)))


def ended_line(seated: LoadedMatch, told: Sequence[UserId]) -> str:
    """How a challenge ended, for some people, in place of its message. A phone shows its first line when locked."""
    text = bare(challenge_ended(seated))
    whole = text if length(text) <= MOST else text.replace(". ", ".\n", 1)
    return f"{with_names(whole, told)}\n-# match {seated.id}"


def challenge(seated: LoadedMatch) -> str:
    """The text of a challenge or an open table."""
    return "\n".join((opening(seated), *about(seated)))


def about(seated: LoadedMatch) -> list[str]:
    """What is played, and how, in lines."""
    row, game = seated.row, seated.game
    options = Match.start(game, row.options, row.seats).options
    # In two legs everybody has each seat once, so the board favours nobody.
    favoured = TWO_LEGS if game.once else None if row.imported_plies else game.edge(options, row.seats)
    remarks = [remark for remark in (favoured, game.advice(options, row.seats)) if remark]
    remarks = [*played_on(seated), *remarks]
    lines = [game.goal, f"-# {terms(seated)}", *(f"-# {remark}" for remark in remarks)]
    return [*lines, *(f"-# {AWAY.format(name=person(user), until=ends)}" for user, ends in seated.away)]


def opening(seated: LoadedMatch) -> str:
    """Who is asked, who has come, how many seats are free."""
    row, title = seated.row, f"**{seated.game.title}**"
    asked = [person(player.user) for player in seated.players if player.invited]
    opens = SEEKING if declined.declined(row) else TABLE
    told = (CHALLENGE if asked else opens).format(host=person(row.host), asked=together(asked), game=title)
    return sentences(told, *come(seated))


def come(seated: LoadedMatch) -> list[str]:
    """Who has come, and how many seats are free, in sentences."""
    people = [person(user) for user in joined(seated) if not is_computer(user)]
    rivals = [person(user) for user in joined(seated) if is_computer(user)]
    free, seats = seated.row.seats - len(seated.players), seated.row.seats
    return [
        *([JOINED.of(len(people), names=together(people))] if people else []),
        *([PLAYS_TOO.of(len(rivals), names=together(rivals))] if rivals else []),
        *([DECLINED.format(names=together(absent))] if (absent := decliners(seated)) else []),
        *([FREE.of(free, seats=seats)] if free else []),
    ]


def decliners(seated: LoadedMatch) -> list[str]:
    """Who has declined a challenge and does not sit there."""
    return [person(user) for user in declined.absent(seated.row)]


def declined_line(seated: LoadedMatch, told: Sequence[UserId] = ()) -> str:
    """The line that tells the host of a challenge who does not play; its buttons say what can be done."""
    names = together(decliners(seated)) or SOMEBODY
    text = TOLD_DECLINED.format(told=person(seated.row.host), names=names, game=seated.game.title)
    return with_names(f"{text}\n-# {seated.link}", told)


def asked_later(seated: LoadedMatch, told: Sequence[UserId]) -> str:
    """The line that tells somebody who is asked to a challenge that stands already."""
    host, game = person(seated.row.host), seated.game.title
    return with_names(ASKED_LATER.format(told=addressed(told), host=host, game=game, link=seated.link), told)


def has_fallen_short(seated: LoadedMatch) -> bool:
    """Whether the host of a challenge is to say how it goes on, since somebody who was asked does not play."""
    row = seated.row
    return row.state == "open" and len(row.players) < row.seats and bool(decliners(seated) or told_now(seated))


def told_now(seated: LoadedMatch) -> bool:
    """Whether the host of an open challenge is still to be told who has declined it."""
    return seated.row.state == "open" and seated.row.host in seated.untold


def joined(seated: LoadedMatch) -> tuple[UserId, ...]:
    """The people who have come to a challenge, without the one who made it."""
    return tuple(one.user for one in seated.players if not one.invited and one.user != seated.row.host)


def challenge_ended(seated: LoadedMatch) -> str:
    """The text in place of a challenge that is no longer open."""
    row, title = seated.row, seated.game.title
    if row.is_private:
        return f"{together([person(player.user) for player in seated.players])} · **{title}** · {seated.home}"
    if row.state == "live":
        where = seated.home if seated.threaded else seated.link
        where = f"{where}\n-# {THREAD_COMES}" if row.awaits_thread else where
        return IS_ON.format(people=of_whom(seated), game=title, where=where)
    if row.state == "aborted":
        return CALLED_OFF.format(people=of_whom(seated), game=title, result=result(seated), link=seated.home)
    if row.state == "finished":
        over = ENDED.format(people=of_whom(seated), game=title, link=told_at(seated))
        return outcome(seated) if is_told_here(seated) else over
    others = [person(one.user) for one in seated.players if one.user != row.host and not is_computer(one.user)]
    refused = decliners(seated) or (others if len(others) == 1 else [])
    by = (DECLINED_CHALLENGE if refused else WAS_DECLINED).format(
        names=together(refused), host=person(row.host), game=f"**{title}**"
    )
    ends = {
        "declined": by,
        "cancelled": sentences(TAKEN_BACK.format(host=person(row.host), game=f"**{title}**"), *answered(seated)),
        "expired": expired(seated),
    }
    return ends[row.state]


def of_whom(seated: LoadedMatch) -> str:
    """Everybody who plays a match, whoever opened it first."""
    host = seated.row.host
    return together(person(one.user) for one in sorted(seated.players, key=lambda one: one.user != host))


def outcome(seated: LoadedMatch) -> str:
    """How a match ended, and in which game, for those who did not follow it."""
    told, _, further = result(seated, unmarked).partition(". ")
    title = LONG_WORD.sub(BREAK, seated.game.title)
    title = IN_TWO_LEGS.format(game=title) if seated.game.once else title
    head = f"**{told.removesuffix('.')} · {title}**"
    return "\n".join((head, *([f"-# {further}"] if further else [])))


def is_told_here(seated: LoadedMatch) -> bool:
    """Whether the message of its challenge tells the channel how a match ended: one of long ago, or of which the
    channel could be told nothing else as long as that was news."""
    row = seated.row
    return row.state == "finished" and seated.threaded and row.announce_until is None and not row.announcement


def told_at(seated: LoadedMatch) -> str:
    """Where the channel of a match is told how it ended, as a link."""
    row = seated.row
    if seated.threaded and row.announcement:
        return f"https://discord.com/channels/{row.guild}/{row.channel}/{row.announcement}"
    return seated.home if seated.threaded else seated.link


def expired(seated: LoadedMatch) -> str:
    """Why a challenge or a table expired, with everybody whom it concerns."""
    row = seated.row
    asked = [person(player.user) for player in seated.players if player.invited and player.user != row.host]
    told = UNANSWERED if asked else NOT_FILLED if decliners(seated) else NOT_FULL
    text = told.format(host=person(row.host), game=f"**{seated.game.title}**", names=together(asked), days=OPEN_DAYS)
    away = [AWAY.format(name=person(user), until=ends) for user, ends in seated.away if person(user) in asked]
    return sentences(text, *answered(seated), *away, ASKS_AGAIN.format(key=seated.game.key) if asked else "")


def answered(seated: LoadedMatch) -> list[str]:
    """Who had come to a challenge that is over, and who had declined it, in sentences."""
    come = [person(user) for user in joined(seated) if not is_computer(user)]
    gone = decliners(seated)
    return [
        *([HAD_JOINED.format(names=together(come))] if come else []),
        *([DECLINED.format(names=together(gone))] if gone else []),
    ]
