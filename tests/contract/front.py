"""Promises of a game's front page: its rules text, its options, its commands and its recorded matches."""

from __future__ import annotations

import doctest
import importlib
import re
import sys
from collections.abc import Iterator
from typing import Any

from bot.features.challenges import words as challenges_words
from bot.games.game import Game
from bot.games.options import BadOptions, Bounds, Options
from bot.play.lessons import load_example, load_rules_example
from bot.play.match import BrokenRecord, Match, enter_line, open_record
from tests.contract.playing import greedy, playouts, records
from tests.contract.sentences import is_sentence, refusal

COMMAND = re.compile(r"[a-z][a-z0-9_-]{0,31}")
"""What Discord takes for the name of a command or an option."""
SIZES = ("size", "r")
"""Options that say how large a board is."""
FIELD = re.compile(r"\{(\w+)\}")
"""A part in the pattern of a kind of move."""
HELP = 100
"""The most characters of its description."""
QUET, YEARS = "Leroy Quet", range(2008, 2012)
MINUTES = range(5, 61)
NOT_NUMBERS = (True, "7", 7.0, None, (7,), 10**30, -1)
NOT_WORDS = (True, 7, None, (), "", "nonsense")
SCREEN, PICTURE = 732, 295
"""The height that a phone has for messages, and the width of a picture on it, in pixels."""
LETTERS, LINE, AROUND = 38, 22.4, 105
"""On such a phone: letters in a line of text, a line's height, and what stands around text and picture: the edges, the
buttons. tests/browser/test_heights.py measures it."""
LEAVING = ("resign", "timeout", "takeback", "draw")
ENDINGS = ("by the rules", "resign", "timeout")
PLAYED_ON = "a withdrawal, and others played on"


def check_front_page(game: Game) -> None:
    """The key, the names and the descriptions are what Discord and the rest of the program take."""
    assert COMMAND.fullmatch(game.key), f"{game.key} is no name for a command"
    assert game.title and game.goal.endswith("."), f"{game.key} needs a title and a goal, a sentence"
    assert len(game.goal) <= HELP, f"the goal has {len(game.goal)} characters; it describes a command, and {HELP} fit"
    assert game.year in YEARS or game.inventor != QUET, (
        f"{game.year}: {QUET} published his games from {YEARS[0]} to {YEARS[-1]}; `inventor` says whose another is"
    )
    assert game.seats.step == 1 and 1 <= game.seats[0] <= game.seats[-1] <= 8, f"{game.seats} are no seats"
    assert len(game.sides) in (0, game.seats[-1]), f"{game.sides} are not the sides of {game.seats[-1]} seats"
    named = [(kind.name, kind.help) for kind in game.moves]
    named += [(part.name, part.help) for kind in game.moves for part in kind.parts]
    named += [(name, bounds.help) for name, bounds in game.Options.bounds().items()]
    for name, help in named:
        assert COMMAND.fullmatch(name), f"{name} is no name for a command or an option"
        assert 0 < len(help) <= HELP, f"the help of {name} has {len(help)} characters"
    assert len({kind.name for kind in game.moves}) == len(game.moves) > 0, "two kinds of move have the same name"
    for kind in game.moves:
        fields, parts = FIELD.findall(kind.pattern), [part.name for part in kind.parts]
        assert fields == parts, f"the pattern of {kind.name} has the parts {fields}, and its table {parts}"


def check_what_a_match_takes(game: Game) -> None:
    """What the list of games says of a usual match is about so."""
    shown = load_example(game)
    assert shown, "there is no recorded match for the list of games to show"
    made = len(shown.record)
    assert game.plies / 2 <= made <= game.plies * 2, (
        f"plies is {game.plies}, and the match that the list shows has {made}"
    )
    assert game.minutes in MINUTES, f"minutes is {game.minutes}, not from {MINUTES[0]} to {MINUTES[-1]}"


def check_rules_text(game: Game) -> None:
    """The rules name the goal, the inventor and the year, and end in an example that is a doctest and holds."""
    rules = game.rules or ""
    first = rules.partition("\n")[0]
    end = f" ({game.inventor}, {game.year})"
    assert first.endswith(end), f"the first line of the rules is {first!r}, not the inventor's title and {end[1:]}"
    titles = re.findall(r"^\*\*(.+?)\*\*", rules, re.MULTILINE)
    assert titles[:1] == ["Example"] and "Goal" in titles, f"the rules need an example and then a goal, not {titles}"
    for name, bounds in game.Options.bounds().items():
        assert _says(rules, bounds), f"the rules do not say, in these words, that {name} is {bounds}"
    home = sys.modules[type(playouts(game)[0][0].position).__module__]
    tests = [test for test in doctest.DocTestFinder().find(home) if test.examples]
    text = next((test for test in tests if test.docstring == rules), None)
    assert text, f"the rules are not the docstring of {home.__name__}, or have no doctest"
    last = text.examples[-1]
    tail = rules.split("\n")[last.lineno + len(last.source.splitlines()) + len(last.want.splitlines()) :]
    assert not "".join(tail).strip(), f"the rules go on after their doctest: {tail}"
    for test in tests:
        said: list[str] = []
        failed = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test, out=said.append).failed
        assert not failed, "".join(said)


def check_the_rules_page_is_short(game: Game) -> None:
    """The rules page is at most a phone's screen and a half high, and calls nobody by the number of a seat."""
    shown = load_rules_example(game)
    assert shown, "the rules page has no picture"
    wide, high = game.pictures(shown)[0].pixel_size
    page, whole = (
        challenges_words.format_rules(game),
        f"{challenges_words.format_rules(game)}\n{challenges_words.format_further_rules(game)}",
    )
    lines = sum(-(-len(line) // LETTERS) or 1 for line in page.split("\n"))
    tall = PICTURE * high / wide + lines * LINE + AROUND
    assert tall <= 1.5 * SCREEN, f"the rules page is about {tall:.0f} pixels high"
    assert not re.search(r"\bseats? [0-9]", whole), "the rules call people by the numbers of seats"
    assert not re.search(r"\bplayers? [0-9]", page), (
        "the rules page calls people by numbers, and its picture by colours"
    )


def _says(rules: str, bounds: Bounds) -> bool:
    # Whether the rules give the bounds of an option: 3 to 9, or 2, 4 or 6, or each of some words.
    plain = rules.replace("\n", " ")
    if bounds.words:
        return all(word in plain for word in bounds.words if word not in ("yes", "no"))
    *most, last = map(str, bounds.values)
    return f"{bounds.low} to {bounds.high}" in plain or f"{', '.join(most)} or {last}" in plain


# Options


def check_options(game: Game) -> None:
    """Every bound is accepted, one beyond it and every other type are refused with the bounds."""
    for name, bounds in game.Options.bounds().items():
        assert bounds.words or f"{bounds.low} to {bounds.high}" in bounds.help, (
            f"the help of {name}, {bounds.help!r}, tells no bounds"
        )
        for value in (bounds.values[0], bounds.values[-1]):
            assert any(_accepted(game, name, value)), f"{name} = {value} is accepted with no seats"
        for value in _beyond(bounds):
            for seats in game.seats:
                sentence = _refused(game, {name: value}, seats)
                assert sentence, f"{name} = {value!r} is accepted for {seats} seats"
                assert all(str(bound) in sentence for bound in _told(bounds)), f"{sentence} tells no bounds"
                assert bounds.why in sentence, f"{sentence} does not say why: {bounds.why}"


def _accepted(game: Game, name: str, value: int | str) -> Iterator[bool]:
    # Whether a value is accepted, for each number of seats and, since options hang together, with each word of others.
    words = [{}, *({other: word} for other, bounds in game.Options.bounds().items() for word in bounds.words)]
    for seats in game.seats:
        for others in words:
            yield _refused(game, {**others, name: value}, seats) is None


def _beyond(bounds: Bounds) -> list[object]:
    if bounds.words:
        return [*NOT_WORDS, bounds.words[0].upper()]
    gap = [bounds.low + 1] if bounds.step > 1 else []
    return [bounds.low - 1, bounds.high + bounds.step, *gap, *NOT_NUMBERS]


def _told(bounds: Bounds) -> tuple[object, ...]:
    return bounds.words or (bounds.low, bounds.high)


def _refused(game: Game, given: dict[str, Any], seats: object) -> str | None:
    return refusal(lambda: game.configure(given, seats), tuple(given))


def check_examples_are_on_every_board(game: Game) -> None:
    """A square or a number that the help of a part of a move gives as an example is on the smallest board too."""
    least = {name: bounds.low for name, bounds in game.Options.bounds().items() if not bounds.words and name in SIZES}
    seats = 2 if 2 in game.seats else game.seats[0]
    smallest = game.start(game.configure(least, seats), seats)
    for part in (part for kind in game.moves for part in kind.parts):
        columns, rows, *_ = (*part.bounds(smallest), 0, 0)
        for letter, row in re.findall(r"\b([a-z])([0-9]+)\b", part.help):
            assert ord(letter) - 96 <= columns and int(row) <= rows, f"{letter}{row} is not on the smallest board"


def check_default_options(game: Game) -> None:
    """Without options every number of seats can play; settled options are settled, and are what a record holds."""
    for seats in game.seats:
        settled = game.configure({}, seats)
        record = settled.to_record()
        assert game.configure(record, seats) == settled, f"{record} is settled differently the second time"
        assert all(type(value) in (int, str) for value in record.values()), f"{record} is not settled"
        assert hash(settled) == hash(game.configure({}, seats)), "options are not values"
        assert greedy(game, record, seats) == record, f"{record} does not go together"


def check_seats(game: Game) -> None:
    """Another number of seats, and what is no number, is refused with the bounds; so is an option that is not there."""
    for seats in (0, -1, game.seats[0] - 1, game.seats[-1] + 1, 10**30, True, 2.0, "2", None):
        sentence = _refused(game, {}, seats)
        assert sentence, f"{seats!r} seats are accepted"
        assert str(game.seats[0]) in sentence and str(game.seats[-1]) in sentence, f"{sentence} tells no bounds"
    sentence = _refused(game, {"colour": 1}, game.seats[0])
    assert sentence and "colour" in sentence, f"an unknown option is answered by {sentence!r}"


# Recorded matches


def check_records(game: Game) -> None:
    """The matches of played.jsonl replay to their scores and ranks, and one at least is explained by hand."""
    check_rows(game, records(game))


def check_rows(game: Game, rows: list[dict[str, Any]]) -> None:
    """Recorded matches replay to their scores and ranks."""
    assert rows, f"{game.key} has no recorded matches"
    assert any(len(row.get("note", "")) > 40 for row in rows), "no record has its arithmetic worked out in its note"
    for row in rows:
        match = replayed(game, row)
        note = row.get("note", "")
        assert match.to_json()["moves"] == row["moves"], f"{note}: the record is not in canonical notation"
        assert list(match.scores) == row["scores"], f"{note}: the scores are {match.scores}, not {row['scores']}"
        ranks = match.ranks
        assert (list(ranks) if ranks else None) == row["ranks"], f"{note}: the ranks are {ranks}, not {row['ranks']}"


def replayed(game: Game, row: dict[str, Any]) -> Match:
    """The match at the end of a record."""
    try:
        match = open_record({game.key: game}, row)
        for at, line in enumerate(row["moves"]):
            match = enter_line(match, line, at)
    except (BrokenRecord, BadOptions) as fault:
        raise AssertionError(f"{row.get('note', '')}: {fault} {getattr(fault, 'at', None)}") from fault
    return match


def check_the_rules_example(game: Game) -> None:
    """The rules page shows the board that the example in code comes to; a recorded match leads to it, if one can."""
    rows = [row for row in records(game) if row.get("example")]
    assert len(rows) == (not game.example), f"{len(rows)} recorded matches are marked as the example of the rules page"
    module = importlib.import_module(type(game.start(game.configure({}, game.seats[0]), game.seats[0])).__module__)
    test = doctest.DocTestParser().get_doctest(module.__doc__ or "", {**vars(module)}, game.key, None, 0)
    doctest.DocTestRunner().run(test, clear_globs=False)
    assert load_rules_example(game) == test.globs["board"], "the rules page shows another board"


def check_records_cover_every_ending(game: Game) -> None:
    """Among the recorded matches are finished ones for each way in which the game can end."""
    endings = {ending for row in records(game) for ending in _endings(replayed(game, row))}
    several: tuple[str, ...] = (PLAYED_ON,) if game.seats[-1] > 2 else ()
    wanted = {*ENDINGS, *several}
    assert wanted <= endings, f"no recorded match ended by {', '.join(sorted(wanted - endings))}"


def check_a_usual_match_is_recorded(game: Game) -> None:
    """Among the recorded matches is one with the usual options: pads are counted and tried on it."""
    check_usual_rows(game, records(game))


def check_usual_rows(game: Game, rows: list[dict[str, Any]]) -> None:
    """There is a row with the usual options; of a game of two without secrets, for two, in which a move is answered."""
    usual = [row for row in rows if _configured(game, row) == game.configure({}, row["seats"])]
    movers = [(row["seats"], {seat for seat, text in row["moves"] if text not in LEAVING}) for row in usual]
    answered = 2 in game.seats and not game.secret
    assert any(len(who) == seats == 2 if answered else who for seats, who in movers), (
        f"cogs/{game.key.replace('-', '_')}/played.jsonl has no match with the usual options"
        f"{' for 2 players, with a move and its answer' * answered}: leave `options` out, or write their usual values"
    )


def _configured(game: Game, row: dict[str, Any]) -> Options:
    return game.configure(game.Options.complete_record(row.get("options", {})), row["seats"])


def _endings(match: Match) -> Iterator[str]:
    texts = [entry.text for entry in match.record]
    leaving = [at for at, text in enumerate(texts) if text in ("resign", "timeout")]
    if not match.is_over:
        return
    if not leaving:
        yield "by the rules"
    yield from (texts[at] for at in leaving)
    if leaving and len(set(texts[leaving[0] :]) - {"resign", "timeout"}) > 0:
        yield PLAYED_ON


def check_sentences_of_advice(game: Game) -> None:
    """What is advised on a challenge is a sentence."""
    for match in (played[0] for played in playouts(game)):
        advice = game.challenge_note(match.options, match.seats)
        assert advice is None or is_sentence(advice), f"{advice!r} is no sentence"
        edge = game.seat_advantage(match.options, match.seats)
        assert edge is None or is_sentence(edge), f"{edge!r} is no sentence"
