"""Messages are edited in one place, which knows what becomes of their pictures."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = "bot/client/views/edits.py"
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


def elsewhere() -> list[str]:
    """The places that edit messages of the bot by themselves."""
    folders = (path for part in ("bot", "cogs") for path in (ROOT / part).rglob("*.py"))
    sources = (path for path in folders if path != ROOT / PLACE and "sandbox" not in path.parts)
    return [f"{path.relative_to(ROOT)}, {call}" for path in sources for call in edits_in(path.read_text("utf-8"))]


def test_no_message_is_edited_anywhere_else() -> None:
    assert elsewhere() == []


def test_an_edit_elsewhere_is_found() -> None:
    planted = (
        "await interaction.response.edit_message(view=view)\nawait partial.edit(view=view)\nawait thread.edit(name=x)"
    )
    body = "async def f(): " + planted.replace("\n", "; ")
    assert len(list(edits_in(body))) == 2
    assert len(list(edits_in((ROOT / PLACE).read_text("utf-8")))) == 4


if __name__ == "__main__":
    print("\n".join(elsewhere()) or "none")
