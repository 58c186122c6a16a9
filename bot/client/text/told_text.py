"""Words the line that tells people what happened in a match, above its board. Pure text, no Discord.

A phone shows it on its lock screen, so it says first what happened, in whole sentences, without any markup, and no more
than such a screen shows. Everybody may read it, and the board below shows all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from bot.client.text.match_text import CALLING_OFF, CHIPS, HELD, outcome, placed, result, to_move, unmarked
from bot.client.text.proposal_text import refused
from bot.client.text.turn_text import Aside, going, rounds_over, turn_told
from bot.core.match.handover import Handover, handings
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.proposal import Kind, Proposal
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural, sentences, together
from bot.core.values.text_lengths import units
from bot.service.rules import claims, proposals
from bot.service.rules.substitution import excused

MOST = 150
"""Characters that a lock screen shows for sure."""
LONGEST = 32
"""Characters of a name, at most."""
ADDRESSED = 2
"""So many people are spoken to by name; of more, the names stand below."""
EVERYBODY = "Everybody"
IN_MATCH = "{told}, in {title} · {match}"
"""Who is told, where several matches share a channel."""
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
ASKED_TO_COME = "{who} asks you to take over from {old}."
RAN_OUT = "{told}, {names} ran out of time. You can claim the match until they move."
YOU_RAN_OUT = "{late}, your time ran out. {names} can claim the match until you move."
THE_OTHERS = "the others"
LEFT = Plural(
    "{told}, {names} has left this server. Until they're back, claim the match, name a substitute or call it off.",
    "{told}, {names} have left this server. Until they're back, claim the match, name a substitute or call it off.",
)
LEFT_SEVERAL = Plural(
    "{told}, {names} has left this server. Until they're back, go on without them, name a substitute or call it off.",
    "{told}, {names} have left this server. Until they're back, go on without them, name a substitute or call it off.",
)
IN_PASSING = Plural("{names} has left this server.", "{names} have left this server.")
ALL_RAN_OUT = "{told}, everybody ran out of time. The match goes on as soon as somebody moves."
MORE_TIME = "{told}, you were given more time for your move."
TOOK_OVER = "{told}, {new} took over from {old}."
PAUSED = "{told}, the match is paused."
GOES_ON = "{told}, the match goes on."
SOMEBODY = re.compile("<@[0-9]+>")
FIRST_SENTENCE = re.compile("(?<=[.!?])[ \\n]")
"""What the first sentence of a text ends before."""
CHIP = re.compile(f"[{CHIPS}]{HELD}")
YOU = re.compile(r"\byour?\b")
YOURS = {None: "you", "'s": "your", "is": "you are", "has": "you have", "who": "you, since you"}
"""What stands in place of the name of somebody who is spoken to, by the word behind it."""
NAMED_AGAIN = "(?P<begins>^|[.!?][ \\n]|\\n)?{name}(?:(?:,? (?=[ihw])|(?='))(?P<verb>is|has|who|'s)\\b)?"

Address = Callable[[Sequence[UserId]], str]
"""How some people are spoken to, where a match is played or elsewhere."""


def line(sight: Sight, told: Sequence[UserId], seen: int) -> str:
    """What some people are told of a match as it stands, of whose record they have `seen` so many lines."""
    seated = sight.seated

    def address(people: Sequence[UserId]) -> str:
        whom = addressed(people)
        return whom if seated.threaded else IN_MATCH.format(told=whom, title=seated.game.title, match=seated.id)

    return shortest(ways(sight, address, told, seen), told)


def elsewhere(sight: Sight, told: Sequence[UserId], seen: int, match: str) -> str:
    """The same where the match is not played, which is named like `match`."""
    return shortest(ways(sight, lambda people: IN_PLACE.format(told=addressed(people), match=match), told, seen), told)


def shortest(said: Iterator[str], told: Sequence[UserId]) -> str:
    """The first of some sentences that a lock screen shows, for some people."""
    found, below = [named_once(bare(one), told) for one in said], told if len(told) <= ADDRESSED else ()
    return with_names(next((one for one in found if length(with_names(one, below)) <= MOST), found[-1]), told)


def addressed(told: Sequence[UserId]) -> str:
    """How some people are spoken to."""
    return together(map(person, told)) if len(told) <= ADDRESSED else EVERYBODY


def named_once(text: str, told: Sequence[UserId]) -> str:
    """A text without the second name of those whom it speaks to. Somebody alone is "you" then; two are not spoken to
    where their names stand in the sentence itself, unless it says "you"."""
    head = addressed(told)
    if not text.startswith(head):
        return text
    body = text.removeprefix(head)
    if len(told) == 1:
        return f"{head}{second_person(body, told[0])}"
    if len(told) > ADDRESSED or YOU.search(body) or not any(person(user) in body for user in told):
        return text
    body = body.removeprefix(", ")
    return f"{body[:1].upper()}{body[1:]}"


def second_person(text: str, reader: UserId) -> str:
    """A text for somebody whom it names."""

    def you(found: re.Match[str]) -> str:
        said = YOURS[found["verb"]]
        begins = found["begins"]
        return said if begins is None else f"{begins}{said[:1].upper()}{said[1:]}"

    return re.sub(NAMED_AGAIN.format(name=re.escape(person(reader))), you, text)


def with_names(text: str, told: Sequence[UserId]) -> str:
    """A text that tells some people, with those below it whom it does not name."""
    left = [name for name in map(person, told) if name not in text]
    return "\n".join((text, " ".join(left))) if left else text


def bare(text: str) -> str:
    """A sentence of a board as a lock screen shows it: without chips and bold type."""
    return CHIP.sub("", text).replace("**", "")


def length(text: str) -> int:
    """How long a text is at most, with the longest names."""
    return units(SOMEBODY.sub("_" * LONGEST, text))


def ways(sight: Sight, address: Address, told: Sequence[UserId], seen: int) -> Iterator[str]:
    """The sentences that tell it, then shorter ones."""
    seated, whom = sight.seated, address(told)
    if seated.row.state == "finished":
        yield OVER.format(told=whom, result=result(seated, unmarked))
        yield OVER.format(told=whom, result=outcome(seated, unmarked))
        yield OVER.format(told=whom, result=placed(seated, unmarked))
        yield ENDED.format(told=whom)
    elif seated.row.state == "aborted":
        said = result(seated, unmarked)
        yield CALLED_OFF.format(told=whom, result=said)
        yield CALLED_OFF.format(told=whom, result=FIRST_SENTENCE.split(said, 1)[0])
        if seated.row.close_reason == claims.ABANDONED:
            yield ALL_LATE.format(told=whom)
        yield ENDED.format(told=whom)
    elif (news := parted(seated)) and (
        sight.version <= max(seen, seated.row.imported_plies) or not moves(seated, told)
    ):
        yield (LEFT if seated.row.seats == 2 else LEFT_SEVERAL).of(len(news), told=whom, names=together(news))
    elif sight.version > max(seen, seated.row.imported_plies):
        yield from after_turn(sight, whom, told)
    elif seated.row.board_message is None:
        yield begins(seated, whom, told)
    else:
        yield otherwise(seated, address, told)


def after_turn(sight: Sight, whom: str, told: Collection[UserId]) -> Iterator[str]:
    """What somebody did, what it changed, and what it leads to."""
    seated = sight.seated
    moving = [seat for seat in seated.turn if not is_computer(seated.user_at(seat))]
    yours = set(told) <= set(movers(seated))
    then = "" if yours or not moving else to_move(seated, moving, unmarked)
    head = YOUR_MOVE_AFTER if yours else HAPPENED
    rounds = rounds_over(sight.before, sight.position) if sight.before else []
    proposal = is_asked(seated, told)
    news = parted(seated)
    gone = IN_PASSING.of(len(news), names=together(news)) if news else ""
    further = (then, *rounds, asked(seated, proposal) if proposal else called_off(seated, told), gone)
    turns = (sentences(*turn_told(sight, scored)) for scored in (None, Aside))
    short, long = (head.format(told=whom, turn=turn) for turn in turns)
    yield sentences(long, *further)
    yield sentences(short, *further)
    yield long
    yield short
    yield (YOUR_MOVE if yours else GOES_ON).format(told=whom)


def parted(seated: LoadedMatch) -> list[str]:
    """Who has left the server, where the others have not heard of it yet."""
    return [person(one.user) for one in seated.missing if (one.parted or 0) > seated.row.shown_version]


def moves(seated: LoadedMatch, told: Collection[UserId]) -> bool:
    """Whether somebody of those who are told is to move."""
    return bool(set(told) & set(movers(seated)))


def begins(seated: LoadedMatch, whom: str, told: Collection[UserId]) -> str:
    """That a match begins, and with whom."""
    moving = movers(seated)
    if set(told) <= set(moving):
        return BEGINS_WITH_YOU.format(told=whom)
    first = [person(user) for user in moving or map(seated.user_at, seated.turn)]
    return BEGINS.of(len(first), told=whom, names=together(first))


def otherwise(seated: LoadedMatch, address: Address, told: Sequence[UserId]) -> str:
    """What happened without a move: what somebody asks or answers, whose time has run out, who has come in."""
    row, yours, whom = seated.row, set(told) <= set(movers(seated)), address(told)
    if proposal := is_asked(seated, told):
        return HAPPENED.format(told=whom, turn=asked(seated, proposal, alone=[*told] == [proposal.person]))
    if wish := called_off(seated, told):
        return HAPPENED.format(told=whom, turn=wish)
    if row.proposal is None and (answer := refused(seated)):
        return HAPPENED.format(told=whom, turn=answer)
    if seated.late:
        return ran_out(seated, address, told)
    if handing := handed_now(seated):
        new, old = person(seated.user_at(handing.seat)), person(handing.user)
        return TOOK_OVER.format(told=whom, new=new, old=old)
    if row.paused is not None:
        return PAUSED.format(told=whom)
    if yours and any(player.extra_time_count for player in row.players if player.user in told):
        return MORE_TIME.format(told=whom)
    return (YOUR_MOVE if yours else GOES_ON).format(told=whom)


def ran_out(seated: LoadedMatch, address: Address, told: Sequence[UserId]) -> str:
    """Whose time has run out, and what they and those who wait can do: true until it is done."""
    late = [player.user for player in seated.late]
    waiting = [player.user for player in claims.waiting(seated)]
    if not waiting:
        return ALL_RAN_OUT.format(told=address(told))
    if out := [user for user in told if user in late]:
        names = together(map(person, waiting)) if len(waiting) <= ADDRESSED else THE_OTHERS
        return YOU_RAN_OUT.format(late=address(out), names=names)
    return RAN_OUT.format(told=address(told), names=together(map(person, late)))


def handed_now(seated: LoadedMatch) -> Handover | None:
    """The last handover, where those who are told have not heard of it."""
    row, last = seated.row, handings(seated.row.substitutions)[-1:]
    comes = row.player(seated.user_at(last[0].seat)) if last else None
    known = row.paused is not None or comes is None or comes.mention_version <= row.shown_version
    return last[0] if last and (last[0].due > row.shown_version or not known) else None


def called_off(seated: LoadedMatch, told: Collection[UserId]) -> str:
    """Who wants to call the match off, where that is put to some people."""
    asking = [player.user for player in seated.players if player.consent]
    if not asking or seated.row.proposal is not None or set(told) <= set(asking):
        return ""
    return CALLING_OFF.of(len(asking), names=together(map(person, asking)))


def is_asked(seated: LoadedMatch, told: Collection[UserId]) -> Proposal | None:
    """The open proposal, where somebody of those who are told is to answer it, or is to be replaced."""
    proposal = proposals.open_proposal(seated) if seated.row.proposal is not None else None
    if proposal is None:
        return None
    replaced = {player.user for player in seated.players if excused(proposal, player)}
    return proposal if set(told) & {*proposals.waiting(seated), *replaced} else None


def asked(seated: LoadedMatch, proposal: Proposal, alone: bool = False) -> str:
    """A proposal, as it is put to some people; or to the person `alone` who is to come in."""
    at = seated.folded.last_move(proposal.seat)
    return (ASKED_TO_COME if alone else ASKED[proposal.kind]).format(
        who=person(seated.user_at(proposal.seat)),
        move=going(seated, seated.folded.going_with(at)) if at is not None else "a move",
        new=person(proposal.person) if proposal.person else "",
        old=person(seated.user_at(proposal.of)) if proposal.of else "",
    )


def movers(seated: LoadedMatch) -> list[UserId]:
    """The people to move."""
    return [user for user in map(seated.user_at, seated.turn) if not is_computer(user)]
