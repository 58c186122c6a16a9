"""Reviews: the questions to the search, the use of its answers, and texts that fit Discord's limits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from bot.engine.exact import compute_final_shares
from bot.engine.levels import MOST, MoveLine, SearchQuestion, Thought, compute_divisor
from bot.engine.search import answer_question
from bot.features.board import words as board_words
from bot.features.study import reviews
from bot.features.study import words as study_words
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.games.position import Position
from bot.platform.ui import Caption, Drawing
from bot.play.acts import NotPossibleNow
from bot.play.lessons import fold_record
from bot.play.loaded_match import Refusal
from bot.play.match import Match, split_legs
from bot.play.reviews import (
    LEAST,
    NODES,
    PART,
    PLAYOUTS,
    TOLD,
    Mistake,
    RetryVerdict,
    choose_costliest,
    expect_reviewable,
    has_reviews,
    list_steps,
)
from bot.play.reviews import review_match as review_of
from bot.play.rows import NOTHING, CostlyMove, Review, format_reviews, parse_reviews
from bot.sandbox import components
from rendering.shapes import LEAST as SMALLEST
from rendering.shapes import Text
from tests.arena.blunders import planted
from tests.support.loaded_matches import begun
from tests.support.sampled import sampled
from tests.support.two_legs import playout

REVIEWED = [game for game in load_games().values() if has_reviews(game, 2)]
SOLO = [game for game in load_games().values() if not has_reviews(game, 2)]
PLEXUS, PRIMES = load_games()["plexus"], load_games()["binary-primes"]

Answering = Callable[[SearchQuestion], Thought]


def reviewed(
    match: Match, answering: Answering = answer_question, number: int = 12
) -> tuple[Review, list[SearchQuestion]]:
    """The review of a match, and all that was asked for it."""
    work, asked = review_of(match, number), list[SearchQuestion]()
    try:
        asked.append(next(work))
        while True:
            asked.append(work.send(answering(asked[-1])))
    except StopIteration as stop:
        (review,) = stop.value
        return review, asked


def bold(match: Match) -> Answering:
    """Somebody who thinks that every move of a match was a mistake: by turns one seat has all and nothing."""
    played = {step.before: step for step in list_steps(match)}
    rng = Random(1)

    def thought(question: SearchQuestion) -> Thought:
        step = played.get(question.position)
        shares = tuple(rng.random() for _ in question.position.scores())
        move = another(question, step.move if step else "")
        return Thought(move, 1.5, shares[question.seat - 1], False, (MoveLine(move, 1.5, 9),), shares)

    return thought


def another(question: SearchQuestion, played: str) -> str:
    """A legal move that was not played, if there is one."""
    position, seat, mind = question.position, question.seat, load_games()[question.game].mind
    moves = mind.candidates(position, seat, Random(2)) if mind.candidates else position.moves(seat)
    return next((move for move in moves if move != played), played)


def long(game: Game) -> Match:
    """The longest recorded match of a game."""
    return fold_record(game, max(read_recorded_matches(game), key=lambda row: len(row["moves"])))


@sampled("game", REVIEWED, few=4, ids=lambda game: game.key, rest=pytest.mark.minutes)
async def test_every_review_is_a_message_that_discord_takes_and_its_picture_can_be_read(game: Game) -> None:
    match = long(game)
    review, _ = reviewed(match, bold(match))
    assert Review.read(review.to_json()) == review
    loaded = begun(match, state="finished", rated=False)
    picture = study_words.make_chart(match, review)
    view = reviews.build_review_view(loaded, (review,), Drawing((Caption(picture.alt),), ()))
    components.check_message({"components": view.to_components()}, v2=True)
    assert len(picture.alt) <= 1024
    assert all(text.size >= SMALLEST for text in picture.shapes if isinstance(text, Text))
    seats = [one.seat for one in review.costly]
    assert seats == sorted(seats) and all(seats.count(seat) <= TOLD for seat in seats)


@sampled("game", REVIEWED, few=4, ids=lambda game: game.key, rest=pytest.mark.minutes)
def test_the_budget_is_one_for_the_whole_match(game: Game) -> None:
    match = long(game)
    _, asked = reviewed(match, bold(match))
    cost = sum(one.budget.playouts * compute_divisor(game, one.position) for one in asked)
    assert cost <= 2 * PLAYOUTS + LEAST * max(compute_divisor(game, one.position) for one in asked) * 2
    for one in asked:
        assert one.budget.playouts <= max(LEAST, MOST // compute_divisor(game, one.position))
    assert sum(one.budget.nodes > 0 for one in asked) and all(one.budget.nodes <= NODES // PART for one in asked)
    assert len({one.seed for one in asked}) == len(asked), "two questions draw the same lots"


def test_the_lines_end_with_the_result_and_begin_before_the_first_move() -> None:
    match = long(PLEXUS)
    review, asked = reviewed(match, bold(match))
    moves = len([*list_steps(match)])
    assert review.first == 0 and [len(course) for course in review.courses] == [moves + 1] * 2
    assert asked[0].position == [*list_steps(match)][-1].before, "it does not begin at the end"
    assert [course[-1] for course in review.courses] == [100 * (rank == 1) for rank in match.ranks or ()]


def small() -> Match:
    """A recorded match of Plexus that is small enough to be solved from its first move on."""
    return fold_record(PLEXUS, next(row for row in read_recorded_matches(PLEXUS) if row["options"] == {"size": 3}))


@pytest.mark.long
def test_where_all_is_known_the_cost_of_a_move_is_what_it_changes_of_the_result() -> None:
    match = small()
    review, asked = reviewed(match)
    assert review.certain == 0 and {one.position for one in asked} <= {step.before for step in list_steps(match)}
    lost = dict[int, tuple[int, int]]()
    for step in list_steps(match):
        sign = 1 if step.seat == 1 else -1
        before, after = (sign * solved(position) for position in (step.before, step.after))
        if after < before:
            lost[step.number] = before, after
    assert lost and {one.number: one.ahead for one in review.costly} == lost
    assert all(one.ahead is not None and one.cost > (0, 0) for one in review.costly)


@sampled(
    ("key", "options", "number"),
    [("divisors-multiples-sequence", {"r": 9}, 2), ("palindromic-rows-columns", {"size": 5}, 1)],
)
def test_a_blunder_that_can_be_proved_stands_first_however_early_it_was(
    key: str, options: dict[str, object], number: int
) -> None:
    blunder = planted(load_games()[key], options, f"{key}:0")
    assert blunder and blunder.number == number
    review, _ = reviewed(blunder.match)
    first = next(one for one in review.costly if one.seat == blunder.seat)
    assert first.number == number and first.ahead and first.had > first.kept


@pytest.mark.parametrize("game", REVIEWED, ids=lambda game: game.key)
def test_the_text_says_what_the_picture_shows(game: Game) -> None:
    match = fold_record(game, read_recorded_matches(game)[0])
    review, _ = reviewed(match, bold(match))
    for one in review.costly:
        course = review.courses[one.seat - 1]
        assert (course[one.number - 1 - review.first], course[one.number - review.first]) == (one.had, one.kept)
        assert one.had > 50 > one.kept or one.had - one.kept >= 25, "neither the result nor the chart changed much"


def test_only_what_changed_the_result_or_the_margin_by_much_is_told() -> None:
    """The sums of nine digits differ by millions, and who wins does not change: that is no mistake to be told."""
    match = Match.start(PRIMES, {"size": 3}, 2).play(1, "a1").play(2, "b2").play(1, "c3").play(2, "a2")
    for ahead, told in (((-2, -3), 0), ((-2, -90), 1), ((2, -3), 1), ((-(10**9), -(10**12)), 0), ((5, 0), 1)):
        review, _ = reviewed(match, worth(match, *ahead))
        assert len([one for one in review.costly if one.number == 3]) == told, ahead


def worth(match: Match, best: int, own: int) -> Answering:
    """Somebody who is certain: before the last but one move seat 1 is ahead by so much, and afterwards by less."""
    turning = [*list_steps(match)][-2].after

    def thought(question: SearchQuestion) -> Thought:
        reached = question.position == turning or not question.position.turn
        mine = (own if reached else best) * (1 if question.seat == 1 else -1)
        return Thought(another(question, ""), mine, 0.5, True, (), (0.5, 0.5))

    return thought


def solved(position: Position) -> int:
    """By how much seat 1 of Plexus comes out ahead, looked at to the end without any cleverness."""
    if not position.turn:
        first, second = position.scores()
        return first - second
    values = [solved(position.play(position.turn[0], move)) for move in position.moves(position.turn[0])]
    return max(values) if position.turn[0] == 1 else min(values)


def test_the_same_match_has_the_same_review() -> None:
    match = small()
    first = reviewed(match)
    assert reviewed(match) == first
    assert reviewed(match, bold(match), number=13)[1] != first[1]


def test_what_was_taken_back_is_not_reviewed_and_what_was_resigned_ends_with_the_last_move() -> None:
    straight = opened().play(1, "b2").play(2, "a1")
    detour = opened().play(1, "c3").take_back(1).play(1, "b2").play(2, "a1")
    assert [*list_steps(straight)] == [*list_steps(detour)]
    review, _ = reviewed(straight.withdraw(1), bold(straight))
    assert [len(course) for course in review.courses] == [3, 3]


def opened() -> Match:
    return Match.start(PRIMES, {"size": 3}, 2)


def test_who_leaves_has_a_line_until_then() -> None:
    game = load_games()["binary-scramble"]
    match = Match.start(game, {"length": 6, "target": 3}, 3).play(1, "1").play(2, "0").withdraw(3).play(1, "1")
    review, _ = reviewed(match.withdraw(1), bold(match))
    assert [len(course) for course in review.courses] == [4, 4, 2]
    assert study_words.make_chart(match.withdraw(1), review)


def test_a_long_match_is_reviewed_as_far_as_there_are_continuations_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.play.reviews.PLAYOUTS", 10 * LEAST)
    match = long(PLEXUS)
    review, _ = reviewed(match, bold(match))
    moves = len([*list_steps(match)])
    assert review.first == moves - 10 and "This was a long match" in " ".join(study_words.describe_lines(review))
    assert all(one.number > review.first for one in review.costly)
    assert study_words.make_chart(match, review)


def test_the_dearest_stand_first_and_no_seat_has_more_than_some() -> None:
    found = [CostlyMove(number, 1 + number % 2, "a1", "b2", 50 + number, 50) for number in range(1, 12)]
    sure = CostlyMove(20, 2, "a1", "b2", 50, 50, (9, 2))
    told = [*choose_costliest([*found, sure])]
    assert [one.number for one in told] == [10, 8, 6, 11, 9, 7]
    assert [one.number for one in choose_costliest([found[0], sure])] == [1, 20]


def test_in_words() -> None:
    match = small()
    likely, sure = CostlyMove(7, 1, "b2-b1", "c1-c2", 62, 31), CostlyMove(7, 1, "b2-b1", "c1-c2", 100, 0, (2, -1))
    unscored = long(load_games()["not-divisors-not-multiples"]).game
    assert [
        study_words.format_costly_move(match.game, "move 7", likely),
        study_words.format_costly_move(match.game, "move 7", sure),
        study_words.format_costly_move(match.game, "move 7", sure._replace(ahead=(-2, -6))),
        study_words.format_costly_move(match.game, "move 7", sure._replace(ahead=(0, -(10**9)))),
        study_words.format_costly_move(unscored, "move 7", sure),
    ] == [
        "- Move 7: **c1-c2** looks better than **b2-b1**.",
        "- Move 7: **b2-b1** loses by 1. **c1-c2** would have won by 2.",
        "- Move 7: **b2-b1** loses by 6. **c1-c2** would have lost by 2.",
        "- Move 7: **b2-b1** loses. **c1-c2** would have drawn.",
        "- Move 7: **b2-b1** loses. **c1-c2** would have won.",
    ]
    nothing = Review(0, ((50, 60), (50, 40)), None, ())
    loaded = begun(match)
    assert study_words.describe_costly_moves(loaded, [nothing]) == "No single move stands out as a costly mistake."
    foots = [
        study_words.describe_costly_moves(loaded, [nothing._replace(costly=each)])
        for each in ((sure,), (likely,), (sure, likely))
    ]
    assert [foot.splitlines()[-1] for foot in foots] == [
        "-# Where it says wins or loses, the computer has checked every move to the end. Percentages are estimates.",
        "-# “Looks better” is an estimate.",
        f"-# Each player's costliest move comes first. {study_words.FOOT} {study_words.ESTIMATED}",
    ]


def test_a_drop_that_is_no_mistake_is_explained() -> None:
    match = fold_record(load_games()["flipping-bits"], {**read_recorded_matches(load_games()["flipping-bits"])[0]})
    said = [step.name for step in list_steps(match)]
    at = said.index("round 2, move 2") + 1
    course = (40,) * at + (0,) * (len(said) + 1 - at)
    fallen = Review(0, (course, tuple(100 - one for one in course)), None, ())
    who = board_words.format_mention(begun(match), 1)
    falls = f"Round 2, move 2 ({at} on the chart): {who}'s chances fell from 40 to 0 percent, "
    until = "but no other move was better. Before it, the chances had been estimated too high."
    exact = study_words.describe_costly_moves(begun(match), [fallen._replace(certain=at)])
    assert exact == f"No single move stands out as a costly mistake. {falls}{until}"
    rises = fallen._replace(courses=((*course[:-1], 100), (*fallen.courses[1][:-1], 0)))
    assert "than it was" not in study_words.describe_costly_moves(begun(match), [rises]), "it ends higher than it fell"
    why = f"{falls}but no other move was better. Before it, the chances had probably been estimated too high."
    assert (
        study_words.describe_costly_moves(begun(match), [fallen])
        == f"No single move stands out as a costly mistake. {why}"
    )
    costly = CostlyMove(1, 1, "1", "2", 100, 0, (2, -1))
    for seat, row in ((1, 2), (2, 3)):
        told = study_words.describe_costly_moves(
            begun(match), [fallen._replace(costly=(costly._replace(seat=seat),))]
        ).splitlines()
        assert told[row] == f"- {why}" and told[-1] == f"-# {study_words.FOOT}", "among what is said of its seat"
        assert told[0] == board_words.format_player(begun(match), seat)


def test_of_several_a_drop_may_come_with_somebody_elses_move() -> None:
    game = load_games()["binary-scramble"]
    match = Match.start(game, {"length": 6, "target": 3}, 3).play(1, "1").play(2, "0").play(3, "1")
    review = Review(0, ((33, 33, 0, 0), (33, 33, 66, 66), (33, 33, 33, 33)), None, ())
    who, other = (board_words.format_mention(begun(match), seat) for seat in (1, 2))
    assert study_words.describe_costly_moves(begun(match), [review]) == (
        f"{study_words.NONE} Move 2, played by {other}: {who}'s chances fell from 33 to 0 percent."
    )


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("flipping-bits", "round 2, move 1"), ("cross-dont-cross", "round 2, move 1"), ("binary-scramble", "list 2"),
        ("polygons-permutation-grid", "round 2, dot 3"), ("plexus", "pair 2, turn 1"), ("binary-primes", "move 3"),
        ("combining-dividing", "change 2"),
    ],
)  # fmt: skip
def test_moves_are_named_as_boards_name_them(key: str, name: str) -> None:
    """What was told as move 10 was the fifth of a board's second round."""
    matches = [fold_record(load_games()[key], row) for row in read_recorded_matches(load_games()[key])]
    step = next(step for match in matches for step in list_steps(match) if step.name == name)
    task = study_words.describe_task(begun(matches[0]), Mistake(1, step, 2), 2)
    assert task.startswith(f"{name[:1].upper()}{name[1:]}: you played **")


def test_moves_are_told_as_their_pads_say_them() -> None:
    """Of bare numbers nobody could tell a square from what is written there."""
    game = load_games()["palindromes-antipalindromes"]
    match = Match.start(game, {"length": 8}, 2).play(1, "3 1").play(2, "2 0").play(1, "1 0")
    loaded, costly = begun(match), CostlyMove(2, 2, "2 0", "6 1", 100, 0, (2, -1))
    said = study_words.describe_costly_moves(loaded, [Review(0, ((50,), (50,)), None, (costly,))])
    assert "- Move 2: **0 at 2** loses by 1. **1 at 6** would have won by 2." in said
    step = [*list_steps(match)][1]
    assert "Move 2: you played **0 at 2** here." in study_words.describe_task(loaded, Mistake(1, step, 2), 2)
    after = step.before.play(2, "5 1")
    found = study_words.word_verdict(game, step, after, RetryVerdict("5 1", False, False, -2, 10, "4 0"))
    assert (found.move, found.answer) == ("1 at 5", "0 at 4")


def test_what_is_uncertain_is_told_without_figures() -> None:
    likely = CostlyMove(7, 1, "b2-b1", "c1-c2", 62, 31)
    tries = [RetryVerdict("c1-c2", True, False, None, 62), RetryVerdict("b2-b1", False, False, None, 31)]
    tries.append(RetryVerdict("a1-a2", False, False, None, 33))
    said = [
        study_words.describe_try(PLEXUS, likely, one, left).splitlines()
        for one, left in zip(tries, (2, 1, 0), strict=True)
    ]
    foot = "-# “Looks better” is an estimate."
    assert said == [
        ["✅ **c1-c2** looks better than **b2-b1**.", foot],
        ["**b2-b1** is the move that was played.", "You have one try left.", foot],
        ["**a1-a2** doesn't look much better than **b2-b1**.", "The better move was **c1-c2**.", foot],
    ]


def test_what_is_over_without_a_rank_is_shared() -> None:
    drawn = small().position
    shares = compute_final_shares(PLEXUS, drawn)
    assert sorted(shares) in ([0.0, 1.0], [0.5, 0.5])


def test_what_cannot_be_reviewed_is_refused_with_a_reason() -> None:
    match = opened().play(1, "b2")
    with pytest.raises(NotPossibleNow, match="isn't over yet"):
        expect_reviewable(begun(match))
    with pytest.raises(NotPossibleNow, match="called off"):
        expect_reviewable(begun(match, state="aborted"))
    with pytest.raises(Refusal, match="no moves to review"):
        expect_reviewable(begun(opened().withdraw(1)))
    assert [game.key for game in SOLO] == ["sums-grid", "within-the-curve"]
    for game in SOLO:
        whole = long(game)
        with pytest.raises(Refusal, match="works alone"):
            expect_reviewable(begun(whole, state="finished"))
    expect_reviewable(begun(match.withdraw(2)))


def test_of_two_legs_each_is_reviewed_by_itself() -> None:
    game = make_two_legged(PLEXUS)
    *_, match = playout(Match.start(game, {"size": 3}, 2), Random(3))
    work = review_of(match, 12)
    asked = [next(work)]
    with pytest.raises(StopIteration) as stop:
        while True:
            asked.append(work.send(answer_question(asked[-1])))
    found = stop.value.value
    for leg, review in zip(split_legs(match), found, strict=True):
        assert [len(course) for course in review.courses] == [len([*list_steps(leg)]) + 1] * 2
        assert [course[-1] for course in review.courses] == [100 * (rank == 1) for rank in leg.ranks or ()]
    assert {one.game for one in asked} == {"plexus"} and parse_reviews(format_reviews(found)) == found
    loaded = begun(match, state="finished", legs=2)
    drawn = study_words.make_charts(match, found)
    assert [(page.name, page.leg) for page in drawn] == [("review-leg1", 1), ("review-leg2", 2)]
    view = reviews.build_review_view(loaded, found, Drawing(tuple(Caption(page.alt) for page in drawn), ()))
    components.check_message({"components": view.to_components()}, v2=True)
    said = study_words.describe_costly_moves(loaded, found)
    assert all(("· leg" in line) == line.startswith(("🟦", "🟧")) for line in said.splitlines()) and "· leg 2" in said
    expect_reviewable(loaded)


def test_a_leg_in_which_nothing_was_played_has_no_picture() -> None:
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(1, "1: b2").withdraw(1)
    work = review_of(match, 12)
    question = next(work)
    with pytest.raises(StopIteration) as stop:
        while True:
            question = work.send(answer_question(question))
    found = stop.value.value
    assert found[1] == NOTHING and [page.leg for page in study_words.make_charts(match, found)] == [1]
    assert study_words.describe_costly_moves(begun(match, legs=2), found)


FALLING = [
    ("binary-primes", {"size": 3}), ("dream-math", {"size": 4}), ("sum-of-products", {"size": 3}),
    ("binary-scramble", {"length": 6, "target": 3}), ("plexus", {"size": 3}),
]  # fmt: skip


def careless(game: Game, options: dict[str, object], seed: int, seats: int = 2) -> Match:
    """A match in which every other move is drawn by lot, and the others are the greediest."""
    rng, match = Random(seed), Match.start(game, options, seats)
    sign = -1 if game.lowest_wins else 1
    while match.turn:
        (seat, *_), position = match.turn, match.position

        def ahead(move: str, seat: int = seat, position: Position = position) -> int:
            mine = [sign * score for score in position.play(seat, move).scores()]
            own = mine.pop(seat - 1)
            return own - max(mine)

        moves = [*position.moves(seat)]
        match = match.play(seat, max(moves, key=ahead) if rng.random() < 0.5 else rng.choice(moves))
    return match


def deepest_fall(review: Review) -> int:
    """By how much a line falls at most at one move, but for moves that the text tells."""
    told = {(one.seat, one.number) for one in review.costly}
    many = {seat for seat, _ in told if sum(one == seat for one, _ in told) == TOLD}
    return max(
        (
            before - after
            for seat, course in enumerate(review.courses, 1)
            for number, (before, after) in enumerate(pairwise(course), review.first + 1)
            if (seat, number) not in told and seat not in many
        ),
        default=0,
    )


@sampled("seed", range(1, 25), few=2, rest=pytest.mark.minutes)
@pytest.mark.parametrize(("key", "options"), FALLING, ids=[key for key, _ in FALLING])
def test_no_line_falls_far_without_a_word(
    key: str, options: dict[str, object], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chart that falls from 40 % to 0 % stood over "No single move stands out as a costly mistake"."""
    monkeypatch.setattr("bot.play.reviews.PLAYOUTS", 1024)
    monkeypatch.setattr("bot.play.reviews.NODES", 10_000)
    match = careless(load_games()[key], options, seed)
    review, _ = reviewed(match)
    said = study_words.describe_costly_moves(begun(match), [review])
    if deepest_fall(review) >= 25:
        assert said != study_words.NONE and "chances fell from " in said, (said, review)
    elif not review.costly:
        assert said == study_words.NONE
