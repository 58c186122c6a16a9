"""No sentence is put together from pieces: each place that looks so is counted here with the reason why it is none.

A new place fails the test, and so does an allowance that nothing needs any more. What to do with a new place is said in
`bot/core/values/plural.py`: a whole sentence with named parts, a `Plural`, or a table of whole sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from tests.support.glued import glued, in_code

ALLOWED: Mapping[str, Mapping[str, int]] = {
    "a label before its value, formula or list of figures: both are whole": {
        "bot/client/study/try_out_pads.py": 1,
        "bot/client/text/rules_text.py": 1,
        "bot/client/views/drafts.py": 1,
        "bot/client/views/modals.py": 1,
        "bot/client/views/pad_picture.py": 1,
        "bot/core/entry/partial_move.py": 2,
        "bot/core/game/grids/lined.py": 1,
        "bot/host/commands/status.py": 1,
        "cogs/another_binary_primes/rules.py": 2,
        "cogs/binary_scramble/rules.py": 1,
        "cogs/combining_dividing/history.py": 1,
        "cogs/cross_dont_cross/scene.py": 1,
        "cogs/divisor_over_sums/picture.py": 1,
        "cogs/divisor_over_sums/rules.py": 2,
        "cogs/divisors_multiples_sequence/picture.py": 1,
        "cogs/dream_math/rules.py": 1,
        "cogs/palindromes_antipalindromes/picture.py": 1,
        "cogs/palindromes_antipalindromes/rules.py": 3,
        "cogs/plexus/picture.py": 1,
        "cogs/polygons_permutation_grid/picture.py": 1,
        "cogs/sum_of_products/rules.py": 1,
        "cogs/sums_grid/rules.py": 1,
    },
    "figures, formulas or names one after the other, in a row of a table or in a line of the working": {
        "bot/client/text/turn_text.py": 1,
        "bot/core/values/plural.py": 1,
        "bot/host/commands/status.py": 5,
        "bot/host/doctor/database.py": 1,
        "bot/host/doctor/examination.py": 1,
        "bot/host/doctor/verdict.py": 4,
        "bot/service/time/dates.py": 1,
        "bot/settings.py": 1,
        "cogs/binary_primes/picture.py": 1,
        "cogs/combining_dividing/action.py": 1,
        "cogs/cross_dont_cross/rules.py": 1,
        "cogs/divisor_over_sums/rules.py": 2,
        "cogs/dream_math/rules.py": 1,
        "cogs/multiples_divisors_blob/rules.py": 1,
        "cogs/palindromes_antipalindromes/rules.py": 1,
        "cogs/palindromic_rows_columns/rules.py": 1,
        "cogs/sum_kind_of_game/rules.py": 1,
        "data/upkeep/health.py": 1,
        "data/upkeep/integrity.py": 1,
        "rendering/pages.py": 2,
    },
    "read by programs: records, the notation of moves, addresses, files, SQL, the log, names of notes": {
        "bot/client/app/before_callback.py": 1,
        "bot/client/views/pad_view.py": 1,
        "bot/core/game/legs.py": 1,
        "bot/core/game/moves.py": 1,
        "bot/core/game/two_legs.py": 1,
        "bot/core/match/handover.py": 1,
        "bot/core/match/loaded_match.py": 1,
        "bot/core/match/proposal.py": 1,
        "bot/host/logs.py": 1,
        "bot/service/cluster/processes.py": 2,
        "bot/service/time/dates.py": 1,
        "bot/service/time/downtime.py": 1,
        "cogs/sums_grid/action.py": 3,
        "cogs/within_the_curve/action.py": 2,
        "data/engine/advisory_locks.py": 1,
        "data/upkeep/backup.py": 1,
        "data/upkeep/heartbeat.py": 1,
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
