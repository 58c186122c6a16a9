"""A handful of stories: no seed finds anything, a seed tells the same story anywhere, and time passes as it should.

`make simulate SEEDS=1000` tells many more.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import astuple, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.features.board.lobbies import LET_BE
from bot.features.time.words import NOW
from bot.games.catalogue import load_games
from bot.games.position import MoveError
from bot.play import rows
from bot.play.loaded_match import LoadedMatch
from bot.play.match import Match
from bot.play.premoves import PremoveTree
from bot.play.record import Move
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.stand_in import Sandbox
from bot.umpire.acts import CLOSED as REMOVED
from tests.simulation.__main__ import findings, told
from tests.simulation.loop import SimulatedLoop, Stuck
from tests.simulation.report import Report
from tests.simulation.story import DAY
from tests.support.loaded_matches import players, row
from tests.support.log_lines import logging_to
from tests.support.sampled import sampled
from tests.world import league_findings, post_findings, preparing
from tests.world.clock_findings import APART, Clocks
from tests.world.departures import Departures
from tests.world.findings import Ledger, Row, buttonless, news, unshown
from tests.world.hours import moment
from tests.world.pad_moves import played
from tests.world.people import UNFINISHED
from tests.world.player_acts import Told
from tests.world.refused_reminders import RefusedReminders
from tests.world.refused_results import RefusedResults
from tests.world.secrets import Secrets
from tests.world.thread_waits import ThreadWaits
from tests.world.visible_matches import Lobby, lobbies, movers, stage

SEEDS = (45, 97, 281, 21, 147)
"""Short ones, the shortest first: with refusals of Discord's, with three deaths and a league, with two processes one of
which stops, with two leagues that end, and with two processes that tell a user of a move at the same time."""


@cache
def reported(seed: int, empty: Path) -> Report:
    """What came of the story of a seed in this process."""
    with logging_to("WARNING"):  # the bot's own log hides what people typed, from later handlers too
        return told(seed, empty, brief=True)[0]


@sampled("seed", SEEDS, rest=pytest.mark.minutes)
def test_nothing_is_lost_doubled_or_left_in_a_story(seed: int, empty: Path) -> None:
    report = reported(seed, empty)
    assert list(findings(report)) == []
    assert report.matches and report.moves


@pytest.mark.minutes
def test_a_seed_tells_the_same_story_under_any_order_of_hashes(empty: Path) -> None:
    """In another process, which hashes otherwise, and in this one, which has told other stories."""
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-m", "tests.simulation", "--seed", "24", "--brief", "--digest"]
    there = subprocess.run(
        command, env=os.environ | {"PYTHONHASHSEED": other}, stdout=subprocess.PIPE, text=True, check=True
    )
    assert there.stdout == f"{reported(24, empty).digest}\n"


def test_people_of_a_story_understand_what_they_have_left_out_of_their_curves() -> None:
    match = Match.start(load_games()["within-the-curve"], {}, 1).enter(1, "curve a1 c1 c3 a3")
    for still in ("number 1 a1 cw", "fill 1 b2"):
        with pytest.raises(MoveError) as refused:
            match.enter(1, "done")
        found = UNFINISHED.search(str(refused.value))
        assert found and found[1] == "1", refused.value
        match = match.enter(1, still)
    assert match.enter(1, "done").is_over


def test_how_far_two_legs_have_come_is_how_far_both_have() -> None:
    legs = (
        "Leg 1. Binary Primes. 3 by 3. Finished after 4 moves. Rows 27.",
        "Leg 2. Binary Primes. 3 by 3. Move 2 of 4.",
    )
    assert [stage(legs, False), stage(legs, True), stage(legs[:1], False)] == ["6", "finished 6", "finished 4"]


def test_who_is_to_move_is_read_from_every_sentence_that_says_so() -> None:
    both = {"names": "<@1> and <@2>"}
    said = {
        board_words.TO_MOVE.fill_in(1, names="<@1>"): ("1",),
        board_words.TO_MOVE.fill_in(2, **both): ("1", "2"),
        board_words.TO_PLACE.format(name="<@1>", number=7): ("1",),
        board_words.MOVE_ONE_LEG.fill_in(1, names="<@2>", leg=2): ("2",),
        board_words.MOVE_ONE_LEG.fill_in(2, **both, leg=1): ("1", "2"),
        board_words.MOVE_BOTH_LEGS.fill_in(1, names="<@2>"): ("2",),
        board_words.MOVE_BOTH_LEGS.fill_in(2, **both): ("1", "2"),
        board_words.MOVE_EACH_LEG.format(first="<@1>", second="<@2>"): ("1", "2"),
    }
    read = {line: movers(f"<@3> has left this server.\n{line}\n-# <@3> waits.") for line in said}
    assert read == said


def test_a_league_that_is_shown_otherwise_than_it_is_stored_is_found() -> None:
    world = Sandbox().world
    place = world.channel_named("games")["id"]
    said = {
        "7": "### Plexus league, season 1\n2 of 6 matches are over. It ends soon.",
        "8": "Season 1 is over.",
        "9": "It's over: [who won](https://discord.com/channels/1/{place}/10)",
        "10": "🏆 Ann wins season 1 of the Plexus league with 3 points.",
    }
    join = {"type": 2, "style": 3, "label": "Join", "custom_id": "p:leaguejoin:1"}
    for number, text in said.items():
        world.messages[place][number] = {
            "id": number, "content": text.format(place=place), "flags": 0, "attachments": [], "embeds": [],
            "components": [{"type": 1, "components": [join]}] if number == "8" else [], "ephemeral_for": None,
        }  # fmt: skip

    def found(state: str, message: int | None, lag: int = 0, over: int = 2, farewell: int | None = None) -> list[str]:
        row = (1, state, int(place), message, farewell or message, lag, 6, over)
        return list(league_findings.faults(world, Rows([row])))

    assert found("live", 7) == []
    assert found("live", 7, over=3) == ["league 1 does not say: 3 of 6 matches are over."]
    assert found("open", 8) == [] and found("open", 7) == ["league 1 is open, and nobody can join it"]
    assert found("cancelled", 8) == ["league 1 is cancelled, and its message has buttons: Join"]
    untold = "league 1 is over, and nobody was told who won"
    assert found("finished", 7) == ["league 1 is over, and its message does not say who won", untold]
    assert found("finished", 9, farewell=10) == [], "its message leads to the one that says who won"
    assert found("finished", 9, farewell=11) == ["league 1 is over, and its message does not say who won", untold]
    assert found("finished", None, 2)[1:] == [untold, "league 1: its last 2 changes are not noted as shown"]


def test_a_day_without_its_message_and_a_day_with_two_are_found() -> None:
    world = Sandbox().world
    place, noon = world.channel_named("games")["id"], moment("UTC", 2027, 3, 1) + DAY // 2
    day = date(2027, 3, 1).toordinal()
    solve = {"type": 2, "style": 1, "label": "Solve", "custom_id": f"p:daily:{day}"}

    def post(number: str) -> None:
        world.messages[place][number] = {
            "id": number, "content": "", "flags": 0, "attachments": [], "embeds": [], "ephemeral_for": None,
            "components": [{"type": 1, "components": [solve]}], "channel_id": place,
        }  # fmt: skip

    def missing(hour: int) -> list[str]:
        return list(post_findings.missing(world, Rows([(5, int(place), hour)]), noon))

    assert missing(13) == [] and missing(12) == [f"server 5 has had no message of day {day}"]
    post("7")
    assert missing(12) == list(post_findings.twice(world)) == []
    post("8")
    assert list(post_findings.twice(world)) == [f"2 messages of day {day} in {place}"]


def test_a_live_match_whose_boards_are_all_closed_is_found() -> None:
    world = Sandbox().world
    place = world.channel_named("games")["id"]
    row = Row(4, "binary-primes", "live", 3, 2, None, int(place), 3, None)
    move = {"type": 2, "style": 1, "label": "Move", "custom_id": "m:4:3:move"}
    shown: dict[str, Any] = {
        "id": "7", "channel_id": place, "nonce": "b4.0", "ephemeral_for": None, "flags": 0, "content": "",
        "components": [{"type": 1, "components": [move]}], "embeds": [],
        "attachments": [{"id": "8", "url": "board.png", "filename": "board.png", "description": "Move 2 of 9."}],
    }  # fmt: skip
    world.messages[place]["7"] = shown
    assert list(buttonless(world, [row])) == []
    shown["components"] = []
    assert list(buttonless(world, [row])) == ["match 4 is live, and no board of it has buttons: the last shows move 2"]
    assert list(buttonless(world, [replace(row, shown_version=2)])) == [], "something is still to be shown"


def test_an_open_challenge_is_read_from_every_form_of_its_message_and_missed_where_there_is_none() -> None:
    game, (host, bea, cem) = load_games()["sums-grid"], players(3, invited=True)
    came = replace(bea, invited=False)
    forms = (
        ((host, bea, cem), None, (str(bea.user), str(cem.user))),
        ((host, came), None, ()),
        ((host, cem), rows.format_decliners([bea.user]), (str(cem.user),)),
        ((host, came), rows.format_decliners([cem.user]), ()),
        ((host,), rows.format_decliners([bea.user, cem.user]), ()),
    )
    for loaded, refused, guests in forms:
        challenge = LoadedMatch(row(game, 3, players=loaded, refused=refused), game, None)
        asked, plain = [one.user for one in loaded if one.invited], list[Any]()
        if asked:
            content, buttons = board_views.build_invitation(challenge, asked, False)
            plain.append((content, buttons.to_components()))
        for content, components in (*plain, ("", board_views.build_lobby(challenge, False).to_components())):
            world = Sandbox().world
            place = world.channel_named("games")["id"]
            stored = Row(challenge.id, game.key, "open", 1, 0, None, int(place), 1, None)
            message: dict[str, Any] = {
                "id": "7", "channel_id": place, "nonce": "c4.0", "ephemeral_for": None, "flags": 0,
                "content": content, "components": components, "embeds": [], "attachments": [],
            }  # fmt: skip
            assert list(unshown(world, [stored])) == [f"match {challenge.id}: its challenge is not to be seen"]
            world.messages[place]["7"] = message
            assert list(unshown(world, [stored])) == []
            assert list(lobbies(world)) == [Lobby(message, challenge.id, str(host.user), guests)]
            message["components"] = []
            assert list(unshown(world, [stored])) == [f"match {challenge.id}: its challenge is not to be seen"]


def test_a_result_that_its_channel_is_told_twice_or_never_is_found() -> None:
    world = Sandbox().world
    place = world.channel_named("games")["id"]
    row = Row(4, "binary-primes", "finished", 3, 2, 9, int(place), 3, None, 7)
    told: dict[str, Any] = {
        "channel_id": place, "nonce": "f4.ab12", "ephemeral_for": None, "flags": 0, "content": "",
        "components": [], "embeds": [], "attachments": [],
    }  # fmt: skip
    world.messages[place]["7"] = {"id": "7", **told}
    assert list(news(world, [row])) == []
    assert list(news(world, [replace(row, announcement=None, announce_until=5)])) == [
        "match 4: what tells its channel how it ended is not noted",
        "match 4: its channel is still to be told how it ended",
    ]
    world.messages[place]["8"] = {"id": "8", **told}
    assert list(news(world, [row])) == ["match 4: its channel was told 2 times how it ended"]


def test_a_match_is_not_settled_before_its_channel_is_told_how_it_ended() -> None:
    row = Row(4, "binary-primes", "finished", 3, 2, 9, 8, 3, None, 7)
    assert row.settled
    owed, behind, live = replace(row, announce_until=5), replace(row, shown_version=2), replace(row, state="live")
    assert [one.settled for one in (owed, behind, live)] == [False] * 3
    assert [one.shown_over for one in (owed, behind, live)] == [True, False, False]


def test_a_result_that_its_channel_refuses_is_let_be_for_a_while() -> None:
    now = [100.0]
    results = RefusedResults(lambda: now[0])

    def answered(nonce: str, status: int) -> None:
        results.answered(RequestLogEntry("POST", "", "/channels/8/messages", {"nonce": nonce}, status, {}))

    for nonce, status in (("f4.ab12", 200), ("f4.ab12", 429), ("f4.ab12", 503), ("b4.0.ab12", 403)):
        answered(nonce, status)
    assert results.wait(4) == 0
    answered("f4.ab12", 403)
    now[0] += 1
    assert results.wait(4) == LET_BE - 1 and results.wait(5) == 0
    now[0] += LET_BE
    assert results.wait(4) == 0


class Rows(Ledger):
    """A database of two answers."""

    def __init__(self, *answers: list[tuple[Any, ...]]) -> None:
        self.answers = iter(answers)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        return next(self.answers)


def test_a_clock_that_runs_out_at_another_second_than_it_must_is_found() -> None:
    monday = moment("Asia/Tokyo", 2027, 3, 1)

    def found(deadline: int, weekend: str | None = None, *away: tuple[int, ...], allotted: int = 6 * DAY) -> list[str]:
        clock = (3, 7, 1, allotted, 6 * DAY, monday, deadline, weekend)
        return list(Clocks(Rows([*away], [clock]), float).miscounted())

    assert found(monday + 6 * DAY) == found(monday + 8 * DAY, "Asia/Tokyo") == []
    assert found(monday + 7 * DAY, None, (1, 7, monday, monday + DAY)) == []
    wrong = f"match 3: the clock of user 7 runs out at {monday + 6 * DAY}, and should at {monday + 8 * DAY}"
    assert found(monday + 6 * DAY, "Asia/Tokyo") == [wrong]
    assert found(monday + 6 * DAY, allotted=DAY) == [
        f"match 3: the clock of user 7 has {5 * DAY} s more than they were given"
    ]


def test_a_reminder_that_comes_twice_is_found_whatever_its_nonce_ends_in() -> None:
    now = [0.0]
    clocks = Clocks(Rows([], []), lambda: now[0])
    for nonce in ("r3.7.100.ab12", "r3.7.101.ab12.1", "p3.7.100.ab12"):
        clocks.heard("MESSAGE_CREATE", {"nonce": nonce})
        now[0] += APART - 1
    assert clocks.reminders == 3 and clocks.twice() == [f"reminder r3.7 came again after {APART - 1} s"]


def test_a_match_that_stays_in_its_channel_though_there_are_threads_is_found() -> None:
    now, world, waits = [0.0], Sandbox().world, [(1,)]
    found = ThreadWaits(world, Rows(waits, waits, [(4,)]), lambda: now[0])
    place = world.channel_named("games")["id"]
    picture = {"id": "8", "url": "board.png", "filename": "board.png", "description": "Move 2 of 9."}
    shown = {
        "id": "7", "channel_id": place, "nonce": "b4.0", "ephemeral_for": None, "flags": 0, "content": "",
        "components": [], "embeds": [], "attachments": [picture],
    }  # fmt: skip
    found.answered(RequestLogEntry("POST", "", f"/channels/{place}/messages/7/threads", {}, 429, {"retry_after": 20.0}))
    found.heard("MESSAGE_CREATE", shown)  # something else may be wrong yet
    found.since = 10.0
    for now[0] in (19.0, 21.0):
        found.heard("MESSAGE_CREATE", shown)
    assert found.found == ["match 4 goes on in its channel, and there are threads again"]
    assert found.waiting() and found.nowhere() == ["match 4 has no place"]


def test_a_reminder_that_nobody_gets_is_found() -> None:
    waits, taken = [(1,)], [(7, 100)]
    found = RefusedReminders(Sandbox().world, Rows(taken, waits, taken, taken, taken), int)
    found.said("claimed 3")
    found.flagged = True
    found.said("claimed 3")
    assert list(found.lost()) == ["match 3: nobody has reminded 7, to whom Discord takes no direct message"]
    said = NOW.format(who="<@7>", match="**Plexus** · 3", link="there")
    found.heard("MESSAGE_CREATE", {"channel_id": "1", "content": said})
    assert found.seen == 1 and list(found.lost()) == []
    found.said("claimed 3")
    found.answered(RequestLogEntry("POST", "", "/channels/1/messages", {"nonce": "r3.7.100.ab12"}, 403, {}))
    found.said("claimed 3")
    found.heard("GUILD_MEMBER_REMOVE", {"user": {"id": "7"}})
    assert list(found.lost()) == []


def test_a_seat_is_given_up_for_an_absence_that_the_bot_has_heard_of_and_for_nothing_else() -> None:
    here, other = Told(2, "7", "accept"), Told(2, "8", "accept")
    told = {here, other, Told(2, "7", "c3")}
    departures = Departures(told)

    def asked(user: str, status: int) -> None:
        departures.answered(RequestLogEntry("GET", "", f"/guilds/1/members/{user}", None, status, {}))

    def lost() -> list[str]:
        return list(Rows([], [], [], []).lost(told - departures.seats()))

    for status in (200, 500):
        asked("7", status)
    departures.heard("GUILD_MEMBER_REMOVE", {"user": {"id": "8"}})
    assert departures.seats() == set() and len(lost()) == 3
    asked("7", 404)
    assert departures.seats() == {here}
    assert sorted(lost()) == [
        f"match 2: {what} was acknowledged and is not there" for what in ("accept of 8", "c3 of 7")
    ]
    departures.heard("GUILD_MEMBER_ADD", {"user": {"id": "7"}})
    later = Told(3, "7", "accept")
    told.add(later)
    assert departures.seats() == {here} and "match 3: accept of 7 was acknowledged and is not there" in lost()


def test_a_grid_and_a_half_filled_pad_that_somebody_else_reads_are_found_and_numbers_met_by_chance_are_not() -> None:
    half, whole = "grid 14 20 / 3 7 / 8", "grid 13 22 37 / 47 52 62 / 78 84 99"
    own = "**b3: which number instead of 7?**\nGrid: 1 17 14 20 8 19 11 (7) 10 …"
    leak = "Submitted: Grid 13 22 37 / 47 52 62 / 78 84 99."
    row = "13 22 37 and 47 52 62"

    def found(said: str, reader: str | None, live: int = 1, channel: str = "1") -> list[str]:
        private = {"5": {"recipients": [{"id": "7"}]}, "6": {"recipients": [{"id": "8"}]}}
        secrets = Secrets(Rows(*[[(live,)]] * 2), [Told(2, "7", half), Told(2, "7", whole)], private)
        nothing: dict[str, Any] = {
            "channel_id": channel, "flags": 0, "components": [], "embeds": [], "attachments": [],
        }  # fmt: skip
        secrets.heard("MESSAGE_UPDATE", {"ephemeral_for": reader, "content": said, **nothing})
        return secrets.leaks

    assert found(own, "8") == found(row, "8") == found(leak, "7") == found(leak, "8", live=0) == []
    assert found(leak, "8") == [f"match 2: 8 reads the {whole} of 7"]
    assert found("Grid: 14 20 3 7 (8) …", "8") == [f"match 2: 8 reads the {half} of 7"]
    assert found(leak, None) == [f"match 2: everybody reads the {whole} of 7"]
    assert found(leak, None, channel="5") == [], "it is told in their own direct messages"
    assert found(leak, None, channel="6") == [f"match 2: 8 reads the {whole} of 7"]


def test_a_match_that_a_server_ends_by_removing_the_bot_was_closed_by_somebody() -> None:
    row = Row(4, "binary-primes", "aborted", 3, 2, 9, 8, 3, REMOVED)
    other = replace(row, id=5, close_reason="Nobody knows.")
    guilds, rows = [(4, 70), (5, 70)], [astuple(row), astuple(other)]
    assert [line[:7] for line in Rows(guilds, rows).closed_by_nobody([], {70})] == ["match 5"]
    assert [line[:7] for line in Rows(guilds, rows).closed_by_nobody([], {71})] == ["match 4", "match 5"]


def test_a_match_is_done_when_its_channel_is_told_how_it_ended() -> None:
    row = Row(4, "binary-primes", "finished", 3, 2, 9, 8, 3, None, announce_until=99)
    assert not row.done and replace(row, announce_until=None).done
    assert not replace(row, announce_until=None, shown_version=2).done


def test_prepared_moves_that_are_gone_due_late_or_without_a_question_are_found() -> None:
    ready, due = (str(PremoveTree((line,))) for line in ((Move(2, "c3"), Move(1, "b2")), (Move(1, "b2"),)))
    trees = [(3, 1, "live", None, 7, 1, None), (4, 1, "live", None, 7, 1, due), (5, 1, "finished", None, 7, 1, ready)]
    lines = [(6, "[2]", 1, 1), (6, "[2]", 2, 1), (8, "[2]", 1, 2), (8, "[2]", 2, 1)]
    found = preparing.faults(Rows(trees, lines), {(3, "7"): 1, (5, "7"): 1})
    assert [kind for kind, _ in found] == ["lost", "undue", "kept", "undue"]
    assert list(preparing.faults(Rows([(3, 1, "live", None, 7, 1, ready)], lines[2:]), {(3, "7"): 1})) == []


def test_a_loop_in_which_nothing_can_happen_any_more_says_who_waits() -> None:
    async def waits() -> None:
        await loop.create_future()

    loop = SimulatedLoop(1)
    with pytest.raises(Stuck, match="waits"):
        loop.run_until_complete(waits())
    loop.close()


def test_time_passes_only_where_nothing_is_ready_and_order_is_drawn_by_the_seed() -> None:
    def told_by(seed: int | None) -> list[object]:
        loop, heard = SimulatedLoop(seed), list[object]()

        async def say(what: int) -> None:
            heard.append(what)

        async def story() -> None:
            began = loop.time()
            await asyncio.gather(*(say(what) for what in range(8)))
            heard.append(loop.time() - began)
            await asyncio.sleep(3600)
            heard.append(loop.time() - began)

        loop.run_until_complete(story())
        loop.close()
        return heard

    assert told_by(None) == [*range(8), 0.0, 3600.0]
    drawn = told_by(5)
    assert drawn == told_by(5) != told_by(6) and sorted(map(float, map(str, drawn[:8]))) == [*range(8)]


def test_a_curve_that_is_numbered_on_a_pad_is_known_by_its_line() -> None:
    pad = "Write **1 at c3**?\n-# Within The Curve · match 1\nChosen: number 3 c3 ccw"
    assert played(pad, "Write 1 at c3", last=True, at_once=False) == {"number 3 c3 ccw"}
