"""Counts skipped tests on the last line of a run, and fails the run if there should be none.

A skipped test looks like a passed one. So none may be skipped where everything is at hand that a test can ask for: with
the folder ``../shared`` beside the project, none at all; in an automatic build (CI=true), only those that ask for that
folder. ``make test`` loads this; a plain ``pytest`` does without.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
"""Examples that are no part of the project."""


def skipped(config: pytest.Config) -> list[str]:
    """Why each skipped test was skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports: list[pytest.CollectReport | pytest.TestReport] = reporter.stats.get("skipped", []) if reporter else []
    places = [cast(tuple[str, int, str], report.longrepr) for report in reports]  # what pytest's skips carry
    return [reason.removeprefix("Skipped: ") for _, _, reason in places]


def forbidden(reasons: list[str]) -> list[str]:
    """Those reasons that make the run a failure."""
    if SHARED.is_dir():
        return reasons
    automatic = os.environ.get("CI", "").lower() == "true"
    return [reason for reason in reasons if automatic and f"../{SHARED.name}" not in reason]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turn a run with forbidden skips into a failed one."""
    if not hasattr(session.config, "workerinput") and forbidden(skipped(session.config)):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say the number on the last line."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    reasons = skipped(config)
    verdict = ", which fails the run: " + "; ".join(sorted(set(wrong))) if (wrong := forbidden(reasons)) else ""
    print(f"{len(reasons)} skipped{verdict}")
