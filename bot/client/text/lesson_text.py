"""Words the steps of a lesson and the verdict on the learner's own move. Pure text, no Discord.

What a move did is worked out from the position after it, so that the answer is true for every legal move.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.client.text.match_text import CHIPS, TO, counted
from bot.client.text.turn_text import SIGNS, added, changes
from bot.core.library.lesson import Lesson, Trial
from bot.core.match.match import Match
from bot.core.match.record import Entry
from bot.core.values.plural import sentences
from bot.core.values.seats import peopled
from bot.core.values.text_lengths import shortened

MOVES_NAMED, LONGEST_MOVE = 4, 40
"""How many moves since the last picture are named where there are many, and how much of each."""
CHOOSE = "### Learn a game\nA few pictures with a sentence each, then one move of your own. Only you see them."
DRAWN = "That is a draw.", "That is a draw, {scores}."
YOU_WIN = "You win.", "You win, {scores}."
THEY_WIN = "The other side wins.", "The other side wins, {scores}."
"""How a match ends with the learner's move, without scores and with them."""
LOWEST = "The lowest score wins."
BETTER: Mapping[tuple[bool, bool, bool], str] = {
    (True, True, True): "**{move}** would have won, {scores}: {changes}.",
    (True, True, False): "**{move}** would have won, {scores}.",
    (True, False, True): "**{move}** would have won: {changes}.",
    (True, False, False): "**{move}** would have won.",
    (False, False, True): "**{move}** would have done more: {changes}.",
    (False, False, False): "**{move}** would have done more.",
}
"""What another move would have done: whether it wins, with scores, and with changes of scores."""
PLAYED, PLAYED_AND = "You played **{move}**.", "You played **{move}**: {changes}."
PLAYED_FOR_NOTHING = "You played **{move}**. No score changes."
NO_MORE, WELL = "Well played: no move does more here.", "Well played."


def step(lesson: Lesson, number: int) -> str:
    """The text above the picture of a step: the title, the moves since the last picture, the sentence."""
    since = played(lesson.since(number))
    lines = [f"### {lesson.game.title} · {number} of {lesson.length}", since, lesson.steps[number - 1].say]
    return "\n".join(line for line in lines if line)


def played(entries: tuple[Entry, ...]) -> str:
    """The moves since the last picture, in small type."""
    return f"-# {named(entries)}" if entries else ""


def named(entries: tuple[Entry, ...]) -> str:
    """Some moves in a row, the last of them by name: "🟦 **b2** · 🟧 **a1**"."""
    said = [f"{CHIPS[entry.seat - 1]} **{shortened(entry.text, LONGEST_MOVE)}**" for entry in entries]
    left = len(said) - MOVES_NAMED
    if left > 1:
        said = [f"{left} earlier moves", *said[-MOVES_NAMED:]]
    return " · ".join(said)


def proof(lesson: Lesson, number: int) -> str:
    """The text below the picture: the lines of the working that prove the sentence."""
    return "\n".join(f"-# {peopled(line, SIGNS.__getitem__)}" for line in lesson.steps[number - 1].claims)


def trial(lesson: Lesson) -> str:
    """What the learner is asked to do."""
    return f"### {lesson.game.title} · {lesson.length} of {lesson.length}\n{lesson.trial.say}"


def told(lesson: Lesson, move: str) -> str:
    """What the learner's move did, and what would have done more."""
    trial, before, after = lesson.trial, lesson.trial.seen, lesson.trial.played(move)
    now = after.position.seen_by(trial.seat)
    done, follows = changes(lesson.game, before, now), after.record[len(trial.start.record) + 1 :]
    say = PLAYED_AND if done else PLAYED_FOR_NOTHING if lesson.game.scored else PLAYED
    own = say.format(move=shortened(move), changes=done)
    lines = [
        f"### {lesson.game.title} · your move",
        sentences(own, ended(after, trial)),
        *([f"-# Forced replies: {named(follows)}"] if follows else []),
        *(f"-# {peopled(line, SIGNS.__getitem__)}" for line in added(before, now)),
        verdict(lesson, move),
    ]
    return "\n".join(lines)


def verdict(lesson: Lesson, move: str) -> str:
    """Whether another move would have done more, and what."""
    start, seat, good = lesson.trial.start, lesson.trial.seat, lesson.trial.good
    if move in good or lesson.trial.worth(move) >= lesson.trial.worth(good[0]):
        return WELL if start.position.open_to(seat) else NO_MORE
    after = lesson.trial.played(good[0])
    done = changes(lesson.game, lesson.trial.seen, after.position.seen_by(seat))
    won = lesson.trial.worth(good[0])[0] == 1 > lesson.trial.worth(move)[0]
    scores = result(after) if won else ""
    return BETTER[won, bool(scores), bool(done)].format(move=shortened(good[0]), scores=scores, changes=done)


def ended(match: Match, trial: Trial) -> str:
    """How the match ends with a move, for its player; empty where it goes on."""
    ranks = match.ranks
    if ranks is None:
        return ""
    drawn, first = ranks.count(1) == len(ranks) > 1, ranks[trial.seat - 1] == 1
    told = DRAWN if drawn else YOU_WIN if first else THEY_WIN
    scores = result(match)
    return sentences(told[1].format(scores=scores), LOWEST if trial.lowest else "") if scores else told[0]


def result(match: Match) -> str:
    """The scores at the end, the best of them first: "245 : 27"; empty without."""
    scores = [score for _, score in sorted(zip(match.ranks or (), match.scores, strict=True))]
    return TO.join(map(counted, scores)) if match.game.scored and len(scores) > 1 else ""
