"""Nothing that anybody can get depends on what others have done in secret: two matches that differ in nothing but that
are played through the real client, and a viewer who may not know it asks for everything there is.

What one seat does in secret differs in content, in number and in time; what its opponents, who watches and who manages
the server get must be the same: answers, completions, files, boards, who was told, requests in order, lines of the log.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.play import claims
from bot.play.clocks import DAY
from bot.play.ids import InteractionId, MatchId, UserId
from bot.play.match import Match
from bot.play.record import Entry
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.umpire.umpire import Umpire
from tests.contract.secrecy import pair
from tests.e2e.conftest import opened
from tests.e2e.harness import MESSAGE, Harness, called, labels
from tests.e2e.leaks import LEAKS, plant
from tests.e2e.test_several_seats import GRID, done, secret, table
from tests.e2e.transcripts import Asker, Transcript, commands, differences, is_key, lift_rate_limits
from tests.support.log_lines import logging_to

SECRET = [game for game in load_offered_games().values() if game.secret]
LINES = 8
"""How many lines the longer of two records has."""
PONDERED = 5
"""How many taps Bea makes in vain."""
OUTAGE = "seconds without Discord were given back"
BEGIN, STEP = 2_000_000_000, 100
"""When a story begins, and the seconds between two of its steps. It lies ahead: where the bot has begun to look for
challenges that are over by the time of today, it is not to find the story's."""
OTHER = "binary-primes"
"""Another game, of which Cem and Dora play a match too. The commands of all games are made alike, from their tables."""


ELSEWHERE = ("games", "play", OTHER)
"""What is not about the match, and draws the boards of all games: it is enough that one asks for it."""


@pytest.fixture
def described() -> bool:
    return False


class Story:
    """A match of Bea's, who has secrets before Cem and Dora; Ann, who manages the server, watches."""

    def __init__(self, harness: Harness, game: Game, match: Match, late: bool, log: StringIO) -> None:
        self.harness, self.game, self.match, self.log = harness, game, match, log
        self.secretly = STEP - 10 if late else 10
        self.told = Transcript(harness)
        self.taps: list[str] = []
        self.seats = {1: harness.bea, 2: harness.cem, 3: harness.dora}

    async def begin(self) -> None:
        """The challenge, and all accept it."""
        await self.now(BEGIN)
        lift_rate_limits(self.harness)
        given = {"opponent": self.harness.cem, "opponent2": self.harness.dora, "seat": "me"}
        self.played = await table(
            self.harness, self.game.key, self.harness.bea, **given, **self.match.options.to_record()
        )
        for person in (self.harness.cem, self.harness.dora):
            await person.press(self.played.lobby, "Accept")
            await self.harness.settled()
        self.played = await self.played.fresh()

    async def play(self) -> None:
        """The moves of all, and meanwhile another match, of Cem's and Dora's; each at its time."""
        steps: list[tuple[int, Callable[[], Awaitable[None]]]] = []
        time = BEGIN
        for entry in self.match.record:
            secret = entry.seat == 1 and self.game.veil(entry.seat, entry.text) is None
            time += 0 if secret else STEP
            steps.append((time + self.secretly * secret, lambda entry=entry, secret=secret: self.move(entry, secret)))
        steps.append((time + STEP // 2, self.other_match))
        for at, step in sorted(steps, key=lambda step: step[0]):
            await self.now(at)
            await step()
            await self.harness.settled()
        await self.ponder()
        await self.now(time + STEP)

    async def now(self, at: int) -> None:
        """It has become so late, while the bot was connected."""
        self.harness.clock.at = at
        await self.harness.run_due_acts(0)

    async def move(self, entry: Entry, secret: bool) -> None:
        """A move of somebody's, who says yes when asked whether they mean it."""
        person = self.seats[entry.seat]
        replies = [await person.command("move", channel=self.played.place, line=entry.text)]
        if set(labels(replies[0].message)) & {"Edit", "Back"}:
            replies.append(await person.press(replies[0], labels(replies[0].message)[0]))
        await self.harness.settled()
        assert (await self.played.fresh()).record[-1] == tuple(entry)
        if entry.seat != 1:
            for reply in replies:
                self.told.reply(f"{person.name}: moving", reply)
        if not secret:
            self.told.channels(self.harness.ann)

    async def ponder(self) -> None:
        """Bea puts a move together on a pad, another one in each story, and leaves it. Nobody is told, nor the log."""
        board = await self.harness.bea.command("match board", channel=self.played.place)
        (name, *_) = (one for one in labels(board.message) if one not in ("End my match", "Rules", "More …"))
        pad, rng = await self.harness.bea.press(board, name), Random(self.secretly)
        for _ in range(PONDERED):
            keys = [one for one in people.list_buttons(pad.message) if is_key(one) and not one.disabled]
            if keys:
                self.taps.append(str(rng.choice(keys).custom_id))
                pad = await self.harness.bea.press(pad, self.taps[-1])
        assert self.taps

    async def other_match(self) -> None:
        """Cem is to move there."""
        await self.harness.match(self.harness.cem, self.harness.dora)

    async def ask(self, person: Person, wanted: Callable[[tuple[str, ...]], bool]) -> None:
        """Somebody who may not know it asks for all that is wanted, completing every option."""
        values = {"match": self.played.id, "game": self.game.key, "confirm": "yes", "allowed": False, "on": True}
        values |= {"person": self.harness.bea, "player": self.harness.bea, "theirs": "a1", "yours": "b2"}
        values |= {"channel": self.harness.sandbox.channel("general")["id"]}
        asker = Asker(self.told, person, self.played.place, values)
        for path, options in commands(self.harness):
            if wanted(path) and (path[0] not in load_games() or path[0] in (self.game.key, OTHER)):
                await asker.use(path, options)
        await self.passes(STEP)  # boards say anew who is away
        await asker.press(self.played.board)
        await asker.replay(self.played.id)
        self.told.channels(self.harness.ann)

    async def late(self) -> None:
        """All run out of time, also the one who has moved secretly just now, and are asked what is to become of it."""
        await self.passes(8 * DAY)
        assert any(player.forfeit_at for player in (await self.played.fresh()).row.players)
        self.told.channels(self.harness.ann)

    async def passes(self, seconds: int) -> None:
        """Time passes, while the bot is connected, and it looks what is due."""
        await self.now(self.harness.clock() + seconds)
        await self.harness.life.client.keep_time()
        await self.harness.life.client.publisher.retry_failed()
        await self.harness.settled()

    async def end(self) -> None:
        """Ann calls the match off, so that what was a secret stays one."""
        await self.harness.surely(self.harness.ann, "match abort", channel=self.played.place)
        await self.harness.settled()
        self.played = await self.played.fresh()
        assert self.played.row.state == "aborted"

    async def dies(self, step: str, doing: Awaitable[object]) -> None:
        """The bot dies at a step of what somebody does."""
        self.harness.kill_at(step)
        with suppress(NoAnswerInTime):
            await doing
        await self.harness.killed.wait()

    async def lives(self) -> None:
        """There is another bot, which shows what the first did not."""
        await self.harness.restart()
        lift_rate_limits(self.harness)
        await self.harness.settled()
        self.told.channels(self.harness.ann)

    def spilled(self) -> list[str]:
        """Which tokens, which moves and which taps stand in the log."""
        typed = [entry.text.partition(" ")[2] for entry in self.match.record]
        tokens = [self.harness.sandbox.token, *self.harness.sandbox.world.interactions]
        return [text for text in (*typed, *tokens, *self.taps, "```", ":pick:") if text and text in self.log.getvalue()]

    def written(self) -> Transcript:
        """All that was noted, with the requests, and the lines of the log by what they say."""
        self.told.requests(but=self.harness.bea)
        # Whether the bot looked at its clock before the story put that ahead is no secret: then it finds an outage.
        lines = [line for line in self.told.named(self.log.getvalue()).splitlines() if OUTAGE not in line]
        self.told.got["log"] = sorted({line.lstrip("0123456789-:, ") for line in lines})
        return self.told


async def whole(story: Story) -> None:
    """All is asked for by a player and by who watches; and when the match is called off, what there is beside moves.
    What is not about matches is asked for by all in the story of one game, and by the player alone in others."""
    ours = ("match", "matches", "move", "settings", story.game.key)

    def wanted(path: tuple[str, ...]) -> bool:
        return story.game is SECRET[0] or path[0] in ours

    await story.ask(story.harness.cem, lambda path: path[0] not in ELSEWHERE)
    await story.late()
    await story.ask(story.harness.ann, wanted)
    await story.ask(story.harness.cem, lambda path: path[:2] in (("match", "claim"), ("match", "give"), ("matches",)))
    await story.end()
    await story.ask(story.harness.dora, lambda path: wanted(path) and path[0] not in (*ELSEWHERE, *load_games()))
    assert story.spilled() == []


async def short(story: Story) -> None:
    """Cem asks for some things."""
    await story.ask(story.harness.cem, lambda path: path in (("match", "board"), ("privacy", "export"), ("matches",)))
    await story.harness.dora.command("match abort", channel=story.played.place)
    await story.harness.settled()


async def dying(story: Story) -> None:
    """The bot dies behind a secret move; and behind posting the board that says what Cem wishes. Before the next one
    looks Cem has thought again, Dora wishes the same, and Bea has gone on in secret."""
    harness, place = story.harness, story.played.place
    move = (await story.played.fresh()).record[-1][1]
    await story.dies("committed", harness.bea.command("move", channel=place, line=move))
    await story.lives()
    await story.dies("posted", harness.cem.command("match abort", channel=place))
    umpire, match = Umpire(harness.store, load_games(), harness.clock, Random(1)), MatchId(story.played.id)
    await umpire.act(InteractionId(1), match, UserId(int(harness.cem.id)), claims.play_on)
    await umpire.act(InteractionId(2), match, UserId(int(harness.dora.id)), partial(claims.abort, now=umpire.clock()))
    for act in range(3, len(story.match.record)):
        await umpire.move(InteractionId(act), match, UserId(int(harness.bea.id)), move)
    await story.lives()
    await story.ask(harness.dora, lambda path: path[0] == "match")


Telling = Callable[[Story], Awaitable[None]]


async def twice(
    folder: Path, empty: Path, game: Game, telling: Telling, kind: type[Story] = Story
) -> dict[str, tuple[str, str]]:
    """What was different in two stories that differ in Bea's secrets alone."""
    transcripts: list[Transcript] = []
    for late, match in enumerate(pair(game, 3, LINES)):
        async with opened(folder, empty, 3600.0) as harness:
            with logging_to("DEBUG", harness.sandbox.token) as log:
                story = kind(harness, game, match, bool(late), log)
                await story.begin()
                await story.play()
                await telling(story)
            transcripts.append(story.written())
    return differences(*transcripts)


@pytest.mark.minutes
@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.key)
async def test_nobody_gets_anything_that_depends_on_the_secrets_of_another(
    folder: Path, empty_database: Path, game: Game
) -> None:
    found = await twice(folder, empty_database, game, whole)
    told = ("\n… but with other secrets …\n".join(both) for both in found.values())
    assert not found, f"{[*found]} gives secrets away:\n{next(told)}"


async def test_nor_when_the_bot_dies_in_between(folder: Path, empty_database: Path) -> None:
    found = await twice(folder, empty_database, load_games()["sums-grid"], dying)
    assert not found, f"{[*found]} gives secrets away:\n{next(iter(found.values()))}"


async def test_a_board_that_could_not_be_shown_is_not_tried_again_because_of_a_secret_move(harness: Harness) -> None:
    """A person who keeps the bot from posting, and then lets it post again, would see when somebody moves."""
    played = await secret(harness, harness.ann, harness.bea, harness.cem)
    await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await harness.settled()
    harness.faults.fail_requests("PATCH", MESSAGE, status=403, code=50013, times=1)
    await done(harness.ann, played)
    await harness.life.idle()
    parked = (await played.fresh()).row.publish_error
    assert parked and "done" not in people.text_of(played.board)
    before = len(harness.sandbox.requests_of("PATCH", MESSAGE))
    reply = await harness.bea.command("sums-grid submit", channel=played.place, grid=GRID)
    assert f"I couldn't show the board in its place. {parked}" in reply.text and "You handed\xa0in **" in reply.text
    await harness.life.idle()
    assert (await played.fresh()).row.publish_error == parked
    assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == before
    await harness.cem.command("match abort", channel=played.place)
    await harness.settled()
    assert f"{called(harness.cem)} wants to call the match off" in people.text_of(played.board)


@pytest.mark.long
async def test_planted_leaks_are_found(folder: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    found = await twice(folder, empty_database, load_games()["sums-grid"], short)
    for kind, (what, pattern) in LEAKS.items():
        assert what in found, f"a leak by {kind} is not found"
        first, second = (re.findall(pattern, text) for text in found[what])
        assert first != second, f"a leak by {kind} is not found in {what}"
