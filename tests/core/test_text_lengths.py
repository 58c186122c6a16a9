"""Texts fit by UTF-16 code units, and no sign is cut in half."""

from __future__ import annotations

import pytest

from bot.games.wording import count_units, cut_text, shorten_text

FAMILY, THUMB, ACCENT = "👩\u200d👩\u200d👧", "👍\U0001f3fd", "e\u0303"


def test_emoji_count_two() -> None:
    assert [count_units(text) for text in ("", "abc", "🦊", FAMILY, ACCENT)] == [0, 3, 2, 8, 2]


@pytest.mark.parametrize("sign", ["a", "🦊", FAMILY, THUMB, ACCENT, "❤\ufe0f"])
def test_whole_signs_are_kept(sign: str) -> None:
    for most in range(1, 40):
        kept = cut_text(sign * 9, most)
        assert kept == sign * min(9, most // count_units(sign))
        said = shorten_text(sign * 9, most)
        assert count_units(said) <= most and said in (f"{cut_text(sign * 9, most - 1)}…", sign * 9)
    assert cut_text(sign, 40) == sign == shorten_text(sign, 40)


def test_a_text_of_one_sign_that_does_not_fit_is_empty() -> None:
    assert (cut_text(FAMILY, 3), cut_text("🦊", 1), shorten_text("🦊🦊", 1)) == ("", "", "…")
