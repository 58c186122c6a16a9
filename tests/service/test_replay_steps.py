"""Stepping through a match: in every game a viewer sees each line that they may see, and no secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.features.board import turn_words
from bot.features.study import replays
from bot.features.study.replays import CORRECTED, STEPS
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.games.notation import HELD
from bot.platform.ui import Control
from bot.play.acts import NotPossibleNow, NotYours
from bot.play.ids import UserId
from bot.play.lessons import fold_record
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match, list_move_names
from bot.play.replays import Replay, explain_unplayable
from bot.sandbox import components
from rendering.painter.paint import pick_evenly
from tests.support.loaded_matches import FIRST, begun, row
from tests.support.sampled import sampled

GAMES = load_games()
ANN, BEA = "<@1200000000000000001>", "<@1200000000000000002>"
PLACES = 4
"""How many places of a recorded match are shown."""
OTHER = UserId(1)


def played(key: str, seats: int, *lines: tuple[int, str], **options: int) -> Match:
    match = Match.start(GAMES[key], options, seats)
    for seat, text in lines:
        match = match.enter(seat, text)
    return match


def said(replay: Replay, at: int) -> str:
    """All that a place in a replay says."""
    sight = replay.make_view(at)
    return "\n".join(texts(replays.build_step_view(replay, at, sight, ()).to_components()))


def texts(components: Any) -> Iterator[str]:
    for one in components:
        if "content" in one:
            yield one["content"]
        yield from texts(one.get("components", ()))


def longest(game: Game) -> dict[str, Any]:
    """The longest recorded match of a game."""
    return max(read_recorded_matches(game), key=lambda record: len(record["moves"]))


def viewers(match: Match) -> tuple[int | None, ...]:
    return None, *range(1, match.seats + 1)


@sampled("game", GAMES.values(), few=4, ids=lambda game: game.key)
async def test_every_place_is_a_message_that_discord_takes(game: Game) -> None:
    match = fold_record(game, longest(game))
    replay = Replay.of(begun(match), 1)
    for at in pick_evenly(replay.line_count + 1, PLACES):
        sight = replay.make_view(at)
        view = replays.build_step_view(replay, at, sight, game.pictures(sight.position))
        components.check_message({"components": view.to_components()}, v2=True)
        controls = [item for item in view.walk_children() if isinstance(item, Control)]
        further = [] if explain_unplayable(replay.loaded, sight.match) else ["on"]
        tries = ["try"] if sight.match.turn and (replay.open or not game.secret) else []
        assert [str(one.component) for one in controls] == [
            f"r:123456:{at}:{step}" for step in (*STEPS, "film", *tries, *further)
        ]


@sampled("game", GAMES.values(), few=4, ids=lambda game: game.key)
def test_each_line_is_shown_as_the_match_stood_behind_it(game: Game) -> None:
    record = longest(game)
    match = Match.start(game, record.get("options", {}), record["seats"])
    behind = [match, *(match := match.enter(seat, text) for seat, text in record["moves"])]
    replay = Replay.of(begun(match), 1)
    sights = list(replay.make_views(range(replay.line_count + 1)))
    for at, (sight, then) in enumerate(zip(sights, behind, strict=True)):
        assert sight.match == then
        assert sight.position == then.position.seen_by(sight.viewer)
        assert not at or f"<@{FIRST + record['moves'][at - 1][0]}>" in turn_words.describe_last_turn(sight)
    assert (sights[-1].viewer, sights[-1].record) == (1, match.record), "the last place is the match as it stands"


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.secret], ids=lambda game: game.key)
def test_while_secrets_are_kept_only_what_a_viewer_may_see_is_counted_and_shown(game: Game) -> None:
    for record in read_recorded_matches(game):
        match = Match.start(game, record.get("options", {}), record["seats"])
        for seat, text in record["moves"][: len(record["moves"]) // 2]:
            match = match.enter(seat, text)
        if match.is_over:
            continue
        for viewer in viewers(match):
            replay = Replay.of(begun(match), viewer)
            assert tuple(line for _, line in replay.lines) == match.list_visible_entries(viewer)
            for at, sight in enumerate(replay.make_views(range(replay.line_count + 1))):
                assert sight.viewer == viewer and (sight.before is None or sight.record[-1].seat == viewer)
                assert sight.record == match.list_visible_entries(viewer)[:at]
                assert sight.position == sight.position.seen_by(viewer)


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.secret], ids=lambda game: game.key)
def test_what_one_did_last_is_told_as_before_when_another_has_moved_in_secret(game: Game) -> None:
    compared = 0
    for record in read_recorded_matches(game):
        match = Match.start(game, record.get("options", {}), record["seats"])
        for seat, text in record["moves"]:
            earlier, match = match, match.enter(seat, text)
            for viewer in range(1, match.seats + 1):
                if match.is_over or earlier.list_visible_entries(viewer) != match.list_visible_entries(viewer):
                    continue
                first, second = (MatchView.of(begun(one), viewer) for one in (earlier, match))
                assert (first.before, first.position) == (second.before, second.position)
                assert turn_words.describe_last_turn(first) == turn_words.describe_last_turn(second)
                compared += first.before is not None
    assert compared


def test_a_line_says_what_it_did_and_the_end_how_it_ended() -> None:
    replay = Replay.of(begun(played("binary-primes", 2, (1, "b2"), (2, "a1"), (1, "c1"), (2, "resign"), size=3)), None)
    assert "Before the first of 4 moves · only you see this" in said(replay, 0)
    third = said(replay, 3).splitlines()
    assert f"{ANN} played **c1**: {BEA} has 3.9 times {ANN}'s product." in third
    assert "-# Move 3 of 4 · only you see this" in third
    last = said(replay, 4)
    assert f"{BEA} resigned." in last and f"{ANN} beat {BEA}, who resigned." in last
    assert "wins" not in said(replay, 3)


def test_what_was_taken_back_and_agreed_on_is_a_sentence() -> None:
    match = played("binary-primes", 2, (1, "b2"), (2, "a1"), (1, "takeback"), (1, "c1"), (2, "draw"), size=3)
    replay = Replay.of(begun(match), 1)
    assert f"{ANN} took back **b2** and {BEA}'s **a1**, as agreed" in said(replay, 3)
    assert replay.make_view(3).position == replay.make_view(0).position
    assert f"{BEA} offered a draw, and everybody agreed" in said(replay, 5)
    late = Replay.of(begun(played("binary-primes", 2, (1, "b2"), (2, "timeout"), size=3)), None)
    assert f"{BEA} ran out of time" in said(late, 2)


def test_a_match_that_was_called_off_or_whose_rules_were_corrected_says_so() -> None:
    match = played("binary-primes", 2, (1, "b2"), size=3)
    closing = "This match was closed, unrated: the rules of Binary Primes were corrected while it was being played."
    off = Replay.of(begun(match, state="aborted", close_reason=closing, game_version=0), None)
    assert closing in said(off, 1) and CORRECTED in said(off, 1) and closing not in said(off, 0)
    assert CORRECTED not in said(Replay.of(begun(match), None), 1)


def test_a_finished_match_with_secrets_shows_each_line_as_its_maker_saw_it() -> None:
    lines = ((1, "2 9 8 / 3 1 10 / 7 6 15"), (2, "1 2 4 / 20 30 40 / 50 60 70"), (1, "done"), (2, "done"))
    replay = Replay.of(begun(played("sums-grid", 2, *lines, size=3)), None)
    assert [sight.viewer for sight in replay.make_views(range(5))] == [None, 1, 2, 1, None]
    assert f"Move 2 of 4 · as {BEA} saw it then · only you see this" in said(replay, 2)
    assert "as" not in said(Replay.of(begun(played("sums-grid", 2, *lines[:2], size=3)), 1), 1).split("Move 1 of 1")[1]


def test_a_match_alone_is_nothing_to_others_until_it_is_published() -> None:
    lines = ((1, "2 9 8 / 3 1 10 / 7 6 15"), (1, "done"))
    whole = played("sums-grid", 1, *lines, size=3)
    for match in (played("sums-grid", 1, lines[0], size=3), whole):
        with pytest.raises(NotYours, match="is played alone. Others see it when its player publishes it"):
            Replay.for_user(begun(match), OTHER)
        own = Replay.for_user(begun(match), UserId(FIRST + 1))
        assert own.line_count == len(match.record) and "**2 9 8 / 3 1 10 / 7 6 15**" in said(own, 1).replace(HELD, " ")
    assert Replay.for_user(begun(whole, published=True), OTHER).line_count == 2


def test_what_has_not_begun_has_no_replay() -> None:
    with pytest.raises(NotPossibleNow, match="It hasn't begun yet: https://discord.com/channels/"):
        Replay.for_user(LoadedMatch(row(GAMES["plexus"], 2), GAMES["plexus"], None), OTHER)


def test_nothing_leads_anywhere_before_the_first_line() -> None:
    replay = Replay.of(begun(played("plexus", 2)), None)
    assert "Nothing has been played yet." in said(replay, 0)
    view = replays.build_step_view(replay, 0, replay.make_view(0), ())
    items = [one.item for one in view.walk_children() if isinstance(one, Control)]
    able = [one for one in items if not getattr(one, "disabled", False)]
    assert [getattr(one, "label", None) for one in able] == ["Try out"]


@pytest.mark.parametrize(
    ("at", "last", "led"),
    [(0, 3, (0, 0, 1, 3)), (2, 3, (0, 1, 3, 3)), (3, 3, (0, 2, 3, 3)), (0, 0, (0, 0, 0, 0))],
)
def test_where_the_ways_lead(at: int, last: int, led: tuple[int, ...]) -> None:
    assert tuple(leads(at, last) for _, leads in STEPS.values()) == led


def test_two_who_see_the_same_have_one_film() -> None:
    lines = ((1, "2 9 8 / 3 1 10 / 7 6 15"), (2, "1 2 4 / 20 30 40 / 50 60 70"), (1, "done"), (2, "done"))
    live, over = (begun(played("sums-grid", 2, *lines[:count], size=3)) for count in (3, 4))
    assert len({Replay.of(live, viewer).equality_key for viewer in (None, 1, 2)}) == 3
    assert len({Replay.of(over, viewer).equality_key for viewer in (None, 1, 2)}) == 1
    open_to_all = begun(played("plexus", 2))
    assert len({Replay.of(open_to_all, viewer).equality_key for viewer in (None, 1, 2)}) == 1


def test_a_place_has_the_name_of_its_move_on_the_board() -> None:
    game = GAMES["flipping-bits"]
    match = fold_record(game, longest(game))
    named = list_move_names(match)
    at = named.index("round 2, move 2") + 1
    replay = Replay.of(begun(match), None)
    sight, name = replays.look_up_place(replay, at)
    assert replays.describe_place(replay, at, sight, name) == (
        f"Round 2, move 2 · {at} of {replay.line_count} · only you see this"
    )
    legs = Match.start(make_two_legged(GAMES["binary-primes"]), {"size": 3}, 2).play(1, "1: b2").play(2, "2: a1")
    sight, name = replays.look_up_place(there := Replay.of(begun(legs, legs=2), None), 2)
    assert replays.describe_place(there, 2, sight, name) == "Leg 2, move 1 · 2 of 2 · only you see this"
    sight, name = replays.look_up_place(first := Replay.of(begun(match), None), 0)
    assert name == "" and replays.describe_place(first, 0, sight, name).startswith("Before the first of ")
