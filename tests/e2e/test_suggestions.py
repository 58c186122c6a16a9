"""Suggestions: whatever one showed is read as its value, no two look alike, and phones can use all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import pytest
from discord import app_commands

from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.platform.interactions import Interaction
from bot.play import acts
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.match import Match
from bot.sandbox import threads
from tests.contract.playing import records
from tests.e2e.harness import Harness, Json, Played, called

COMMAND, GROUP, TEXT, WHOLE, SWITCH, SOMEBODY = 1, 2, 3, 4, 5, 6
EACH = 2
"""Of the suggestions of an option so many are sent back."""
Given = dict[str, Any]


@pytest.fixture
def described() -> bool:
    """Thousands of suggestions, which other stories compare with Discord's description."""
    return False


def unhurried(harness: Harness) -> None:
    """As if a while had passed: nobody types so fast."""
    for rate in (harness.life.client.gate.acts, harness.life.client.gate.typing):
        rate.buckets.clear()


def commands_of(harness: Harness) -> Iterator[tuple[str, list[Json]]]:
    """Every command that takes options, by its path."""

    def below(path: list[str], options: list[Json]) -> Iterator[tuple[str, list[Json]]]:
        inner = [one for one in options if one["type"] in (COMMAND, GROUP)]
        if not inner and options:
            yield " ".join(path), options
        for one in inner:
            yield from below([*path, one["name"]], one.get("options", []))

    for command in harness.sandbox.world.commands:
        yield from below([command["name"]], command.get("options", []))


async def played(harness: Harness, match: Match) -> Json:
    """Where a match of Ann's is played that stands as this one does; she has the first seat."""
    game, umpire, world = match.game, harness.life.client.umpire, harness.sandbox.world
    people = (harness.ann, harness.bea, harness.cem, harness.dora)[: match.seats]
    users = [UserId(int(one.id)) for one in people]
    guild, channel = GuildId(int(world.home_guild["id"])), ChannelId(int(harness.sandbox.channel("games")["id"]))
    options, guests = match.options.to_record(), tuple(users[1:])
    asked = ChallengeTerms(
        guild, channel, users[0], game, options, guests=guests, seats=match.seats, seating="host", legs=1
    )
    loaded = await harness.life.does(umpire.challenge(act(harness), asked))
    for user in guests:
        await harness.life.does(umpire.act(act(harness), loaded.id, user, acts.accept))
    for move in match.record:
        await harness.life.does(umpire.move(act(harness), loaded.id, users[move.seat - 1], move.text))
    harness.life.client.publisher.request_publish(loaded.id)
    await harness.settled()
    return Played(harness, loaded.id, await harness.row(loaded.id)).place


def moments(game: Game) -> dict[str, Match]:
    """For each kind of move a moment of a recorded match in which seat 1 can make one, the latest before the middle, or
    the first after it."""
    found: dict[str, tuple[int, Match]] = {}
    for record in records(game):
        match = Match.start(game, record["options"], record["seats"])
        for at, (seat, text) in enumerate([*record["moves"], (1, "resign")]):
            for kind in game.moves:
                far = abs(at - len(record["moves"]) // 2)
                able = match.seats > 1 and 1 in match.turn and kind.when(match.position, 1)
                if able and (kind.name not in found or far < found[kind.name][0]):
                    found[kind.name] = far, match
            if text in ("resign", "timeout", "takeback", "draw") or match.seats > 4:
                break
            match = match.enter(seat, text)
    return {kind: match for kind, (_, match) in found.items()}


def act(harness: Harness) -> InteractionId:
    harness.acts += 1
    return InteractionId(harness.acts)


async def full(harness: Harness) -> dict[tuple[str, str], Json]:
    """A server in which there is something to suggest for every option: where each kind of move can be made."""
    places: dict[tuple[str, str], Json] = {}
    for key, game in load_offered_games().items():
        made: dict[str, Json] = {}
        for kind, match in moments(game).items():
            text = str(match.to_json())
            made[text] = made.get(text) or await played(harness, match)
            places[key, kind] = made[text]
    for _ in range(2):
        await harness.ann.command("league create", channel="games", game="plexus")
    reply = await harness.ann.command("sums-grid challenge", channel="games", seats=1, size=3)
    await harness.settled()
    alone = MatchId(int(reply.text.split()[1]))
    ann, umpire = UserId(int(harness.ann.id)), harness.life.client.umpire
    for move in ("grid 2 9 8 / 3 1 10 / 7 6 15", "done"):
        await harness.life.does(umpire.move(act(harness), alone, ann, move))
    harness.life.client.publisher.request_publish(alone)
    await harness.settled()
    return places


async def suggestions(harness: Harness, path: str, option: str, place: Json, given: Given) -> list[tuple[str, Any]]:
    unhurried(harness)
    return await harness.ann.suggest(path.split(), option, place, {**given, option: given.get(option, "")})


async def needed(harness: Harness, path: str, options: list[Json], option: str, place: Json) -> Given:
    """Values for the options that a command must have beside this one."""
    given: Given = {}
    names = [one["name"] for one in options]
    for one in options:
        if one["name"] == option or not one.get("required"):
            continue
        if one.get("autocomplete") and names.index(one["name"]) < names.index(option):
            given[one["name"]] = (await suggestions(harness, path, one["name"], place, given))[0][1]
        elif choices := one.get("choices"):
            given[one["name"]] = choices[0]["value"]
        else:
            given[one["name"]] = {WHOLE: 1, SWITCH: True, SOMEBODY: harness.bea}.get(one["type"], "1")
    return given


@contextmanager
def reaching() -> Generator[list[Given]]:
    """What reaches the callbacks, which are not run meanwhile."""
    got: list[Given] = []

    async def called(_: object, interaction: Interaction, given: Given) -> None:
        got.append(given)
        await interaction.response.send_message("Read.", ephemeral=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_commands.Command, "_do_call", called)
        yield got


async def read(harness: Harness, reached: list[Given], path: str, place: Json | str, given: Given) -> Given:
    """What reaches a command's callback."""
    unhurried(harness)
    reached.clear()
    reply = await harness.ann.run(path.split(), place, given)
    assert len(reached) == 1, (path, given, reply.text)
    return reached[0]


async def test_every_suggestion_can_be_sent_by_what_it_showed(harness: Harness) -> None:
    """For each option of each command; and no two suggestions of one option look alike."""
    harness.clock.at = harness.clock()
    places = await full(harness)
    with reaching() as reached:
        count = await compared(harness, reached, places)
    assert count["options"] > 90 and count["suggestions"] > 900, count


async def compared(harness: Harness, reached: list[Given], places: Mapping[tuple[str, str], Json]) -> Counter[str]:
    """How many options and suggestions there are: all are looked at, and some sent, by value and by name."""
    count = Counter[str]()
    for path, options in commands_of(harness):
        place = places.get((path.split()[0], path.split()[-1]), places["plexus", "move"])
        for option in (one["name"] for one in options if one.get("autocomplete")):
            given = await needed(harness, path, options, option, place)
            found = await suggestions(harness, path, option, place, given)
            names = [name for name, _ in found]
            assert names, f"nothing is suggested for {option} of /{path}"
            assert len(set(names)) == len(names) <= 25, (path, option, names)
            for name, value in found[:EACH]:
                by_value, by_name = [
                    await read(harness, reached, path, place, {**given, option: text}) for text in (value, name)
                ]
                assert by_name == by_value, (path, option, name, value)
            count.update(options=1, suggestions=len(found))
    return count


async def named(harness: Harness, path: str, option: str, place: Json | str, value: object, **given: Any) -> str:
    """What a suggestion showed for a value."""
    channel = harness.sandbox.channel(place) if isinstance(place, str) else place
    return next(name for name, one in await suggestions(harness, path, option, channel, given) if one == str(value))


async def test_a_suggestion_can_be_sent_when_what_it_said_of_the_moment_has_passed(harness: Harness) -> None:
    harness.clock.at = harness.clock() // 86_400 * 86_400 + 86_390  # ten seconds before midnight
    played = await harness.match()
    zone = await named(harness, ["preferences", "zone"][0], "zone", "games", "Europe/London", zone="lond")
    day = (await suggestions(harness, "away until", "until", played.place, {"until": "in 3"}))[0]
    seat = await named(harness, "match replace", "seat", played.place, 1)
    match = await named(harness, "match board", "match", played.place, 1)
    await played.move("b2")
    await harness.later(3_600)
    with reaching() as reached:
        assert (await read(harness, reached, "preferences", "games", {"zone": zone}))["zone"] == "Europe/London"
        assert (await read(harness, reached, "away until", "games", {"until": day[0]}))["until"] == day[1]
        given = {"seat": seat, "player": harness.cem}
        assert (await read(harness, reached, "match replace", played.place, given))["seat"] == "1"
        assert (await read(harness, reached, "match board", "games", {"match": match}))["match"] == "1"
        # Nothing else that stands behind is dropped.
        for text in ("Europe/London (it is 25:05)", "Europe/London (it is late)", "Europe/London (Ann)"):
            assert (await read(harness, reached, "preferences", "games", {"zone": text}))["zone"] == text
    assert (await harness.ann.command("preferences", zone=zone)).text.count("Europe/London") == 1
    assert (await harness.ann.command("away until", until=day[0])).text.startswith("You are away in this server")


async def test_only_a_note_that_was_shown_is_dropped_from_a_move(harness: Harness) -> None:
    place = await played(harness, moments(load_offered_games()["flipping-bits"])["flip"])
    before = await harness.row(MatchId(1))
    shown = await named(harness, "flipping-bits flip", "positions", place, "3")
    assert shown.startswith("3 (gives ")
    for text in ("1 (3)", f"1 {shown.partition(' ')[2]}", "3 (gives 1", "(a note)", "3 ()"):
        for path, option in (("flipping-bits flip", "positions"), ("move", "line")):
            unhurried(harness)
            reply = await harness.ann.command(path, channel=place, **{option: text})
            assert "isn't" in reply.text and f"“{text}”" in reply.text, (text, reply.text)
            assert await harness.row(MatchId(1)) == before, text
    whole = await harness.ann.command("flipping-bits flip", channel=place, positions="1 (3)")
    assert whole.text.startswith("You wrote “1 (3)”. “(3)” isn't a whole number.")
    # People type on behind a suggestion, and are offered how it goes on; sent so, it is no move.
    unhurried(harness)
    reply = await harness.ann.command("flipping-bits flip", channel=place, positions=f"{shown} 4")
    assert reply.text.startswith(f"You wrote “{shown} 4”. “(gives” isn't a whole number."), reply.text
    found = await suggestions(harness, "flipping-bits flip", "positions", place, {"positions": f"{shown} "})
    assert ("3", shown) in [(value, name) for name, value in found]
    assert (await harness.ann.command("flipping-bits flip", channel=place, positions=shown)).text.startswith("You ")


async def test_what_suggests_for_another_option_reads_what_was_shown_too(harness: Harness) -> None:
    place = await played(harness, moments(load_offered_games()["plexus"])["move"])
    start, value = (await suggestions(harness, "plexus move", "from", place, {}))[0]
    assert start != value
    offers = [await suggestions(harness, "plexus move", "to", place, {"from": text}) for text in (start, value)]
    assert offers[0] == offers[1] != []
    match = await named(harness, "plexus move", "match", place, 1)
    assert await suggestions(harness, "plexus move", "from", harness.sandbox.channel("games"), {"match": match}) != []


async def test_two_people_of_one_name_are_told_apart_by_their_usernames(harness: Harness) -> None:
    played = await harness.match()
    await harness.ann.command("match board", channel=played.place)
    harness.sandbox.world.users[harness.bea.id]["global_name"] = "Ann"
    await harness.bea.command("match board", channel=played.place)
    found = await suggestions(harness, "match replace", "seat", played.place, {})
    assert found == [("Ann (ann) · yours · to move", "1"), ("Ann (bea)", "2")]


NUMBERS: tuple[tuple[str, Any], ...] = (
    ("{id}", 3), ("#{id}", 3), (" # {id}\n", 3), ("{id} · Binary Primes", 3), ("{thread}", 3), ("<{thread}>", 3),
    ("{thread}/", 3), ("{board}", 3), ("{lobby}", 3), ("<#{place}>", 3), ("https://ptb.discord.com/{path}", 3),
    ("https://discordapp.com/{path}", 3), ("{id}", 4), ("{id}", 10),
    ("２", 3), ("\u200b2️⃣\ufeff", 3), ("＃{id}", 3),
)  # fmt: skip
"""How somebody names a match, and Discord's kind of option that their client sends: old ones send whole numbers."""
NO_MATCH = (
    "That isn't a match. Write its number, like 12, or paste a link to its thread or its board; /matches lists yours."
)
NOWHERE = "That link doesn't lead to a match of this server. Add the match's number instead; /matches lists yours."


async def test_a_match_is_named_by_its_number_a_link_or_its_suggestion(harness: Harness) -> None:
    await harness.match(harness.cem, harness.dora)
    played = await harness.match()
    row, path = played.row, f"channels/{played.row.guild}/{played.row.thread}"
    link = f"https://discord.com/{path}"
    forms = {
        "id": played.id, "thread": link, "board": f"{link}/{row.board_message}", "place": row.thread, "path": path,
        "lobby": f"https://discord.com/channels/{row.guild}/{row.channel}/{row.lobby_message}",
    }  # fmt: skip
    with reaching() as reached:
        for form, kind in NUMBERS:
            text = form.format(**forms)
            with sending(harness, "match", kind, int(text) if kind > 3 else text):
                given = await read(harness, reached, "match board", "general", {"match": "1"})
            assert given["match"] == "2", form
    unhurried(harness)
    for text in ("two", "", "12a", "1.5", "-1", "2 · Chess", "2 (b2)", "https://example.com/2", "9" * 30, "²"):
        reply = await harness.ann.command("match board", match=text)
        quoted = f"You wrote “{text}”. " if "(" in text else ""
        assert (reply.text, reply.is_ephemeral) == (f"{quoted}{NO_MATCH}", True), text
    games = harness.sandbox.channel("games")["id"]
    server = f"https://discord.com/channels/{row.guild}"
    for text in (f"{server}/{games}", f"{server}/{games}/1", f"{server}/{'9' * 19}"):
        unhurried(harness)
        assert (await harness.ann.command("match board", match=text)).text == NOWHERE, text


async def test_a_link_to_a_thread_of_several_matches_names_none(harness: Harness) -> None:
    world = harness.sandbox.world
    thread = threads.start_thread(world, harness.sandbox.channel("games"), harness.ann.id, {"name": "Us", "type": 11})
    first, second = await harness.match(channel=thread), await harness.match(channel=thread)
    assert first.row.thread == second.row.thread == int(thread["id"])
    link = f"https://discord.com/channels/{first.row.guild}/{thread['id']}"
    reply = await harness.ann.command("match board", match=link)
    head, *lines = reply.text.split("\n")
    assert head == "Several matches are played there. Add the number of the one you mean instead:"
    assert [line.split(" · ")[:3] for line in lines] == [
        [number, "Your move", f"Binary Primes against {called(harness.bea)}"] for number in ("2", "1")
    ]
    reply = await harness.dora.command("match board", match=link)
    assert reply.text == "Several matches are played there. Add the number of the one you mean instead."
    for played in (first, second):
        board = await harness.ann.command("match board", match=f"{link}/{played.row.board_message}")
        assert f"match\xa0{played.id}" in board.text or f"match {played.id}" in board.text


async def test_a_match_is_read_by_its_suggestion_whatever_people_are_called(harness: Harness) -> None:
    ann, other = harness.ann, await harness.match(harness.ann, harness.cem)
    harness.sandbox.world.users[harness.cem.id]["global_name"] = "* · **Cem** · <@1> " + "m" * 14
    await harness.restart()
    (name,) = [
        name
        for name, _ in await suggestions(
            harness, "match board", "match", harness.sandbox.channel("games"), {"match": "1"}
        )
    ]
    assert name.startswith("1 · Binary Primes · * · **Cem** · <@1> mmm") and len(name) <= 100
    for text in (name, "1 · Binary Primes · move 1 · your move"):
        board = await ann.command("match board", match=text)
        assert f"match\xa0{other.id}" in board.text or f"match {other.id}" in board.text, text


@contextmanager
def sending(harness: Harness, name: str, kind: int, value: object) -> Generator[None]:
    """Let clients send an option as one of another kind."""
    desk, send = harness.sandbox.interactions, harness.sandbox.interactions.send

    def sent(payload: Json) -> None:
        mine = deepcopy(payload)
        options = mine["data"]["options"]
        while options and "options" in options[0]:
            options = options[0]["options"]
        next(one for one in options if one["name"] == name).update(type=kind, value=value)
        send(mine)

    desk.send = sent
    try:
        yield
    finally:
        desk.send = send


async def test_a_seat_comes_as_a_number_from_old_clients(harness: Harness) -> None:
    played = await harness.match()
    with sending(harness, "seat", WHOLE, 2):
        reply = await harness.ann.command("match replace", channel=played.place, seat="1", player=harness.cem)
    assert reply.text.startswith("You asked to give a seat to somebody else."), reply.text
    none = await harness.bea.command("match replace", channel=played.place, seat="nobody", player=harness.dora)
    assert none.text == "There is no such seat. Choose one from the list."


async def test_white_space_of_any_kind_around_and_within_is_one_space(harness: Harness) -> None:
    place = await played(harness, moments(load_offered_games()["plexus"])["move"])
    start = (await suggestions(harness, "plexus move", "from", place, {}))[0][1]
    end = (await suggestions(harness, "plexus move", "to", place, {"from": start}))[0][1]
    reply = await harness.ann.run(["plexus", "move"], place, {"from": f"{start}\n", "to": f"\u2003{end}\u00a0\r\n"})
    assert reply.text.startswith("You "), reply.text
    reply = await harness.ann.command("play", game="\nBinary\u00a0\tPrimes\n")
    await harness.settled()
    assert reply.text.startswith("### "), reply.text
    match = await harness.match(legs=1)
    reply = await harness.ann.command("move", channel=match.place, line="\n b\n2\u2028")
    assert reply.text.startswith("You played **b2**")
    await harness.settled()
    board = (await match.fresh()).board
    await harness.forge_form(harness.bea, board, f"f:{match.id}:1:move:1", {"square:0": "\n\u00a0ｃ\t１\u200b。\n"})
    await harness.settled()
    assert (await match.fresh()).record == [(1, "b2"), (2, "c1")]


ROWS = {"grid", "line", "theirs", "yours"}
"""The options that may hold a grid."""


KEYBOARDS = {
    "\u2003 x\t\u00a0y \r\n\n z\u2028": "x y\nz",
    "\ufeffｘ\u200b （ｙ）\u00ad，2️⃣\u2067—\u20694\ufe0f。 ‘z’\n“2²” ": "x (y),2-4. 'z'\n\"2²\"",
}
"""What keyboards write, and what readers get; lines are spaces where no grid can be written."""


def with_needed(harness: Harness) -> Iterator[tuple[str, list[Json], Given]]:
    """Every command that takes options, with values for those that it must have."""
    usual = {WHOLE: 1, SWITCH: True, SOMEBODY: harness.bea, TEXT: "1"}
    for path, options in commands_of(harness):
        yield (
            path,
            options,
            {
                one["name"]: choices[0]["value"] if (choices := one.get("choices")) else usual.get(one["type"], "1")
                for one in options
                if one.get("required")
            },
        )


async def test_every_text_is_tidied_before_its_command_reads_it(harness: Harness) -> None:
    await harness.match()
    read_so = Counter[str]()
    with reaching() as reached:
        for path, options, needed in with_needed(harness):
            for name in (one["name"] for one in options if one["type"] == TEXT and not one.get("choices")):
                for text, lines in KEYBOARDS.items():
                    plain = lines if name in ROWS else lines.replace("\n", " ")
                    text, plain = ("\n１\u200b\u00a0", "1") if name == "match" else (text, plain)
                    given = await read(harness, reached, path, "games", {**needed, name: text})
                    assert given.get(name, given.get(f"{name}_")) == plain, (path, name)
                    read_so[name] += 1
    assert read_so.total() > 180 and {*ROWS} < {*read_so}, read_so


async def test_letters_of_another_alphabet_are_named_by_every_option_of_every_command(harness: Harness) -> None:
    """A name is refused before its command reads it; a move by its own reader, with one that is legal. People's names,
    in which matches and seats are told apart, may have any letters."""
    await harness.match()
    refused = Counter[bool]()
    with reaching() as reached:
        for path, options, needed in with_needed(harness):
            for name in (one["name"] for one in options if one["type"] == TEXT and not one.get("choices")):
                free = name in ("seat", "server") or path == "move" and name == "line" or name in ("theirs", "yours")
                free = free or path.split()[0] in load_offered_games() and name != "match"
                unhurried(harness)
                reached.clear()
                reply = await harness.ann.run(path.split(), harness.sandbox.channel("games"), {**needed, name: "В2"})
                assert bool(reached) == free, (path, name, reply.text)
                sentence = NO_MATCH if name == "match" else "В is a Cyrillic letter. Write a Latin B."
                assert free or reply.text == sentence, (path, name)
                refused[not free] += 1
    assert min(refused[True], refused[False]) > 30, refused


@pytest.mark.minutes
async def test_a_note_is_never_dropped_that_the_bot_has_not_put_there(harness: Harness) -> None:
    """In every option with suggestions of every command: brackets that somebody wrote reach what reads it."""
    harness.clock.at = harness.clock()
    places = await full(harness)
    read_so = 0
    with reaching() as reached:
        for path, options in commands_of(harness):
            place = places.get((path.split()[0], path.split()[-1]), places["plexus", "move"])
            for option in (one["name"] for one in options if one.get("autocomplete") and one["name"] != "match"):
                given = await needed(harness, path, options, option, place)
                name, value = (await suggestions(harness, path, option, place, given))[0]
                for text in (f"{value} (4)", f"{name} (4)", f"({value})", f"{value} (today)", f"{name} · to move 4"):
                    got = await read(harness, reached, path, place, {**given, option: text})
                    assert got.get(option, got.get(f"{option}_")) == text, (path, option)
                    read_so += 1
    assert read_so > 150, read_so


async def test_what_a_phone_puts_between_and_behind_the_parts_of_a_move_is_read(harness: Harness) -> None:
    place = await played(harness, moments(load_offered_games()["plexus"])["move"])
    start = (await suggestions(harness, "plexus move", "from", place, {}))[0][1]
    ends = await suggestions(harness, "plexus move", "to", place, {"from": start})
    assert ends == await suggestions(harness, "plexus move", "to", place, {"from": f"{start}. "}) != []
    reply = await harness.ann.run(["plexus", "move"], place, {"from": f"{start}. ", "to": f"{ends[0][1]}\u200b. "})
    assert reply.text.startswith("You "), reply.text


async def test_suggestions_take_what_keyboards_write(harness: Harness) -> None:
    place = await played(harness, moments(load_offered_games()["plexus"])["move"])
    plain = await suggestions(harness, "move", "line", place, {"line": "b"})
    assert plain == await suggestions(harness, "move", "line", place, {"line": "\u200bｂ"}) != []
    games = await suggestions(harness, "play", "game", place, {"game": "binary p"})
    assert games == await suggestions(harness, "play", "game", place, {"game": "Ｂinary\u00a0 p"}) != []


async def test_a_grid_keeps_its_lines(harness: Harness) -> None:
    for path, option in (("sums-grid submit", "grid"), ("move", "line")):
        place = await played(harness, Match.start(load_offered_games()["sums-grid"], {"size": 3}, 2))
        reply = await harness.ann.command(path, channel=place, **{option: "\n 2\u00a09 8 \r\n\n3 1\t10\n7 6 15\n"})
        assert "19" in reply.text or reply.text.startswith("You"), reply.text
