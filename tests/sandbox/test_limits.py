"""Discord's limits: what the API refuses, with which code, and that it accepts what is just within."""

import io
from typing import Any

import aiohttp
import pytest

from bot.sandbox import commands as sandbox_commands
from bot.sandbox.components import check_choices, check_modal
from bot.sandbox.errors import ApiError, Json
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import PNG, Api

V2 = 1 << 15


def button(**changes: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | changes


def row(*items: Json) -> Json:
    return {"type": 1, "components": list(items) or [button()]}


def select(**changes: Any) -> Json:
    return {"type": 3, "custom_id": "pick", "options": [{"label": "a", "value": "a"}]} | changes


def people(*chosen: Json) -> Json:
    return {"type": 5, "custom_id": "whom", "default_values": [*chosen]}


def options(count: int, **changes: Any) -> list[Json]:
    return [{"label": f"{index}", "value": f"{index}"} | changes for index in range(count)]


def text(content: str = "hello") -> Json:
    return {"type": 10, "content": content}


def container(*items: Json) -> Json:
    return {"type": 17, "components": list(items) or [text()]}


def gallery(count: int = 1, **changes: Any) -> Json:
    return {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}} | changes for _ in range(count)]}


def v2(*items: Json, **body: Any) -> Json:
    return {"flags": V2, "components": list(items)} | body


def embed(**changes: Any) -> Json:
    return {"embeds": [{"title": "t"} | changes]}


def fields(count: int, name: str = "n", value: str = "v") -> list[Json]:
    return [{"name": name, "value": value}] * count


ACCEPTED: dict[str, Json] = {
    "2000 characters": {"content": "x" * 2000},
    "an embed of 6000 characters": {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2000}]},
    "25 fields": embed(fields=fields(25)),
    "five rows of five buttons": {
        "components": [row(*(button(custom_id=f"{a}{b}") for b in range(5))) for a in range(5)]
    },
    "a link": {"components": [row({"type": 2, "style": 5, "label": "Go", "url": "https://example.org"})]},
    "25 options": {"components": [row(select(options=options(25), max_values=25))]},
    "40 components": v2(container(*[text()] * 39)),
    "4000 characters of text": v2(text("x" * 2000), container(text("x" * 2000))),
    "a gallery of ten with alt text": v2(gallery(10, description="x" * 1024)),
    "a section": v2({"type": 9, "components": [text()] * 3, "accessory": button()}),
    "25 characters of nonce": {"content": "x", "nonce": "x" * 25, "enforce_nonce": True},
}

EMPTY: dict[str, Json] = {
    "nothing": {},
    "only spaces": {"content": "  \n "},
    "v2 of nothing": v2(),
}

# name: body, where the complaint must be
REFUSED: dict[str, tuple[Json, str]] = {
    "2001 characters": ({"content": "x" * 2001}, "content"),
    "11 embeds": ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    "embed title": (embed(title="x" * 257), "embeds.0.title"),
    "embed description": (embed(description="x" * 4097), "embeds.0.description"),
    "26 fields": (embed(fields=fields(26)), "embeds.0.fields"),
    "empty field value": (embed(fields=fields(1, value=" ")), "embeds.0.fields.0.value"),
    "field name": (embed(fields=fields(1, name="x" * 257)), "embeds.0.fields.0.name"),
    "field value": (embed(fields=fields(1, value="x" * 1025)), "embeds.0.fields.0.value"),
    "footer": (embed(footer={"text": "x" * 2049}), "embeds.0.footer.text"),
    "author": (embed(author={"name": "x" * 257}), "embeds.0.author.name"),
    "6001 characters of embeds": ({"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]}, "embeds"),
    "nonce": ({"content": "x", "nonce": "x" * 26}, "nonce"),
    "six rows": ({"components": [row(button(custom_id=f"{n}")) for n in range(6)]}, "components"),
    "six buttons": ({"components": [row(*(button(custom_id=f"{n}") for n in range(6)))]}, "components.0.components"),
    "an empty row": ({"components": [{"type": 1, "components": []}]}, "components.0.components"),
    "button on top": ({"content": "x", "components": [button()]}, "components.0.type"),
    "a role in a list of people": (
        {"components": [row(people({"type": "role", "id": "1"}))]},
        "components.0.components.0.default_values.0.type",
    ),
    "more people than may be chosen": (
        {"components": [row(people(*[{"type": "user", "id": str(n)} for n in (1, 2)]))]},
        "components.0.components.0.default_values",
    ),
    "button beside a select": ({"components": [row(button(), select())]}, "components.0.components"),
    "custom_id twice": ({"components": [row(button(), button())]}, "components.0.components.1.custom_id"),
    "v2 without the flag": ({"components": [text()]}, "components.0.type"),
    "content beside v2": (v2(text(), content="x"), "content"),
    "embeds beside v2": (v2(text(), **embed()), "embeds"),
    "41 components": (v2(container(*[text()] * 40)), "components"),
    "4001 characters of text": (v2(text("x" * 2001), container(text("x" * 2000))), "components"),
    "empty text": (v2(text("")), "components.0.content"),
    "container in container": (v2(container(container())), "components.0.components.0.type"),
    "empty container": (v2({"type": 17, "components": []}), "components.0.components"),
    "button in a container": (v2(container(button())), "components.0.components.0.type"),
    "gallery of 11": (v2(gallery(11)), "components.0.items"),
    "alt text": (v2(gallery(description="x" * 1025)), "components.0.items.0.description"),
    "a file that is not there": (v2(gallery(media={"url": "attachment://no.png"})), "components"),
    "media from nowhere": (v2(gallery(media={"url": "no.png"})), "components.0.items.0.media.url"),
    "four texts in a section": (
        v2({"type": 9, "components": [text()] * 4, "accessory": button()}),
        "components.0.components",
    ),
    "a colour that is none": (v2(container() | {"accent_color": 0x1000000}), "components.0.accent_color"),
    "a colour in words": (v2(container() | {"accent_color": "red"}), "components.0.accent_color"),
    "a spoiler that is a number": (v2(container() | {"spoiler": 1}), "components.0.spoiler"),
    "a picture's spoiler in words": (v2(gallery(spoiler="yes")), "components.0.items.0.spoiler"),
    "spacing of three": (v2({"type": 14, "spacing": 3}), "components.0.spacing"),
    "no spacing at all": (v2({"type": 14, "spacing": 0}), "components.0.spacing"),
    "a divider that is a number": (v2({"type": 14, "divider": 1}), "components.0.divider"),
    "an id below nought": (v2(text() | {"id": -1}), "components.0.id"),
    "an id beyond 32 bits": (v2(text() | {"id": 2**32}), "components.0.id"),
    "an id in words": (v2(text() | {"id": "first"}), "components.0.id"),
    "section without accessory": (v2({"type": 9, "components": [text()]}), "components.0.accessory.type"),
    "mentions both ways": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
    "101 users": ({"content": "x", "allowed_mentions": {"users": ["1"] * 101}}, "allowed_mentions.users"),
    "an attachment that is not sent": ({"content": "x", "attachments": [{"id": 0}]}, "attachments.0.id"),
    "reply to nothing": ({"content": "x", "message_reference": {"message_id": "1"}}, "message_reference"),
}

# name: button or select in a row, where in it the complaint must be
REFUSED_ITEMS: dict[str, tuple[Json, str]] = {
    "label": (button(label="x" * 81), "label"),
    "no label": (button(label=None), ""),
    "custom_id": (button(custom_id="x" * 101), "custom_id"),
    "empty custom_id": (button(custom_id=""), "custom_id"),
    "link with custom_id": (button(style=5, url="https://a.b"), "custom_id"),
    "emoji in words": (button(emoji="x"), "emoji"),
    "nothing to buy": ({"type": 2, "style": 6}, "sku_id"),
    "something to buy with a label": ({"type": 2, "style": 6, "sku_id": "1", "label": "Buy"}, "label"),
    "disabled in words": (button(disabled="yes"), "disabled"),
    "no options": (select(options=[]), "options"),
    "26 options": (select(options=options(26)), "options"),
    "option label": (select(options=options(1, label="x" * 101)), "options.0.label"),
    "option value": (select(options=options(1, value="x" * 101)), "options.0.value"),
    "option twice": (select(options=options(2, value="x")), "options.1.value"),
    "placeholder": (select(placeholder="x" * 151), "placeholder"),
    "min above max": (select(min_values=2, max_values=1), "min_values"),
}
IN_ROW = "components.0.components.0"
REFUSED.update(
    {
        name: ({"components": [row(item)]}, f"{IN_ROW}.{where}".rstrip("."))
        for name, (item, where) in REFUSED_ITEMS.items()
    }
)


def places(errors: Json, path: str = "") -> set[str]:
    """Every path of a nested `errors` object that carries a complaint."""
    found: set[str] = set()
    for key, value in errors.items():
        found |= {path} if key == "_errors" else places(value, f"{path}.{key}".lstrip("."))
    return found


def general(sandbox: Sandbox) -> str:
    return f"/channels/{sandbox.channel('general')['id']}/messages"


@pytest.mark.parametrize("name", ACCEPTED)
async def test_messages_within_the_limits(sandbox: Sandbox, api: Api, name: str) -> None:
    status, answer = await api("POST", general(sandbox), ACCEPTED[name])
    assert (status, answer.get("errors")) == (200, None)


@pytest.mark.parametrize("name", REFUSED)
async def test_messages_beyond_the_limits(sandbox: Sandbox, api: Api, name: str) -> None:
    body, where = REFUSED[name]
    status, answer = await api("POST", general(sandbox), body)
    assert (status, answer["code"]) == (400, 50035)
    assert where in places(answer["errors"])
    assert sandbox.person("Ann").read_messages() == []


@pytest.mark.parametrize("name", EMPTY)
async def test_messages_that_show_nothing(sandbox: Sandbox, api: Api, name: str) -> None:
    status, answer = await api("POST", general(sandbox), EMPTY[name])
    assert (status, answer["code"]) == (400, 50006)


async def test_v2_stays_v2(sandbox: Sandbox, api: Api) -> None:
    _, message = await api("POST", general(sandbox), v2(text()))
    path = f"{general(sandbox)}/{message['id']}"
    assert (await api("PATCH", path, {"content": "old"}))[1]["code"] == 50035
    assert (await api("PATCH", path, {"components": [], "content": "old", "flags": 0}))[1]["code"] == 50035
    assert (await api("PATCH", path, {"components": []}))[1]["code"] == 50006
    _, plain = await api("POST", general(sandbox), {"content": "plain"})
    path = f"{general(sandbox)}/{plain['id']}"
    assert (await api("PATCH", path, v2(text())))[1]["code"] == 50035
    status, changed = await api("PATCH", path, v2(text(), content=None))
    assert (status, changed["flags"], changed["content"]) == (200, V2, "")


async def upload(sandbox: Sandbox, files: list[tuple[str, bytes]], body: str = '{"content":"x"}') -> tuple[int, Json]:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", body)
    for index, (name, data) in enumerate(files):
        form.add_field(f"files[{index}]", io.BytesIO(data), filename=name)
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(sandbox.api_url + general(sandbox), data=form) as response,
    ):
        return response.status, await response.json()


async def test_files(sandbox: Sandbox) -> None:
    status, message = await upload(sandbox, [("my board.png", PNG)])
    assert (status, message["attachments"][0]["filename"]) == (200, "my_board.png")
    shown = '{"flags":32768,"components":[{"type":12,"items":[{"media":{"url":"attachment://a.png"}}]}]}'
    assert (await upload(sandbox, [("a.png", PNG), ("b.png", PNG)], shown))[0] == 200
    assert [text.split(" carries ")[1] for text in sandbox.complaints] == ["b.png, which none of its components shows."]
    assert (await upload(sandbox, [("empty.png", b"")]))[0] == 200
    assert sandbox.complaints[1:] == ["The file empty.png was uploaded with 0 bytes."]
    status, answer = await upload(sandbox, [("big.png", bytes(10 * 1024 * 1024 + 1))])
    assert (status, answer["code"]) == (413, 40005)
    assert (await upload(sandbox, [(f"{n}.png", PNG) for n in range(11)]))[0] == 400
    alt = '{"content":"x","attachments":[{"id":0,"description":"%s"}]}' % ("x" * 1025)
    assert "attachments.0.description" in places((await upload(sandbox, [("a.png", PNG)], alt))[1]["errors"])


def label(component: Json, **changes: Any) -> Json:
    return {"type": 18, "label": "Square", "component": component} | changes


def typed(**changes: Any) -> Json:
    return {"type": 4, "style": 1, "custom_id": "square"} | changes


def modal(*items: Json, **changes: Any) -> Json:
    return {"title": "A move", "custom_id": "f", "components": list(items) or [label(typed())]} | changes


MODALS: dict[str, tuple[Json, str]] = {
    "title": (modal(title="x" * 46), "title"),
    "custom_id": (modal(custom_id="x" * 101), "custom_id"),
    "six parts": (modal(*(label(typed(custom_id=f"{n}")) for n in range(6))), "components"),
    "no parts": (modal(components=[]), "components"),
    "label": (modal(label(typed(), label="x" * 46)), "components.0.label"),
    "description": (modal(label(typed(), description="x" * 101)), "components.0.description"),
    "placeholder": (modal(label(typed(placeholder="x" * 101))), "components.0.component.placeholder"),
    "value longer than allowed": (modal(label(typed(value="abc", max_length=2))), "components.0.component.value"),
    "length of 4001": (modal(label(typed(max_length=4001))), "components.0.component.max_length"),
    "a bare select": (modal(select()), "components.0.type"),
    "a button in a label": (modal(label(button())), "components.0.component.type"),
    "the same field twice": (modal(label(typed()), label(typed())), "components.1.component.custom_id"),
    "eleven files": (
        modal(label({"type": 19, "custom_id": "f", "max_values": 11})),
        "components.0.component.max_values",
    ),
    "required in words": (modal(label(typed(required="yes"))), "components.0.component.required"),
    "required select of none": (modal(label(select(min_values=0))), "components.0.component.min_values"),
}


@pytest.mark.parametrize("name", MODALS)
def test_modals_beyond_the_limits(name: str) -> None:
    data, where = MODALS[name]
    with pytest.raises(ApiError) as refused:
        check_modal(data)
    assert refused.value.errors and where in places(refused.value.errors)


def test_modals_and_choices_within_the_limits() -> None:
    check_modal(modal(label(typed(max_length=4000)), label(select(min_values=0, required=False)), text()))
    check_choices([{"name": "x" * 100, "value": "x" * 100}] * 25, 3)
    check_choices([{"name": "x", "value": 2**53}], 4)


@pytest.mark.parametrize(
    "choices",
    [
        [{"name": "x", "value": "x"}] * 26,
        [{"name": "x" * 101, "value": "x"}],
        [{"name": "x", "value": "x" * 101}],
        [{"name": "", "value": "x"}],
    ],
)
def test_choices_beyond_the_limits(choices: list[Json]) -> None:
    with pytest.raises(ApiError):
        check_choices(choices, 3)


def command(**changes: Any) -> Json:
    return {"name": "play", "description": "Play.", "type": 1} | changes


def option(**changes: Any) -> Json:
    return {"name": "size", "description": "How big.", "type": 4} | changes


def nested(depth: int) -> list[Json]:
    kinds = {1: [1], 2: [2, 1], 3: [2, 2, 1]}[depth]
    made: list[Json] = []
    for kind in reversed(kinds):
        made = [{"name": "sub", "description": "Sub.", "type": kind, "options": made}]
    return made


COMMANDS: dict[str, tuple[list[Json], str]] = {
    "upper case": ([command(name="Play")], "0.name"),
    "a space": ([command(name="play now")], "0.name"),
    "33 characters": ([command(name="x" * 33)], "0.name"),
    "no description": ([command(description="")], "0.description"),
    "description": ([command(description="x" * 101)], "0.description"),
    "twice": ([command(), command()], "1.name"),
    "26 options": ([command(options=[option(name=f"o{n}") for n in range(26)])], "0.options"),
    "option twice": ([command(options=[option(), option()])], "0.options.1.name"),
    "required last": ([command(options=[option(), option(name="b", required=True)])], "0.options.1"),
    "26 choices": (
        [command(options=[option(type=3, choices=[{"name": f"{n}", "value": f"{n}"} for n in range(26)])])],
        "0.options.0.choices",
    ),
    "choice name": (
        [command(options=[option(type=3, choices=[{"name": "x" * 101, "value": "x"}])])],
        "0.options.0.choices.0.name",
    ),
    "choice value": (
        [command(options=[option(type=3, choices=[{"name": "x", "value": "x" * 101}])])],
        "0.options.0.choices.0.value",
    ),
    "choices and autocompletion": (
        [command(options=[option(autocomplete=True, choices=[{"name": "1", "value": 1}])])],
        "0.options.0",
    ),
    "groups two deep": ([command(options=nested(3))], "0.options.0.options.0.type"),
    "a wide integer": ([command(options=[option(max_value=2**60)])], "0.options.0.max_value"),
    "an unknown locale": ([command(name_localizations={"xx": "play"})], "0.name_localizations.xx"),
    "an upper-case localised name": ([command(name_localizations={"de": "Spielen"})], "0.name_localizations.de"),
    "101 commands": ([command(name=f"c{n}") for n in range(101)], ""),
    "8001 characters": (
        [command(options=[option(name=f"o{n}", type=3, description="x" * 100, choices=[
            {"name": f"{k}" * 90, "value": "v" * 100} for k in range(4)]) for n in range(10)])],
        "0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
async def test_command_sets_beyond_the_limits(sandbox: Sandbox, api: Api, name: str) -> None:
    body, where = COMMANDS[name]
    status, answer = await api("PUT", f"/applications/{sandbox.world.me}/commands", body)
    assert (status, answer["code"]) == (400, 50035)
    assert where in places(answer["errors"])


async def test_command_sets_within_the_limits_keep_their_ids(sandbox: Sandbox, api: Api) -> None:
    path = f"/applications/{sandbox.world.me}/commands"
    first = [command(options=nested(2)), command(name="größe-2", description="x" * 100)]
    _, before = await api("PUT", path, first)
    _, after = await api("PUT", path, [first[0], command(name="größe-2", description="y"), command(name="new")])
    assert [one["id"] for one in after[:2]] == [one["id"] for one in before]
    assert [a["version"] == b["version"] for a, b in zip(after, before, strict=False)] == [True, False]
    assert (await api("GET", path))[1] == after
    _, here = await api(
        "PUT", f"/applications/{sandbox.world.me}/guilds/{sandbox.world.home_guild['id']}/commands", first[:1]
    )
    assert len(here) == 1 and len((await api("GET", path))[1]) == 3


def test_size_counts_the_longest_localisation() -> None:
    assert (
        sandbox_commands.command_size(command(name="ab", description="abc", name_localizations={"de": "abcdefg"})) == 10
    )


async def test_unauthorised_unknown_and_nonsense(sandbox: Sandbox, api: Api) -> None:
    assert (await api("GET", "/users/@me", token="wrong"))[0] == 401
    assert (await api("GET", "/no/such/route"))[0] == 404
    assert sandbox.unknown_routes == ["GET /no/such/route"]
    assert (await api("POST", general(sandbox), [1]))[1]["code"] == 50006
    assert (await api("POST", general(sandbox), {"components": "x", "content": "x"}))[0] == 400
    assert (await api("POST", general(sandbox), {"embeds": [3]}))[0] == 400
    forum = sandbox.channel("ideas")["id"]
    assert (await api("POST", f"/channels/{forum}/messages", {"content": "x"}))[1]["code"] == 50008
    assert (await api("GET", f"/guilds/{sandbox.world.home_guild['id']}/members"))[1]["code"] == 50001
