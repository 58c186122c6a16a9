"""People are named in texts: their names do nothing there, and whoever is told is mentioned."""

from __future__ import annotations

from typing import Any

import pytest

from bot.platform import names
from bot.platform.names import END, ISOLATE, MemberName, disambiguate_names
from bot.play.ids import UserId

ANN, BEA, CEM = UserId(10**18 + 1), UserId(10**18 + 2), UserId(10**18 + 3)


def written(name: str, username: str = "ann") -> str:
    """Somebody's name as it stands in a text, without what isolates it."""
    said = names.insert_names(f"<@{ANN}>", disambiguate_names({ANN: MemberName(name, username)}))
    assert said.startswith(ISOLATE) and said.endswith(END)
    return said[1:-1]


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("Ann", "Ann"),
        ("**Ann** _b_", r"\*\*Ann\*\* \_b\_"),
        ("@everyone", r"\@everyone"),
        ("<@1200000000000000009>", r"\<\@1200000000000000009\>"),
        ("<#12> <t:0:R> <a:cat:1>", r"\<\#12\> \<t\:0\:R\> \<a\:cat\:1\>"),
        ("[here](https://x.y)", r"\[here\]\(https\://x.y\)"),
        ("-# small", r"\-\# small"),
        ("A\nb\tc", "A b c"),
        ("\u202egnorts\u202c", "gnorts"),
        ("\u2067א\u2069", "א"),
        ("שלום", "שלום"),
        ("An\u200bn\u00ad", "Ann"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("W" * 32, "W" * 32),
        ("W" * 40, "W" * 31 + "…"),
        ("\u3164", "ann"),
        ("\u200b\u200b", "ann"),
        ("   ", "ann"),
        ("\u2800\u2800", "ann"),
    ],
)
def test_a_name_is_text_and_nothing_else(name: str, stands: str) -> None:
    assert written(name) == stands


def test_what_says_the_same_says_it_in_small_letters_too() -> None:
    for who in ("the computer (level 1)", "computer 2 (level 3)", "a former player"):
        text = f"**Turn** 🟧 {who} played."
        assert names.remove_names(names.insert_names(f"🟧 {who} played.", {})) == names.remove_names(
            f"🟧 {who} played."
        )
        assert names.remove_names(text) == text


def test_whoever_is_told_is_mentioned_and_who_is_not_known_too() -> None:
    known = disambiguate_names({ANN: MemberName("Ann", "ann"), BEA: MemberName("Bea", "bea")})
    said = names.format_content(f"<@{ANN}>, <@!{BEA}> and <@{CEM}> play.", known, told=[ANN])
    assert said == f"<@{ANN}>, {ISOLATE}Bea{END} and <@{CEM}> play."


def test_two_people_of_one_name_stand_there_with_their_usernames() -> None:
    known = disambiguate_names(
        {ANN: MemberName("Sam", "sam_a"), BEA: MemberName("ＳＡＭ", "sam_b"), CEM: MemberName("Cem", "cem")}
    )
    assert [*known.values()] == ["Sam (sam_a)", "ＳＡＭ (sam_b)", "Cem"]


def test_who_left_is_called_by_the_name_that_is_remembered() -> None:
    assert disambiguate_names({ANN: None}) == {ANN: "a former member"}


def parts(lines: int, option: str = "") -> list[Any]:
    """A container of some lines that each name Ann, and perhaps a select."""
    text = {"type": 10, "content": "\n".join([f"<@{ANN}>"] * lines)}
    select = {"type": 3, "custom_id": f"x<@{ANN}>", "options": [{"label": option, "value": f"<@{ANN}>"}]}
    return [{"type": 17, "components": [text, *([{"type": 1, "components": [select]}] if option else [])]}]


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("a former player beat Ann.", "A former player beat Ann."),
        ("Ann won. **a former player** came second.", "Ann won. **A former player** came second."),
        ("-# a former player asks.", "-# A former player asks."),
        ("One line.\n**a former player beat Ann**", "One line.\n**A former player beat Ann**"),
        ("Ann beat a former player.", "Ann beat a former player."),
        (
            "**🟧\N{NO-BREAK SPACE}a former player beat 🟦 Ann 245 : 27.**",
            "**🟧\N{NO-BREAK SPACE}A former player beat 🟦 Ann 245 : 27.**",
        ),
        ("🟦 Ann lost to 🟧 a former player.", "🟦 Ann lost to 🟧 a former player."),
        (
            "🟧\N{NO-BREAK SPACE}the computer (level 1) played **c2**.",
            "🟧\N{NO-BREAK SPACE}The computer (level 1) played **c2**.",
        ),
        ("🟦 Ann resigned. 🟩 computer 2 (level 3) won.", "🟦 Ann resigned. 🟩 Computer 2 (level 3) won."),
        ("🟦 Ann beat 🟧 the computer (level 1).", "🟦 Ann beat 🟧 the computer (level 1)."),
        ("the computer plays here", "the computer plays here"),
        ("a former player's challenge was taken back.", "A former player's challenge was taken back."),
    ],
)
def test_a_sentence_begins_with_a_capital_where_nobody_is_named(said: str, stands: str) -> None:
    assert names.format_content(said, {}) == stands


def test_names_get_shorter_where_a_text_would_be_too_long() -> None:
    known = disambiguate_names({ANN: MemberName("W" * 32, "ann")})
    for lines, length in ((10, 32), (150, 20), (300, 6)):
        (container,) = names.format_components(parts(lines), known)
        content = container["components"][0]["content"]
        assert len(content) <= names.MOST_TEXTS and max(map(len, content.split("\n"))) == length + 2


def test_labels_show_no_markup_and_what_is_sent_back_stays() -> None:
    known = disambiguate_names({ANN: MemberName("*Ann*", "ann")})
    (container,) = names.format_components(parts(1, f"Claim <@{ANN}>"), known)
    select = container["components"][1]["components"][0]
    assert select["options"] == [{"label": f"Claim {ISOLATE}*Ann*{END}", "value": f"<@{ANN}>"}]
    assert select["custom_id"] == f"x<@{ANN}>"


def test_two_texts_with_the_same_people_are_the_same_however_they_are_called() -> None:
    known = disambiguate_names({ANN: MemberName("An(n) *", "ann")})
    text = f"<@{ANN}> beat <@{BEA}>."
    assert names.remove_names(names.insert_names(text, known)) == names.remove_names(text) == "@ beat @."
