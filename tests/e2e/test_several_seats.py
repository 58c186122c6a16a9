"""More than two people, or one alone: tables that fill up, secrets, moves at once, puzzles that stay private."""

from __future__ import annotations

import asyncio
import copy
import json
from contextlib import suppress
from typing import Any

import pytest

from bot.features.challenges.words import SIT_DOWN
from bot.play.ids import UserId
from bot.sandbox import people as sandbox_people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from data.store import Reader
from tests.e2e.harness import Harness, Json, Played, called, form_of, labels, said
from tests.support.sampled import sampled

ASK_ELSE = "Ask somebody else …"
GRID = "2 9 8 / 3 1 10 / 7 6 15"
"""Worked out by hand in the rules of Sums Grid: it scores 19."""
POOR = "1 2 4 / 20 30 40 / 50 60 70"


async def table(harness: Harness, command: str, host: Person, **options: Any) -> Played:
    """A challenge to some game; its lobby is posted."""
    reply = await host.command(f"{command} challenge", channel="games", **options)
    number = int(reply.text.split()[1])
    await harness.settled()
    return Played(harness, number, await harness.row(number))


async def test_a_table_that_fills_up(harness: Harness) -> None:
    ann, bea, cem, dora = harness.ann, harness.bea, harness.cem, harness.dora
    played = await table(harness, "binary-scramble", ann, seats=3, seat="me")
    assert sandbox_people.text_of(played.lobby).startswith(
        f"{called(ann)} opens a table of **Binary Scramble**. 2 of 3 seats are free."
    )
    assert labels(played.lobby) == ["Join", "Leave", "Cancel", "Rules", SIT_DOWN]
    early = await harness.forge(ann, played.lobby, f"m:{played.id}:0:begin")
    assert early.text == "Binary Scramble needs at least 2 players. Wait for somebody else to join."
    await bea.press(played.lobby, "Join")
    await cem.press(played.lobby, "Leave")
    await harness.settled()
    assert "1 of 3 seats is free." in sandbox_people.text_of(played.lobby)
    assert f"{called(bea)} has joined." in sandbox_people.text_of(played.lobby)
    assert (await bea.press(played.lobby, "Leave")).kind == "update"
    await harness.settled()
    assert "2 of 3 seats are free." in sandbox_people.text_of(played.lobby)
    await cem.press(played.lobby, "Join")
    await dora.press(played.lobby, "Join")
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, [played.row.user_at(seat) for seat in (1, 2, 3)]) == (
        "live", [int(person.id) for person in (ann, cem, dora)],
    )  # fmt: skip
    full = await harness.forge(bea, played.board, f"m:{played.id}:0:join")
    assert (full.text, full.is_ephemeral) == ("This match has already begun.", True)
    assert [harness.told(person) for person in (ann, bea, cem, dora)] == [1, 0, 1, 0]


async def test_the_host_begins_before_the_table_is_full(harness: Harness) -> None:
    played = await table(harness, "binary-scramble", harness.ann, seats=4, seat="me")
    await harness.bea.press(played.lobby, "Join")
    await harness.settled()
    refused = await harness.bea.press(played.lobby, "Begin")
    assert refused.text == f"Only {called(harness.ann)}, who opened this table, can begin early."
    assert (await harness.ann.press(played.lobby, "Begin")).kind == "update"
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.seats) == ("live", 2)
    assert len(played.boards) == 1


async def challenged(harness: Harness) -> Played:
    """Ann challenges Bea and Cem, and Bea declines."""
    played = await table(
        harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem, seats=3, seat="me"
    )
    asked = f"{harness.bea.mention} and {harness.cem.mention}, {called(harness.ann)} challenges you to Binary Scramble."
    assert sandbox_people.text_of(played.lobby).startswith(asked)
    assert (harness.told(harness.bea), harness.told(harness.cem)) == (1, 1)
    await harness.bea.press(played.lobby, "Decline")
    await harness.settled()
    return await played.fresh()


def line_below(harness: Harness) -> dict[str, Any]:
    """The line that tells Ann who has declined her challenge."""
    *_, last = harness.ann.read_messages("games")
    return last


async def test_several_are_challenged_by_name_and_one_declines(harness: Harness) -> None:
    """Who challenged them is told once, and says how it goes on."""
    played = await challenged(harness)
    line = line_below(harness)
    assert sandbox_people.text_of(line).startswith(
        f"{called(harness.bea)} declined your challenge to Binary Scramble, {harness.ann.mention}. "
        f"{called(harness.cem)} hasn't answered yet."
    )
    assert labels(line) == ["Play with 2 players", "Withdraw", ASK_ELSE]
    assert harness.told(harness.ann) == 1
    free = f"{called(harness.bea)} declined. One seat is free: anybody can press *Accept* to take it."
    assert free in sandbox_people.text_of(played.lobby)
    assert f"-# Only {called(harness.ann)} can add the computer.\n" in sandbox_people.text_of(played.lobby)
    assert "Begin" not in labels(played.lobby), "nobody sits there but who challenged them"
    assert (await harness.forge(harness.cem, played.lobby, f"m:{played.id}:0:begin")).text.startswith(
        f"Only {called(harness.ann)}, who opened this "
    )
    for person, button in ((harness.cem, "Play with 2 players"), (harness.dora, "Withdraw")):
        refused = await person.press(line, button)
        assert refused.is_ephemeral and refused.text.startswith(
            f"Only {called(harness.ann)}, who made this challenge, can "
        )
    answer = await harness.ann.press(line, "Play with 2 players")
    assert answer.is_ephemeral
    assert answer.text.startswith(
        f"Match {played.id} is for 2 players now, with 8 digits instead of 9 digits. I'll tell you when it begins: https://"
    )
    await harness.settled()
    assert all(
        "declined your challenge" not in sandbox_people.text_of(one) for one in harness.ann.read_messages("games")
    )
    assert (
        await harness.forge(harness.ann, line, f"m:{played.id}:0:fewer")
    ).text == "This match is already for 2 players."
    await harness.cem.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    assert {player.user for player in played.row.players} == {int(harness.ann.id), int(harness.cem.id)}
    assert (played.row.state, played.row.seats, played.row.refused) == ("live", 2, None)
    assert harness.told(harness.ann) == 2


async def test_who_has_joined_already_begins_with_who_challenged_them(harness: Harness) -> None:
    played = await table(
        harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem, seats=3, seat="me"
    )
    await harness.cem.press(played.lobby, "Accept")
    await harness.bea.press(played.lobby, "Decline")
    await harness.settled()
    shown = sandbox_people.text_of((await played.fresh()).lobby)
    assert shown.startswith(
        f"{called(harness.ann)} looks for players for **Binary Scramble**. {called(harness.cem)} has joined. "
        f"{called(harness.bea)} declined. One seat is free: anybody can press *Join* to take it."
    )
    line = line_below(harness)
    began = await harness.ann.press(line, "Play with 2 players")
    assert began.text.startswith(f"Match {played.id} has started for 2 players, with 8 digits instead of 9 digits: ")
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.seats) == ("live", 2)
    assert all(
        "declined your challenge" not in sandbox_people.text_of(one) for one in harness.ann.read_messages("games")
    )
    late = await harness.forge(harness.ann, line, f"m:{played.id}:0:withdraw")
    assert late.text == "This match has already begun."


@pytest.mark.parametrize("first", ("declines", "accepts"))
async def test_a_challenge_that_said_so_begins_by_itself_without_who_declines(harness: Harness, first: str) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    played = await table(harness, "binary-scramble", ann, opponent=bea, opponent2=cem, fewer=True, seat="me")
    assert "starts without those who decline" in sandbox_people.text_of(played.lobby)
    for person, button in [(bea, "Decline"), (cem, "Accept")][:: 1 if first == "declines" else -1]:
        await person.press(played.lobby, button)
        await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.seats, played.row.refused) == ("live", 2, None)
    assert [played.row.user_at(seat) for seat in (1, 2)] == [int(ann.id), int(cem.id)]
    assert all("declined your challenge" not in sandbox_people.text_of(one) for one in ann.read_messages("games"))
    begun_by_others = first == "accepts"
    assert [harness.told(person) for person in (ann, bea, cem)] == [1, 1, 1 + begun_by_others]
    late = await harness.forge(bea, played.board, f"m:{played.id}:0:accept")
    assert late.text == "This match has already begun."


async def test_a_challenge_that_said_so_is_over_when_nobody_is_left(harness: Harness) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    played = await table(harness, "binary-scramble", ann, opponent=bea, opponent2=cem, fewer=True, seat="me")
    await bea.press(played.lobby, "Decline")
    await harness.settled()
    assert sandbox_people.text_of(played.lobby).startswith(
        f"{called(ann)} challenges {called(cem)} to **Binary Scramble**. "
    )
    assert f"{called(bea)} declined." in sandbox_people.text_of(played.lobby) and harness.told(ann) == 0
    await harness.sound()
    await cem.press(played.lobby, "Decline")
    await harness.settled()
    played = await played.fresh()
    (told,) = played.ends
    both = f"{called(bea)} and {called(cem)} declined {ann.mention}'s challenge to Binary Scramble."
    assert played.row.state == "declined" and sandbox_people.text_of(told) == f"{both}\n-# match {played.id}"
    assert (labels(told), [harness.told(person) for person in (ann, bea, cem)]) == ([], [1, 1, 1])


async def test_a_challenge_that_said_so_leaves_it_to_its_host_where_somebody_has_left(harness: Harness) -> None:
    ann, bea, cem, dora = harness.ann, harness.bea, harness.cem, harness.dora
    people = {"opponent": bea, "opponent2": cem, "opponent3": dora}
    played = await table(harness, "binary-scramble", ann, **people, fewer=True, seat="me")
    for person in (cem, dora):
        await person.press(played.lobby, "Accept")
    await harness.settled()
    harness.faults.leave("Cem")
    await bea.press(played.lobby, "Decline")
    await harness.settled()
    assert (await played.fresh()).row.state == "open"
    began = await ann.press(line_below(harness), "Play with 3 players")
    await harness.settled()
    played = await played.fresh()
    assert began.text.startswith(f"Match {played.id} has started: ") and played.row.seats == 2


async def test_somebody_else_is_asked_in_place_of_who_declined(harness: Harness) -> None:
    played = await challenged(harness)
    line = line_below(harness)
    again = await harness.ann.press(line, ASK_ELSE, [harness.bea])
    assert again.text == f"{called(harness.bea)} has already declined. Ask somebody else."
    loaded = await harness.ann.press(line, ASK_ELSE, [harness.cem])
    assert loaded.text == f"{called(harness.cem)} is already at this table. Ask somebody else."
    asked = await harness.ann.press(line, ASK_ELSE, [harness.dora])
    assert asked.is_ephemeral and asked.text.startswith(f"You asked {called(harness.dora)} to play: https://")
    await harness.settled()
    last = line_below(harness)
    link = f"https://discord.com/channels/{played.row.guild}/{played.row.channel}/{played.row.lobby_message}"
    assert sandbox_people.text_of(last) == (
        f"{harness.dora.mention}, {called(harness.ann)} has asked you to play Binary Scramble.\n{link}"
    )
    assert all(
        "declined your challenge" not in sandbox_people.text_of(one) for one in harness.ann.read_messages("games")
    )
    assert (harness.told(harness.dora), harness.told(harness.cem), harness.told(harness.ann)) == (1, 1, 1)
    for person in (harness.dora, harness.cem):
        await person.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    assert {player.user for player in played.row.players} == {
        int(person.id) for person in (harness.ann, harness.cem, harness.dora)
    }
    assert played.row.state == "live"


async def test_a_seat_that_somebody_declined_may_be_taken_by_anybody(harness: Harness) -> None:
    played = await challenged(harness)
    assert (await harness.dora.press(played.lobby, "Accept")).kind == "update"
    await harness.settled()
    assert all(
        "declined your challenge" not in sandbox_people.text_of(one) for one in harness.ann.read_messages("games")
    )
    await harness.cem.press(played.lobby, "Accept")
    await harness.settled()
    assert (await played.fresh()).row.state == "live"


async def test_who_has_joined_a_challenge_leaves_it_with_a_button_that_says_so(harness: Harness) -> None:
    dora, lobby = harness.dora, (played := await challenged(harness)).lobby
    assert labels(lobby)[:3] == ["Accept", "Decline", "Rules"], "nobody has joined"
    never = await dora.press(lobby, "Decline")
    assert never.text == "Only somebody who was challenged can decline."
    for label in ("Leave", "Decline"):
        await dora.press((await played.fresh()).lobby, "Accept")
        await harness.settled()
        shown = (await played.fresh()).lobby
        assert labels(shown)[:5] == ["Accept", "Decline", "Leave", "Begin", "Rules"]
        left = await dora.press(shown, label)
        assert left.kind == "update"
        await harness.settled()
        free = f"{called(harness.bea)} declined. {called(dora)} left. One seat is free: anybody can press *Accept* to "
        free += "take it."
        assert free in sandbox_people.text_of((await played.fresh()).lobby)
        declined = f"{called(harness.bea)} declined your challenge to Binary Scramble, "
        line = line_below(harness)
        below = sandbox_people.text_of(line)
        assert below.startswith(declined) and f". {called(dora)} left." in below
        assert labels(line) == ["Play with 2 players", "Withdraw", ASK_ELSE], "also when she leaves again"
        assert harness.told(harness.ann) == 2, "once of each"
    assert "Leave" not in labels((await played.fresh()).lobby), "there is nobody who could"
    await harness.cem.press((await played.fresh()).lobby, "Accept")
    await harness.settled()
    await harness.cem.press((await played.fresh()).lobby, "Leave")
    await harness.settled()
    (told,) = (await played.fresh()).ends
    end = f"{called(harness.bea)} declined {harness.ann.mention}'s challenge to Binary Scramble."
    assert sandbox_people.text_of(told).startswith(f"{end}\n{called(dora)} and {called(harness.cem)} left.")


async def test_a_challenge_that_all_have_joined_and_left_says_so(harness: Harness) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    played = await table(harness, "binary-scramble", ann, opponent=bea, opponent2=cem, seats=3, seat="me")
    await bea.press(played.lobby, "Accept")
    await harness.settled()
    await bea.press((await played.fresh()).lobby, "Leave")
    await harness.settled()
    mine = await harness.forge(ann, played.lobby, f"m:{played.id}:0:leave")
    assert mine.text.startswith("Do you want to withdraw your challenge to Binary Scramble?")
    free = f"{called(bea)} left. One seat is free: anybody can press *Accept* to take it."
    assert free in sandbox_people.text_of((await played.fresh()).lobby)
    line = next(one for one in ann.read_messages("games")[::-1] if ASK_ELSE in labels(one))
    assert sandbox_people.text_of(line).startswith(
        f"{called(bea)} left your challenge to Binary Scramble, {ann.mention}."
    )
    assert "Play with 2 players" in labels(line) and harness.told(ann) == 1
    await cem.press((await played.fresh()).lobby, "Accept")
    await harness.settled()
    await cem.press((await played.fresh()).lobby, "Leave")
    await harness.settled()
    (told,) = (await played.fresh()).ends
    both = f"{called(bea)} and {called(cem)} left {ann.mention}'s challenge to Binary Scramble, which is over."
    assert sandbox_people.text_of(told).startswith(both)


async def test_a_challenge_that_both_declined_says_so_of_both_and_its_line_goes(harness: Harness) -> None:
    played = await challenged(harness)
    await harness.cem.press(played.lobby, "Decline")
    await harness.settled()
    played = await played.fresh()
    (told,) = played.ends
    both = f"{called(harness.bea)} and {called(harness.cem)} declined"
    both = f"{both} {harness.ann.mention}'s challenge to Binary Scramble."
    assert played.row.state == "declined" and sandbox_people.text_of(told) == f"{both}\n-# match {played.id}"
    assert harness.dora.read_messages("games") == [told], "the challenge and the line below it are gone"
    assert harness.told(harness.ann) == 2


async def test_who_sits_down_and_declines_again_and_again_rings_for_the_host_once(harness: Harness) -> None:
    played = await challenged(harness)
    for _ in range(3):
        await harness.bea.press(played.lobby, "Accept")
        await harness.settled()
        await harness.bea.press(played.lobby, "Decline")
        await harness.settled()
    assert harness.told(harness.ann) == 1


@pytest.mark.parametrize("way", ("withdrawn", "expired"))
async def test_a_declined_challenge_is_taken_back_below_it_or_expires_and_its_line_goes(
    harness: Harness, way: str
) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    played = await table(harness, "binary-scramble", ann, opponent=bea, opponent2=cem, seats=3, seat="me")
    await bea.press(played.lobby, "Decline")
    await cem.press(played.lobby, "Accept")
    await harness.settled()
    if way == "withdrawn":
        taken = await ann.press(line_below(harness), "Withdraw")
        assert taken.text.startswith(f"You withdrew the challenge to match {played.id}.")
        ends = f"{called(ann)}'s challenge to **Binary Scramble** was withdrawn. "
        ends += f"{called(cem)} had joined. {called(bea)} declined."
    else:
        harness.clock.ahead += 48 * 3600 + 1
        await harness.restart()
        ends = (
            f"{ann.mention}'s challenge to Binary Scramble expired, because not every seat was taken within 2 days.\n"
            f"{cem.mention} had joined. {called(bea)} declined."
        )
    await harness.until(lambda: len(harness.dora.read_messages("games")) == 1 and not any(map(labels, played.ends)))
    await harness.settled()
    (told,) = harness.dora.read_messages("games")
    assert [told] == played.ends and said(told).removesuffix(f"\n-# match {played.id}") == ends
    is_told = way == "expired"
    assert [harness.told(person) for person in (ann, bea, cem)] == [1 + is_told, 1, 1 + is_told]


@pytest.mark.parametrize("way", ("withdrawn", "expired", "begun"))
async def test_the_line_that_asks_somebody_goes_with_the_challenge(harness: Harness, way: str) -> None:
    played = await challenged(harness)
    await harness.ann.press(line_below(harness), ASK_ELSE, [harness.dora])
    await harness.settled()
    asked = [
        one for one in harness.dora.read_messages("games") if "has asked you to play" in sandbox_people.text_of(one)
    ]
    assert len(asked) == 1 and harness.told(harness.dora) == 1
    await harness.restart()
    if way == "withdrawn":
        await harness.forge(harness.ann, played.lobby, f"m:{played.id}:0:withdraw")
    elif way == "expired":
        harness.clock.ahead += 48 * 3600 + 1
        await harness.restart()
        await harness.until(lambda: not any(map(labels, played.ends)))
    else:
        for person in (harness.dora, harness.cem):
            await person.press((await played.fresh()).lobby, "Accept")
    await harness.settled()
    left = harness.dora.read_messages("games")
    assert not [one for one in left if "has asked you to play" in sandbox_people.text_of(one)]
    assert await harness.store.ask(Reader.read_notes, "asked ") == {}
    assert (await played.fresh()).row.state == {"withdrawn": "cancelled", "expired": "expired", "begun": "live"}[way]


async def test_who_declined_and_came_after_all_had_joined_when_it_is_over(harness: Harness) -> None:
    played = await challenged(harness)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    await harness.forge(harness.ann, played.lobby, f"m:{played.id}:0:withdraw")
    await harness.settled()
    (told,) = played.ends
    assert said(told).startswith(
        f"{called(harness.ann)}'s challenge to **Binary Scramble** was withdrawn. {called(harness.bea)} had joined."
    )
    assert "declined" not in said(told)


@pytest.mark.parametrize("step", ("committed", "edited", "posted"))
async def test_the_host_is_told_once_though_the_bot_dies_there(harness: Harness, step: str) -> None:
    played = await table(
        harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem, seats=3, seat="me"
    )
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.bea.press(played.lobby, "Decline")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert harness.told(harness.ann) == 1
    assert (
        sum("declined your challenge" in sandbox_people.text_of(one) for one in harness.ann.read_messages("games")) == 1
    )


async def test_one_of_three_leaves_and_the_others_go_on(harness: Harness) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    played = await table(harness, "binary-scramble", ann, opponent=bea, opponent2=cem, seat="me")
    for person in (bea, cem):
        await person.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    assert "You resigned." in (await harness.surely(ann, "match resign", channel=played.place)).text
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.mover.id) == ("live", bea.id)
    assert harness.told(bea) == 3, "it is her turn through somebody else's act"
    again = await ann.command("match resign", channel=played.place)
    assert again.is_ephemeral
    assert "Something went wrong" not in again.text
    await harness.settled()
    assert await played.unchanged()
    await harness.surely(bea, "match resign", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert [played.row.find_player(UserId(int(person.id))).rank for person in (ann, bea, cem)] == [3, 2, 1]  # pyright: ignore[reportOptionalMemberAccess]  -- they play


async def secret(harness: Harness, *people: Person) -> Played:
    """A live match of Sums Grid."""
    named = {f"opponent{index if index > 1 else ''}": person for index, person in enumerate(people[1:], 1)}
    played = await table(harness, "sums-grid", people[0], seat="me", **named)
    for person in people[1:]:
        await person.press(played.lobby, "Accept")
    await harness.settled()
    return await played.fresh()


async def done(person: Person, played: Played) -> None:
    """End one's match of Sums Grid by command."""
    await asked_and_done(person, await person.command("sums-grid done", channel=played.place))


async def asked_and_done(person: Person, question: BotReply) -> None:
    """Say yes to the question before the end of one's match."""
    assert question.is_ephemeral and labels(question.message) == ["End my match", "Back"]
    assert question.text.startswith("End your match with your best grid? You can't submit another one afterwards.")
    assert (await person.press(question, "End my match")).kind == "update"


@pytest.mark.long
async def test_a_line_that_ends_ones_match_asks_first_however_it_is_written(harness: Harness) -> None:
    played = await secret(harness, harness.ann, harness.bea)
    await harness.ann.command("move", channel=played.place, line="2 9 8 / 3 1 10 / 7 6 15")
    question = await harness.ann.command("move", channel=played.place, line=" DONE ")
    await asked_and_done(harness.ann, question)
    await harness.settled()
    assert [text for _, text in (await played.fresh()).record] == ["grid 2 9 8 / 3 1 10 / 7 6 15", "done"]


def sayings(harness: Harness, played: Played, person: Person) -> str:
    """All that somebody can see in the place of a match: texts, alt texts, file names, custom_ids."""
    return json.dumps(person.read_messages(played.place))


async def test_secret_moves_are_seen_by_nobody_else(harness: Harness) -> None:
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    played = await secret(harness, ann, bea, cem)
    assert labels(played.board) == ["Submit", "End my match", "My board", "Rules", "More …"]
    assert [harness.told(person) for person in (ann, bea, cem)] == [1, 2, 1], "Cem began it, and knows"
    before = copy.deepcopy(played.board)

    answer = await ann.command("sums-grid submit", channel=played.place, grid=GRID)
    assert answer.is_ephemeral
    assert "1 to 19 are sums" in (sandbox_people.list_media(answer.message)[0].alt or "")
    await harness.settled()
    assert played.board == before, "nothing that anybody may see has changed"
    opened = await form_of(bea, played.board, "Submit")
    filled = await bea.submit(opened, {"Grid": POOR})
    assert filled.is_ephemeral
    await harness.settled()
    for person in (ann, bea, cem):
        seen = sayings(harness, played, person)
        assert ("2   9   8" in seen) == (person is ann)
        assert ("50  60  70" in seen) == (person is bea)

    own = await cem.press(played.board, "My board")
    assert own.is_ephemeral
    assert labels(own.message) == ["Submit", "Rules", "More …"]
    stranger = await harness.dora.press(played.board, "My board")
    assert stranger.text.startswith("You aren't in this match. It is between ")
    record = await cem.command("match record", channel=played.place)
    written = json.loads(text_of(harness, record))
    assert (written["moves"], written["veiled"]) == ([], True)
    assert "what others play in secret is veiled until the match is over" in record.text
    early = await cem.press(played.board, "End my match")
    assert (early.kind, early.is_ephemeral) == ("message", True)
    assert "Something went wrong" not in early.text

    await asked_and_done(ann, await ann.press(played.board, "End my match"))
    await harness.settled()
    assert "has finished" in sandbox_people.text_of(played.board)
    assert len(played.boards) == 1, "progress is shown in place"
    await done(bea, played)
    await cem.command("sums-grid submit", channel=played.place, grid="2 1 3 / 20 30 40 / 50 60 70")
    await done(cem, played)
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert f"**{called(ann)} won with 19, ahead of " in sandbox_people.text_of(played.board)
    assert [harness.told(person) for person in (ann, bea, cem)] == [2, 3, 1], "Cem ended it, and knows"
    # When it is over, everything may be known.
    whole = text_of(harness, await cem.command("match record", channel=played.place))
    assert "2 9 8 / 3 1 10 / 7 6 15" in whole and "veiled" not in whole


def text_of(harness: Harness, reply: BotReply) -> str:
    """The text of a file that was sent."""
    return sandbox_people.bytes_of(harness.sandbox.world, reply.message["attachments"][0]).decode()


async def test_everybody_moves_at_once(harness: Harness) -> None:
    """Two by command, two in forms that were open before; then all say yes to their questions at the same moment."""
    people = (harness.ann, harness.bea, harness.cem, harness.dora)
    played = await secret(harness, *people)
    forms = [await form_of(person, played.board, "Submit") for person in people[:2]]
    grids = [f"1 2 4 / 20 30 {40 + index} / 50 60 70" for index in range(4)]
    written = (person.submit(form, {"Grid": grid}) for person, form, grid in zip(people, forms, grids, strict=False))
    named = zip(people[2:], grids[2:], strict=True)
    typed = (person.command("sums-grid submit", channel=played.place, grid=grid) for person, grid in named)
    replies = await asyncio.gather(*written, *typed)
    told = [reply.text.replace("\N{NO-BREAK SPACE}", " ") for reply in replies]
    assert [text.count("You played **grid 1 2 4 / 20 30 4") for text in told] == [1] * 4
    assert not [text for text in told if " played **" in text.replace("You played", "")], "the move is told once"
    await harness.settled()
    assert sorted(seat for seat, _ in (await played.fresh()).record) == [1, 2, 3, 4]
    questions = [await person.press(played.board, "End my match") for person in people]
    await asyncio.gather(*(asked_and_done(*each) for each in zip(people, questions, strict=True)))
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert "share first place with" in sandbox_people.text_of(played.board)


@pytest.mark.long
async def test_who_draws_a_curve_is_not_refused_when_others_have_drawn(harness: Harness) -> None:
    people = (harness.ann, harness.bea, harness.cem, harness.dora)
    played = await table(
        harness, "within-the-curve", people[0], opponent=people[1], opponent2=people[2], opponent3=people[3]
    )
    for person in people[1:]:
        await person.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    forms = [await form_of(person, played.board, "Draw curve") for person in people]
    questions = [
        await person.submit(form, {"Corners": "a1 c1 c4 a4"}) for person, form in zip(people, forms, strict=True)
    ]
    drawn = [await person.press(asked, "Draw curve") for person, asked in zip(people, questions, strict=True)]
    assert ["Your curve is drawn." in reply.text for reply in drawn] == [True] * 4
    await harness.settled()
    assert "Everybody fills all curves" in (sandbox_people.list_media((await played.fresh()).board)[0].alt or "")


async def test_a_puzzle_is_private_until_it_is_published(harness: Harness) -> None:
    ann, bea = harness.ann, harness.bea
    played = await table(harness, "sums-grid", ann, seats=1)
    played = await played.fresh()
    assert played.row.state == "live"
    answer = await ann.command("sums-grid submit", channel=played.place, grid=GRID)
    assert answer.is_ephemeral
    await done(ann, played)
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert "2   9   8" not in sayings(harness, played, bea)
    assert "2 9 8" not in text_of(harness, await bea.command("match record", match=1))
    assert "2 9 8" in text_of(harness, await ann.command("match record", match=1))
    refused = await bea.command("match publish", match=1)
    assert refused.text == "Only the person who played that match can publish it."
    assert await ann.complete("match publish", "match", match="") == [("1 · Sums Grid · done", "1")]
    assert await bea.complete("match publish", "match", match="") == []
    assert (await ann.command("match publish", match=1)).text.startswith("Everybody can see that match now.")
    assert await ann.complete("match publish", "match", match="") == []
    await harness.settled()
    assert "2 9 8" in text_of(harness, await bea.command("match record", match=1))
    boards = (await played.fresh()).boards
    again = await ann.command("match publish", match=1)
    assert (again.text, again.is_ephemeral) == ("Everybody can already see that match.", True)
    await harness.settled()
    assert (await played.fresh()).boards == boards
    records = await bea.command("records", game="sums-grid")
    assert f"1. **19** · {called(ann)}" in records.text
    assert "Nobody has finished a rated match yet" in (await bea.command("leaderboard")).text


async def finished_alone(harness: Harness) -> Played:
    """A match of Sums Grid that Ann has played alone."""
    played = await table(harness, "sums-grid", harness.ann, seats=1)
    await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await done(harness.ann, played)
    await harness.settled()
    return await played.fresh()


def last_boards(played: Played) -> list[Json]:
    """The boards that have a button to play it again."""
    return [one for one in played.boards if "Rematch" in labels(one)]


@pytest.mark.long
async def test_who_publishes_twice_at_once_publishes_once(harness: Harness) -> None:
    played = await finished_alone(harness)
    before = played.board["id"]
    asked = [harness.ann.command("match publish", match=played.id) for _ in range(2)]
    replies = {reply.text.partition(".")[0] for reply in await asyncio.gather(*asked)}
    assert replies == {"Everybody can see that match now", "Everybody can already see that match"}
    await harness.settled()
    assert before not in [one["id"] for one in played.boards] and len(last_boards(played)) == 1


@pytest.mark.long
@pytest.mark.parametrize("step", ["committed", "drawn", "posted", "noted"])
async def test_a_published_match_is_shown_once_wherever_the_bot_dies(harness: Harness, step: str) -> None:
    played = await finished_alone(harness)
    before = played.board["id"]
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.ann.command("match publish", match=played.id)
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert before not in [one["id"] for one in played.boards] and len(last_boards(played)) == 1
    assert GRID in text_of(harness, await harness.bea.command("match record", match=played.id))
    assert (await harness.ann.command("match publish", match=played.id)).text.startswith("Everybody can already see")
    await harness.sound()


@pytest.mark.long
async def test_every_private_match_is_suggested_by_its_number(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where there are more of them than Discord shows suggestions."""
    monkeypatch.setattr("bot.features.board.directory.MOST_CHOICES", 1)
    for _ in range(2):
        played = await table(harness, "sums-grid", harness.ann, seats=1)
        await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
        await done(harness.ann, played)
    assert await harness.ann.complete("match publish", "match", match="") == [("2 · Sums Grid · done", "2")]
    assert await harness.ann.complete("match publish", "match", match="1") == [("1 · Sums Grid · done", "1")]


@pytest.mark.long
async def test_a_curve_of_ones_own_is_as_private(harness: Harness) -> None:
    ann, bea = harness.ann, harness.bea
    played = await table(harness, "within-the-curve", ann, seats=1, size=6)
    for kind, values in (
        ("curve", {"corners": "a1 c1 c4 a4"}),
        ("number", {"curve": "1", "square": "b1", "direction": "cw"}),
        ("fill", {"curve": "1", "squares": "b3 b2"}),
    ):
        played = await played.fresh()
        answer = await ann.command(f"within-the-curve {kind}", channel=played.place, **values)
        assert answer.is_ephemeral
        if kind == "curve":
            await ann.press(answer, "Draw curve")
    question = await ann.command("within-the-curve done", channel=played.place)
    assert (await ann.press(question, "End my match")).kind == "update"
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.rated) == ("finished", False)
    assert "(2)" not in sayings(harness, played, bea)
    assert "b3 b2" not in text_of(harness, await bea.command("match record", match=1))
    records = await bea.command("records", game="within-the-curve")
    assert f"1. **2** · {called(ann)}" in records.text
    await ann.command("match publish", match=1)
    await harness.settled()
    assert "b3 b2" in text_of(harness, await bea.command("match record", match=1))


@sampled("step", ["committed", "posted", "drawn"])
async def test_killed_in_the_middle_of_a_secret_move(harness: Harness, step: str) -> None:
    played = await secret(harness, harness.ann, harness.bea)
    await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await harness.settled()
    question = await harness.ann.command("sums-grid done", channel=played.place)
    harness.kill_at(step)
    asked = asyncio.gather(harness.ann.press(question, "End my match"), return_exceptions=True)
    if step == "committed":
        await harness.killed.wait()
    await asked
    harness.listener.trap = None
    await harness.restart()
    await harness.settled()
    assert "has finished" in sandbox_people.text_of((await played.fresh()).board)
    assert len(played.boards) == 1
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 1)
