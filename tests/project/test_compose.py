"""The files for containers: what they name there is, and what is safe stays safe. Nothing here needs Docker."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import parser
from bot.settings import READERS, SECRETS, Settings

ROOT = Path(__file__).parents[2]
COMPOSE, DOCKERFILE = (ROOT / "compose.yml").read_text(), (ROOT / "Dockerfile").read_text()
DIGEST = r"@sha256:[0-9a-f]{64}\b"


def block(name: str) -> str:
    """The lines of compose.yml under a name, whatever its depth; comments are none."""
    lines = [line for line in COMPOSE.splitlines() if line.strip() and not line.strip().startswith("#")]
    start = next(number for number, line in enumerate(lines) if re.fullmatch(rf"\s*{re.escape(name)}:(?: &\w+)?", line))
    depth = len(lines[start]) - len(lines[start].lstrip())
    rest = lines[start + 1 :]
    end = next((n for n, line in enumerate(rest) if len(line) - len(line.lstrip()) <= depth), len(rest))
    return "\n".join(rest[:end])


def settings_named(text: str) -> set[str]:
    """The settings of ours that a text names, as the program calls them."""
    return {name.lower() for name in re.findall(r"\bGRAPHPAPER_([A-Z_]+)\b", text)}


@pytest.mark.parametrize("text", [COMPOSE, DOCKERFILE], ids=["compose", "image"])
def test_every_setting_that_is_named_there_is(text: str) -> None:
    assert settings_named(text) and settings_named(text) <= READERS.keys()


def test_every_base_is_named_by_its_digest() -> None:
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) + re.findall(r"^ +image: (\S+)", COMPOSE, re.MULTILINE)
    assert len(bases) == 3 and all(re.search(DIGEST, base) for base in bases)
    assert len({base for base in bases if base.startswith("python")}) == 1, "both stages have the same base"


def test_the_image_asks_for_its_health_by_a_command_that_there_is() -> None:
    asked = re.search(r'^HEALTHCHECK .*CMD \["python", "-m", "bot", "(\w+)"\]', DOCKERFILE, re.MULTILINE)
    assert asked and parser().parse_args([asked[1]]).command == asked[1]
    assert "--timeout=30s" in asked[0], "a busy machine is not ill"


def test_the_bot_is_started_again_and_kept_in_bounds() -> None:
    bot = block("x-bot")
    for line in ("restart: unless-stopped", "mem_limit: ", "memswap_limit: ", "pids_limit: ", "read_only: true"):
        assert line in bot
    assert "cap_drop: [ALL]" in bot and "no-new-privileges:true" in bot
    assert Settings().watchdog > 0, "what hangs ends itself: Docker starts again only what has ended"
    assert "mem_limit: " in block("postgres")


def test_secrets_lie_where_the_program_looks() -> None:
    assert f"./secrets:{SECRETS}:ro" in block("x-bot")
    fields = {f"graphpaper_{name}" for name in READERS}
    assert set(re.findall(r"\bgraphpaper_\w+", COMPOSE)) <= fields
    assert "POSTGRES_PASSWORD_FILE: /run/secrets/graphpaper_database_password" in block("postgres")
    assert not re.search(r"PASSWORD(?!_FILE)\w*:", block("postgres")), "no password stands in the file"
    assert "/secrets/" in (ROOT / ".gitignore").read_text().splitlines()


def test_the_bot_waits_for_its_server_where_there_is_one() -> None:
    assert "postgres: {condition: service_healthy, required: false}" in block("x-bot")
    server = block("postgres")
    assert "profiles: [postgres]" in server and "pg_isready" in block("healthcheck")
    # Since version 18 the image keeps its data one folder further up.
    assert 'volumes: ["postgres:/var/lib/postgresql"]' in server and "image: postgres:18" in server
    address = re.search(r"GRAPHPAPER_DATABASE=(postgresql://\S+) in", COMPOSE)
    assert address and address[1] == "postgresql://graphpaper@postgres/graphpaper"
    assert "POSTGRES_USER: graphpaper" in server and "POSTGRES_DB: graphpaper" in server


def test_what_is_measured_is_for_this_machine_alone() -> None:
    published = re.findall(r'ports: \["([^"]+)"\]', COMPOSE)
    assert len(published) == 2 and all(re.fullmatch(r"127\.0\.0\.1:\d+:9464", port) for port in published)
    assert "EXPOSE 9464" in DOCKERFILE


def filled_in(text: str, given: dict[str, str]) -> str:
    """A text as Compose fills it in from `.env`: `${NAME-else}` is what is given, an empty text too."""
    return re.sub(r"\$\{(\w+)-([^}]*)\}", lambda found: given.get(found[1], found[2]), text)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({}, "0.0.0.0:9464"),
        ({"GRAPHPAPER_METRICS": "9464"}, "0.0.0.0:9464"),
        ({"GRAPHPAPER_METRICS": "off"}, None),
        ({"GRAPHPAPER_METRICS": ""}, None),
    ],
)
def test_what_is_measured_is_told_unless_env_says_off(
    given: dict[str, str], place: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.settings.PROGRAMS_ENV_FILE", tmp_path / ".env")
    monkeypatch.setattr("bot.settings.SECRETS", tmp_path / "secrets")
    said = re.search(r"^ +GRAPHPAPER_METRICS: (.+)$", filled_in(block("x-bot"), given), re.MULTILINE)
    monkeypatch.setenv("GRAPHPAPER_CONTAINER", "1")
    monkeypatch.setenv("GRAPHPAPER_METRICS", said[1].strip() if said else "")
    metrics = Settings.read().metrics
    assert (str(metrics) if metrics else None) == place


def test_no_setting_is_written_down_so_that_env_cannot_say_otherwise() -> None:
    """But for the shards of the second process."""
    fixed = re.findall(r"^ +(GRAPHPAPER_\w+): (?!\$\{)", COMPOSE, re.MULTILINE)
    assert fixed == ["GRAPHPAPER_SHARDS"]


@pytest.mark.parametrize(("version", "status"), [((3, 46, 1), 1), ((3, 51, 3), 0)])
def test_no_image_is_built_with_a_library_that_bears_no_two_who_write(version: tuple[int, ...], status: int) -> None:
    """The line that asserts it is run as it stands there."""
    lines = DOCKERFILE.splitlines()
    (line,) = (line for line in lines if "allows_two_writers()" in line)
    assert lines.index("COPY data data") < lines.index(line) < lines.index("USER graphpaper")
    assert any("libsqlite3-0/forky" in before for before in lines[: lines.index(line)])
    stated = shlex.split(line.removeprefix("RUN "))
    as_if = f"import sqlite3; sqlite3.sqlite_version_info = {version}; "
    done = subprocess.run([sys.executable, "-c", as_if + stated[2]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    assert (stated[:2], "SQLite is older than 3.51.3" in done.stderr) == (["python", "-c"], bool(status))


def test_each_process_has_shards_of_its_own() -> None:
    assert "GRAPHPAPER_SHARDS=0/2 in .env" in COMPOSE and "GRAPHPAPER_SHARDS: 1/2" in block("bot-1")
    assert "profiles: [shards]" in block("bot-1")


def test_commands_for_containers_are_the_bots_and_keep_their_files_in_the_volume() -> None:
    pages = "\n".join((ROOT / page).read_text() for page in ("docs/hosting.md", "docs/scale.md")).replace("\\\n", "")
    stopped = re.findall(r"docker compose run --rm(?: +-e \S+=\"[^\"]*\")? +bot (.+)", pages)
    running = re.findall(r"docker compose exec bot python -m bot (.+)", pages)
    assert {"restore", "move-to"} <= {line.split()[0] for line in stopped}
    assert {"backup", "status"} <= {line.split()[0] for line in running}
    for line in stopped + running:
        given = parser().parse_args(line.split())
        assert getattr(given, "file", "/data/").startswith("/data/")
    assert 'ENTRYPOINT ["python", "-m", "bot"]' in DOCKERFILE and "VOLUME /data" in DOCKERFILE
    assert "- graphpaper:/data" in block("x-bot")
