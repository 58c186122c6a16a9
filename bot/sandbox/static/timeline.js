/**
 * The messages of the channel one is in. Rows are kept by key and made anew only when what they show has changed, so
 * that focus, open lists and loaded pictures survive; the view stays at the newest message unless one has scrolled
 * away.
 */

import { dropPending } from "./actions.js";
import { pressSignature } from "./components.js";
import { button, byId, el, toast } from "./dom.js";
import { avatar, who } from "./faces.js";
import { countOf, isEphemeral, isSystem, messageNode, threadOf } from "./message.js";
import {
  CHANNEL,
  MESSAGE,
  compareIds,
  isDirect,
  isThread,
  markRead,
  messagesOf,
  nameById,
  threadsOf,
  world,
} from "./state.js";
import { placeOf } from "./places.js";
import { dayName, sameDay, stamp } from "./times.js";

const NEAR = 60;
const TOGETHER = 7 * 60 * 1000;

const box = byId("timeline");
const list = byId("messages");
let rows = new Map();
let shown = null;
let pinned = true;

// Where the page itself has scrolled to: only a person goes up from there.
let settled = 0;

const atBottom = () => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;

function toBottom() {
  box.scrollTop = box.scrollHeight;
  settled = box.scrollTop;
}

function follows(message, before) {
  if (!before || isSystem(message) || isSystem(before) || message.author.id !== before.author.id) return false;
  if (message.interaction_metadata?.type === 2 || message.type === MESSAGE.reply) return false;
  if (isEphemeral(message) !== isEphemeral(before) || threadOf(before)) return false;
  return new Date(message.timestamp) - new Date(before.timestamp) < TOGETHER;
}

function threadSignature(message) {
  const thread = threadOf(message) ?? world.channels.get(message.message_reference?.channel_id);
  return thread ? `${thread.name} ${isThread(thread) ? countOf(thread) : ""}` : "";
}

const mentioned = new WeakMap();

/** The names in a message as they are known now: whoever is met later is named where they were mentioned before. */
function nameSignature(message) {
  if (!mentioned.has(message)) mentioned.set(message, JSON.stringify(message).match(/(?<=<@!?)[0-9]+(?=>)/g) ?? []);
  return mentioned.get(message).map(nameById).join(" ");
}

/** {key, on, build}: `on` lists what the row depends on. */
function messageRow(message, before) {
  const compact = follows(message, before);
  const on = [
    message,
    message.referenced_message,
    compact,
    stamp(message.timestamp),
    pressSignature(message),
    nameSignature(message),
    threadSignature(message),
  ];
  return { key: message.id, on, build: () => messageNode(message, { compact }) };
}

function pendingCommandRow(pendingCommand) {
  const state = pendingCommand.error
    ? el("span", { class: "press-error", role: "alert", "data-testid": "command-error" }, pendingCommand.error)
    : el("span", { class: "thinking" }, "Sending…");
  const dismiss = pendingCommand.error ? button({ class: "text-button", onclick: () => dropPending(pendingCommand) }, "Dismiss") : null;
  const text = el("span", {}, who(world.me), " used ", el("span", { class: "used" }, pendingCommand.label));
  const build = () => el(
    "article",
    { class: "message pendingCommand", "data-testid": "pendingCommand" },
    avatar(world.me),
    el("div", { class: "message-main" }, text, el("div", {}, state, " ", dismiss)),
  );
  return { key: `pendingCommand ${pendingCommand.n}`, on: [pendingCommand.error], build };
}

function dividers(message, before) {
  const made = [];
  if (!before || !sameDay(message.timestamp, before.timestamp)) {
    const text = dayName(message.timestamp);
    made.push({
      key: `day ${text}`,
      on: [],
      build: () => el("div", { class: "divider", role: "separator" }, el("span", {}, text)),
    });
  }
  const since = world.readOnArrival;
  const isNew = since && compareIds(message.id, since) > 0 && (!before || compareIds(before.id, since) <= 0);
  if (isNew && before && message.author.id !== world.me.id) {
    made.push({
      key: "new",
      on: [],
      build: () => el("div", { class: "divider new", role: "separator" }, el("span", {}, "New")),
    });
  }
  return made;
}

function startRow(channel) {
  const name = isDirect(channel) ? channel.name : `#${channel.name}`;
  const text = isThread(channel) ? "The thread starts here." : `This is the start of ${name}.`;
  const build = () => el(
    "div",
    { class: "start" },
    el("h2", {}, isThread(channel) ? channel.name : name),
    el("p", {}, text),
  );
  return { key: "start", on: [channel.name], build };
}

/** A forum has posts, not messages. */
function forumRows(channel) {
  return threadsOf(channel.id).map((thread) => ({
    key: thread.id,
    on: [thread.name, countOf(thread)],
    build: () => el(
      "a",
      { class: "forum-post", href: placeOf(thread.id) },
      el("strong", {}, thread.name),
      el("small", {}, `${countOf(thread)} messages`),
    ),
  }));
}

function wanted(channel) {
  if (channel.type === CHANNEL.forum) return [startRow(channel), ...forumRows(channel)];
  const messages = messagesOf(channel.id);
  const made = [startRow(channel)];
  messages.forEach((message, at) => made.push(
    ...dividers(message, messages[at - 1]),
    messageRow(message, messages[at - 1]),
  ));
  return [...made, ...world.pendingCommands.filter((pendingCommand) => pendingCommand.channel === channel.id).map(pendingCommandRow)];
}

const same = (a, b) => a.length === b.length && a.every((value, at) => value === b[at]);

function focusedIn(node) {
  const part = node?.contains(document.activeElement) ? document.activeElement.closest("[data-custom-id]") : null;
  return part?.dataset.customId ?? null;
}

/**
 * The node for a row: the old one while nothing it depends on has changed, else a new one in its place and with its
 * focus.
 */
function nodeFor({ key, on, build }) {
  const old = rows.get(key);
  if (old && same(old.on, on)) return old.node;
  const node = build();
  if (!old) return node;
  const focused = focusedIn(old.node);
  old.node.replaceWith(node);
  const again = focused && node.querySelector(`[data-custom-id="${CSS.escape(focused)}"]`);
  if (again) (again.matches("button") ? again : again.querySelector("button"))?.focus({ preventScroll: true });
  return node;
}

/** Puts the rows into the list in order, reusing what has not changed. */
function place(wantedRows) {
  const keys = new Set(wantedRows.map(({ key }) => key));
  for (const [key, { node }] of rows) if (!keys.has(key)) node.remove();
  const nodes = wantedRows.map(nodeFor);
  let cursor = list.firstChild;
  for (const node of nodes) {
    if (node === cursor) cursor = cursor.nextSibling;
    else list.insertBefore(node, cursor);
  }
  rows = new Map(wantedRows.map(({ key, on }, at) => [key, { on, node: nodes[at] }]));
}

/** Draws the channel one is in. */
export function drawTimeline() {
  const channel = world.channels.get(world.here);
  if (!channel) return;
  const arrived = shown !== channel.id;
  if (arrived) {
    list.replaceChildren();
    rows = new Map();
    shown = channel.id;
    pinned = true;
  }
  place(wanted(channel));
  if (pinned) toBottom();
  byId("newest").hidden = pinned;
  noteRead();
}

/** Marks the channel as read when it is really in view; says whether that changed anything. */
export function noteRead() {
  return document.visibilityState === "visible" && pinned && world.here ? markRead(world.here) : false;
}

/** Scrolls to a message and lights it up for a moment. */
export function jumpTo(id) {
  const node = list.querySelector(`[data-message-id="${CSS.escape(id)}"]`);
  if (!node) return toast("That message is no longer here.");
  pinned = false;
  node.scrollIntoView({ block: "center" });
  node.classList.remove("flash");
  void node.offsetWidth;
  node.classList.add("flash");
  return undefined;
}

export function toNewest() {
  pinned = true;
  toBottom();
  byId("newest").hidden = true;
}

box.addEventListener("scroll", () => {
  if (atBottom()) pinned = true;
  // What grows below (a picture that has loaded) is no scrolling away.
  else if (box.scrollTop < settled) pinned = false;
  settled = box.scrollTop;
  byId("newest").hidden = pinned;
  if (noteRead()) document.dispatchEvent(new CustomEvent("was-read"));
});
// Pictures that arrive late, and a keyboard that takes half the screen, must not push the newest message out of view.
const keepDown = new ResizeObserver(() => pinned && toBottom());
keepDown.observe(list);
keepDown.observe(box);
byId("newest").addEventListener("click", toNewest);
