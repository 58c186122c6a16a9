"""Every game keeps what all games promise, and games planted here that break a promise are caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

import cogs.plexus
from bot.games.catalogue import load_games
from bot.games.game import Game
from tests.contract import (
    agreeing,
    drawing,
    endings,
    foreseeing,
    front,
    looks,
    moving,
    planted,
    positions,
    reading,
    reasons,
    secrecy,
)
from tests.support.sampled import sampled

Check = Callable[[Game], None]

CHECKS: tuple[Check, ...] = (
    moving.check_playouts_end,
    moving.check_listed_moves_are_accepted,
    moving.check_nothing_else_is_accepted,
    moving.check_open_moves_are_refused_by_sentences,
    moving.check_only_who_is_to_move_may,
    moving.check_the_legal_listing,
    moving.check_anybody_may_leave,
    agreeing.check_takebacks,
    agreeing.check_draws,
    agreeing.check_nobody_agrees_on_secrets,
    reading.check_notation_round_trips,
    reading.check_forgiving_forms,
    reading.check_refused_forms,
    reading.check_white_space,
    reading.check_kinds_agree_with_moves,
    reading.check_suggestions,
    positions.check_positions_are_values,
    positions.check_play_changes_nothing,
    positions.check_text_boards,
    positions.check_somebody_explains,
    reasons.check_scores_have_parts,
    reasons.check_reasons_add_up,
    reasons.check_who_leaves_ends_no_reason,
    reasons.check_no_part_is_told_twice,
    secrecy.check_secrets,
    secrecy.check_the_viewer_is_known,
    front.check_front_page,
    front.check_options,
    front.check_default_options,
    front.check_examples_are_on_every_board,
    front.check_seats,
    front.check_sentences_of_advice,
    looks.check_the_goal_says_what_wins,
    looks.check_what_is_usual_is_so,
)
DRAWN: tuple[Check, ...] = (
    drawing.check_pictures,
    drawing.check_everything_is_on_its_page,
    drawing.check_type_is_legible,
    drawing.check_texts_do_not_touch,
    drawing.check_nothing_covers_a_text,
    drawing.check_every_glyph_is_there,
    drawing.check_digits_are_grouped,
    drawing.check_players_are_named_by_their_colours,
    drawing.check_a_legend_says_who_is_to_move,
    drawing.check_finished_pictures_explain_the_scores,
    foreseeing.check_the_last_step_shows_what_the_move_does,
)
LOOKS: tuple[Check, ...] = (
    looks.check_the_last_move_is_marked,
    looks.check_owners_differ,
    looks.check_different_positions_look_different,
)
"""What is seen of a game that knows its last move, and whose board shows whose is what."""
FOLDER_CHECKS: tuple[Check, ...] = (
    front.check_rules_text,
    front.check_what_a_match_takes,
    front.check_records,
    front.check_records_cover_every_ending,
    front.check_a_usual_match_is_recorded,
    front.check_the_rules_example,
    front.check_the_rules_page_is_short,
    endings.check_a_result_has_a_reason,
    endings.check_what_is_certain_comes_true,
)
"""What needs a game's own folder."""


def name(it: Check | Game | str) -> str:
    return it if isinstance(it, str) else it.key if isinstance(it, Game) else it.__name__.removeprefix("check_")


@pytest.mark.parametrize("check", [*CHECKS, *FOLDER_CHECKS, *LOOKS], ids=name)
@pytest.mark.parametrize("game", load_games().values(), ids=name)
def test_promise(game: Game, check: Check) -> None:
    check(game)


@pytest.mark.parametrize("check", DRAWN, ids=name)
@sampled("game", load_games().values(), few=4, ids=name)
def test_what_is_drawn(game: Game, check: Check) -> None:
    check(game)


@pytest.mark.parametrize("check", [*CHECKS, *DRAWN], ids=name)
@pytest.mark.parametrize("game", [planted.MARKS, planted.ENVELOPES], ids=name)
def test_an_honest_planted_game_passes(game: Game, check: Check) -> None:
    check(game)


def test_a_game_of_another_inventor_is_of_any_year_and_says_so_in_its_rules() -> None:
    front.check_front_page(replace(planted.MARKS, year=2026, inventor="Ada Lovelace"))
    with pytest.raises(AssertionError, match="2026: Leroy Quet published his games from 2008 to 2011"):
        front.check_front_page(replace(planted.MARKS, year=2026))
    with pytest.raises(AssertionError, match=r"not the inventor's title and \(Ada Lovelace, 2011\)"):
        front.check_rules_text(replace(load_games()["plexus"], inventor="Ada Lovelace"))


def test_an_honest_scorer_agrees_with_the_record() -> None:
    front.check_rows(planted.MARKS, planted.ROWS)


def test_a_wrong_scorer_is_caught_by_the_record_scored_by_hand() -> None:
    with pytest.raises(AssertionError, match=r"the scores are \(4, 2\)"):
        front.check_rows(planted.WRONG_SCORER, planted.ROWS)


def test_a_game_without_a_match_with_the_usual_options_is_caught() -> None:
    usual: list[dict[str, Any]] = [{**row, "options": {}, "moves": [[1, "6"], [2, "resign"]]} for row in planted.ROWS]
    for rows in ([], planted.ROWS, usual):
        with pytest.raises(
            AssertionError, match="marks/played.jsonl has no match with the usual options for 2 players"
        ):
            front.check_usual_rows(planted.MARKS, rows)
    front.check_usual_rows(planted.MARKS, [{**usual[0], "moves": [[1, "6"], [2, "1"]]}])


CAUGHT: tuple[tuple[Game, Check, str], ...] = (
    (planted.LEAK, secrecy.check_secrets, "gives secrets away"),
    (planted.LEAK_BY_REFUSAL, secrecy.check_secrets, "answers to moves of seat . gives secrets away"),
    (planted.UNLISTED, moving.check_nothing_else_is_accepted, "is accepted as '.*', and not listed"),
    (planted.LISTED_WRONGLY, moving.check_listed_moves_are_accepted, "is listed, and refused: Square"),
    (planted.MISREAD, reading.check_refused_forms, "is read as a move|refused by a ValueError"),
    (planted.MISNAMED, front.check_front_page, "the pattern of move has the parts .'square'., and its table"),
    (planted.WORDY, front.check_front_page, "the goal has 136 characters"),
    (planted.CURT, moving.check_nothing_else_is_accepted, "no sentence for a player: 'bad move"),
    (planted.UNRANKED, moving.check_anybody_may_leave, "Who leaves first ranks last|The one who stays wins"),
    (planted.PARTLY_TOLD, reasons.check_scores_have_parts, "The parts of seat . make"),
    (planted.PARTLY_TOLD, reasons.check_reasons_add_up, "does not lead from"),
    (planted.PARTS_ALIKE, reasons.check_scores_have_parts, "Two parts of a score are one"),
    (planted.UNEXPLAINED, drawing.check_finished_pictures_explain_the_scores, "No shape shows"),
    (planted.UNFORESEEN, foreseeing.check_the_last_step_shows_what_the_move_does, "The last step shows no"),
    (planted.OFF_THE_PAGE, drawing.check_everything_is_on_its_page, "off the page"),
    (planted.TINY, drawing.check_type_is_legible, "points are too small to read"),
    (planted.PALE, drawing.check_type_is_legible, "faded on tint8 cannot be read|cannot be read"),
    (planted.CROWDED, drawing.check_texts_do_not_touch, "touch"),
    (planted.COVERED, drawing.check_nothing_covers_a_text, "lies below a later shape"),
    (planted.FOREIGN, drawing.check_every_glyph_is_there, "no glyph for"),
    (planted.UNPOINTED, drawing.check_a_legend_says_who_is_to_move, "are to move, .. are marked"),
    (planted.UNMARKED, looks.check_the_last_move_is_marked, "The last move is not marked"),
    (planted.ONE_COLOUR, looks.check_owners_differ, r"Of the seats \[1, 2\] the boards have the colours of \[1\]"),
    (planted.BLOTTED, looks.check_different_positions_look_different, "The boards are the same after"),
    (planted.MUDDLED, looks.check_different_positions_look_different, "After .* the pictures are the same"),
    (planted.FEWEST, looks.check_the_goal_says_what_wins, "the highest score wins, and the goal says 'fewest'"),
    (planted.MOST, looks.check_the_goal_says_what_wins, "the lowest score wins, and the goal does not say so"),
    (planted.TURNED, looks.check_the_goal_says_what_wins, "the lowest score does not win"),
    (planted.UNUSUAL, looks.check_what_is_usual_is_so, "“usual 4 × 4” is said of binary-primes"),
    (planted.UNUSUAL_BOUNDS, looks.check_what_is_usual_is_so, "“usually 9” is said of plexus"),
    (planted.SEATLESS, drawing.check_a_legend_says_who_is_to_move, "The legend has the seats"),
)


@pytest.mark.parametrize(("game", "check", "complaint"), CAUGHT, ids=name)
def test_a_broken_game_is_caught(game: Game, check: Check, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check(game)


def test_a_folder_with_another_name_than_its_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cogs.plexus, "GAME", replace(load_games()["plexus"], key="nexus"))
    with pytest.raises(ImportError, match="cogs/plexus holds the game nexus: name the folder nexus, or the key plexus"):
        load_games.__wrapped__()


MODULES = (agreeing, drawing, foreseeing, front, looks, moving, positions, reading, secrecy)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_check_is_forgotten(module: ModuleType) -> None:
    helpers = {moving.check_ranks, front.check_rows, front.check_usual_rows, secrecy.check_surfaces}
    checks = {it for key, it in vars(module).items() if key.startswith("check_") and it.__module__ == module.__name__}
    assert checks - helpers <= {*CHECKS, *DRAWN, *LOOKS, *FOLDER_CHECKS}
