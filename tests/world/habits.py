"""The habits of people in a simulation: they dawdle, press twice, press what is out of date, and change their minds.

They ask for takebacks, draws and pauses, agree and refuse, resign, hand seats on, sit down at open tables and get up,
withdraw challenges, go away, leave the server and come back, and look at whatever can be looked at. Between habits they
play as everybody does (`tests.world.people`), also games of three and four and in two legs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bot.sandbox import people
from bot.sandbox.errors import Json
from bot.sandbox.people import BotReply
from tests.world import preparing, visible_matches
from tests.world import sticking_selects as sticking
from tests.world.league_life import LeagueLife
from tests.world.other_games import PLAYED as PLAYED_ELSE
from tests.world.other_games import Challenge, Records
from tests.world.pad_moves import PLAYED
from tests.world.people import IDLE, NAMES, PADS, SIZES, Hand
from tests.world.player_acts import Harness, Told, sentence
from tests.world.stale_buttons import Attic, forged, pressed
from tests.world.study_life import StudyLife
from tests.world.visible_matches import BUTTON, CHANNEL, NOBODY, Board, Lobby

HABIT = 0.25
"""How often a player does something else than to play."""
PREPARES = 0.5
"""How often a player prepares answers who could."""
TWICE = 0.15
"""How often a button is pressed twice at once."""
OTHERS, TABLES = 0.3, 0.15
"""How many of the challenges are to other games than those that most play, and how many are open tables."""
CROWDED = 2
"""How many more matches may be begun than there are tables, by rematches and by open tables."""
PLAIN, SECRET = ("Binary Primes",), ("Sums Grid", "Within The Curve")
"""What is played by the square, and at once and in secret; all else is played by lines, and two legs by pads too."""
FORGED = ("accept", "decline", "join", "leave", "begin", "cancel", "takeback", "resume", "board", "rules", "replay",
          "rematch", "claim1", "claim2", "give1", "give2", "review", "move", "submit", "done",
          "agree0123456789ab", "refuse0123456789ab")  # fmt: skip
"""Verbs that can stand on a public message, for a button that a board does not have at that moment."""
LOOKS = ("matches", "tables", "leaderboard", "profile", "away show", "match replay", "match record", "match board",
         "preferences", "games")  # fmt: skip
ASKS = ("takeback", "takeback", "takeback", "draw", "pause", "resume", "abort")
ABOUT_TIME: Sequence[tuple[str, Mapping[str, str]]] = (
    ("away until", {"until": "in 2 days"}),
    ("away until", {"until": "in 5 days"}),
    ("away back", {}),
    ("preferences", {"reminders": "thread"}),
    ("preferences", {"reminders": "message"}),
    ("preferences", {"reminders": "board"}),
    ("preferences", {"reminders": "digest"}),
    ("preferences", {"reminders": "off"}),
    ("preferences", {"zone": "Asia/Kolkata"}),
    ("preferences", {"zone": "America/New_York"}),
    ("preferences", {"weekends": "no"}),
    ("preferences", {"weekends": "yes"}),
)
STAYS = MANAGES = "Ann"
"""Who never leaves the server, and manages it."""
CLOSED = "general"
"""A channel in which the bot can post no pictures, and nobody plays."""
TRIES = 2
"""How often a player chooses what is refused."""
ABSENT = (0.5, 5.0, 20.0)
"""Seconds for which a player is not in the server."""
YES = ("Resign", "Call it off", "Agree to a draw", "Never mind", "Claim", "Take it back")
"""The labels that answer a question with yes."""


class HabitualHand(Hand):
    """One hand of a person with habits; `others` are the games that they challenge to besides those that most play, and
    for how many. `prepares` and `plays_others` say how often they do."""

    others: Mapping[str, Sequence[int]] = PLAYED_ELSE
    prepares, plays_others = PREPARES, OTHERS

    def __init__(self, harness: Harness, name: str, records: Records, attic: Attic) -> None:
        super().__init__(harness, name)
        self.records = records
        self.attic = attic
        self._greeted = set[str]()
        self.league_life = LeagueLife(self)
        self.study = StudyLife(self)
        often: Sequence[tuple[int, Callable[[], Awaitable[None]]]] = (
            (5, self.asks), (6, self.answers), (4, self.presses_what_is_old), (2, self.forges), (3, self.looks),
            (2, self.about_time), (4, self.chooses), (1, self.resigns), (1, self.hands_on), (2, self.rematches),
            (3, self.at_a_lobby), (1, self.leaves_the_server), (4, self.study.tries_out), (2, self.study.brings),
            (2, self.study.tries_again), (3, self.study.plays_on),
        )  # fmt: skip
        self.habits = [habit for times, habit in often for _ in range(times)]

    async def act(self) -> bool:
        """Do one thing, if there is one to do, after a while."""
        if self.harness.resting or self.me.id not in self.me.server.members:
            return False
        if (waits := self.waiting()) and self.rng.random() < self.prepares:
            await preparing.prepares(self, self.rng.choice(waits))
            return True
        if self.league_life.thinks():
            await self.league_life.takes_part()
            return True
        if self.study.thinks():
            await self.study.does_something()
            return True
        if not self.harness.may_begin():
            return await self.winds_up() or await super().act()
        await asyncio.sleep(self._dawdled())
        if self.rng.random() < HABIT:
            habit = self.rng.choice(self.habits)
            self.harness.counts[f"habit: {habit.__name__}"] += 1
            await habit()
            return True
        return await super().act()

    def _dawdled(self) -> float:
        luck = self.rng.random()
        if self.harness.hasty or luck < 0.5:
            return self.rng.uniform(0, IDLE if self.harness.hasty else 0.3)
        return self.rng.expovariate(1) if luck < 0.98 else self.rng.uniform(10, 120)

    # --- playing

    async def challenge(self) -> None:
        """Challenge a player, now and then to another game, or anyone at a table."""
        luck = self.rng.random()
        if luck < self.plays_others:
            await self._challenge_to_another()
        elif luck < self.plays_others + TABLES:
            act = self.me.command(
                "binary-primes challenge",
                CHANNEL,
                legs=1,
                size=self.rng.choice(SIZES),
                pace=self.rng.choice(self.paces),
            )
            self.challenged(await self.attempt(act, again=True))
        else:
            await super().challenge()

    async def _challenge_to_another(self) -> None:
        wanted = Challenge.drawn(self.rng, self.others)
        others = [self.harness.person(name) for name in NAMES if name != self.name]
        guests = dict(zip(("opponent", "opponent2", "opponent3"), self.rng.sample(others, 3), strict=True))
        named = dict([*guests.items()][: wanted.seats - 1])
        command = f"{wanted.game} challenge"
        act = self.me.run(command.split(), CHANNEL, {**named, **wanted.options, "pace": self.rng.choice(self.paces)})
        self.challenged(await self.attempt(act))

    async def move(self, board: Board) -> None:
        """Make a move: in other games than most play, by a line."""
        if self.league_life.gives_up(board):
            await self.league_life.resigns(board)
            return
        by_the_square = board.title in PLAIN and not board.in_legs and board.empty and "move" in board.verbs
        if board.title in SECRET or by_the_square:
            await super().move(board)
        elif board.in_legs and "move" in board.verbs and self.rng.random() < PADS:
            await self.put_together(board, "Move")
        elif line := self.records.line(board.match, self.me.id, self.rng):
            self.harness.tried.add(Told(board.match, self.me.id, line))
            act = self.me.command("move", board.message["channel_id"], match=board.match, line=line)
            reply = await self.attempt(act, again=True)
            if reply and reply.kind == "message" and PLAYED.search(reply.text):
                self.told(board.match, line)
        else:  # the board is behind
            await asyncio.sleep(IDLE)

    def expected(self, board: Board) -> list[str]:
        """The squares to which a player has prepared an answer, mostly."""
        return preparing.expected(self, board)

    async def record_try(self, board: Board) -> None:
        """Claim a match against a player who ran out of time, or give them more."""
        self.tries(board.match, "claim")
        await super().record_try(board)

    def waiting(self) -> list[Board]:
        """The boards on which another player is to move, and answers can be prepared."""
        boards = (one for one in self.harness.live_boards() if one.title in PLAIN and not one.in_legs)
        mine = (one for one in boards if self.me.id in one.people and len(one.movers) == 1 and one.empty)
        return [one for one in mine if self.me.id not in one.movers]

    # --- what all have to agree on

    async def asks(self) -> None:
        """Ask for something, or agree where another player asks for it."""
        if board := self._make_claim():
            what = self.rng.choice(ASKS)
            self.tries(board.match, what)
            act = self.me.command(f"match {what}", board.message["channel_id"], match=board.match)
            await self._meant(board.match, await self.attempt(act, again=True))

    async def hands_on(self) -> None:
        """Ask that a player takes over a seat."""
        if board := self._make_claim():
            self.tries(board.match, "replace")
            act = self.me.command(
                "match replace", board.message["channel_id"], match=board.match, seat=self.rng.randint(1, 3),
                player=self.harness.person(self.rng.choice(NAMES)),
            )  # fmt: skip
            await self._meant(board.match, await self.attempt(act))

    async def answers(self) -> None:
        """Answer what is asked on some board, whether one is asked or not."""
        asking = [one for one in self.harness.seen.boards.values() if any(map(is_answer, one.labels))]
        if asking:
            board = self.rng.choice(asking)
            labels = [one for one in (*board.labels, *board.labels) if is_answer(one) or one == "Refuse"]
            await self._press(board.message, self.rng.choice(labels))

    async def resigns(self) -> None:
        """Give a match up, and mean it half of the time."""
        if board := self._make_claim():
            self.tries(board.match, "resign")
            act = self.me.command("match resign", board.message["channel_id"], match=board.match)
            await self._meant(board.match, await self.attempt(act))

    async def rematches(self) -> None:
        """Ask for a match again."""
        over = [one for one in self.harness.seen.boards.values() if "rematch" in one.verbs and self.me.id in one.people]
        if over and self._room() > -CROWDED:
            self.challenged(await self._press(self.rng.choice(over).message, "Rematch"))

    async def _meant(self, match: int, asked: BotReply | None) -> None:
        """Answer a question with yes, half of the time."""
        if asked is None or not asked.message_id or self.rng.random() < 0.5:
            return
        yes = [one.label for one in people.list_buttons(asked.message) if one.label in YES]
        if yes:
            await self._press(asked.message, self.rng.choice(yes))

    # --- challenges and tables

    async def at_a_lobby(self) -> None:
        """Sit down, get up, begin, decline or withdraw, at some open challenge."""
        lobbies = list(self.harness.seen.lobbies.values())
        if lobbies:
            lobby = self.rng.choice(lobbies)
            labels = [one for one in visible_matches.labels(lobby.message) if one not in ("Rules", "Accept")]
            if not lobby.guests and lobby.host != self.me.id:
                labels += ["Join"] * 3 * ("Join" in labels)
            if labels and self.rng.random() < (0.8 if "Join" in labels else 0.3):
                await self._press(lobby.message, self.rng.choice(labels))

    # --- what nobody offers them

    async def presses_what_is_old(self) -> None:
        """Press a button of a message as it was once."""
        found = self.attic.found(self.rng)
        if found:
            message, custom_id = found
            self._note(custom_id)
            await self.attempt(forged(self.me, message, custom_id), again=True)

    async def forges(self) -> None:
        """Press a button that a board never had. It is of the board's own match: no other can reach the bot, since
        Discord knows what stands in a message."""
        boards = list(self.harness.seen.boards.values())
        if boards:
            board = self.rng.choice(boards)
            custom_id = f"m:{board.match}:{self.rng.randint(0, 12)}:{self.rng.choice(FORGED)}"
            self._note(custom_id)
            await self.attempt(forged(self.me, board.message, custom_id))

    # --- what changes no match

    async def looks(self) -> None:
        """Look at something."""
        what, boards = self.rng.choice(LOOKS), list(self.harness.seen.boards.values())
        if not what.startswith("match ") or not boards:
            await self.attempt(self.me.command(what if " " in what else what, CHANNEL))
            return
        board = self.rng.choice(boards)
        shown = await self.attempt(self.me.command(what, board.message["channel_id"], match=board.match))
        if what == "match replay" and shown and shown.message_id:
            able = [one.custom_id for one in people.list_buttons(shown.message) if one.custom_id and not one.disabled]
            steps = [one for one in able if one.split(":")[-1] not in ("film", "show", "tell")]
            if steps:
                await self.attempt(self.me.press(shown, self.rng.choice(steps)), again=True)

    async def about_time(self) -> None:
        """Be away, be back, or choose how to be reminded."""
        command, given = self.rng.choice(ABOUT_TIME)
        await self.attempt(self.me.command(command, CHANNEL, **given), again=True)

    async def chooses(self) -> None:
        """Choose something in a select of a card, and if that is refused the same once more."""
        manages = self.name == MANAGES and self.rng.random() < 0.7
        shown = await self.attempt(self.me.command("settings posts" if manages else "preferences", CHANNEL))
        if shown is None or not shown.message_id or not (found := sticking.selects(shown.message)):
            return
        at = self.rng.choice([at for at, one in enumerate(found) if sticking.may(one)])
        values = sticking.values(found[at], self.harness.sandbox.world.channel_named(CLOSED, self.me.server), self.rng)
        for _ in range(TRIES):
            failed = self.harness.failed_answers
            answer = await self.attempt(self.me.press(shown, sticking.selects(shown.message)[at]["custom_id"], values))
            if answer is None or answer.kind == "acknowledged" or not shown.is_visible:
                return
            self.harness.counts[f"chosen: {answer.kind}"] += 1
            if failed == self.harness.failed_answers and sticking.sticks(self.me, shown.message, at, values):
                self.harness.stuck.append(f"{self.name} cannot choose {values} again: {sentence(answer.text)}")
            if sticking.chosen(shown.message, at, values):
                return

    async def leaves_the_server(self) -> None:
        """Leave the server, and come back later."""
        if self.name != STAYS and self.me.id in self.me.server.members:
            self.harness.sandbox.faults.leave(self.me.id, self.me.server)
            await asyncio.sleep(self.rng.choice(ABSENT))
            self.comes_back()

    def comes_back(self) -> None:
        """Be in the server again."""
        if self.me.id not in self.me.server.members:
            self.harness.sandbox.faults.join(self.me.id, self.me.server)

    # --- the end

    async def winds_up(self) -> bool:
        """Let halted matches go on, and close open tables. Who is taken to have left says that they are back."""
        if any(NOBODY in one.movers and self._greets(one) for one in self.harness.live_boards()):
            return await self.attempt(self.me.command("matches", CHANNEL)) is not None
        for board in self.harness.seen.boards.values():
            label = next(filter(is_answer, board.labels), None)
            if label and self.me.id in board.people and self._busy(board) not in self.harness.busy:
                return await self._alone(board, label)
        for lobby in self.harness.seen.lobbies.values():
            if lobby.host == self.me.id and not lobby.guests and self._busy(lobby) not in self.harness.busy:
                return await self._alone(lobby, "Cancel")
        return False

    async def _alone(self, thing: Board | Lobby, label: str) -> bool:
        self.harness.busy.add(self._busy(thing))
        try:
            reply = await self._press(thing.message, label)
            if reply and reply.message_id and "Agree to a draw" in visible_matches.labels(reply.message):
                await self._press(reply.message, "Agree to a draw")
            return reply is not None
        finally:
            self.harness.busy.discard(self._busy(thing))

    # --- helpers

    def _greets(self, board: Board) -> bool:
        """Whether a player may be meant who is named on a board no more, and has not said anything since."""
        known = board.message["id"] in self._greeted
        self._greeted.add(board.message["id"])
        return not known and self.me.id not in board.people

    def _room(self) -> int:
        return self.harness.tables - len(self.harness.live_boards()) - len(self.harness.seen.lobbies)

    def _make_claim(self) -> Board | None:
        """A match that is played, in which a player is mostly one of the players."""
        boards = [one for one in self.harness.seen.boards.values() if not one.over and one.verbs]
        mine = [one for one in boards if self.me.id in one.people]
        found = mine if mine and self.rng.random() < 0.9 else boards
        return self.rng.choice(found) if found else None

    async def _press(self, message: Json, label: str) -> BotReply | None:
        """Press a button, now and then twice at once; what it may do is noted before."""
        custom_id = next((one.custom_id for one in people.list_buttons(message) if one.label == label), None)
        if custom_id is None:
            return None
        self._note(custom_id)
        times = 2 if self.rng.random() < TWICE else 1
        acts = (self.attempt(pressed(self.me, message, custom_id), again=True) for _ in range(times))
        answers = await asyncio.gather(*acts)
        return next((answer for answer in answers if answer), None)

    def _note(self, custom_id: str) -> None:
        """Note what a button may do to a match."""
        if named := BUTTON.fullmatch(custom_id):
            self.tries(int(named[1]), named[3])


def is_answer(label: str) -> bool:
    """Whether a button agrees to a proposal, or asks to go on with a paused match."""
    return label == "Resume" or label.startswith("Agree: ") and "call it off" not in label
