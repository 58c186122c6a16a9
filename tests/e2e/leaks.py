"""Planted leaks: a bot that gives the secrets of a match away in every possible way. The tests must notice each."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, select

from bot.features.board import directory as match_directory
from bot.features.board import posts
from bot.features.board import words as board_words
from bot.features.board.posts import Boards
from bot.features.pads import keypad, pad_loop
from bot.games.game import Game, show_move
from bot.games.position import Seat
from bot.platform.custom_ids import PadId
from bot.play.ids import ChannelId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.rows import MatchRow
from data.queries import privacy
from data.store import Transaction
from data.tables.schema import moves, players

THREAD = "#Bea – Cem – Dora · Sums Grid · 1"
LEAKS = {
    "completion": ("Cem: completing match board, match", r"move [0-9]+"),
    "export": ("Cem: /privacy export", r"number[^0-9]+[0-9]+"),
    "order": ("Cem: /matches", r" · [0-9]\]\(https"),
    "time on a board": (THREAD, r"moved <t:[0-9]+:R>"),
    "note on a board": (THREAD, r"[0-9]+ lines played"),
    "request": ("requests", "/channels/.*"),
    "nonce": ("bodies", r"b1\.[0-9]+"),
    "log": ("log", "played .*"),
    "line on a pad": ("Cem: pressing Make a grid", "of [0-9]+ lines"),
    "key of a pad": ("Cem: pressing Make a grid", "k:1:[0-9]+"),
}
"""What is planted, where it must be noticed, and what it looks like there."""


headline, status, where, append = (
    board_words.format_headline,
    board_words.describe_status,
    pad_loop.format_match_line,
    Transaction.append,
)
RAW = select(moves.c.match, moves.c.ply.label("number")).join(
    players, (players.c.match == moves.c.match) & (players.c.seat == moves.c.seat)
)


def counted(connection: Connection, person: int) -> list[dict[str, Any]]:
    return [{**row} for row in connection.execute(RAW.where(privacy.OF_USER), {"person": person}).mappings()]


OFFERED = match_directory.describe_choice


def choice(row: MatchRow, game: Game, user: UserId, now: int) -> str:
    return OFFERED(row, replace(game, veil=show_move), user, now)


def urgency(row: MatchRow, *_: object) -> int:
    return row.moved or row.started or row.created


def with_time(loaded: LoadedMatch, progress: str = "") -> str:
    return f"{headline(loaded, progress)} moved <t:{loaded.row.moved}:R>"


def with_number(sight: MatchView) -> str:
    return f"{status(sight)} {len(sight.match.record)} lines played"


def shown_at_once(*_: object) -> bool:
    return False


def nonce(row: MatchRow, _place: ChannelId) -> str:
    return f"b{row.id}.{row.shown_version}"


def with_lines(loaded: LoadedMatch) -> str:
    return f"{where(loaded)} of {loaded.row.plies} lines"


def by_all(loaded: LoadedMatch, seat: Seat) -> keypad.Ids:
    return lambda tap: PadId("k", loaded.id, loaded.row.plies, tap)


def logged(tx: Transaction, match: int, ply: int, seat: int, text: str, now: int) -> None:
    logging.getLogger("data.store").debug("played %s", text)
    append(tx, match, ply, seat, text, now)


def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a bot that gives secrets away in every way there is."""
    monkeypatch.setattr(match_directory, "describe_choice", choice)
    monkeypatch.setattr(privacy, "_moves_of", counted)
    monkeypatch.setattr(match_directory, "urgency_key", urgency)
    monkeypatch.setattr(board_words, "format_headline", with_time)
    monkeypatch.setattr(board_words, "describe_status", with_number)
    monkeypatch.setattr(Boards, "_is_change_hidden", shown_at_once)
    monkeypatch.setattr(posts, "make_board_nonce", nonce)
    monkeypatch.setattr(pad_loop, "format_match_line", with_lines)
    monkeypatch.setattr(pad_loop, "make_pad_ids", by_all)
    monkeypatch.setattr(Transaction, "append", logged)
