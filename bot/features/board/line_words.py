"""The line that pings people above a board: what happened, no longer than what a notification shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from bot.features.board.turn_words import (
    Aside,
    describe_ended_rounds,
    describe_refusal,
    describe_takeback,
    describe_turn,
)
from bot.features.board.words import (
    CALLING_OFF,
    describe_lasting_result,
    describe_movers,
    describe_openings,
    describe_outcome,
    describe_winner,
    explain_unrated,
)
from bot.games.legs import Legs
from bot.games.wording import Plural, count_units, join_sentences, join_words
from bot.play import claims, proposals
from bot.play.ids import UserId, is_computer
from bot.play.loaded_match import Kind, LoadedMatch, MatchView, Proposal, mention_user
from bot.play.proposals import is_excused
from bot.play.record import Handover, parse_handovers

MOST = 150
"""The characters that every lock screen shows."""
LONGEST = 32
"""The most characters of a name."""
ADDRESSED = 2
"""The most users that are addressed by name; of more, the names are below the text."""
EVERYBODY_TOLD = "Everybody"
IN_MATCH = "{told}, in {title} · {match}"
"""The address where several matches share a channel."""
IN_PLACE = "{told}, in {match}"
YOUR_MOVE = "{told}, it's your move."
YOUR_MOVE_AFTER = "{told}, it's your move: {turn}"
HAPPENED = "{told}, {turn}"
BEGINS_WITH_YOU = "{told}, the match begins and it's your move."
BEGINS = Plural(
    "{told}, the match begins, and {names} moves first.", "{told}, the match begins, and {names} move first."
)
OVER = "{told}, it's over: {result}"
CALLED_OFF = "{told}, the match is over. {result}"
ENDED = "{told}, the match is over."
ALL_LATE = "{told}, it's over: everybody ran out of time."
ASKED: Mapping[Kind, str] = {
    "takeback": "{who} asks to take back {move}.",
    "draw": "{who} offers a draw.",
    "pause": "{who} asks to pause the match.",
    "resume": "{who} asks to go on with the match.",
    "replace": "{who} asks for {new} to take over from {old}.",
}
ASKED_FOR_OWN = "{who} asks for {new} to take their place."
ASKED_TO_COME, ASKED_TO_COME_FOR_OWN = "{who} asks you to take over from {old}.", "{who} asks you to take their place."
RAN_OUT = "{told}, {names} ran out of time. You can claim the match until they move."
YOU_RAN_OUT = "{late}, your time ran out. {names} can claim the match until you move."
THE_OTHERS = "the others"
HAS_LEFT = Plural(
    "{told}, {names} has left this server. Until they're back, claim the match, name a substitute or call it off.",
    "{told}, {names} have left this server. Until they're back, claim the match, name a substitute or call it off.",
)
LEFT_SEVERAL = Plural(
    "{told}, {names} has left this server. Until they're back, go on without them, name a substitute or call it off.",
    "{told}, {names} have left this server. Until they're back, go on without them, name a substitute or call it off.",
)
IN_PASSING = Plural("{names} has left this server.", "{names} have left this server.")
ALL_RAN_OUT = "{told}, everybody ran out of time. The match goes on as soon as somebody moves."
MORE_TIME = "{told}, {names} gave you {days} more days for your move."
TOOK_OVER = "{told}, {new} took over from {old}."
PAUSED = "{told}, the match is paused."
GOES_ON = "{told}, the match goes on."
MENTION = re.compile("<@[0-9]+>")
FIRST_SENTENCE = re.compile("(?<=[.!?])[ \\n]")
"""The space after the first sentence of a text."""
YOU = re.compile(r"\byour?\b")
YOURS = {None: "you", "'s": "your", "is": "you are", "has": "you have", "who": "you, since you"}
"""Replaces the name of an addressed user, by the word behind it."""
NAMED_AGAIN = "(?P<begins>^|[.!?][ \\n]|\\n)?{name}(?:(?:,? (?=[ihw])|(?='))(?P<verb>is|has|who|'s)\\b)?"

Address = Callable[[Sequence[UserId]], str]
"""Formats how users are addressed, where a match is played or elsewhere."""


def format_line(sight: MatchView, told: Sequence[UserId], seen: int) -> str:
    """The line for some users about a match, of whose record they have `seen` this number of lines."""
    loaded = sight.loaded

    def address(people: Sequence[UserId]) -> str:
        whom = format_address(people)
        return whom if loaded.has_own_thread else IN_MATCH.format(told=whom, title=loaded.game.title, match=loaded.id)

    return choose_shortest(iterate_wordings(sight, address, told, seen), told)


def format_elsewhere(sight: MatchView, told: Sequence[UserId], seen: int, match: str) -> str:
    """The same where the match is not played, which is named like `match`."""
    return choose_shortest(
        iterate_wordings(sight, lambda people: IN_PLACE.format(told=format_address(people), match=match), told, seen),
        told,
    )


def choose_shortest(said: Iterator[str], told: Sequence[UserId]) -> str:
    """The first of some wordings that a lock screen shows, for some users."""
    found, below = [drop_repeated_names(strip_bold(one), told) for one in said], told if len(told) <= ADDRESSED else ()
    fits = (one for one in found if measure_length(append_names(one.partition("\n")[0], below)) <= MOST)
    return append_names(next(fits, found[-1]), told)


def format_address(told: Sequence[UserId]) -> str:
    return join_words(map(mention_user, told)) if len(told) <= ADDRESSED else EVERYBODY_TOLD


def drop_repeated_names(text: str, told: Sequence[UserId]) -> str:
    """A text without the second mention of its addressees. A single one is "you" then; two are not addressed where
    their names are in the sentence itself, unless it says "you"."""
    head = format_address(told)
    if not text.startswith(head):
        return text
    body = text.removeprefix(head)
    if len(told) == 1:
        return f"{head}{turn_to_second_person(body, told[0])}"
    if len(told) > ADDRESSED or YOU.search(body) or not any(mention_user(user) in body for user in told):
        return text
    body = body.removeprefix(", ")
    return f"{body[:1].upper()}{body[1:]}"


def turn_to_second_person(text: str, reader: UserId) -> str:
    """A text with "you" in place of its reader's name."""

    def you(found: re.Match[str]) -> str:
        said = YOURS[found["verb"]]
        begins = found["begins"]
        return said if begins is None else f"{begins}{said[:1].upper()}{said[1:]}"

    return re.sub(NAMED_AGAIN.format(name=re.escape(mention_user(reader))), you, text)


def append_names(text: str, told: Sequence[UserId]) -> str:
    """A text for some users, with the mentions of those whom it does not mention below it."""
    left = [name for name in map(mention_user, told) if name not in text]
    return "\n".join((text, " ".join(left))) if left else text


def strip_bold(text: str) -> str:
    """A sentence of a board as a lock screen shows it: without bold type."""
    return text.replace("**", "")


def measure_length(text: str) -> int:
    """The length of a text with the longest names."""
    return count_units(MENTION.sub("_" * LONGEST, text))


def iterate_wordings(sight: MatchView, address: Address, told: Sequence[UserId], seen: int) -> Iterator[str]:
    """The wordings of what happened, from long to short."""
    loaded, whom = sight.loaded, address(told)
    if loaded.row.state == "finished":
        yield OVER.format(told=whom, result=describe_lasting_result(loaded))
        why = explain_unrated(loaded)  # below what a lock screen shows
        for ended in (describe_outcome(loaded), describe_winner(loaded)):
            yield "\n".join(filter(None, (OVER.format(told=whom, result=ended), why)))
        yield "\n".join(filter(None, (ENDED.format(told=whom), why)))
    elif loaded.row.state == "aborted":
        said = describe_outcome(loaded)
        yield CALLED_OFF.format(told=whom, result=said)
        yield CALLED_OFF.format(told=whom, result=FIRST_SENTENCE.split(said, 1)[0])
        if loaded.row.close_reason == claims.ABANDONED:
            yield ALL_LATE.format(told=whom)
        yield ENDED.format(told=whom)
    elif (news := list_departed(loaded)) and (
        sight.version <= max(seen, loaded.row.imported_plies) or not is_any_to_move(loaded, told)
    ):
        yield (HAS_LEFT if loaded.row.seats == 2 else LEFT_SEVERAL).fill_in(
            len(news), told=whom, names=join_words(news)
        )
    elif sight.version > max(seen, loaded.row.imported_plies):
        yield from iterate_turn_wordings(sight, whom, told)
    elif loaded.row.board_message is None:
        yield describe_beginning(loaded, whom, told)
    else:
        yield describe_other_news(loaded, address, told)


def iterate_turn_wordings(sight: MatchView, whom: str, told: Collection[UserId]) -> Iterator[str]:
    """The wordings of a player's turn: what it did, what it changed, and what it leads to."""
    loaded = sight.loaded
    moving = [seat for seat in loaded.turn if not is_computer(loaded.user_at(seat))]
    yours = set(told) <= set(list_movers(loaded))
    reader = next(iter(told)) if len(told) == 1 else None
    opened = describe_openings(loaded, reader)
    is_said = bool(opened) and not isinstance(sight.position, Legs)
    then = "" if yours or is_said or not moving else describe_movers(loaded, tuple(moving))
    head = YOUR_MOVE_AFTER if yours else HAPPENED
    rounds = [*opened, *(describe_ended_rounds(sight.before, sight.position, opens=False) if sight.before else [])]
    proposal = find_asked_proposal(loaded, told)
    news = list_departed(loaded)
    gone = IN_PASSING.fill_in(len(news), names=join_words(news)) if news else ""
    further = (
        then,
        *rounds,
        describe_proposal(loaded, proposal) if proposal else describe_abort_request(loaded, told),
        gone,
    )
    turns = (join_sentences(*describe_turn(sight, scored)) for scored in (None, Aside))
    short, long = (head.format(told=whom, turn=turn) for turn in turns)
    yield join_sentences(long, *further)
    yield join_sentences(short, *further)
    yield long
    yield short
    yield (YOUR_MOVE if yours else GOES_ON).format(told=whom)


def list_departed(loaded: LoadedMatch) -> list[str]:
    """Players who have left the server, where the others have not been told yet."""
    return [mention_user(one.user) for one in loaded.missing_players if (one.parted or 0) > loaded.row.shown_version]


def is_any_to_move(loaded: LoadedMatch, told: Collection[UserId]) -> bool:
    """Whether one of these users is to move."""
    return bool(set(told) & set(list_movers(loaded)))


def describe_beginning(loaded: LoadedMatch, whom: str, told: Collection[UserId]) -> str:
    """That a match begins, and with whom."""
    moving = list_movers(loaded)
    if set(told) <= set(moving):
        return BEGINS_WITH_YOU.format(told=whom)
    first = [mention_user(user) for user in moving or map(loaded.user_at, loaded.turn)]
    return BEGINS.fill_in(len(first), told=whom, names=join_words(first))


def describe_other_news(loaded: LoadedMatch, address: Address, told: Sequence[UserId]) -> str:
    """What happened without a move: proposals and answers, expired time, new players."""
    row, yours, whom = loaded.row, set(told) <= set(list_movers(loaded)), address(told)
    if proposal := find_asked_proposal(loaded, told):
        return HAPPENED.format(told=whom, turn=describe_proposal(loaded, proposal, alone=[*told] == [proposal.person]))
    if wish := describe_abort_request(loaded, told):
        return HAPPENED.format(told=whom, turn=wish)
    if row.proposal is None and (answer := describe_refusal(loaded)):
        return HAPPENED.format(told=whom, turn=answer)
    if loaded.late_players:
        return describe_timeout(loaded, address, told)
    if handing := find_new_handover(loaded):
        new, old = mention_user(loaded.user_at(handing.seat)), mention_user(handing.user)
        return TOOK_OVER.format(told=whom, new=new, old=old)
    if row.paused is not None:
        return PAUSED.format(told=whom)
    if yours and any(player.extra_time_count for player in row.players if player.user in told):
        others = [player.user for player in claims.list_waiting_players(loaded) if player.user not in told]
        names = mention_user(others[0]) if len(others) == 1 else THE_OTHERS
        return MORE_TIME.format(told=whom, names=names, days=claims.EXTRA_DAYS)
    return (YOUR_MOVE if yours else GOES_ON).format(told=whom)


def describe_timeout(loaded: LoadedMatch, address: Address, told: Sequence[UserId]) -> str:
    """Whose time has run out, and what they and those who wait can do: true until it is done."""
    late = [player.user for player in loaded.late_players]
    waiting = [player.user for player in claims.list_waiting_players(loaded)]
    if not waiting:
        return ALL_RAN_OUT.format(told=address(told))
    if out := [user for user in told if user in late]:
        names = join_words(map(mention_user, waiting)) if len(waiting) <= ADDRESSED else THE_OTHERS
        return YOU_RAN_OUT.format(late=address(out), names=names)
    return RAN_OUT.format(told=address(told), names=join_words(map(mention_user, late)))


def find_new_handover(loaded: LoadedMatch) -> Handover | None:
    """The last handover, where it was not shown yet."""
    row, last = loaded.row, parse_handovers(loaded.row.substitutions)[-1:]
    comes = row.find_player(loaded.user_at(last[0].seat)) if last else None
    known = row.paused is not None or comes is None or comes.mention_version <= row.shown_version
    return last[0] if last and (last[0].due > row.shown_version or not known) else None


def describe_abort_request(loaded: LoadedMatch, told: Collection[UserId]) -> str:
    """Who asks to call the match off, where some of these users have to answer."""
    asking = [player.user for player in loaded.players if player.consent]
    if not asking or loaded.row.proposal is not None or set(told) <= set(asking):
        return ""
    return CALLING_OFF.fill_in(len(asking), names=join_words(map(mention_user, asking)))


def find_asked_proposal(loaded: LoadedMatch, told: Collection[UserId]) -> Proposal | None:
    """The open proposal, where one of these users has to answer it, or is to be replaced."""
    proposal = proposals.open_proposal(loaded) if loaded.row.proposal is not None else None
    if proposal is None:
        return None
    replaced = {player.user for player in loaded.players if is_excused(proposal, player)}
    return proposal if set(told) & {*proposals.list_users_to_answer(loaded), *replaced} else None


def describe_proposal(loaded: LoadedMatch, proposal: Proposal, alone: bool = False) -> str:
    """A proposal, as it is put to some users; or `alone` to the one who would take over a seat."""
    at = loaded.begun_match.last_move(proposal.seat)
    asked, to_come = ASKED[proposal.kind], ASKED_TO_COME
    if proposal.of == proposal.seat:
        asked, to_come = ASKED_FOR_OWN, ASKED_TO_COME_FOR_OWN
    return (to_come if alone else asked).format(
        who=mention_user(loaded.user_at(proposal.seat)),
        move=describe_takeback(loaded, loaded.begun_match.list_lines_going(at)) if at is not None else "a move",
        new=mention_user(proposal.person) if proposal.person else "",
        old=mention_user(loaded.user_at(proposal.of)) if proposal.of else "",
    )


def list_movers(loaded: LoadedMatch) -> list[UserId]:
    return [user for user in map(loaded.user_at, loaded.turn) if not is_computer(user)]
