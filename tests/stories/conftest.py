"""The harness of tests/e2e, for stories that are told from text."""

from tests.e2e.conftest import empty_database, harness, reconcile, server, strict

__all__ = ["described", "empty_database", "harness", "reconcile", "server", "strict"]

import pytest


@pytest.fixture
def described() -> bool:
    """Requests are not compared with Discord's description: tests/e2e does so for each kind."""
    return False
