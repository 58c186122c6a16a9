"""A second chance for a few tests that run the whole bot in real time, which a busy machine can upset: run alone.

``make again`` runs what failed in the last run. It refuses when anything else failed, or more than a few: that is no
accident. What passes here has a race in it all the same; its name stands in the output, to be mended.
"""

from __future__ import annotations

import pytest

MOST = 3
IN_REAL_TIME = "tests/e2e/"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look at what failed before any of it is run."""
    items = session.items
    others = [item.nodeid for item in items if not item.nodeid.startswith(IN_REAL_TIME)]
    if others or not 0 < len(items) <= MOST:
        pytest.exit(f"{len(items)} tests failed, {len(others)} of them not in {IN_REAL_TIME}: no second chance.", 1)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what passed only now."""
    for report in terminalreporter.stats.get("passed", []):
        terminalreporter.write_line(f"PASSED ONLY WHEN RUN AGAIN, ALONE: {report.nodeid}")
