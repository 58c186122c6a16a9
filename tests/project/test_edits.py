"""Messages are edited and answers are sent in one place, which knows how their pictures change and names the
people in them; all else is posted in another."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = "bot/platform/edits.py"
POSTS = "bot/platform/messages.py"
NAMELESS = "bot/features/challenges/handlers.py", "bot/host/doctor_visit.py", "bot/host/doctor_tries.py"
"""What names nobody: the greeting of a server, and the host's check."""
ANSWERS = {"edit_message", "edit_original_response", "edit_followup_message", "edit_webhook_message"}
"""What discord.py calls edits of answers."""
CONTENTS = {"content", "view", "embed", "embeds", "attachments", "components"}
"""What an edit of a message changes, as discord.py names it; a thread or a channel has none of it."""


def edits_in(source: str) -> Iterator[str]:
    """The calls that edit a message."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = {one.arg for one in node.keywords}
            if node.func.attr in ANSWERS or node.func.attr == "edit" and given & CONTENTS:
                yield f"line {node.lineno}: {ast.unparse(node.func)}"


def sends_in(source: str) -> Iterator[str]:
    """The calls that send a message."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = {one.arg for one in node.keywords}
            if node.func.attr == "send_message" or node.func.attr == "send" and given & {*CONTENTS, "ephemeral"}:
                yield f"line {node.lineno}: {ast.unparse(node.func)}"


def elsewhere(calls: Callable[[str], Iterator[str]] = edits_in, *places: str) -> list[str]:
    """The places that edit messages of the bot, or send some, by themselves."""
    folders = (path for part in ("bot", "cogs") for path in (ROOT / part).rglob("*.py"))
    known = {ROOT / place for place in (PLACE, *places)}
    sources = (path for path in folders if path not in known and "sandbox" not in path.parts)
    return [f"{path.relative_to(ROOT)}, {call}" for path in sources for call in calls(path.read_text("utf-8"))]


def test_no_message_is_edited_anywhere_else() -> None:
    assert elsewhere() == []


def test_no_message_is_sent_anywhere_else() -> None:
    assert elsewhere(sends_in, POSTS, *NAMELESS) == []


def test_a_message_sent_elsewhere_is_found() -> None:
    planted = "async def f(): await interaction.response.send_message(x); await place.send(view=v); await http.send(x)"
    assert len(list(sends_in(planted))) == 2
    assert len(list(sends_in((ROOT / PLACE).read_text("utf-8")))) == 2


def test_an_edit_elsewhere_is_found() -> None:
    planted = (
        "await interaction.response.edit_message(view=view)\nawait partial.edit(view=view)\nawait thread.edit(name=x)"
    )
    body = "async def f(): " + planted.replace("\n", "; ")
    assert len(list(edits_in(body))) == 2
    assert len(list(edits_in((ROOT / PLACE).read_text("utf-8")))) == 5


if __name__ == "__main__":
    print("\n".join(elsewhere()) or "none")
