"""What Discord's own client refuses before a bot hears anything, and the notifications it counts."""

from typing import Any

import pytest

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import Api

COMMANDS: list[Json] = [
    {
        "name": "play",
        "description": "Play.",
        "options": [
            {"name": "who", "description": "With whom.", "type": 6, "required": True},
            {"name": "size", "description": "How big.", "type": 4, "min_value": 1, "max_value": 9},
            {"name": "note", "description": "A note.", "type": 3, "min_length": 2, "max_length": 5},
            {
                "name": "mode",
                "description": "How.",
                "type": 3,
                "choices": [{"name": "Slow", "value": "s"}, {"name": "Fast", "value": "f"}],
            },
            {"name": "rated", "description": "Counts?", "type": 5},
        ],
    },
    {"name": "host", "description": "Host only.", "default_member_permissions": str(1 << 5)},
    {"name": "match", "description": "Matches.", "options": [{"name": "board", "description": "Show.", "type": 1}]},
]

REFUSED: dict[str, tuple[str, Json, str]] = {
    "an unknown command": ("dance", {}, "There is no command /dance."),
    "an unknown sub-command": ("match show", {}, "There is no command /match show."),
    "a group by itself": ("match", {}, "/match needs a sub-command."),
    "a missing option": ("play", {}, "The option who is required."),
    "an unknown option": ("play", {"who": "Bea", "colour": "red"}, "/play has no option colour."),
    "a stranger": ("play", {"who": "123"}, "123 is nobody or nothing that who can be."),
    "too big": ("play", {"who": "Bea", "size": 10}, "size must be between 1 and 9."),
    "too small": ("play", {"who": "Bea", "size": 0}, "size must be between 1 and 9."),
    "no integer": ("play", {"who": "Bea", "size": "x"}, "size must be a whole number."),
    "a fraction": ("play", {"who": "Bea", "size": 1.5}, "size must be a whole number."),
    "too long": ("play", {"who": "Bea", "note": "123456"}, "note can have at most 5 characters."),
    "too short": ("play", {"who": "Bea", "note": "1"}, "note must have at least 2 characters."),
    "no such choice": ("play", {"who": "Bea", "mode": "x"}, "x is not a choice for mode."),
    "no truth value": ("play", {"who": "Bea", "rated": "yes"}, "rated must be true or false."),
}


@pytest.fixture
async def silent(sandbox: Sandbox, api: Api) -> Sandbox:
    """A sandbox whose bot has registered commands and gone."""
    status, _ = await api("PUT", f"/applications/{sandbox.world.me}/commands", COMMANDS)
    assert status == 200
    sandbox.interactions.answer_seconds = 0.01
    return sandbox


def payloads(sandbox: Sandbox) -> list[Json]:
    """Catch what would go to the bot."""
    caught: list[Json] = []
    sandbox.interactions.send = caught.append
    return caught


@pytest.mark.parametrize("name", REFUSED)
async def test_the_client_refuses(silent: Sandbox, ann: Person, name: str) -> None:
    path, options, sentence = REFUSED[name]
    caught = payloads(silent)
    with pytest.raises(ClientRefusal) as refused:
        await ann.command(path, **options)
    assert str(refused.value) == sentence
    assert caught == []


async def test_an_interaction_says_everything(silent: Sandbox, ann: Person, bea: Person) -> None:
    caught = payloads(silent)
    with pytest.raises(Exception, match="did not respond"):
        await bea.command("play", channel="games", who=ann, size="3", mode="Fast", rated=False)
    (payload,) = caught
    assert payload["data"]["options"] == [
        {"name": "who", "type": 6, "value": ann.id},
        {"name": "size", "type": 4, "value": 3},
        {"name": "mode", "type": 3, "value": "f"},
        {"name": "rated", "type": 5, "value": False},
    ]
    assert payload["data"]["resolved"]["users"][ann.id]["global_name"] == "Ann"
    assert "user" not in payload["data"]["resolved"]["members"][ann.id]
    manages = 1 << 5
    assert not int(payload["member"]["permissions"]) & manages
    assert (payload["member"]["user"]["id"], payload["channel"]["name"]) == (bea.id, "games")
    needed = {"id", "token", "version", "application_id", "attachment_size_limit", "locale", "guild_locale", "guild"}
    assert needed <= set(payload) and (payload["context"], payload["entitlements"]) == (0, [])


async def test_only_a_manager_sees_a_managers_command(silent: Sandbox, ann: Person, bea: Person) -> None:
    with pytest.raises(ClientRefusal, match="may not use /host"):
        await bea.command("host")
    with pytest.raises(Exception, match="did not respond"):
        await ann.command("host")


@pytest.mark.parametrize("channel", ["ideas", "nowhere"])
async def test_places_where_nothing_can_be_done(silent: Sandbox, ann: Person, channel: str) -> None:
    with pytest.raises(ClientRefusal):
        await ann.command("host", channel=channel)


async def test_a_locked_thread_and_a_hidden_channel(silent: Sandbox, bea: Person) -> None:
    silent.faults.archive("Which game first?", locked=True)
    with pytest.raises(ClientRefusal, match="archived"):
        await bea.command("match board", channel="Which game first?")
    silent.faults.deny("games", "view_channel", who="Bea")
    with pytest.raises(ClientRefusal, match="may not see"):
        await bea.command("match board", channel="games")
    assert bea.read_messages("games") == []


def button(**changes: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | changes


async def test_buttons_and_selects(silent: Sandbox, api: Api, ann: Person) -> None:
    select = {"type": 3, "custom_id": "pick", "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]}
    rows = [
        {"type": 1, "components": [button(), button(custom_id="off", disabled=True)]},
        {"type": 1, "components": [select]},
    ]
    _, message = await api("POST", f"/channels/{silent.channel('general')['id']}/messages", {"components": rows})
    caught = payloads(silent)
    for press, values, sentence in (
        ("off", None, "disabled"),
        ("gone", None, "no such button"),
        ("pick", ["c"], "c is not an option"),
        ("pick", [], "Choose 1"),
        ("pick", ["a", "b"], "Choose 1"),
    ):
        with pytest.raises(ClientRefusal, match=sentence):
            await ann.press(message, press, values)
    with pytest.raises(Exception, match="did not respond"):
        await ann.press(message, "pick", ["b"])
    assert caught[0]["data"] == {"custom_id": "pick", "component_type": 3, "id": 5, "values": ["b"]}
    assert caught[0]["message"]["id"] == message["id"]
    silent.faults.delete_message(message)
    with pytest.raises(ClientRefusal, match="gone"):
        await ann.press(message, "Go")


async def test_a_list_of_people(silent: Sandbox, api: Api, ann: Person, bea: Person) -> None:
    select = {"type": 5, "custom_id": "whom", "placeholder": "Whom?", "max_values": 2}
    body = {"components": [{"type": 1, "components": [select]}]}
    _, message = await api("POST", f"/channels/{silent.channel('general')['id']}/messages", body)
    caught, cem = payloads(silent), silent.person("Cem")
    silent.faults.leave("Dora")
    for values, sentence in (
        ([silent.person("Dora")], "lists the members of this server"),
        (["Bea"], "Bea is nobody"),
        ([silent.channel("general")["id"]], "is nobody"),
        ([], "Choose 1 to 2"),
        ([bea, bea], "Choose 1 to 2"),
        ([ann, bea, cem], "Choose 1 to 2"),
    ):
        with pytest.raises(ClientRefusal, match=sentence):
            await ann.press(message, "Whom?", values)
    assert caught == []
    with pytest.raises(Exception, match="did not respond"):
        await ann.press(message, "Whom?", [bea, cem])
    data = caught[0]["data"]
    assert (data["component_type"], data["values"]) == (5, [bea.id, cem.id])
    assert [*data["resolved"]["users"]] == [*data["resolved"]["members"]] == [bea.id, cem.id]
    assert not {"user", "deaf", "mute"} & {*data["resolved"]["members"][bea.id]}


PICK: Json = {"type": 3, "custom_id": "pick", "options": [{"label": one, "value": one} for one in "ab"]}
WHOM: Json = {"type": 5, "custom_id": "whom"}


async def chosen(person: Person, message: Json, custom_id: str, value: Any) -> bool:
    """Whether a choice is sent; nobody answers it."""
    try:
        await person.press(message, custom_id, [value])
    except NoAnswerInTime:
        return True
    except ClientRefusal as refusal:
        assert "shows that already" in str(refusal)
    return False


async def test_a_select_keeps_what_was_chosen_until_an_update(
    silent: Sandbox, api: Api, ann: Person, bea: Person
) -> None:
    """Discord's clients send the same choice no second time. An update resets a list of options; a list of people,
    roles or channels only where its custom_id is another."""
    place = f"/channels/{silent.channel('general')['id']}/messages"

    def rows(*selects: Json) -> Json:
        return {"components": [{"type": 1, "components": [one]} for one in selects]}

    _, message = await api("POST", place, rows(PICK, WHOM))
    for custom_id, value in (("pick", "a"), ("whom", bea)):
        assert await chosen(ann, message, custom_id, value)
        assert not await chosen(ann, message, custom_id, value)
        assert await chosen(bea, message, custom_id, value), "each person sees a client of their own"
    assert await chosen(ann, message, "pick", "b") and await chosen(ann, message, "pick", "a")
    await api("PATCH", f"{place}/{message['id']}", rows(PICK, WHOM))
    for person in (ann, bea):
        assert await chosen(person, message, "pick", "a") and not await chosen(person, message, "whom", bea)
    await api("PATCH", f"{place}/{message['id']}", rows(PICK, WHOM | {"custom_id": "again"}))
    assert await chosen(ann, message, "again", bea)
    silent.faults.delete_message(message)
    assert silent.world.chosen == {}


@pytest.mark.parametrize(
    ("allowed", "told"),
    [
        (None, ["Ann", "Bea"]),
        ({"parse": []}, []),
        ({"parse": ["users"]}, ["Ann", "Bea"]),
        ({"users": "Bea"}, ["Bea"]),
    ],
)
async def test_allowed_mentions(sandbox: Sandbox, api: Api, allowed: Any, told: list[str]) -> None:
    ann, bea = sandbox.person("Ann"), sandbox.person("Bea")
    if allowed and "users" in allowed:
        allowed = {"parse": [], "users": [bea.id]}
    place = f"/channels/{sandbox.channel('general')['id']}/messages"
    body = {"flags": 1 << 15, "components": [{"type": 10, "content": f"{ann.mention} {bea.mention} @everyone"}]}
    body |= {} if allowed is None else {"allowed_mentions": allowed}
    _, message = await api("POST", place, body)
    assert [user["global_name"] for user in message["mentions"]] == told
    assert [name for name in ("Ann", "Bea") if sandbox.count_notifications(name)] == told
    assert not message["mention_everyone"]
    await api("PATCH", f"{place}/{message['id']}", body)
    assert sum(sandbox.count_notifications(name) for name in ("Ann", "Bea")) == len(told)


async def test_somebody_who_left(sandbox: Sandbox, api: Api, bea: Person) -> None:
    sandbox.faults.leave("Bea")
    status, answer = await api("GET", f"/guilds/{sandbox.world.home_guild['id']}/members/{bea.id}")
    assert (status, answer["code"]) == (404, 10007)
    assert (await api("GET", f"/users/{bea.id}"))[0] == 200
