"""What docs/hosting.md tells a host to type and to write is true of this program: the unit of systemd, and updates."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from bot.host.exit_status import UNFIT
from bot.host.serving import STOP_WITHIN

ROOT = Path(__file__).parents[2]
HOSTING = (ROOT / "docs/hosting.md").read_text()
HOME = "/opt/graphpaper"
UNIT = dedent(HOSTING[HOSTING.index("    [Unit]") : HOSTING.index("WantedBy=multi-user.target")]) + (
    "WantedBy=multi-user.target\n"
)
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "compose.yml"]


def set_to(name: str) -> str:
    """What the unit sets a name to."""
    found = re.search(rf"^{name}=(.*)$", UNIT, re.MULTILINE)
    assert found, name
    return found[1]


def test_the_service_is_started_again_unless_somebody_has_to_do_something() -> None:
    assert set_to("Restart") == "on-failure" and int(set_to("RestartPreventExitStatus")) == UNFIT
    assert set_to("StartLimitIntervalSec") == "0", "else systemd gives up after a few quick ends"
    assert int(set_to("TimeoutStopSec")) > STOP_WITHIN


def test_the_service_writes_only_where_its_database_is() -> None:
    assert set_to("ProtectSystem") == "strict"
    assert f"GRAPHPAPER_DATABASE=sqlite:////var/lib/{set_to('StateDirectory')}/graphpaper.db" in HOSTING
    assert set_to("WorkingDirectory") == HOME, "where .env is looked for"
    assert set_to("ExecStart") == f"{HOME}/.venv/bin/python -m bot"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    (tmp_path / "graphpaper.service").write_text(UNIT.replace(HOME, str(ROOT)).replace("=graphpaper\n", "=root\n", 1))
    asked = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "graphpaper.service")]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if "graphpaper.service" in line] == []
    judged = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(tmp_path / "graphpaper.service")]
    done = subprocess.run(judged, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


def health_units() -> dict[str, str]:
    """The units of the timer that asks for the bot's health, by their names."""
    part = HOSTING[
        HOSTING.index("### To be told when it is ill") : HOSTING.index("Then `systemctl enable --now graphp")
    ]
    named = re.findall(r"`/etc/systemd/system/([\w.-]+)`:\n\n((?:    .*\n|\n(?=    ))+)", part)
    return {name: dedent(text) for name, text in named}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_the_timer_that_asks_for_health(tmp_path: Path) -> None:
    units = health_units()
    assert units.keys() == {"graphpaper-health.service", "graphpaper-health.timer", "graphpaper-ill.service"}
    for name, text in units.items():
        (tmp_path / name).write_text(text.replace(HOME, str(ROOT)).replace("=graphpaper\n", "=root\n"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in units)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert [line for line in done.stderr.splitlines() if "graphpaper-" in line] == []


@pytest.mark.parametrize(("answers", "status"), [("0", 0), ("1 0", 0), ("1 1", 1)])
def test_a_bot_is_ill_for_the_timer_where_it_is_so_twice(tmp_path: Path, answers: str, status: int) -> None:
    """The line of its unit, with a program that answers by turns, and no waiting."""
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$*" >> asked\nread first rest < answers\necho "$rest" > answers\nexit $first\n')
    python.chmod(0o755)
    (tmp_path / "answers").write_text(f"{answers}\n")
    line = re.search(r"^ExecStart=/bin/sh -c '(.*)'$", health_units()["graphpaper-health.service"], re.MULTILINE)
    assert line and "sleep 60" in line[1]
    done = subprocess.run(["/bin/sh", "-c", line[1].replace("sleep 60", "sleep 0")], cwd=tmp_path)
    assert done.returncode == status
    assert (tmp_path / "asked").read_text().splitlines() == ["-m bot health"] * len(answers.split())


def test_no_page_starts_a_container_without_building_it() -> None:
    """Docker would go on with the image that was built first, and an update would change nothing."""
    for page in PAGES:
        for command in re.findall(r"docker compose [^`\n]*\bup\b[^`\n]*", page.read_text()):
            assert "--build" in command or command.rstrip().endswith(" postgres"), (page.name, command)


@pytest.mark.parametrize("way", ["in Docker", "by `make run`", "as a service of systemd"])
def test_each_way_to_run_the_bot_is_updated_by_one_line(way: str) -> None:
    (line,) = re.findall(rf"^\| {re.escape(way)} \| (.+) \|$", HOSTING, re.MULTILINE)
    assert "git pull" in line
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make (\w+)", line):
        assert re.search(rf"^{target}: ", makefile, re.MULTILINE), target


def test_an_image_knows_its_day() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    written = re.search(r"date --utc \+%F > (\w+)", dockerfile)
    assert written and written[1] == "BUILT"
    assert dockerfile.index("COPY cogs") < written.start() < dockerfile.index("\nUSER "), "after the code, by root"
