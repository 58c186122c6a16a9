"""Checks requests and answers against Discord's own description of its HTTP API, if that lies beside the project.

What discord.py is known to send beyond the description, and Discord takes, is taken here too; everything else that does
not fit is a complaint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator, exceptions, validators

from bot.sandbox.errors import Json
from bot.sandbox.rest import RequestLogEntry

SPEC = Path(__file__).parents[3] / "shared" / "discord-openapi.json"
best_match = cast(Any, exceptions).best_match
errors_of = cast(Any, Draft202012Validator).VALIDATORS
MISSING = "../shared is not there: Discord's description is no part of the project"
LARGE = 50
"""From here on numbers are what they count or name, and below it may be kinds."""
# Fields that discord.py sends although the description of the place does not know them.
TOLERATED = re.compile(r"data\.tts|embeds\.\d+\.flags|nsfw")


sound: dict[tuple[object, str], bool] = {}
"""Whether a value, as JSON text, is of a kind, by the name or the number of what the description says of that kind; the
description is held for good, so no number is given twice."""


def is_sound(judge: Any, kind: Json, value: Any, text: str) -> bool:
    """Whether a value is of a kind: what is the same in many messages is looked at once."""
    known = kind["$ref"] if kind.keys() == {"$ref"} else id(kind), text
    if known not in sound:
        sound[known] = judge.evolve(schema=kind).is_valid(value)
    return sound[known]


def one_of(judge: Any, kinds: list[Json], value: Any, schema: Json) -> Iterator[Any]:
    """As jsonschema judges, which is asked for its reasons only where something is wrong: to gather why a button is no
    picture, no list and no form is most of the work."""
    text = json.dumps(value, sort_keys=True)
    if sum(is_sound(judge, kind, value, text) for kind in kinds) != 1:
        yield from errors_of["oneOf"](judge, kinds, value, schema)


def ref(judge: Any, name: str, value: Any, schema: Json) -> Iterator[Any]:
    """As jsonschema judges, once for each value that is sound."""
    known = name, json.dumps(value, sort_keys=True)
    if not sound.get(known):
        wrong = False
        for error in errors_of["$ref"](judge, name, value, schema):
            wrong = True
            yield error
        sound[known] = not wrong


Judge: Any = cast(Any, validators).extend(Draft202012Validator, {"oneOf": one_of, "$ref": ref})


@cache
def spec() -> Json:
    """The description, with ids also allowed as numbers (discord.py sends them so)."""
    found: Json = json.loads(SPEC.read_text())
    found["components"]["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
    found["by_pattern"] = {general(path): methods for path, methods in found["paths"].items()}
    return found


def general(route: str) -> str:
    """A route with a star for each thing it names."""
    return re.sub(r"\{[^}]*\}|@original", "*", route)


@cache
def validator(route: str, method: str, status: str | None, judge: Callable[[Json], Any] = Judge) -> Any:
    """What a request of a route (status None), or its answer with a status, must fit; None where nothing is said."""
    described = spec()["by_pattern"][general(route)][method.lower()]
    if status is None:
        content = described.get("requestBody", {}).get("content", {})
    else:
        responses: Json = described["responses"]
        content = responses.get(status, responses["4XX"]).get("content", {})
    if "application/json" not in content:
        return None
    return judge(content["application/json"]["schema"] | {"components": spec()["components"]})


def misfits(judge: Any, value: Any) -> list[str]:
    """What is wrong with a value; of alternatives, the errors of the one that fits best."""
    found: list[str] = []
    for error in judge.iter_errors(value) if judge else ():
        best = best_match([error])
        where = ".".join(str(step) for step in best.absolute_path)
        if not TOLERATED.search(where + "." + best.message):
            found.append(f"{where}: {best.message[:200]}")
    return found


judged: dict[tuple[str, str, str | None, Hashable], list[str]] = {}
"""What is wrong with a request (status None) or an answer of some shape."""


def fits(route: str, method: str, status: str | None, value: Any) -> list[str]:
    """What is wrong with a request (status None) or an answer. Of values that differ in words, large numbers and how
    many alike there are in a list the first is judged: how long anything may be is what the sandbox itself refuses."""
    about = route, method, status, shape(value)
    if about not in judged:
        judged[about] = misfits(validator(route, method, status), value)
    return judged[about]


def shape(value: Any) -> Hashable:
    """A value without its words, its large numbers and ids, and what is alike in a list."""
    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        found = (("" if key.isdecimal() else key, type(one) if key == "id" else shape(one)) for key, one in items)
        return "object", *dict.fromkeys(found)
    if isinstance(value, list):
        return "list", *dict.fromkeys(map(shape, cast("list[Any]", value)))
    if type(value) is int:
        return min(value, LARGE)
    return "" if isinstance(value, str) else repr(value)


def complaints_about(entry: RequestLogEntry) -> list[str]:
    """What does not fit in a request that was let through, and in its answer."""
    found: list[str] = []
    # A request that was refused may be as wrong as it likes; its refusal must fit.
    if entry.body and entry.status < 400:
        found += [f"request {one}" for one in fits(entry.route, entry.method, None, entry.body)]
    if str(entry.status) not in spec()["by_pattern"][general(entry.route)][entry.method.lower()]["responses"]:
        # Status 0 is a connection cut by a scripted fault.
        found += [f"answer: the status is {entry.status}"] if 0 < entry.status < 400 else []
    if entry.answer is not None:
        found += [f"answer {one}" for one in fits(entry.route, entry.method, str(entry.status), entry.answer)]
    return [f"{entry.method} {entry.route} {one}" for one in found]


def complaints(entries: Iterable[RequestLogEntry]) -> list[str]:
    """All that does not fit in what was recorded."""
    return [one for entry in entries for one in complaints_about(entry)]
