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
