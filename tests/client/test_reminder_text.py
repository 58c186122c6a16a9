"""The texts of reminders and digests, and how the bot recognizes its own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.features.time import words as time_words
from bot.platform.names import END, ISOLATE
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.play.loaded_match import link_to
from bot.play.rows import MatchRow, Player

ANN = UserId(10**18)
TITLES = {"plexus": "Plexus"}
LINK = re.compile(r"\[(.*?)\]\(https://.*?\)")


def row(number: int, deadline: int | None = 500, **more: Any) -> MatchRow:
    """A match of hers in which she is to move."""
    nothing: dict[str, Any] = dict.fromkeys(MatchRow.__slots__)
    given: dict[str, Any] = {
        "id": MatchId(number), "guild": GuildId(10**18), "channel": ChannelId(10**18), "game": "plexus",
        "state": "live", "turn": (1,), "board_channel": ChannelId(10**18), "board_message": MessageId(10**18),
        "players": (replace(Player(ANN, 1, 1, False, False, None, None), since=400, deadline=deadline),),
    }  # fmt: skip
    return MatchRow(**{**nothing, **given, **more})


def test_a_digest_of_many_matches_is_one_message_of_whole_lines() -> None:
    rows = [row(number) for number in range(1, 61)]
    names = {GuildId(10**18): "A server with a name as long as names of servers can be at all, which is long" * 2}
    text = time_words.format_digest(rows, ANN, TITLES, names, 450, {})
    assert len(text) <= 2000 and time_words.is_digest(text)
    lines = text.split("\n")
    shown = [line for line in lines if line.startswith("[")]
    assert lines[0] == "Your daily digest: 60 matches." and lines[-2] == f"-# … and {60 - len(shown)} more."
    assert shown[0].startswith(f"[Plexus · 1]({link_to(rows[0])}) on A server with")
    assert all(line.endswith("time until <t:500:f>") for line in shown)


@pytest.mark.parametrize(
    "name", ["[free](https://evil.example)", "<@1> @everyone", "**bold** `x`", "discord.gg/abc", "https://evil.example"]
)
def test_the_name_of_a_server_leads_nowhere_and_mentions_nobody(name: str) -> None:
    said = time_words.clean_server_name(name)
    assert not set(said) & set("@<>[]()/:*`")
    assert len(time_words.clean_server_name(name * 50)) == time_words.LONGEST_SERVER


def test_reminders_are_known_again_by_whom_they_remind_of_what() -> None:
    one = row(12)
    player = one.players[0]
    for closed in (False, True):
        text = time_words.format_thread_reminder([(one, player)], TITLES, closed)
        assert time_words.is_reminder(text, 12, ANN)
        assert not time_words.is_reminder(text, 1, ANN) and not time_words.is_reminder(text, 12, UserId(5))
        assert not time_words.is_reminder(text, 12, None) and not time_words.is_digest(text)
    text = time_words.format_direct_reminder([(one, player)], TITLES, {GuildId(10**18): "The Sandbox"}, {})
    assert time_words.is_reminder(text, 12, None) and not time_words.is_reminder(text, 2, None)
    assert text == (
        "A reminder of your move in Plexus · 12 on The Sandbox.\n"
        f"Your turn began <t:400:D>. Time for it: until <t:500:f>. [Here is the board]({link_to(one)})"
    )
    assert time_words.is_reminder("It's still your move in Plexus · 12 on here.\nIt has been since <t:4:D>.", 12, None)
    assert time_words.is_reminder("It has been your move in **Plexus** · 12 on here since <t:4:D>.", 12, None)
    assert time_words.is_reminder(f"<@{ANN}>, it is your move in **Plexus** · 12: https://discord.com", 12, ANN)


def test_a_list_says_with_whom_each_match_is_played() -> None:
    bea, cem = UserId(10**18 + 1), UserId(10**18 + 2)
    mine = row(12).players[0]

    def against(number: int, *others: UserId, **more: Any) -> MatchRow:
        players = (mine, *(Player(user, seat, seat, False, False, None, None) for seat, user in enumerate(others, 2)))
        return row(number, players=players, **more)

    rows = [against(1, bea), against(2, bea, cem), against(3), against(4, cem, channel=ChannelId(5))]
    text = time_words.format_thread_reminder([(one, mine) for one in rows], TITLES, closed=False)
    told = [LINK.sub(r"\1", line).partition(":")[0] for line in text.split("\n")[1:]]
    assert told == [
        f"Plexus · 1 with <@{bea}>", f"Plexus · 2 with <@{bea}> and <@{cem}>", "Plexus · 3", "Plexus · 4",
    ], "not everybody who reads it may see the other channel"  # fmt: skip
    others = {MatchId(1): "Bea", MatchId(4): "Cem"}
    for text in (
        time_words.format_direct_reminder([(one, mine) for one in rows], TITLES, {}, others),
        time_words.format_digest(rows, ANN, TITLES, {}, 450, others),
    ):
        told = [LINK.sub(r"\1", line).partition(":")[0] for line in text.split("\n")[1:5]]
        assert told == [
            "Plexus · 1 on a server with Bea", "Plexus · 2 on a server", "Plexus · 3 on a server",
            "Plexus · 4 on a server with Cem",
        ]  # fmt: skip


def test_who_is_called_like_a_match_is_not_taken_for_its_reminder() -> None:
    one, other = row(1), row(2)
    called = f"{ISOLATE}Bea · 12{END}"
    turns = [(each, each.players[0]) for each in (one, other)]
    text = time_words.format_direct_reminder(turns, TITLES, {}, {MatchId(1): called})
    assert called in text
    assert time_words.is_reminder(text, 1, None) and not time_words.is_reminder(text, 12, None)
