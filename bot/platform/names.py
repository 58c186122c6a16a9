"""People's names in what the bot says. Pure.

Texts write a person as ``<@id>``. Discord makes a name of that only for whoever is told by the very message, and on
other phones only for people whom they have met. So when a message leaves, each `<@id>` of somebody whom it does not
tell gives way to their name. A name is text and nothing else: what is markup in it stands there as it was written, and
it is isolated, so that its direction of writing ends where it does.

>>> ann, bea, cem, dora = (UserId(10**15 + number) for number in range(4))
>>> names = disambiguate_names({ann: MemberName("*Ann*", "ann"), bea: MemberName("Bea", "bea"), cem: None})
>>> print(strip_isolates(insert_names(f"<@{ann}> beat <@{bea}> and <@{cem}>; <@{dora}> looks on.", names, told=[bea])))
\\*Ann\\* beat <@1000000000000001> and a former member; <@1000000000000003> looks on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, cast

import discord

from bot.games.wording import count_units, shorten_text
from bot.play.ids import UserId

MENTION = re.compile(r"<@!?([0-9]{15,20})>")
ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
NAME = re.compile(f"{MENTION.pattern}|{ISOLATE}[^{END}]*{END}")
"""A person in a message, mentioned or by name."""
LENGTHS = 32, 20, 12, 6
"""How long a name may be (Discord's own limit is 32), and where the text would be too long with such names."""
MOST_TEXT, MOST_TEXTS = 2000, 4000
"""The longest content of a plain message, and the longest texts of one with components, all together (Discord's
limits)."""
LABELS: Mapping[str, int] = {"label": 80, "placeholder": 150, "description": 1024}
"""Fields of components that show no markup, with their longest texts (Discord's limits)."""
MOST_OPTION = 100
"""The longest label and description of an option in a select, and the longest name of a suggestion (Discord's
limits)."""
SOMEBODY, NAMELESS = "a former member", "somebody"
"""Who left before they were met, and in suggestions who was not met yet."""
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Signs without a width that letters and emoji are joined by."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that look like nothing."""
NOT_A_NAME = r"(?:a(?= former (?:member|player)\b)|the(?= computer \(level)|computer(?= [0-9] \(level))"
"""The first word of what somebody is called who has no name: who has left, and a computer."""
UNNAMED = re.compile(NOT_A_NAME, re.IGNORECASE)
AT_THE_START = re.compile(rf"(^(?:-# |> )?|[.!?] )((?:\*\*)?(?:[^\w\s*]\s)?{ISOLATE}?)({NOT_A_NAME})", re.MULTILINE)
"""Before it may stand what a line begins with, two stars, and a player's square."""
MARKUP = re.compile(r"[\\*_~`|<>\[\]()@#:-]")
"""What Discord may read as more than a letter."""


class MemberName(NamedTuple):
    """What a server calls somebody, and the name that is theirs alone."""

    name: str
    username: str

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> MemberName:
        """What Discord calls somebody: by their nickname, else their display name, else their username."""
        return cls(user.display_name, user.name)


Names = Mapping[UserId, str]
"""How people are written in a message."""


def find_people(said: Any) -> list[UserId]:
    """The people in a text, or in the texts of components, in order."""
    if isinstance(said, str):
        return list(dict.fromkeys(UserId(int(found)) for found in MENTION.findall(said)))
    if isinstance(said, dict):
        return find_people([*cast(dict[str, Any], said).values()])
    if isinstance(said, list):
        return list(dict.fromkeys(one for part in cast(list[Any], said) for one in find_people(part)))
    return []


def disambiguate_names(called: Mapping[UserId, MemberName | None]) -> dict[UserId, str]:
    """How the people of one message are written: by name, and where two have the same, with their usernames. Of whom
    nothing but that they left is known, that is said."""
    shown = {user: format_visible_name(one) for user, one in called.items() if one}
    times = Counter(map(_fold_name, shown.values()))
    return {
        user: SOMEBODY if one is None or user not in shown
        else shown[user] if times[_fold_name(shown[user])] == 1
        else f"{shown[user]} ({one.username})"
        for user, one in called.items()
    }  # fmt: skip


def format_visible_name(called: MemberName) -> str:
    """The name of somebody in one line and without hidden signs; one that looks like nothing is their username."""
    name = tidy_name(called.name)
    seen = any(unicodedata.category(one)[0] in "LNPS" and one not in BLANK for one in name)
    return name if seen else tidy_name(called.username)


def tidy_name(name: str) -> str:
    """A name without line breaks, marks of direction and other signs that show nothing."""
    kept = (" " if _is_space(one) else one for one in name if one in JOINERS or not _is_hidden(one))
    return " ".join("".join(kept).split())


def _is_space(one: str) -> bool:
    return one.isspace() or unicodedata.category(one)[0] == "Z"


def _is_hidden(one: str) -> bool:
    return unicodedata.category(one)[0] == "C" and not one.isspace()


def _fold_name(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def insert_names(text: str, names: Names, told: Collection[UserId] = (), longest: int = LENGTHS[0]) -> str:
    """A text with markup, with people by name but for those who are told by it, or whose name is not known."""
    return _replace_mentions(text, names, told, lambda name: MARKUP.sub(r"\\\g<0>", shorten_text(name, longest)))


def insert_plain_names(text: str, names: Names, longest: int = LENGTHS[0]) -> str:
    """A text without markup, with people by name."""
    return _replace_mentions(text, names, (), lambda name: shorten_text(name, longest))


def _replace_mentions(text: str, names: Names, told: Collection[UserId], write: Callable[[str], str]) -> str:
    def name(found: re.Match[str]) -> str:
        user = UserId(int(found[1]))
        return found[0] if user in told or user not in names else f"{ISOLATE}{write(names[user])}{END}"

    return AT_THE_START.sub(lambda found: f"{found[1]}{found[2]}{found[3].capitalize()}", MENTION.sub(name, text))


def format_suggestion(text: str, names: Names) -> str:
    """The name of a suggestion, which shows no mentions and no markup, with people's names as long as there is room."""
    made = (MENTION.sub(NAMELESS, strip_isolates(insert_plain_names(text, names, longest))) for longest in LENGTHS)
    return next(
        (one for one in made if count_units(one) <= MOST_OPTION), shorten_text(MENTION.sub(NAMELESS, text), MOST_OPTION)
    )


def format_content(text: str, names: Names, told: Collection[UserId] = ()) -> str:
    """The content of a plain message, with names as long as there is room for."""
    made = (insert_names(text, names, told, longest) for longest in LENGTHS)
    return next((one for one in made if count_units(one) <= MOST_TEXT), text)


def format_components(parts: list[Any], names: Names, told: Collection[UserId] = ()) -> list[Any]:
    """The components of a message or of a form, with names as long as there is room for."""
    made = (_name_components(parts, names, told, longest) for longest in LENGTHS)
    return next((one for one in made if _fits(one)), parts)


def _name_components(part: Any, names: Names, told: Collection[UserId], longest: int) -> Any:
    if isinstance(part, list):
        return [_name_components(one, names, told, longest) for one in cast(list[Any], part)]
    if not isinstance(part, dict):
        return part

    def field(key: str, value: Any) -> Any:
        if not isinstance(value, str):
            return _name_components(value, names, told, longest)
        if key == "content":
            return insert_names(value, names, told, longest)
        return insert_plain_names(value, names, longest) if key in LABELS else value

    return {key: field(key, value) for key, value in cast(dict[str, Any], part).items()}


def _fits(parts: list[Any]) -> bool:
    """Whether all texts are short enough for Discord."""
    found = [*_list_fields(parts)]
    contents = sum(count_units(value) for key, value, _ in found if key == "content")
    return contents <= MOST_TEXTS and all(count_units(value) <= most for _, value, most in found)


def _list_fields(part: Any, *, option: bool = False) -> list[tuple[str, str, int]]:
    """The texts in components, each with its key and how long it may be."""
    if isinstance(part, list):
        return [one for inner in cast(list[Any], part) for one in _list_fields(inner, option=option)]
    if not isinstance(part, dict):
        return []
    found: list[tuple[str, str, int]] = []
    for key, value in cast(dict[str, Any], part).items():
        if isinstance(value, str) and (key == "content" or key in LABELS):
            found.append((key, value, MOST_TEXTS if key == "content" else MOST_OPTION if option else LABELS[key]))
        else:
            found += _list_fields(value, option=key == "options")
    return found


def strip_isolates(text: str) -> str:
    """A text without the marks that isolate its names."""
    return text.replace(ISOLATE, "").replace(END, "")


def remove_names(text: str) -> str:
    """A text without its people, whether mentioned or by name: two that say the same of the same number are equal."""
    return UNNAMED.sub(lambda found: found[0].lower(), NAME.sub("@", text))
