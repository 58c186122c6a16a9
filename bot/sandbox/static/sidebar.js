/**
 * What stands around the messages: channels with their threads and badges, who one is, the other people (each a link
 * to a tab of theirs), the bot's state, the bar above the messages and the banners. Each part is made anew only when
 * it changed.
 */

import { closeMailbox, controlBot, openMailbox } from "./actions.js";
import { button, byId, el, icon } from "./dom.js";
import { avatar, botTag } from "./faces.js";
import { placeOf } from "./places.js";
import {
  CHANNEL,
  directChannels,
  isArchived,
  isDirect,
  isThread,
  nameOf,
  threadsOf,
  topChannels,
  unread,
  world,
} from "./state.js";

const ICONS = { [CHANNEL.direct]: "people", [CHANNEL.voice]: "voice", [CHANNEL.forum]: "forum" };
const drawn = new Map();

/** Redraws a part when its facts changed, and gives the focus back to the same channel, person or button. */
export function part(id, facts, build) {
  const signature = JSON.stringify(facts);
  if (drawn.get(id) === signature) return;
  drawn.set(id, signature);
  const node = byId(id);
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  node.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (focused) node.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** A row of the channel list, as plain facts. */
function facts(channel, depth) {
  const here = channel.id === world.here;
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    depth,
    here,
    archived: isArchived(channel),
    ...unread(channel.id),
  };
}

function channelFacts() {
  return topChannels().flatMap((channel) => {
    const shown = (thread) => !isArchived(thread) || thread.id === world.here || unread(thread.id).mentions > 0;
    const threads = threadsOf(channel.id).filter(shown);
    return [facts(channel, 0), ...threads.map((thread) => facts(thread, 1))];
  });
}

function badge({ mentions }) {
  return mentions ? el(
    "span",
    { class: "badge", "data-testid": "badge", "aria-label": `${mentions} mentions` },
    mentions,
  ) : null;
}

function channelRow(channel) {
  if (channel.type === CHANNEL.category) return el("h3", { class: "category" }, channel.name);
  const classes = [
    "channel",
    channel.depth && "thread",
    channel.here && "here",
    channel.count && "unread",
    channel.archived && "archived",
  ];
  const attributes = {
    class: classes.filter(Boolean).join(" "),
    href: placeOf(channel.id),
    "data-testid": "channel",
    "data-channel-id": channel.id,
    "data-focus": channel.id,
    "data-unread": channel.count || null,
    "data-mentions": channel.mentions || null,
    "aria-current": channel.here ? "page" : null,
  };
  const sign = icon(channel.depth ? "thread" : (ICONS[channel.type] ?? "hash"));
  return el("a", attributes, sign, el("span", { class: "channel-name" }, channel.name), badge(channel));
}

function archivedFacts() {
  const archived = [...world.channels.values()].filter((channel) => isThread(channel) && isArchived(channel));
  return archived.map(({ id, name }) => ({ id, name }));
}

function archivedList(threads) {
  if (!threads.length) return null;
  const links = threads.map(({ id, name }) => el(
    "a",
    { class: "channel thread archived", href: placeOf(id), "data-testid": "channel", "data-channel-id": id },
    icon("thread"),
    el("span", { class: "channel-name" }, name),
  ));
  return el("details", { class: "archive" }, el("summary", {}, `Archived threads (${threads.length})`), links);
}

/** Direct messages, and the switch with which a person takes none. */
function directList(channels) {
  const label = world.closed ? "Take direct messages again" : "Take no direct messages";
  const own = { class: "text-button mailbox", "data-focus": "mailbox" };
  const onclick = () => closeMailbox(!world.closed);
  return [
    el("h3", { class: "category" }, "Direct messages"),
    channels.length
      ? channels.map(channelRow)
      : button({ ...own, "data-testid": "open-mailbox", onclick: openMailbox }, `Message ${world.bot.name}`),
    button({ ...own, "data-testid": "mailbox", "aria-pressed": String(world.closed), onclick }, label),
  ];
}

function drawChannels() {
  const channels = channelFacts();
  const archived = archivedFacts();
  const direct = directChannels().map((channel) => facts(channel, 0));
  part(
    "channels",
    [channels, archived, direct, world.closed],
    () => [channels.map(channelRow), archivedList(archived), directList(direct)],
  );
}

function personRow(user) {
  const you = user.id === world.me.id;
  const text = el("span", { class: "person-name" }, nameOf(user), you ? el("small", {}, " (you)") : null);
  if (you) return el("div", { class: "person" }, avatar(user), text);
  const attributes = {
    class: "person",
    href: `/?as=${user.id}`,
    target: "_blank",
    rel: "noopener",
    "data-testid": "person",
    "data-user-id": user.id,
    "data-focus": user.id,
  };
  return el(
    "a",
    { ...attributes, "aria-label": `Open a tab as ${nameOf(user)}`, title: `Open a tab as ${nameOf(user)}` },
    avatar(user),
    text,
    icon("outside"),
  );
}

function botRow(bot) {
  const control = (what, label) => button(
    { class: "text-button", "data-testid": `bot-${what}`, "data-focus": what, onclick: () => controlBot(what) },
    label,
  );
  const controls = bot.online ? [control("restart", "Restart"), control("stop", "Stop")] : [control("start", "Start")];
  const state = el("small", { class: bot.online ? "online" : "offline" }, bot.online ? "online" : "offline");
  const user = { id: bot.id, username: bot.name, bot: true };
  return el(
    "div",
    { class: "person bot", "data-testid": "bot", "data-online": String(bot.online) },
    avatar(user),
    el(
      "span",
      { class: "person-name" },
      bot.name,
      " ",
      botTag(user),
      el("span", { class: "bot-line" }, state, controls),
    ),
  );
}

function drawPeople() {
  const people = [...world.people.values()].filter((user) => !user.bot);
  const hint = el("p", { class: "hint" }, "Press a name to play as that person in a second tab.");
  part(
    "people-list",
    [people.map((user) => [user.id, nameOf(user)]), world.bot, world.me.id],
    () => [people.map(personRow), hint, el("h3", { class: "category" }, "Bot"), botRow(world.bot)],
  );
}

function drawMe() {
  const text = el(
    "span",
    { class: "person-name" },
    el("small", {}, "You are"),
    el("strong", { "data-testid": "my-name" }, nameOf(world.me)),
  );
  part("me", [world.me.id, nameOf(world.me)], () => [avatar(world.me), text]);
}

function drawBar() {
  const channel = world.channels.get(world.here);
  const parent = channel && isThread(channel) ? world.channels.get(channel.parent_id) : null;
  part("place", [channel?.name, channel?.topic, channel && isArchived(channel), parent?.name], () => {
    if (!channel) return [];
    const up = parent ? [
      el(
        "a",
        { class: "place-parent", href: placeOf(parent.id), "data-focus": "parent" },
        icon("hash"),
        el("span", {}, parent.name),
      ),
      el("span", { class: "place-step", "aria-hidden": "true" }, "›"),
    ] : null;
    const name = el(
      "h2",
      { class: "place-name" },
      icon(parent ? "thread" : (ICONS[channel.type] ?? "hash")),
      el("span", {}, channel.name),
    );
    return [
      up,
      name,
      isArchived(channel) ? el("span", { class: "topic" }, "Archived") : null,
      channel.topic ? el("span", { class: "topic" }, channel.topic) : null,
    ];
  });
  const others = [...world.channels.keys()].filter((id) => id !== world.here).reduce(
    (sum, id) => sum + unread(id).mentions,
    0,
  );
  byId("open-channels").dataset.mentions = others ? String(others) : "";
  const where = channel ? `${isDirect(channel) ? "@" : "#"}${channel.name}` : world.guild.name;
  document.title = `${others ? `(${others}) ` : ""}${nameOf(world.me)} · ${where}`;
}

function drawBanners() {
  const offline = world.connected && !world.bot.online;
  part("banners", [world.connected, world.bot.online], () => [
    world.connected ? null : el(
      "div",
      { class: "banner", "data-testid": "disconnected" },
      "Connection lost. Reconnecting…",
    ),
    offline ? el(
      "div",
      { class: "banner", "data-testid": "bot-offline" },
      `${world.bot.name} is offline.`,
      button({ class: "text-button", "data-focus": "start", onclick: () => controlBot("start") }, "Start"),
    ) : null,
  ]);
}

/** Draws everything around the messages. */
export function drawAround() {
  byId("guild-name").textContent = world.guild.name;
  drawChannels();
  drawPeople();
  drawMe();
  drawBar();
  drawBanners();
}

/** The drawers of narrow screens: "channels", "people" or null for none. */
export function openDrawer(which) {
  const drawers = { channels: ["sidebar", "open-channels"], people: ["people", "open-people"] };
  for (const [name, [panel, opener]] of Object.entries(drawers)) {
    byId(panel).classList.toggle("open", name === which);
    byId(opener).setAttribute("aria-expanded", String(name === which));
  }
  byId("shade").hidden = which === null;
  if (which) byId(drawers[which][0]).querySelector("a, button")?.focus();
}
