"""The tree of prepared moves: what it answers, what is left of it, and how it is written."""

from __future__ import annotations

from random import Random

import pytest

from bot.play.premoves import Line, PremoveTree
from bot.play.record import Draw, Move, Takeback


def line(*moves: str) -> Line:
    """A line of seat 1: the opponent's move, the answer, and on in turn."""
    return tuple(Move(2 - number % 2, text) for number, text in enumerate(moves))


def tree(*lines: Line) -> PremoveTree:
    """A tree of seat 1, line by line."""
    prepared = PremoveTree()
    for one in lines:
        prepared = prepared.add_line(one, 1)
    return prepared


def test_a_longer_line_takes_the_place_of_its_beginning() -> None:
    assert tree(line("a", "b"), line("a", "b", "c", "d")).lines == (line("a", "b", "c", "d"),)
    assert tree(line("a", "b", "c", "d"), line("a", "b")).lines == (line("a", "b", "c", "d"),)


def test_another_answer_replaces_the_one_there_was_and_all_behind_it() -> None:
    grown = tree(line("a", "b", "c", "d"), line("a", "b", "e", "f"), line("g", "h"), line("a", "x"))
    assert set(grown.lines) == {line("g", "h"), line("a", "x")}
    assert set(tree(line("a", "b", "c", "d"), line("a", "b", "c", "x")).lines) == {line("a", "b", "c", "x")}


def test_the_match_takes_one_branch_and_the_others_are_gone() -> None:
    prepared = tree(line("a", "b", "c", "d"), line("a", "b", "e", "f"), line("g", "h"))
    assert prepared.find_due_move(1) is None and prepared.follow_entry(Move(2, "a")).find_due_move(1) == Move(1, "b")
    after = prepared.follow_entry(Move(2, "a")).follow_entry(Move(1, "b"))
    assert set(after.lines) == {line("c", "d"), line("e", "f")} and after.dropped is None
    assert after.follow_entry(Move(2, "c")).follow_entry(Move(1, "d")).stored_text is None, "what is used up is no news"
    assert after.follow_entry(Move(2, "z")) == PremoveTree((), "other")


def test_takebacks_and_draws_leave_nothing_and_an_empty_tree_has_nothing_to_lose() -> None:
    assert tree(line("a", "b")).follow_entry(Takeback(2)) == PremoveTree((), "takeback")
    assert tree(line("a", "b")).follow_entry(Draw(2)).lines == ()
    assert PremoveTree().follow_entry(Takeback(1)) == PremoveTree() == PremoveTree().follow_entry(Move(2, "a"))


def test_moves_of_one_leg_leave_the_lines_of_the_other() -> None:
    prepared = tree(line("1: a", "1: b"), line("2: c", "2: d"))
    assert prepared.follow_entry(Move(2, "1: a")).lines == (line("2: c", "2: d"), (Move(1, "1: b"),))
    assert prepared.follow_entry(Move(2, "2: z")) == PremoveTree((line("1: a", "1: b"),), "other")


def test_an_opponent_who_moves_twice_is_waited_for() -> None:
    twice = (Move(2, "a"), Move(2, "b"), Move(1, "c"))
    prepared = tree(twice)
    assert prepared.follow_entry(Move(2, "a")).find_due_move(1) is None
    assert prepared.follow_entry(Move(2, "a")).follow_entry(Move(2, "b")).find_due_move(1) == Move(1, "c")


def test_any_tree_is_read_as_it_was_written_and_answers_each_thing_once() -> None:
    rng = Random(7)
    for _ in range(200):
        prepared = tree(*(line(*rng.choices("abc", k=2 * rng.randint(1, 3))) for _ in range(rng.randint(0, 8))))
        assert PremoveTree.parse(prepared.stored_text) == prepared
        answers: dict[Line, Move] = {}
        for one in prepared.lines:
            for at in range(1, len(one), 2):
                assert answers.setdefault(one[:at], one[at]) == one[at]


@pytest.mark.parametrize("text", ["", "7", "[]", '{"lines": 7}', '{"lines": [[7]]}', '{"lines": [], "dropped": "so"}'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        PremoveTree.parse(text)
