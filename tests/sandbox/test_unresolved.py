"""The checker of mentions that people see without a name, on planted messages: it finds each of them, and no other."""

from __future__ import annotations

import pytest

from bot.sandbox import posts
from bot.sandbox.components import V2
from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from bot.sandbox.posts import MessageDraft
from bot.sandbox.stand_in import Sandbox
from tests.support.unresolved import Readers


class Board:
    """Where a bot posts; `readers` look on."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.world = sandbox.world
        self.readers = Readers(sandbox)
        self.ann, self.bea, self.cem, self.dora = map(sandbox.person, ("Ann", "Bea", "Cem", "Dora"))

    def post(self, text: str, *told: Person, **extra: object) -> Json:
        place = self.world.channel_named("games")["id"]
        return posts.create_message(self.world, place, self.world.me, MessageDraft(self.body(text, *told)), **extra)

    def edit(self, message: Json, text: str, *told: Person) -> None:
        posts.edit_message(self.world, message, MessageDraft(self.body(text, *told)))

    def body(self, text: str, *told: Person) -> Json:
        return {"content": text, "allowed_mentions": {"parse": [], "users": [one.id for one in told]}}

    def found(self, reader: Person | None = None) -> list[tuple[str, str]]:
        """Whom a reader cannot name, and in which line."""
        return [(one.whom, one.line) for one in self.readers.unresolved(reader)]


@pytest.fixture
def board(sandbox: Sandbox) -> Board:
    return Board(sandbox)


async def test_who_is_told_is_known_and_who_is_only_named_is_not(board: Board) -> None:
    board.post(f"### A match\n{board.bea.mention} is to move.\n{board.ann.mention} waits.", board.bea)
    assert board.found(board.cem) == board.found() == [("Ann", f"{board.ann.mention} waits.")]
    assert board.found(board.ann) == [], "she knows herself"
    (one,) = board.readers.unresolved(board.cem)
    assert (one.place, one.edited) == ("games", False)


async def test_who_was_met_before_is_known_but_to_a_newcomer(board: Board) -> None:
    board.ann.say("Hello.", "games")
    message = board.post(f"{board.ann.mention} and {board.bea.mention}", board.bea)
    assert board.found(board.cem) == [] and board.found() == [("Ann", f"{board.ann.mention} and {board.bea.mention}")]
    board.edit(message, f"{board.bea.mention} is to move.")
    assert board.found(board.cem) == []
    (_, edited) = board.readers.unresolved()
    assert edited.edited and edited.whom == "Bea", "an edit brings along only whom it tells itself"


async def test_an_answer_is_read_by_its_person_alone(board: Board) -> None:
    board.post(f"{board.dora.mention} has won.", ephemeral_for=board.cem.id)
    assert board.found(board.cem) == [("Dora", f"{board.dora.mention} has won.")]
    assert board.found(board.bea) == board.found() == []


async def test_what_a_reader_cannot_see_is_not_read(sandbox: Sandbox, board: Board) -> None:
    sandbox.faults.deny("games", "view_channel", who="Cem")
    board.post(f"{board.dora.mention} has won.")
    assert board.found(board.cem) == [] and len(board.found(board.bea)) == 1


async def test_a_mention_on_a_button_or_under_a_picture_is_known_to_nobody(board: Board) -> None:
    place = board.world.channel_named("games")["id"]
    rows: list[Json] = [
        {"type": 10, "content": f"`{board.dora.mention}` in code is meant so."},
        {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a", "label": f"Against {board.ann.mention}"}]},
        {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}, "description": board.bea.mention}]},
    ]
    posts.create_message(board.world, place, board.world.me, MessageDraft({"flags": V2, "components": rows}))
    assert board.found(board.ann) == [("Ann", f"Against {board.ann.mention}"), ("Bea", board.bea.mention)]


async def test_the_same_line_is_found_once(board: Board) -> None:
    message = board.post(f"{board.dora.mention} has won.")
    board.edit(message, f"{board.dora.mention} has won.\nAgain?")
    assert len(board.found(board.cem)) == 1
