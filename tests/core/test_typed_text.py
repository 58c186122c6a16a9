"""What keyboards write, sign by sign, and the sentences about letters and digits of other scripts."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from bot.games.reading import explain_foreign_sign, explain_lookalike, tidy_text, tidy_unfinished


def test_every_dash_quote_space_and_unseen_sign_there_is() -> None:
    """Whatever Unicode calls a dash, a quotation mark, a space or a mark of format, but for signs that are seen."""
    seen = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}  # stand before Arabic numbers
    drawn = range(0x13430, 0x13460)  # join hieroglyphs
    for number in range(0x80, sys.maxunicode + 1):
        sign = chr(number)
        match unicodedata.category(sign):
            case "Pd":
                expected = "a-b"
            case "Pi" | "Pf" if number < 0x2E00:
                expected = "a'b" if sign in "‘’‛‹›" else 'a"b'
            case "Zs" | "Zl" | "Zp":
                expected = "a b"
            case "Cf" if number not in seen and number not in drawn:
                expected = "ab"
            case _:
                continue
        assert tidy_text(f"a{sign}b") == expected, (hex(number), unicodedata.name(sign, ""))


def test_the_full_width_form_of_every_sign_of_ascii() -> None:
    plain = "".join(map(chr, range(0x21, 0x7F)))
    assert tidy_text("".join(chr(ord(sign) + 0xFEE0) for sign in plain)) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("b2", "b2"), ("  b2 ", "b2"), ("", ""), ("\u200b", ""), ("\ufeff \u2060", ""),
        ("2️⃣", "2"), ("2⃣", "2"), ("1️⃣2️⃣", "12"), ("🔟", "10"), ("#️⃣5", "#5"),
        ("２", "2"), ("ｂ２", "b2"), ("（b2）", "(b2)"), ("b2，4", "b2,4"), ("b2。", "b2."), ("「b2」", '"b2"'),
        ("it’s", "it's"), ("“x”", '"x"'), ("d3—d2", "d3-d2"), ("d3−d2", "d3-d2"), ("a\u3000 \u00a0b", "a b"),
        # Nothing is decomposed.
        ("2²", "2²"), ("½", "½"), ("②", "②"), ("ﬁ", "ﬁ"), ("São Paulo", "São Paulo"), ("3×5·2", "3×5·2"),
        ("30°", "30°"), ("Москва", "Москва"), ("ニューヨーク", "ニューヨーク"), ("d3ーd2", "d3-d2"), ("٣", "٣"),
        ("\ud800", "\ud800"), ("a → b", "a → b"), ("`b2`", "`b2`"),
    ],
)  # fmt: skip
def test_a_text_is_brought_into_plain_signs_once(text: str, plain: str) -> None:
    assert tidy_text(text) == plain
    assert tidy_text(plain) == plain


def test_lines_stay_where_a_grid_can_be_written() -> None:
    assert tidy_text("2 9\r\n\n 3\u00a01\u2028", rows=True) == "2 9\n3 1"
    assert tidy_text("2 9\r\n\n 3\u00a01\u2028") == "2 9 3 1"


def test_a_space_at_the_end_of_what_is_being_typed_stays() -> None:
    assert [tidy_unfinished(text) for text in ("2\u00a0 ", "２", " 2 \u200b", "  ", "")] == ["2 ", "2", "2", "", ""]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("В2", "В is a Cyrillic letter. Write a Latin B."),
        ("b٣", "٣ is an Arabic digit. Write 3."),
        ("Ա1", "Ա is an Armenian letter. Write Latin letters."),
        ("あ", "あ is a Hiragana letter. Write Latin letters."),
        ("가", "가 is a Korean character. Write Latin letters and the digits 0 to 9."),
        ("𝐛2", "𝐛 is a mathematical letter. Write a Latin b."),
        ("b2 é ü ñ ß ø ²", ""),
        ("b2 → c4 × °", ""),
        ("\ud800", ""),
    ],
)
def test_the_first_letter_or_digit_of_another_script_is_named(text: str, sentence: str) -> None:
    assert explain_foreign_sign(text) == sentence


@pytest.mark.parametrize("text", ["Вerlin", "UТC+2", "СЕТ", "Еurоpe/Berlin", "२०२६-12-24", "٢٤", "24 декабря"])
def test_a_name_in_disguise_is_found(text: str) -> None:
    assert explain_lookalike(text)


@pytest.mark.parametrize("text", ["Berlin", "São Paulo", "İstanbul", "Zürich", "Москва", "東京", "Αθήνα", "2²"])
def test_a_name_in_letters_of_its_own_is_left_to_its_reader(text: str) -> None:
    assert explain_lookalike(text) == ""
