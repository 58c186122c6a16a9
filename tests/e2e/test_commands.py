"""The commands around a match: boards, records, giving up, calling off, lists, rules, and which match is meant."""

from __future__ import annotations

import json
import re

import pytest

from bot.features.challenges.onboarding import ALL_GAMES
from bot.games.catalogue import load_games, load_offered_games
from bot.play.ids import MatchId
from bot.play.match import Match
from bot.play.records import main as replay
from bot.sandbox import people as sandbox_people
from data.store import Reader
from tests.e2e.harness import OVER, Harness, Played, called, form_of, labels


def link(played: Played) -> str:
    """Where the newest board of a match is."""
    return f"https://discord.com/channels/{played.row.guild}/{played.row.board_channel}/{played.row.board_message}"


async def test_a_board_for_ones_own_eyes(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    for person in (harness.ann, harness.bea, harness.cem):
        reply = await person.command("match board", channel=played.place)
        assert reply.is_ephemeral
        assert ("It's your move." if person is harness.bea else f"{called(harness.bea)} is to move.") in reply.text
        assert "Only you see this board." in reply.text
        assert link(played) in reply.text
        assert (sandbox_people.list_media(reply.message)[0].alt or "").startswith("Binary Primes. 3 by 3. Move 1 of 4")
    await harness.settled()
    assert len(played.boards) == 2
    # Bea may move from her own board; the public board follows, and loses its buttons.
    own = await harness.bea.command("match board", channel="general")
    assert labels(own.message) == ["Move", "Rules", "More …"]
    opened = await form_of(harness.bea, own)
    answer = await harness.bea.submit(opened, {"Square": "a1"})
    assert answer.message_id == own.message_id
    assert answer.text == f"You played **a1**. {link(played)}"
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], [], ["Move", "Rules", "More …"]]
    assert await harness.cem.complete("match board", "match", match="") == []


async def test_a_record_that_replay_accepts(
    harness: Harness, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    played = await harness.match()
    for square in ("b2", "a1", "c1"):
        played = await played.move(square)
    await replayed(harness, played, tmp_path_factory, capsys)
    played = await played.move("b1")
    assert "[27, 245]" in await replayed(harness, played, tmp_path_factory, capsys)


async def replayed(
    harness: Harness, played: Played, folders: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> str:
    """Download the record and replay it; what replay printed."""
    reply = await harness.cem.command("match record", channel=played.place)
    assert reply.is_ephemeral
    assert reply.text == "The record of match 1 as text: its options, its seats and everything that was played."
    (attached,) = reply.message["attachments"]
    assert attached["filename"] == "match-1.jsonl"
    data = sandbox_people.bytes_of(harness.sandbox.world, attached)
    assert json.loads(data) == {
        "game": "binary-primes", "options": {"size": 3}, "seats": 2, "moves": [list(entry) for entry in played.record],
    }  # fmt: skip
    file = folders.mktemp("record") / attached["filename"]
    file.write_bytes(data)
    assert replay(str(file), False, False) == 0
    return capsys.readouterr().out


async def test_resigning(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    played = await played.move("a1")
    asked = await harness.bea.command("match resign", channel="general")
    assert asked.is_ephemeral and labels(asked.message) == ["Resign", "Play on"]
    assert sandbox_people.text_of(asked.message) == (
        f"Resign match 1 against {called(harness.ann)}? You can't undo it.\n-# Binary Primes · {link(played)}"
    )
    reply = await harness.bea.press(asked.message, "Resign")
    assert (reply.kind, reply.message_id) == ("update", asked.message_id)
    assert f"You resigned.\n-# {link(played)}" in reply.text
    await harness.settled()
    played = await played.fresh()
    assert played.record[-1] == (2, "resign")
    assert played.row.state == "finished"
    assert f"**{called(harness.ann)} beat {called(harness.bea)}, who resigned.**" in sandbox_people.text_of(
        played.board
    )
    assert [labels(board) for board in played.boards] == [
        [],
        [],
        [],
        OVER,
    ]
    board = (await harness.ann.command("leaderboard")).text.splitlines()
    assert board[1].startswith(f"No place yet: {called(harness.ann)}")
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (3, 2), "the end is told to Ann, Bea made it"


@pytest.mark.long
async def test_resigning_before_any_move_counts_for_nobody(harness: Harness) -> None:
    played = await harness.match()
    await harness.surely(harness.ann, "match resign", channel=played.place)
    await harness.settled()
    assert "Nobody has finished a rated match yet" in (await harness.ann.command("leaderboard")).text
    assert " beat " in sandbox_people.text_of((await played.fresh()).board)


async def test_calling_off_needs_everybody(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    asked = await harness.bea.command("match abort", channel=played.place)
    assert asked.text == (f"You asked to call match 1 off. It ends as soon as {called(harness.cem)} agrees.")
    await harness.settled()
    board = sandbox_people.text_of(played.board)
    asks = f"{called(harness.bea)} wants to call the match off. It ends if {called(harness.cem)} agrees."
    assert asks in board
    assert labels(played.board) == ["Move", "Rules", "More …", "Agree: call it off", "Refuse"]
    assert len(played.boards) == 1 and len(played.lines) == 2, "a line tells it, and the board goes below that"
    assert (await form_of(harness.bea, played.board)).kind == "modal"
    asked = await harness.cem.command("match abort", channel=played.place)
    assert sandbox_people.text_of(asked.message).startswith(
        f"Call match 1 against {called(harness.bea)} off? It ends and doesn't count.\n-# Binary Primes · https://"
    )
    assert labels(asked.message) == ["Call it off", "Play on"]
    kept = await harness.cem.press(asked.message, "Play on")
    assert (kept.kind, kept.text, await played.unchanged()) == ("update", "Nothing was changed.", False)
    agreed = await harness.surely(harness.cem, "match abort", channel=played.place)
    assert "The match is called off." in agreed.text
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "aborted"
    assert "The match was called off. It doesn't count." in sandbox_people.text_of(played.board)
    assert "The match was called off. It doesn't count." in sandbox_people.text_of(played.lobby)
    assert [labels(board) for board in played.boards] == [["Rules"]]
    assert (harness.told(harness.bea), harness.told(harness.cem)) == (2, 2)
    over = await harness.bea.command("binary-primes move", channel=played.place, square="a1")
    assert over.text == "This match was called off."


@pytest.mark.long
async def test_a_manager_calls_off_what_others_play(harness: Harness) -> None:
    played = await (await harness.match(harness.bea, harness.cem)).move("b2")
    reply = await harness.surely(harness.ann, "match abort", match=1)
    assert f"The match is called off.\n-# {link(played)}" in reply.text
    await harness.settled()
    assert (await played.fresh()).row.state == "aborted"
    assert "No finished rated match yet." in (await harness.bea.command("profile")).text


async def test_a_player_who_proposes_to_abort_is_reminded_of_it_when_they_play_on(harness: Harness) -> None:
    """Else somebody who is about to lose could agree to what the other asked for long ago."""
    played = await harness.match(harness.bea, harness.cem)
    await harness.bea.command("match abort", channel=played.place)
    await harness.settled()
    reply = await harness.bea.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text == "You played **b2**. You are still asking to call the match off."
    await harness.settled()
    assert f"{called(harness.bea)} wants to call the match off" in sandbox_people.text_of((await played.fresh()).board)


@pytest.mark.long
async def test_only_matches_alone_are_published(harness: Harness) -> None:
    played = await harness.match()
    reply = await harness.ann.command("match publish", match=1)
    assert (reply.text, reply.is_ephemeral) == (
        "Everybody can already see that match. Only matches played alone are private.", True
    )  # fmt: skip
    assert await played.unchanged()


async def test_games_is_the_list_of_play(harness: Harness) -> None:
    """It fits a screen, and leads to the card of each game."""
    reply, play = await harness.ann.command("games"), await harness.ann.command("play")
    assert reply.is_ephemeral and reply.text == play.text
    assert reply.text.startswith("### Games to begin with")
    reply = await harness.ann.press(reply, ALL_GAMES)
    assert reply.text.startswith("### 19 games by Leroy Quet") and "\n**Easy to begin with**\n" in reply.text
    assert all(game.title in reply.text for game in load_offered_games().values()) and len(reply.text) < 1200
    assert [one.custom_id for one in sandbox_people.list_buttons(reply.message)] == ["p:pick:", "p:first:"]


async def test_play_without_a_game_but_with_an_opponent(harness: Harness) -> None:
    reply = await harness.ann.command("play", opponent=harness.bea)
    assert (reply.text, reply.is_ephemeral) == (
        "Say which game, too. /play on its own shows all games to choose from.", True
    )  # fmt: skip
    assert await harness.store.ask(Reader.count_by_state) == {}


async def test_play_is_the_same_challenge(harness: Harness) -> None:
    titles = await harness.ann.complete("play", "game", game="binary p")
    assert ("Binary Primes", "binary-primes") in titles
    assert all("Binary P" in title for title, _ in titles)
    assert await harness.ann.complete("play", "game", game="no such game") == []
    assert len(await harness.ann.complete("play", "game", game="")) == min(25, len(load_offered_games()))
    for name in ("binary-primes", "Binary Primes", " BINARY primes "):
        how = {"opponent": harness.bea, "seat": "me", "rated": False, "legs": 1}
        reply = await harness.ann.command("play", channel="games", game=name, **how)
        assert " of Binary Primes: challenge sent. " in reply.text
    await harness.settled()
    assert "-# size 7 · the challenger starts · not rated" in sandbox_people.text_of(
        harness.bea.read_latest_message("games")
    )
    for name in ("chess", "", "binary"):
        reply = await harness.ann.command("play", game=name)
        assert (reply.text, reply.is_ephemeral) == ("There is no such game here. /games shows what there is.", True)
    assert await harness.store.ask(Reader.count_by_state) == {"open": 3}


@pytest.mark.long
async def test_the_rules_of_every_game(harness: Harness) -> None:
    people = (harness.ann, harness.bea, harness.cem, harness.dora)
    for index, game in enumerate(load_offered_games().values()):
        reply = await people[index % 4].command(f"{game.key} rules")
        assert reply.is_ephemeral
        assert re.match(rf"### .+ \({game.inventor}, {game.year}\)\n[A-Z].+\n\n\*\*Example\*\* ", reply.text)
        assert ">>>" not in reply.text and "**Example** " in reply.text and "**Rulings** " not in reply.text
        assert len(sandbox_people.list_media(reply.message)) == 1, "the board of the example is shown"
        more = await people[index % 4].press(reply.message, "More")
        assert more.is_ephemeral and ">>>" not in more.text and "**To move** Press " in more.text


async def test_which_match_a_command_means(harness: Harness) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    harness.clock.at = harness.clock()  # lists go by the seconds that are left
    none = await ann.command("binary-primes move", channel="games", square="a1")
    assert none.text == "You have no Binary Primes match open here. Use /binary-primes challenge to challenge somebody."
    assert (await ann.command("match board")).text == "You have no open matches here. Use /play to challenge somebody."

    first = await harness.match(ann, bea)
    second = await harness.match(cem, ann)
    # Its own thread says which; elsewhere a move means the match in which one is to move.
    assert (await ann.command("binary-primes move", channel="general", square="a1")).text.startswith(
        "You played **a1**"
    )
    await harness.settled()
    assert (await first.fresh()).record == [(1, "a1")]
    both = await ann.command("binary-primes move", channel="general", square="b1")
    assert both.text.startswith("You have several matches here. Go to the thread of the one you mean, or ")
    assert link(first) not in both.text
    first = await first.fresh()
    ends = {int(player.user): player.deadline for played in (first, second) for player in played.row.players}
    assert both.text.split("\n")[1:] == [
        f"1 · {called(bea)}'s move · Binary Primes · time ends <t:{ends[int(bea.id)]}:R> {link(first)}",
        f"2 · {called(cem)}'s move · Binary Primes · time ends <t:{ends[int(cem.id)]}:R> {link(second)}",
    ], "who, what, and for whom it waits"
    elsewhere = await ann.command("match board", channel="general")
    assert elsewhere.text.startswith("You have several matches here. Go to the thread of the one you mean, or add")
    here = await ann.command("binary-primes move", channel=second.place, square="b1")
    assert here.text == f"It's {called(cem)}'s turn."
    here = await ann.command("binary-primes move", channel=second.place, square="b1", match=1)
    assert here.text == f"It's {called(bea)}'s turn."

    assert await ann.complete("match resign", "match", match="") == [
        ("1 · Binary Primes · Bea · move 2 · Bea is to move", "1"),
        ("2 · Binary Primes · Cem · move 1 · Cem is to move", "2"),
    ]  # fmt: skip
    assert await ann.complete("binary-primes move", "match", match="2") == [
        ("2 · Binary Primes · Cem · move 1 · Cem is to move", "2")
    ]
    assert await ann.complete("binary-primes move", "match", match="x") == []
    assert await bea.complete("match board", "match", match="") == [
        ("1 · Binary Primes · Ann · move 2 · your move · 7 days left", "1")
    ]  # fmt: skip
    head, *text = (await ann.command("matches")).text.splitlines()
    assert head == "### Your matches" and {line.partition("](")[0] for line in text} == {
        f"{called(bea)}'s move · **[Binary Primes · 1", f"{called(cem)}'s move · **[Binary Primes · 2",
    }  # fmt: skip
    (line,) = (await bea.command("matches")).text.splitlines()[1:]
    assert line.startswith("**Your move** · **[Binary Primes · 1](")

    await harness.surely(ann, "match resign", match=2)
    await harness.settled()
    # In the thread of a match that is over, that match is meant, whatever else is being played.
    over = await ann.command("binary-primes move", channel=second.place, square="b1")
    assert over.text == "This match is over."
    assert " beat " in (await ann.command("match board", channel=second.place)).text


async def test_a_rematch(harness: Harness) -> None:
    played = await harness.match()
    for square in ("b2", "a1", "c1", "b1"):
        played = await played.move(square)
    stranger = await harness.cem.press(played.board, "Rematch")
    assert (stranger.text, stranger.is_ephemeral) == ("Only the players of this match can ask for a rematch.", True)
    asked = await harness.ann.press(played.board, "Rematch")
    assert asked.is_ephemeral
    assert asked.text.startswith("The rematch starts as soon as everybody agrees: ")
    await harness.settled()
    agreed = await harness.bea.press(played.board, "Rematch")
    assert agreed.text.startswith("The rematch has started. It's match 2: ")
    await harness.settled()
    again = Played(harness, 2, await harness.row(MatchId(2)))
    assert (again.row.state, again.mover.id) == ("live", harness.bea.id)
    assert again.row.options == {"size": 3}
    assert await again.move("b2")


def test_a_match_can_be_folded() -> None:
    """The record worked out by hand in these stories is that of the game."""
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2)
    for seat, square in ((1, "b2"), (2, "a1"), (1, "c1"), (2, "b1")):
        match = match.play(seat, square)
    assert match.position.scores() == (27, 245)
