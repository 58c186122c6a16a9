"""The harness of tests/e2e, for stories that are told from text, each a file of tests, so that workers share them."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.e2e.conftest import empty_database, harness, reconcile, server, strict

__all__ = ["described", "empty_database", "harness", "reconcile", "server", "strict"]


@pytest.fixture
def described() -> bool:
    """Requests are not compared with Discord's description: tests/e2e does so for each kind."""
    return False


class Story(pytest.Module):
    """The file of a story, with the one test that all have."""

    def _getobj(self) -> ModuleType:
        return import_module("tests.stories.told")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Story | None:
    """Takes a story in whatever folder it stands."""
    story: Any = Story  # its maker has no types
    return story.from_parent(parent, path=file_path) if file_path.suffix == ".md" else None
