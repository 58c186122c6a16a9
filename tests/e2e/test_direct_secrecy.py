"""Nothing that anybody gets in direct messages depends on what others have done in secret: the stories of
`test_secrecy`, in which Cem is sent each turn's board, and asks for everything there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.features.board import views
from bot.features.board.directory import MatchDirectory
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play.acts import Outcome
from bot.play.loaded_match import MatchView
from bot.play.rows import MatchRecordRow, MatchRow, PendingEdit
from bot.sandbox.client_checks import ClientRefusal
from bot.umpire import notifications
from tests.e2e.harness import labels
from tests.e2e.test_secrecy import SECRET, STEP, Story, twice
from tests.e2e.transcripts import Asker, commands

ASKED = ("match", "matches", "move", "privacy")


class DirectStory(Story):
    """Cem reads and does everything in his direct messages."""

    async def begin(self) -> None:
        cem = self.harness.cem
        await cem.command("preferences", channel=cem.mailbox, reminders="board", quiet="none")
        await super().begin()

    async def now(self, at: int) -> None:
        """It has become so late, and what is due is sent."""
        await super().now(at)
        await self.harness.life.client.keep_time()
        await self.harness.life.client.publisher.retry_failed()
        await self.harness.settled()

    async def ask_there(self) -> None:
        """Cem asks for what there is, presses everything on his board, and gets the boards of his turns."""
        cem = self.harness.cem
        mail = cem.mailbox
        given = {"match": self.played.id, "player": cem, "person": cem, "theirs": "a1", "yours": "b2"}
        asker = Asker(self.told, cem, mail, given, mail)
        for path, options in commands(self.harness):
            if path[0] in ASKED and path[:2] not in (("match", "resign"), ("privacy", "forget")):
                await asker.use(path, options)
        for label in labels((await cem.command("match board", channel=mail)).message):
            board = await cem.command("match board", channel=mail)
            try:
                self.told.reply(f"Cem: pressing {label}", await cem.press(board, label))
            except ClientRefusal as refused:
                self.told.note(f"Cem: pressing {label}", str(refused))
        await self.passes(STEP)
        self.told.mail(cem)
        self.told.channels(self.harness.ann)


async def told_there(story: Story) -> None:
    """A board has come, Cem asks for everything, and the match is called off."""
    assert isinstance(story, DirectStory)
    assert story.harness.cem.read_direct_messages(), "each story is about a board that was sent"
    story.told.mail(story.harness.cem)
    await story.ask_there()
    await story.end()
    story.told.mail(story.harness.cem)


@pytest.mark.long
@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.key)
async def test_no_direct_message_depends_on_the_secrets_of_another(
    folder: Path, empty_database: Path, game: Game
) -> None:
    found = await twice(folder, empty_database, game, told_there, DirectStory)
    told = ("\n… but with other secrets …\n".join(both) for both in found.values())
    assert not found, f"{[*found]} gives secrets away:\n{next(told)}"


build_mail, list_edits = views.build_mail, notifications.list_mail_edits


def show_all(sight: MatchView, pictures: Any, server: str) -> Any:
    """The board, as Bea sees it."""
    return build_mail(MatchView.of(sight.loaded, 1), pictures, server)


def edit_always(before: MatchRecordRow, outcome: Outcome) -> list[PendingEdit]:
    """An edit for each act, whoever has seen it."""
    return list_edits(before, Outcome(outcome.row, outcome.told, outcome.turned, outcome.handed))


def sort_by_moves(_self: MatchDirectory, rows: Any, _user: int) -> list[MatchRow]:
    """What was moved in last comes first."""
    return sorted(rows, key=lambda row: -(row.moved or row.started or row.created))


PLANTED: dict[str, tuple[object, str, Callable[..., object], str]] = {
    "another's board": (views, "build_mail", show_all, "direct messages of Cem"),
    "an edit": (notifications, "list_mail_edits", edit_always, "requests"),
    "an order": (MatchDirectory, "sort_by_urgency", sort_by_moves, "Cem: /matches"),
}
"""What gives secrets away, and where that must be noticed."""


@pytest.mark.long
@pytest.mark.parametrize("leak", PLANTED)
async def test_planted_leaks_are_found_there(
    folder: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    owner, name, planted, where = PLANTED[leak]
    monkeypatch.setattr(owner, name, planted)
    found = await twice(folder, empty_database, load_games()["sums-grid"], told_there, DirectStory)
    assert where in found, f"a leak by {leak} is not found, but {[*found]}"
