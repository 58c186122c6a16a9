"""The list of all sentences finds what people are told, and only that."""

from __future__ import annotations

from tests.sentences import Sentence, in_code, sentences

SOURCE = '''
"""A module that says something."""
log.warning("This stands in the log.")
PATTERN = re.compile("a pattern|with blanks")
GREETING = "Good morning."
"""What this is for."""

def said(who):
    """Say it."""
    assert who, "nobody reads this"
    return f"{who.name} has {count(who, 'two words')} moves left, " "and nothing else."
'''


def test_a_sentence_is_listed_with_its_line_and_its_named_parts() -> None:
    assert list(in_code(SOURCE, "bot/one.py")) == [
        Sentence("bot/one.py", 5, "Good morning."),
        Sentence("bot/one.py", 11, "two words"),
        Sentence("bot/one.py", 11, "{who.name} has {count(who, 'two words')} moves left, and nothing else."),
    ]


def test_rules_pages_and_lessons_are_listed() -> None:
    files = {one.file.rpartition("/")[2] for one in sentences("cogs/plexus")}
    assert {"rules.py", "lesson.jsonl", "__init__.py"} <= files
