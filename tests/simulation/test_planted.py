"""Seeds find the races that are planted in the bot. Which seed does so changes with the bot, so several are tried.

`make rehearse` runs this; `python -m tests.simulation --planted` tries all races in full stories.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulation.__main__ import found_after
from tests.simulation.planted import PLANTED

pytestmark = [
    # Stories end with what was killed in them: nobody closes that.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.timeout(600),
]
SEEDS = range(1, 31)


@pytest.mark.parametrize("race", ["no conditional update", "no act id", "no drop", "no letting go", "no league apart"])
def test_a_planted_race_is_found(race: str, empty: Path) -> None:
    _, report = found_after(PLANTED[race], SEEDS, empty, brief=True)
    assert report is not None
