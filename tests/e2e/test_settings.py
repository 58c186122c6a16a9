"""The settings of a server and the preferences of people, where clients send what no card has; the rest in stories."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import asdict, replace

import pytest

from bot.features.leagues.service import OFF
from bot.features.settings.handlers import POSTS_HEAD, SETTINGS_HEAD
from bot.platform.interactions import UNREAD
from bot.play.ids import UserId
from bot.play.rows import Preferences
from bot.sandbox import components, people
from bot.sandbox.errors import Json
from data.store import Reader, Transaction
from tests.e2e.harness import Harness, called
from tests.e2e.test_odd_payloads import changed
from tests.e2e.test_several_seats import table


@pytest.mark.long
async def test_a_channel_for_challenges_is_deleted(harness: Harness) -> None:
    ann = harness.ann
    games = harness.sandbox.channel("games")
    await ann.run(["settings", "channel"], "general", {"channel": games["id"], "allowed": True})
    harness.faults.delete_channel("games")
    await harness.until(lambda: harness.life.client.guilds[0].get_channel(int(games["id"])) is None)
    assert list_places((await ann.command("settings show")).message) == []
    reply = await ann.command("binary-primes challenge", channel="general", opponent=harness.bea)
    assert "can answer until " in reply.text


def list_places(message: Json, name: str = "channels") -> list[str]:
    """The channels that are chosen in a select of a card."""
    found = components.walk_components(message["components"])
    (select,) = (one for one in found if one.get("custom_id") == f"p:settings:{name}")
    return [str(one["id"]) for one in select.get("default_values", [])]


def marked(message: Json) -> set[str]:
    """What is chosen in the selects of a card."""
    found = (one for one in components.walk_components(message["components"]) if "options" in one)
    return {option["label"] for one in found for option in one["options"] if option.get("default")}


async def test_the_card_of_settings_has_a_select_for_each_choice(harness: Harness) -> None:
    shown = await harness.ann.command("settings show")
    assert [one.custom_id for one in people.list_buttons(shown.message)] == [
        f"p:settings:{name}" for name in ("pace", "reminders", "zone", "habits", "channels", "limits", "posts")
    ]
    games = harness.sandbox.channel("games")["id"]
    for name, values, *said in (
        ("pace", ["2"], "Pace: 2 days for each move"),
        ("reminders", ["off"], "Reminders: none", "I don't remind people of their moves."),
        ("zone", ["Asia/Tokyo"], "Time zone: Asia/Tokyo"),
        ("habits", ["rare"], "'Rare challenges'"),
        ("habits", ["threads"], "'Threads'"),
        ("channels", [games], games),
    ):
        chosen = await harness.ann.press(shown, f"p:settings:{name}", values)
        shows = f"{chosen.text} {marked(chosen.message)} {list_places(chosen.message)}"
        assert ("Rare challenges" in marked(chosen.message)) == (values == ["rare"])
        assert chosen.message_id == shown.message_id and all(one in shows for one in said)
    assert (await harness.ann.command("settings show")).text == chosen.text
    # Nobody else changes anything, whatever their client sends, and nothing else is taken.
    kept = chosen.text
    for person, about, values in (
        (harness.bea, "pace", ["7"]), (harness.ann, "pace", ["99"]), (harness.ann, "pace", ["1", "2"]),
        (harness.ann, "pace", []), (harness.ann, "x", ["on"]), (harness.ann, "channels", ["12"]),
        (harness.ann, "zone", ["Shire"]),
    ):  # fmt: skip
        forged = await harness.choose(person, shown.message, f"p:settings:{about}", values)
        assert forged.is_ephemeral and forged.text.endswith(f"\n{kept}")
        assert forged.text.startswith(UNREAD if person is harness.ann else "Only people who can manage this server can")
    assert (await harness.ann.command("settings show")).text == kept
    everywhere = await harness.ann.press(shown, "Challenges: in every channel", [])
    assert list_places(everywhere.message) == []


async def test_what_is_posted_where_is_chosen_in_one_place(harness: Harness) -> None:
    shown = await harness.ann.command("settings posts")
    assert shown.text.startswith(POSTS_HEAD)
    assert "By the server's time zone, UTC." in shown.text and "`/league create`" in shown.text
    games = harness.sandbox.channel("games")["id"]
    for name, values, marks in (
        ("hour", ["18"], "Puzzle and report: from 18:00"),
        ("daily", [games], ""),
        ("week", [games], ""),
        ("league", [games], ""),
        ("leagues", ["off"], "New leagues: not allowed"),
    ):
        chosen = await harness.ann.press(shown, f"p:settings:{name}", values)
        assert chosen.message_id == shown.message_id
        assert marks in marked(chosen.message) if marks else list_places(chosen.message, name) == [games]
    assert "Nobody can open one. Leagues that are open go on." in chosen.text
    await asyncio.sleep(60)  # she has pressed a lot
    kept = chosen.text
    for person, about, values in (
        (harness.bea, "daily", [games]), (harness.ann, "daily", ["12"]), (harness.ann, "hour", ["24"]),
        (harness.ann, "leagues", []), (harness.bea, "week", []), (harness.ann, "league", ["12"]),
    ):  # fmt: skip
        forged = await harness.choose(person, shown.message, f"p:settings:{about}", values)
        assert forged.is_ephemeral and forged.text.endswith(f"\n{kept}") and len(forged.text) > len(kept) + 1
    assert (await harness.ann.command("settings posts")).text == kept
    other = await harness.ann.press(shown, "All settings")
    assert other.text.startswith(SETTINGS_HEAD)
    back = await harness.ann.press(other, "What is posted where")
    assert back.text == kept
    off = await harness.ann.press(back, "p:settings:daily", [])
    assert list_places(off.message, "daily") == []
    refused = await harness.ann.command("league create", channel="games")
    assert refused.text == OFF


@pytest.mark.long
async def test_who_thinks_again_and_again_of_calling_a_match_off_mentions_the_other_once(harness: Harness) -> None:
    played = await harness.match()
    before = harness.told(harness.bea)
    for _ in range(3):
        asked = await harness.ann.command("match abort", channel=played.place)
        assert asked.text.startswith("You asked to call match 1 off")
        await harness.settled()
        assert "wants to call the match off" in people.text_of((await played.fresh()).board)
        again = await harness.ann.command("match abort", channel=played.place)
        await harness.ann.press(again, "Take it back")
        await harness.settled()
    assert harness.told(harness.bea) == before + 1
    harness.clock.ahead = 3600
    await harness.ann.command("match abort", channel=played.place)
    await harness.settled()
    assert harness.told(harness.bea) == before + 2


async def test_the_card_of_preferences_has_a_select_for_each_choice(harness: Harness) -> None:
    """Each is answered from what stands in it, also after a restart, for whoever chose it; nothing else is taken."""
    ann, bea = harness.ann, harness.bea
    harness.clock.at = harness.clock()
    shown = await ann.command("preferences")
    names = ("confirm", "zone", "weekends", "quiet", "reminders", "puzzle")
    assert [one.custom_id for one in people.list_buttons(shown.message)] == [f"p:preferences:{name}" for name in names]
    usual = marked(shown.message)
    assert usual == {
        "Confirm each move: yes", "Time zone: each server's own", "Weekends count as thinking time",
        "Quiet hours: 22:00 to 8:00", "Reminders: each server's own", "Puzzle each morning: no",
    }  # fmt: skip
    chosen = shown
    for name, value, says, marks in (
        ("confirm", "off", "Your last tap plays the move.", "Confirm each move: no"),
        ("zone", "Asia/Tokyo", "in Asia/Tokyo now.", "Time zone: Asia/Tokyo"),
        ("weekends", "no", "Your clock stops on Saturdays and Sundays.", "Weekends don't count as thinking time"),
        (
            "quiet",
            "23-7",
            "Moves ping you then, reminders don't.",
            "Quiet hours: 23:00 to 7:00",
        ),
        (
            "reminders",
            "digest",
            "I send you one direct message a day when your quiet hours end",
            "Reminders: one a day",
        ),
    ):
        chosen = await ann.press(shown, f"p:preferences:{name}", [value])
        assert chosen.message_id == shown.message_id and says in chosen.text and marks in marked(chosen.message)
        await harness.restart()
    user = UserId(int(ann.id))
    kept = await harness.store.ask(Reader.load_preferences, user)
    assert (kept.confirm, kept.zone, kept.weekends, kept.reminders) == (False, "Asia/Tokyo", False, "digest")
    said = chosen.text
    for about, values in (
        ("confirm", ["maybe"]), ("confirm", []), ("zone", ["Shire"]), ("zone", ["UTC", "Asia/Tokyo"]),
        ("reminders", ["always"]), ("x", ["on"]), ("quiet", ["25-7"]), ("quiet", ["0-24"]),
    ):  # fmt: skip
        forged = await harness.choose(ann, shown.message, f"p:preferences:{about}", values)
        assert forged.is_ephemeral and forged.text == f"{UNREAD}\n{said}"
    await asyncio.sleep(60)  # she has pressed a lot
    await harness.choose(bea, shown.message, "p:preferences:weekends", ["no"])
    assert await harness.store.ask(Reader.load_preferences, user) == kept
    assert not (await harness.store.ask(Reader.load_preferences, UserId(int(bea.id)))).weekends, (
        "it is Bea's own choice"
    )
    for name in ("zone", "reminders"):
        chosen = await ann.press(shown, f"p:preferences:{name}", ["server"])
    assert marked(chosen.message) >= {"Time zone: each server's own", "Reminders: each server's own"}


async def test_whoever_shut_out_direct_messages_can_choose_them_again(harness: Harness) -> None:
    """Nothing is marked until then: what is marked cannot be chosen."""
    user = UserId(int(harness.ann.id))

    def shut(kept: Preferences) -> Preferences:
        return replace(kept, reminders="message", closed=True)

    await harness.store.do(Transaction.change_preferences, user, shut)
    shown = await harness.ann.command("preferences")
    assert "Discord doesn't let me write to you" in shown.text
    assert not any(label.startswith("Reminders") for label in marked(shown.message))
    again = await harness.ann.press(shown, "p:preferences:reminders", ["message"])
    assert "Discord doesn't let me write to you" not in again.text
    assert "Reminders: direct messages" in marked(again.message)
    assert not (await harness.store.ask(Reader.load_preferences, user)).closed


async def test_zone_weekends_and_reminders_are_chosen_by_each_person_or_else_by_the_server(harness: Harness) -> None:
    ann, played = harness.ann, await harness.match(pace="14")
    before = played.row.players[0]
    usual = (await ann.command("preferences")).text.split("\n")
    assert re.fullmatch(
        r"-# It's \d\d:\d\d in UTC now\. For another time zone: `/preferences zone:Europe/Rome`\.", usual[3]
    )
    assert usual[4] == "-# Your clock runs on Saturdays and Sundays, too. A change applies from your next move."
    quiet = "-# Moves ping you then, reminders don't. For other hours: `/preferences quiet:23-7`."
    assert usual[5] == quiet
    assert usual[6] == (
        "-# Usually I remind you in the match's thread when half of your time for a move is gone, and a day before it "
        "ends."
    )
    assert len(await ann.complete("preferences", "zone", zone="")) == 25
    typed = {"zone": "america/argentina/buenos_aires", "weekends": "no", "reminders": "off"}
    chosen = await ann.command("preferences", **typed)
    assert marked(chosen.message) >= {
        "Time zone: America/Argentina/Buenos_Aires", "Weekends don't count as thinking time", "Reminders: none",
    }  # fmt: skip
    stops = "-# Your clock stops on Saturdays and Sundays. A change applies from your next move."
    assert chosen.text.split("\n")[4:7] == [stops, quiet, "-# I don't remind you of your moves."]
    after = (await played.fresh()).row.players[0]
    assert before.deadline and before.deadline == after.deadline
    assert before.next_reminder_at and after.next_reminder_at is None
    for option, value, why in (
        ("confirm", "on", "“confirm” can be on or off."),
        ("weekends", "yes", "“weekends” can be yes or no."),
        ("reminders", "thread", "“reminders” can be thread, direct message, with the board, daily digest or off."),
    ):
        with changed(harness, lambda sent: sent["data"]["options"][0].update(value="always")):
            refused = await ann.command("preferences", **{option: value})
        assert refused.is_ephemeral and refused.text == f"Nothing was changed. {why}"
    back = await ann.command("preferences", zone="server", weekends="yes", reminders="server")
    assert back.text.split("\n")[4:] == usual[4:]
    again = (await played.fresh()).row.players[0]
    assert again.deadline == before.deadline and again.next_reminder_at


async def test_a_fixed_time_is_shown_as_people_write_it(harness: Harness) -> None:
    """The tz database calls it Etc/GMT-2, which reads as two hours behind; so does the select of whoever chose it long
    ago."""
    ann = harness.ann
    harness.clock.at = harness.clock() // 86_400 * 86_400 + 12 * 3600
    for typed in ("utc+02:00", "UTC+2 (it is 14:00)"):
        chosen = await ann.command("preferences", zone=typed)
        assert "It's 14:00 in UTC+2 now." in chosen.text and "Time zone: UTC+2" in marked(chosen.message)
    assert (await harness.store.ask(Reader.load_preferences, UserId(int(ann.id)))).zone == "Etc/GMT-2"
    again = await ann.press(chosen, "p:preferences:zone", ["Etc/GMT-2"])
    assert "Time zone: UTC+2" in marked(again.message)


async def test_a_city_is_found_in_the_language_of_whoever_types_it(harness: Harness) -> None:
    with changed(harness, lambda sent: sent.update(locale="de")):
        assert await harness.ann.complete("preferences", "zone", zone="wien") != []
        chosen = await harness.ann.command("preferences", zone="Wien")
    assert "Time zone: Europe/Vienna" in marked(chosen.message)


async def test_what_a_server_sets_for_those_who_have_chosen_nothing(harness: Harness) -> None:
    ann, played = harness.ann, await harness.match()
    await ann.command("settings pace", pace="bank")
    await ann.command("settings zone", zone="tokyo")
    await ann.command("settings reminders", kind="digest")
    shown = await ann.command("settings takebacks", on=False)
    assert marked(shown.message) == {
        "Pace: 10 days, and 1 more with each move", "Reminders: one a day", "Time zone: Asia/Tokyo", "Threads",
        "DMs",
    }  # fmt: skip
    assert (await ann.command("settings show")).text == shown.text
    hers = await harness.bea.command("preferences")
    assert marked(hers.message) >= {"Time zone: each server's own", "Reminders: each server's own"}
    assert "in Asia/Tokyo now." in hers.text
    assert "I send you one direct message a day when your quiet hours end" in hers.text
    assert (await harness.store.ask(Reader.load_preferences, UserId(int(ann.id)))).digest, "Ann has a clock that runs"
    assert (await harness.match()).row.pace == "bank" and (await played.fresh()).row.pace == "7"
    for command, option in (("pace", {"pace": "2"}), ("reminders", {"kind": "off"})):
        with changed(harness, lambda sent: sent["data"]["options"][0]["options"][0].update(value="always")):
            refused = await ann.command(f"settings {command}", **option)
        assert (
            refused.text
            == {
                "pace": "There is no such time for a move. Choose one of those that the command offers.",
                "reminders": "Nothing was changed. “reminders” can be thread, direct message, daily digest or off.",
            }[command]
        )
    assert (await ann.command("settings show")).text == shown.text


async def test_ones_own_data(harness: Harness) -> None:
    await (await harness.match()).move("b2")
    await harness.ann.command("preferences", confirm="off")
    reply = await harness.ann.command("privacy export")
    assert reply.is_ephemeral
    (attached,) = reply.message["attachments"]
    kept = json.loads(people.bytes_of(harness.sandbox.world, attached))
    assert "b2" in json.dumps(kept)
    assert kept["preferences"] == [{"user": int(harness.ann.id), **asdict(Preferences(confirm=False))}]
    assert "Ann" not in json.dumps(kept)


async def test_being_forgotten(harness: Harness) -> None:
    ann, bea = harness.ann, harness.bea
    live = await (await harness.match()).move("b2")
    opened = await harness.challenge(ann)
    invited = await harness.challenge(harness.cem, opponent=ann)
    refused = await ann.command("privacy forget", confirm="yes")
    assert refused.text.startswith("Nothing was changed. Type “forget me”")
    assert await live.unchanged()
    reply = await ann.command("privacy forget", confirm="Forget me")
    assert reply.is_ephemeral
    await harness.until(lambda: "I have forgotten you" in reply.text)
    for played in (live, opened, invited):
        await harness.life.client.publisher.retry_failed()
        await harness.life.client.publisher.catch_up()
        await harness.life.idle()
        row = await harness.row(played.id)
        assert row.find_player(UserId(int(ann.id))) is None
        assert row.state != "live"
    await harness.settled()
    live = await live.fresh()
    assert f"{called(bea)} beat " in people.text_of(live.board)
    assert called(ann) not in people.text_of(live.board)
    assert called(ann) not in (await bea.command("leaderboard")).text
    assert (await ann.command("matches")).text.startswith("You have no open matches here")


@pytest.mark.long
async def test_matches_that_are_over_stay_where_they_are_when_somebody_is_forgotten(harness: Harness) -> None:
    """Their boards lose the name in place; in an archived thread nothing wakes up."""
    ann = harness.ann
    over, archived = await harness.match(), await harness.match()
    for played in (over, archived):
        await harness.surely(ann, "match resign", match=played.id)
    await harness.settled()
    boards = [len((await played.fresh()).boards) for played in (over, archived)]
    harness.faults.archive(archived.place)
    reply = await ann.command("privacy forget", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in reply.text)
    await harness.life.client.publisher.retry_failed()
    await harness.life.client.publisher.catch_up()
    await harness.life.idle()
    await harness.settled()
    over, archived = await over.fresh(), await archived.fresh()
    assert [len(played.boards) for played in (over, archived)] == boards
    assert archived.place["thread_metadata"]["archived"]
    assert "former player" in people.text_of(over.board) and called(ann) not in people.text_of(over.board)
    assert called(ann) not in people.text_of(over.lobby)


async def test_being_forgotten_posts_nothing_and_wakes_nothing_but_for_those_who_play_on(harness: Harness) -> None:
    """Matches that were called off lose the name where they stand; one that goes on needs nothing of those who left."""
    ann, bea, cem = harness.ann, harness.bea, harness.cem
    off, asleep = await harness.match(), await harness.match()
    for played in (off, asleep):
        await bea.command("match abort", match=played.id)
        await harness.surely(ann, "match abort", match=played.id)
    left = await table(harness, "binary-scramble", ann, opponent=bea, opponent2=cem, seat="opponent")
    for person in (bea, cem):
        await person.press(left.lobby, "Accept")
    await harness.settled()
    await harness.surely(ann, "match resign", match=left.id)
    await harness.settled()
    old = [await played.fresh() for played in (off, asleep, left)]
    harness.faults.fail_requests("PATCH", "/channels/{channel_id}", 403, 9, code=50013)  # live threads would be woken
    for played in old[1:]:
        harness.faults.archive(played.place)
    before, told = [len(harness.sandbox.world.messages[one.place["id"]]) for one in old], harness.told(bea)
    reply = await ann.command("privacy forget", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in reply.text)
    await harness.life.client.publisher.retry_failed()
    await harness.life.client.publisher.catch_up()
    await harness.settled()
    assert [len(harness.sandbox.world.messages[one.place["id"]]) for one in old] == before
    assert [one.place["thread_metadata"]["archived"] for one in old] == [False, True, True]
    assert "A former player" in people.text_of(old[0].board) and called(ann) not in people.text_of(old[0].board)
    assert harness.told(bea) == told
    await harness.person(old[2].row.user_at(old[2].row.turn[0]) or 0).command(
        "binary-scramble append", match=left.id, digit="1"
    )
    await harness.settled()
    assert "former player" in people.text_of((await left.fresh()).board)
