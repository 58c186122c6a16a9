"""No sentence is put together from pieces: each place that looks so is counted here with the reason why it is none.

A new place fails the test, and so does an allowance that nothing needs any more. What to do with a new place is said in
`bot/games/wording.py`: a whole sentence with named parts, a `Plural`, or a table of whole sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from tests.support.glued import glued, in_code

ALLOWED: Mapping[str, Mapping[str, int]] = {
    "a label before its value, formula or list of figures: both are whole": {
        "bot/features/study/try_outs.py": 1,
        "bot/features/settings/handlers.py": 1,
        "bot/features/pads/drafts.py": 2,
        "bot/features/board/match_pictures.py": 1,
        "bot/play/partial_moves.py": 2,
        "bot/games/grids.py": 1,
        "bot/host/status.py": 1,
        "cogs/another_binary_primes/rules.py": 2,
        "cogs/binary_scramble/rules.py": 1,
        "cogs/combining_dividing/picture.py": 1,
        "cogs/divisor_over_sums/picture.py": 1,
        "cogs/divisor_over_sums/rules.py": 2,
        "cogs/dream_math/rules.py": 1,
        "cogs/palindromes_antipalindromes/picture.py": 1,
        "cogs/multiples_divisors_blob/rules.py": 1,
        "cogs/palindromes_antipalindromes/rules.py": 2,
        "cogs/palindromic_rows_columns/rules.py": 1,
        "cogs/plexus/picture.py": 1,
        "cogs/sum_of_products/rules.py": 1,
        "cogs/sums_grid/rules.py": 1,
    },
    "figures, formulas or names one after the other, in a row of a table or in a line of the working": {
        "bot/features/board/turn_words.py": 1,
        "bot/games/reasons.py": 1,
        "bot/games/wording.py": 1,
        "bot/host/status.py": 5,
        "bot/host/doctor_visit.py": 5,
        "bot/host/doctor.py": 1,
        "bot/play/calendars.py": 1,
        "bot/settings.py": 1,
        "cogs/binary_primes/picture.py": 1,
        "cogs/combining_dividing/rules.py": 1,
        "cogs/cross_dont_cross/rules.py": 1,
        "cogs/divisor_over_sums/rules.py": 1,
        "cogs/dream_math/rules.py": 1,
        "cogs/multiples_divisors_blob/rules.py": 1,
        "cogs/palindromes_antipalindromes/rules.py": 1,
        "cogs/palindromic_rows_columns/rules.py": 1,
        "cogs/sum_kind_of_game/rules.py": 1,
        "cogs/sum_of_products/rules.py": 1,
        "data/upkeep/health.py": 1,
        "data/upkeep/integrity.py": 1,
        "rendering/pages.py": 2,
    },
    "read by programs: records, the notation of moves, addresses, files, SQL, the log, names of notes": {
        "bot/app/flow.py": 1,
        "bot/features/pads/keypad.py": 1,
        "bot/games/legs.py": 2,
        "bot/games/moves.py": 1,
        "bot/play/record.py": 1,
        "bot/play/loaded_match.py": 2,
        "bot/host/logs.py": 1,
        "bot/platform/processes.py": 2,
        "bot/play/calendars.py": 1,
        "bot/umpire/clocks.py": 1,
        "cogs/sums_grid/rules.py": 3,
        "cogs/within_the_curve/sheet.py": 2,
        "data/engine/sql.py": 1,
        "data/engine/postgres.py": 3,
        "data/upkeep/backups.py": 1,
        "data/upkeep/health.py": 1,
    },
    "a sentence that is broken into the lines of a picture": {
        "cogs/sums_grid/picture.py": 1,
        "cogs/within_the_curve/picture.py": 1,
    },
}


def test_no_sentence_is_put_together_from_pieces() -> None:
    places = list(glued())
    allowed = sum((Counter(files) for files in ALLOWED.values()), Counter[str]())
    found = Counter(place.file for place in places)
    odd = {file for file in found | allowed if found[file] != allowed[file]}
    told = "\n".join(str(place) for place in places if place.file in odd)
    assert not odd, f"Write whole sentences with named parts, or allow these with a reason:\n{sorted(odd)}\n{told}"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("say(f\"It is {word if over else 'not over'}.\")", "choice"),
        ('text = f", {number} days left"', "piece"),
        ('text = "You could write "', "piece"),
        ('text = first + f" and {other} too"', "sum"),
        ('text += " Try again."', "sum"),
        ('text = " or ".join(moves)', "list"),
        ('text = "; ".join(moves)', "list"),
        ("text = f\"{said.removesuffix('.')}: {changes}.\"", "frame"),
        ('text = f"{board}, {progress}"', "frame"),
    ],
)
def test_glue_is_found(code: str, kind: str) -> None:
    assert kind in [place.kind for place in in_code(code, "bot/one.py")]


@pytest.mark.parametrize(
    "code",
    [
        'text = "{who} has {number} tries left.".format(who=who, number=number)',
        'text = f"It is {day}, and {who} is to move."',
        'text = " · ".join([game, number])',
        'text = "\\n".join(lines)',
        'text = together(moves, " or ")',
        'text = sentences(first, "Try again.")',
        'text = f"{one} · {other}"',
        'log.info("What, " + "ever")',
    ],
)
def test_whole_sentences_are_no_glue(code: str) -> None:
    assert list(in_code(code, "bot/one.py")) == []
