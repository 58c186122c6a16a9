"""Scripts are read as they are written, or refused."""

import pytest

from tests.e2e.harness import Harness
from tests.stories.teller import Teller


async def test_a_script_that_cannot_be_told_is_refused(harness: Harness) -> None:
    teller = Teller(harness)
    told = await teller.tell("(Ann and Bea play Binary Primes)\nAnn types b2\n    what was here before")
    assert "Ann played **b2**: the products are equal." in told and "before" not in told
    for line, refusal in (
        ("Ann dreams of b2", "No step of a story reads: Ann dreams of b2"),
        ("Ann presses Castle", "Ann sees no Castle"),
        ("Ann still sees Castle and presses it", "Ann has never seen Castle, or still sees it"),
        ("(Ann types b2)", "Ann types b2: .*Bea.*s turn"),
    ):
        with pytest.raises(AssertionError, match=refusal):
            await teller.tell(line)
