"""The test of every story: what everybody then sees is what its file says."""

from difflib import unified_diff

import pytest

from tests.e2e.harness import Harness
from tests.stories.teller import Teller


async def test_story(harness: Harness, request: pytest.FixtureRequest) -> None:
    story = request.path.read_text()
    now = await Teller(harness).tell(story)
    changes = unified_diff(story.splitlines(), now.splitlines(), "the story", "what happens now", lineterm="")
    meant = f"Where this is meant: python -m tests.stories.teller {request.path.parent.name}/{request.path.stem}"
    assert story == now, "\n".join([meant, *changes])
