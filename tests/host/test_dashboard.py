"""The dashboard and the table of metrics have every metric, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prometheus_client import ProcessCollector

from bot.platform.metrics import Metrics
from tests.support.metrics_page import FILE, table

DASHBOARD = json.loads((Path(__file__).parents[2] / "docs" / "grafana.json").read_text())
PARTS = ("_bucket", "_count", "_sum", "_total")
UNSHOWN: set[str] = set()
"""Metrics of ours that the dashboard need not show."""


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def expressions() -> Iterator[str]:
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"]
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["definition"]


def known() -> dict[str, set[str]]:
    """The metrics by the names that Prometheus knows them by, without what is put behind, with their labels."""
    return {name: {*labels} for name, _, labels, _ in Metrics().describe_all()}


def metric(word: str) -> str:
    """A metric's name, of the name of a series of it."""
    part = next((part for part in PARTS if word.endswith(part)), "")
    return word.removesuffix(part)


def test_the_dashboard_names_no_metric_that_there_is_not() -> None:
    of_process = {family.name for family in ProcessCollector(registry=None).collect()}
    for expression in expressions():
        for word in re.findall(r"\b(?:graphpaper|process|python)_\w+", expression):
            assert metric(word) in known() or metric(word) in of_process, f"{word} in {expression}"


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    shown = {metric(word) for expression in expressions() for word in re.findall(r"\bgraphpaper_\w+", expression)}
    assert known().keys() - shown == UNSHOWN


def test_series_are_told_apart_by_labels_that_there_are() -> None:
    own = {"instance", "job"}
    for panel in panels():
        for target in panel["targets"]:
            names = {metric(word) for word in re.findall(r"\bgraphpaper_\w+", target["expr"])}
            labels = own.union(*(known()[name] for name in names))
            assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= labels, panel["title"]
            grouped = re.findall(r"by \(([\w, ]+)\)", target["expr"])
            assert {name.strip() for group in grouped for name in group.split(",")} <= labels | {"le"}, panel["title"]


def test_the_dashboard_can_be_laid_out() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        x, y, w, h = (panel["gridPos"][name] for name in "xywh")
        squares = {(column, line) for column in range(x, x + w) for line in range(y, y + h)}
        assert x + w <= 24 and not squares & taken, panel["title"]
        taken |= squares
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))


def test_every_question_can_be_put_by_hand() -> None:
    for expression in expressions():
        assert "$" not in re.sub(r"\$(instance|share|__rate_interval)\b", "", expression)
        assert expression.count("(") == expression.count(")") and expression.count("{") == expression.count("}")


def test_the_table_of_metrics_is_made_from_the_registry() -> None:
    assert FILE.read_text() == table(), "write it anew: python -m tests.support.metrics_page"
