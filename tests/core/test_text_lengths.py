"""Texts fit by UTF-16 code units, and no sign is cut in half."""

from __future__ import annotations

import pytest

from bot.core.values.text_lengths import cut, shortened, units

FAMILY, THUMB, ACCENT = "👩\u200d👩\u200d👧", "👍\U0001f3fd", "e\u0303"


def test_emoji_count_two() -> None:
    assert [units(text) for text in ("", "abc", "🦊", FAMILY, ACCENT)] == [0, 3, 2, 8, 2]


@pytest.mark.parametrize("sign", ["a", "🦊", FAMILY, THUMB, ACCENT, "❤\ufe0f"])
def test_whole_signs_are_kept(sign: str) -> None:
    for most in range(1, 40):
        kept = cut(sign * 9, most)
        assert kept == sign * min(9, most // units(sign))
        said = shortened(sign * 9, most)
        assert units(said) <= most and said in (f"{cut(sign * 9, most - 1)}…", sign * 9)
    assert cut(sign, 40) == sign == shortened(sign, 40)


def test_a_text_of_one_sign_that_does_not_fit_is_empty() -> None:
    assert (cut(FAMILY, 3), cut("🦊", 1), shortened("🦊🦊", 1)) == ("", "", "…")
