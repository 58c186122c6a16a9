"""Lists in messages end with a whole line, however long they are."""

from __future__ import annotations

import pytest

from bot.client.text import match_text


def test_a_short_list_is_shown_whole() -> None:
    assert match_text.listed("Title", ["one", "two"], "foot") == "Title\none\ntwo\nfoot"
    assert match_text.listed("", ["one"], total=3) == "one\n-# … and 2 more."
    assert match_text.listed("", [], total=0) == ""


@pytest.mark.parametrize("length", [90, 130, 700, 2500])
def test_a_long_list_ends_with_a_whole_line(length: int) -> None:
    lines = [f"{number}:" + "x" * length for number in range(30)]
    text = match_text.listed("Title", lines, "foot")
    shown = text.splitlines()[1:-2]
    assert len(text) <= match_text.MOST_TEXT and shown == lines[: len(shown)]
    assert text.splitlines()[-2:] == [f"-# … and {30 - len(shown)} more.", "foot"]
    assert len("\n".join([text, lines[len(shown)]])) > match_text.MOST_TEXT
