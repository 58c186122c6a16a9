"""Lists in messages end with a whole line, however long they are."""

from __future__ import annotations

import pytest

from bot.features.board import words as board_words


def test_a_short_list_is_shown_whole() -> None:
    assert board_words.format_list("Title", ["one", "two"], "foot") == "Title\none\ntwo\nfoot"
    assert board_words.format_list("", ["one"], total=3) == "one\n-# … and 2 more."
    assert board_words.format_list("", [], total=0) == ""


@pytest.mark.parametrize("length", [90, 130, 700, 2500])
def test_a_long_list_ends_with_a_whole_line(length: int) -> None:
    lines = [f"{number}:" + "x" * length for number in range(30)]
    text = board_words.format_list("Title", lines, "foot")
    shown = text.splitlines()[1:-2]
    assert len(text) <= board_words.MOST_TEXT and shown == lines[: len(shown)]
    assert text.splitlines()[-2:] == [f"-# … and {30 - len(shown)} more.", "foot"]
    assert len("\n".join([text, lines[len(shown)]])) > board_words.MOST_TEXT
