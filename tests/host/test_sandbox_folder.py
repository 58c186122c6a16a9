"""Two sandboxes on one folder: the second says who has it and writes nothing; and a folder that can't be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.host import supervisor
from bot.host.machine import process_name
from bot.platform.processes import describe_holder
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from data.engine.errors import Unusable
from tests.support.waiting import until

Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types commands about a sandbox in a folder of its own; its bot is never started."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHPAPER_SANDBOX_FOLDER", "sandbox")
    monkeypatch.setenv("GRAPHPAPER_PORT", "0")
    monkeypatch.setattr(supervisor.Supervisor, "run", served)

    def said(*words: str) -> tuple[int, str]:
        status = main(words)
        return status, "\n".join(line for line in capsys.readouterr().err.splitlines() if " INFO " not in line)

    return said


async def served(_: supervisor.Supervisor) -> None:
    await asyncio.Event().wait()


def settings(folder: Path) -> Settings:
    return Settings(sandbox_folder=folder / "sandbox", port=0)


async def test_a_second_sandbox_does_not_start_on_a_folder_that_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Sandbox] = []

    def noted(folder: Path, port: int, **options: Any) -> Sandbox:
        made.append(Sandbox(folder, port, **options))
        made[-1].person("Ann").say("kept")
        return made[-1]

    async def running(which: int) -> asyncio.Task[None]:
        began = asyncio.create_task(supervisor.serve_sandbox(settings(tmp_path)))
        await until(lambda: len(made) == which and made[-1].supervisor is not None)
        return began

    monkeypatch.setattr(supervisor, "Sandbox", noted)
    monkeypatch.setattr(supervisor.Supervisor, "run", served)
    first = await running(1)
    with pytest.raises(Unusable) as refused:
        async with asyncio.timeout(5):
            await supervisor.serve_sandbox(settings(tmp_path))
    assert str(refused.value) == (
        f"The sandbox in {tmp_path}/sandbox is used by {describe_holder(process_name())}. Stop that first, or set"
        " GRAPHPAPER_SANDBOX_FOLDER to another folder."
    )
    assert len(made) == 1, "nothing was read or written"
    first.cancel()
    await first
    second = await running(2)
    second.cancel()
    await second
    assert [path.name for path in (tmp_path / "sandbox/discord").iterdir() if "lock" in path.name] == []


@pytest.mark.parametrize("content", ['{"version": 99}', "", "no world", "[]"])
def test_a_world_that_cannot_be_read_is_said_so(typed: Typed, tmp_path: Path, content: str) -> None:
    world = tmp_path / "sandbox/discord/world.json"
    world.parent.mkdir(parents=True)
    world.write_text(content)
    why = "was written by another version of the sandbox" if "99" in content else "isn't the world of a sandbox"
    assert typed("run", "--sandbox") == (2, f"sandbox/discord/world.json {why}: move it away to start anew.")
    assert world.read_text() == content
