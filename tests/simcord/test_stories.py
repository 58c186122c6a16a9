"""Stories of people who play, on SimCord: what they do and what they see, in its words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import simcord
from discord import Message
from simcord.backend.errors import BackendError

from bot.platform.names import END, ISOLATE
from bot.play import puzzles
from tests.e2e.harness import OVER, PLAYS
from tests.e2e.test_daily import MORNING, TODAY, puzzle, wrong
from tests.e2e.test_several_seats import GRID, POOR
from tests.e2e.test_whole_match import SQUARES
from tests.simcord.stand_in import Shown, Stage

pytestmark = pytest.mark.long
Way = Callable[[Stage, simcord.MemberActor, str], Awaitable[None]]


async def challenged(stage: Stage, command: str = "binary-primes", **options: object) -> Message:
    """A challenge of Ann's to Bea; its public message."""
    given = {"size": 3, "legs": 1} if command == "binary-primes" else {}
    chosen = {"opponent": stage.bea, "seat": "me", **given, **options}
    reply = await stage.ann.slash(stage.games, f"{command} challenge", **chosen)
    assert reply.ephemeral and "challenge sent" in stage.text(reply), stage.text(reply)
    return shown(stage)


async def match(stage: Stage, command: str = "binary-primes", **options: object) -> Message:
    """A live match of Ann, who has the first move, and Bea; the message of its challenge."""
    lobby = await challenged(stage, command, **options)
    await stage.bea.click(lobby, label="Accept")
    return lobby


def shown(stage: Stage) -> Message:
    """The newest message of the bot's in the channel that people can press something in."""
    return next(one for one in reversed(stage.games.history()) if stage.labels(one))


def thread(stage: Stage) -> simcord.ChannelHandle:
    """Where the newest match is played."""
    return stage.games.threads[-1]


def board(stage: Stage) -> Message:
    """The newest board of the newest match."""
    return thread(stage).history()[-1]


def alone(stage: Stage, reply: Shown, sentence: str) -> None:
    """The answer is this sentence, for one alone."""
    assert isinstance(reply, simcord.InteractionResult)
    assert (stage.text(reply), reply.ephemeral) == (sentence, True)


def plain(text: str) -> str:
    """Without the spaces at which no line is broken."""
    return text.replace("\xa0", " ")


def called(person: simcord.MemberActor) -> str:
    """Somebody as a text names them whom it does not tell."""
    return f"{ISOLATE}{person.name.capitalize()}{END}"


# --- ways to move


async def by_command(stage: Stage, person: simcord.MemberActor, square: str) -> None:
    reply = await person.slash(thread(stage), "binary-primes move", square=square)
    assert (stage.answer(reply), reply.ephemeral) == (f"You played **{square}**.", True)


async def by_line(stage: Stage, person: simcord.MemberActor, square: str) -> None:
    reply = await person.slash(thread(stage), "move", line=square)
    assert (stage.answer(reply), reply.ephemeral) == (f"You played **{square}**.", True)


async def by_pad(stage: Stage, person: simcord.MemberActor, square: str) -> None:
    pad = await stage.press(person, board(stage), "Move", square)
    assert f"Play **{square}**?" in stage.text(pad)
    done = await stage.press(person, pad, f"Play {square}")
    assert done.deferred and done.response is None, "the pad is gone"


async def by_form(stage: Stage, person: simcord.MemberActor, square: str) -> None:
    form = await stage.press(person, board(stage), "Move", "Type it")
    assert form.modal and form.modal["title"] == "Binary Primes: move"
    await stage.submit(person, form, square)


@pytest.mark.parametrize("way", [by_command, by_line, by_pad, by_form])
async def test_a_match_is_played_to_its_end(stage: Stage, way: Way) -> None:
    ann, bea = stage.ann, stage.bea
    lobby = await challenged(stage)
    assert stage.labels(lobby) == ["Accept", "Decline", "Rules"]
    assert stage.text(lobby).startswith(f"{bea.mention}, {called(ann)} challenges you to Binary Primes.")
    await bea.click(lobby, label="Accept")
    assert stage.text(lobby).startswith(f"{called(ann)} and {called(bea)} are playing **Binary Primes**: https://")
    assert thread(stage).name == "Ann – Bea · Binary Primes · 1"
    for square, person in zip(SQUARES, (ann, bea) * 2, strict=True):
        assert f"{called(person)} is to move." in stage.text(board(stage))
        assert stage.labels(board(stage)) == ["Move", "Rules", "More …"]
        await way(stage, person, square)
    lines, boards = thread(stage).history()[::2], thread(stage).history()[1::2]
    assert [stage.labels(one) for one in boards] == [[], [], [], [], OVER]
    last = boards[-1]
    result = f"### Binary Primes\xa0· match\xa01\n**{called(bea)} beat {called(ann)} 245\xa0:\xa027.**"
    result += "\nThe rows count 7 × 5 × 7\xa0= 245, the columns 3 × 3 × 3\xa0= 27."
    result += f"\n🟦\xa0{called(ann)} · columns\n🟧\xa0{called(bea)} · rows"
    assert stage.text(last) == result
    told = [stage.pinged(line) for line in lines]
    assert told == [{ann.id}, {bea.id}, {ann.id}, {bea.id}, {ann.id}] and stage.pinged(last) == set()
    ((alt, picture),) = stage.pictures(last)
    assert alt.startswith("Binary Primes. 3 by 3. Finished after 4 moves") and picture.startswith(b"\x89PNG")
    over = stage.games.last_message
    assert over is not None and over.id != lobby.id
    assert stage.text(over).startswith(f"**{called(bea)} beat {called(ann)} 245\xa0:\xa027 · Binary Primes**")
    ended = f"{called(ann)} and {called(bea)}'s match of **Binary Primes** is over: [how it ended]({over.jump_url})"
    assert stage.text(lobby).startswith(ended) and stage.labels(lobby) == []
    listed = await ann.slash(stage.games, "leaderboard")
    assert listed.ephemeral
    assert f"No place yet: {called(bea)} (1 match) and {called(ann)} (1 match)." in stage.text(listed)
    profile = await ann.slash(stage.games, "profile", person=bea)
    assert "**Binary Primes** · rating **1603**, provisional · 1 match · 1 won" in stage.text(profile)


async def test_a_challenge_is_declined(stage: Stage) -> None:
    lobby = await challenged(stage)
    alone(stage, await stage.cem.click(lobby, label="Decline"), "Only somebody who was challenged can decline.")
    await stage.bea.click(lobby, label="Decline")
    (line,) = stage.games.history()
    assert line.id != lobby.id, "the challenge's message is gone"
    told = f"{called(stage.bea)} declined {stage.ann.mention}'s challenge to Binary Primes.\n-# match 1"
    assert (stage.text(line), stage.pinged(line)) == (told, {stage.ann.id})
    assert stage.labels(line) == [] and stage.games.threads == []
    with pytest.raises(BackendError, match="Unknown Message"):
        await stage.bea.click(lobby, label="Accept")


async def test_wrong_presses_and_late_ones(stage: Stage) -> None:
    ann, bea, cem = stage.ann, stage.bea, stage.cem
    await match(stage)
    first = board(stage)
    turn = f"It's {called(ann)}'s turn."
    alone(stage, await bea.click(first, label="Move"), turn)
    alone(stage, await bea.slash(thread(stage), "binary-primes move", square="b2"), turn)
    outside = f"You aren't in this match. It is between {called(ann)} and {called(bea)}."
    alone(stage, await cem.click(first, label="Move"), outside)
    wrong = "z9 is off the board. Its columns are a to c, its rows 1 to 3. You could write a1."
    alone(stage, await ann.slash(thread(stage), "binary-primes move", square="z9"), wrong)
    assert thread(stage).history()[1:] == [first]
    pad = await stage.press(ann, first, "Move")
    form = await stage.press(ann, first, "Move", "Type it")
    await by_command(stage, ann, "b2")
    late = await stage.press(ann, pad, "a1")
    assert "The match moved on while you were choosing." in stage.text(late)
    late = await stage.submit(ann, form, "a1")
    assert "The match moved on while you were choosing." in stage.text(late)
    assert stage.labels(first) == [], "nobody can press on a board that is past"
    filled = f"{called(ann)} has already filled b2. Choose an empty square."
    alone(stage, await bea.slash(thread(stage), "move", line="b2"), filled)


async def test_a_draw_is_offered_and_agreed_to(stage: Stage) -> None:
    ann, bea = stage.ann, stage.bea
    await match(stage)
    asked = await stage.press(ann, board(stage), "More …", "Offer a draw")
    assert "You offered a draw" in stage.text(asked), stage.text(asked)
    assert "offers a draw, which would end the match." in stage.text(board(stage))
    sure = await stage.press(bea, board(stage), "Agree: draw")
    assert sure.ephemeral and stage.labels(sure) == ["Agree to a draw", "Play on"]
    await stage.press(bea, sure, "Agree to a draw")
    drawn = f"**{called(ann)} and {called(bea)} agreed to a draw.**\nNot rated: nobody had moved."
    assert drawn in stage.text(board(stage))
    assert stage.labels(board(stage)) == ["Rematch", "Replay", "More …"]


async def test_what_is_played_in_secret_is_shown_when_all_are_done(stage: Stage) -> None:
    ann, bea = stage.ann, stage.bea
    await match(stage, "sums-grid")
    place = thread(stage)
    played = await ann.slash(place, "move", line=GRID)
    assert played.ephemeral and f"You handed in **{GRID}**." in plain(stage.text(played))
    assert f"🟦 {called(ann)} · **19**" in plain(stage.text(played))
    # Nobody else is shown what she did, nor that she did something.
    before = [str(stage.seen(one)) for one in place.history()]
    own = await bea.slash(place, "match board")
    assert "19" not in stage.text(own) and own.ephemeral
    await bea.slash(place, "move", line=POOR)
    assert [str(stage.seen(one)) for one in place.history()] == before and stage.games.last_message
    assert f"🟧 {called(bea)} · **4**" in plain(stage.text(await bea.slash(place, "match board")))
    for person in (ann, bea):
        asked = await person.click(board(stage), label="End my match")
        await stage.press(person, asked, stage.labels(asked)[0])
    assert f"{called(ann)} beat {called(bea)} 19 : 4.**" in plain(stage.text(board(stage)))
    assert stage.labels(board(stage)) == ["Rematch", "Replay", "More …"]


async def test_a_lesson_from_the_list_to_the_learners_own_move(stage: Stage) -> None:
    listed = await stage.cem.slash(stage.games, "learn")
    assert listed.ephemeral and stage.labels(listed) == ["Learn …"]
    page = await stage.cem.select(stage.sent(listed), ["binary-primes"])
    assert stage.sent(page).id == stage.sent(listed).id and "Binary Primes · 1 of" in stage.text(page)
    while "Your turn" not in stage.labels(page):
        assert len(stage.pictures(page)) == 1
        page = await stage.press(stage.cem, page, "Next")
    told = await stage.press(stage.cem, page, "Your turn", "Move", "a2", "Play a2")
    assert "You played **a2**: 🟦 has 1.7 times 🟧's product." in stage.text(told)
    assert "The other side wins, 45\xa0:\xa027." in stage.text(told)
    assert stage.games.history() == [], "nobody else sees it"


async def test_settings_are_for_those_who_manage_the_server(stage: Stage) -> None:
    with pytest.raises(simcord.SetupError, match="default-member-permissions"):
        await stage.bea.slash(stage.games, "settings show")
    card = await stage.ann.slash(stage.games, "settings show")
    assert card.ephemeral and stage.text(card).startswith("### Settings of this server\n")
    card = await stage.ann.select(stage.sent(card), ["2"], custom_id="p:settings:pace")
    await stage.ann.select(stage.sent(card), [stage.games], custom_id="p:settings:channels")
    elsewhere = stage.guild.create_text_channel("elsewhere")
    refused = await stage.bea.slash(elsewhere, "binary-primes challenge", size=3)
    alone(stage, refused, f"You can't challenge anybody in this channel. Go to {stage.games.mention}.")
    lobby = await challenged(stage)
    assert "2 days for each move" in stage.text(lobby)


async def test_the_puzzle_of_the_day_is_posted_and_solved_in_private(stage: Stage) -> None:
    """It is posted in the channel that the server's manager chose."""
    ann, bea = stage.ann, stage.bea
    stage.clock.put(MORNING - 3600)
    card = await ann.slash(stage.games, "settings posts")
    await ann.select(stage.sent(card), [stage.games], custom_id="p:settings:daily")
    await stage.later(3660)
    posted = stage.games.history()[-1]
    assert stage.text(posted).startswith(f"### Daily puzzle {TODAY - puzzles.FIRST + 1} · {puzzle().game.title}")
    assert stage.pinged(posted) == set()
    today = puzzle()
    opened = await bea.slash(stage.games, "daily")
    assert opened.ephemeral and stage.labels(opened) == ["Solve", "Rules", "Stats", "Past puzzles"]
    assert f"Daily puzzle {TODAY - puzzles.FIRST + 1} · {today.game.title}" in stage.text(opened)
    pad = await stage.press(bea, opened, "Solve")
    told = await tried(stage, bea, pad, wrong(today))
    assert "You have 2 tries left." in stage.text(told) and stage.labels(told) == ["Try again"]
    told = await tried(stage, bea, await stage.press(bea, told, "Try again"), today.best)
    assert "That is the move!" in stage.text(told) and "streak" not in stage.text(told)
    stats = await bea.slash(stage.games, "daily", show="stats")
    assert "You tried 1 daily puzzle and solved 1: 0 in one try, 1 in two, 0 in three." in stage.text(stats)


async def tried(stage: Stage, person: simcord.MemberActor, pad: simcord.InteractionResult, move: str) -> Any:
    """A try, tap by tap, and what it comes to."""
    for _ in range(6):
        labels = stage.labels(pad)
        label = next((one for one in labels if one.startswith(PLAYS)), None)
        tap = label or max((one for one in labels if move.startswith(one)), key=len)
        pad = await stage.press(person, pad, tap)
        if label:
            return pad
    raise AssertionError(f"{move} can't be tapped")


async def test_a_league_from_its_sign_up_to_its_end(stage: Stage) -> None:
    ann, bea, cem, dora = people = stage.ann, stage.bea, stage.cem, stage.dora
    opened = await ann.slash(stage.games, "league create", game="binary-primes")
    assert opened.ephemeral and stage.text(opened).startswith("You opened the "), stage.text(opened)
    await stage.look()
    message = shown(stage)
    assert stage.labels(message) == ["Join", "Leave", "Start now"]
    for person in (bea, cem, dora):
        joined = await person.click(message, label="Join")
        assert stage.text(joined).startswith("You're in the Binary Primes league, season 1. It starts <t:")
    await stage.look()
    assert "**4 people have joined:**" in stage.text(message)
    host = f"Only {called(ann)} and people who can manage this server can do that."
    alone(stage, await bea.click(message, label="Start now"), host)
    await ann.click(message, label="Start now")
    await stage.look()
    await stage.look()  # some are told a look later
    assert "0 of 6 matches are over." in stage.text(message) and stage.labels(message) == []
    ((crosstable, _),) = stage.pictures(message)
    assert crosstable.startswith("The crosstable of division 1. Number 1 has 0 points.")
    assert len(stage.games.threads) == 6
    told = [line for place in stage.games.threads for line in place.history() if stage.pinged(line)]
    assert sorted(stage.pinged(line).pop() for line in told) == sorted(person.id for person in people)
    for place in stage.games.threads:
        first = next(one for one in place.history() if stage.labels(one))
        loser = next(one for one in (dora, cem, bea) if called(one) in stage.text(first))
        sure = await loser.slash(place, "match resign")
        await stage.press(loser, sure, stage.labels(sure)[0])
    await stage.look()
    standing = plain(stage.text(message))
    assert [f"**{place}** {called(one)} · {4 - place} of 3" in standing for place, one in enumerate(people, 1)] == [
        True
    ] * 4
    won = (
        f"🏆 {called(ann)} wins season 1 of the Binary Primes league with 3 points from 3 matches. "
        f"{called(people[1])} came second with 2 points."
    )
    assert stage.text(stage.games.history()[-1]) == won
