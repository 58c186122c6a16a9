/**
 * One message as an element: who, when, what, and what Discord writes around it (used a command, only you, thinking,
 * edited).
 */

import { dismissMessage } from "./actions.js";
import { renderComponent } from "./components.js";
import { button, el, icon } from "./dom.js";
import { renderAttachments, renderEmbed } from "./embeds.js";
import { avatar, botTag, who } from "./faces.js";
import { markdown } from "./markdown.js";
import { link, placeOf } from "./places.js";
import { FLAG, MESSAGE, findMessage, isThread, mentionsMe, messagesOf, nameOf, world } from "./state.js";
import { fullStamp, stamp } from "./times.js";

const has = (message, flag) => Boolean((message.flags ?? 0) & flag);
export const isEphemeral = (message) => Boolean(message.ephemeral_for) || has(message, FLAG.ephemeral);
export const isSystem = (message) => ![
  MESSAGE.plain,
  MESSAGE.reply,
  MESSAGE.command,
  MESSAGE.contextMenu,
].includes(message.type ?? 0);

/** The small line above: which command this answers, or which message. */
function context(message) {
  const used = message.interaction_metadata ?? message.interaction;
  const name = used?.name ?? message.interaction?.name;
  if (used?.type === 2 && used.user) {
    const command = name ? el("span", { class: "used" }, `/${name}`) : "a command";
    return el(
      "div",
      { class: "context", "data-testid": "used-command" },
      avatar(used.user, true),
      el("span", {}, who(used.user), " used ", command),
    );
  }
  const answered = message.referenced_message;
  if (message.type !== MESSAGE.reply || !answered) return null;
  const place = placeOf(answered.channel_id, answered.id);
  return el(
    "a",
    { class: "context", href: place },
    avatar(answered.author, true),
    el("span", {}, who(answered.author), ` ${answered.content || "a message"}`),
  );
}

function head(message) {
  const time = el(
    "time",
    { datetime: message.timestamp, title: fullStamp(message.timestamp) },
    stamp(message.timestamp),
  );
  return el("div", { class: "message-head" }, who(message.author), botTag(message.author), time);
}

const edited = (message) =>
  message.edited_timestamp ? el(
    "span",
    { class: "edited", title: fullStamp(message.edited_timestamp), "data-testid": "edited" },
    "(edited)",
  ) : null;

function thinking(message) {
  const dots = el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  return el("div", { class: "thinking", "data-testid": "thinking" }, dots, `${nameOf(message.author)} is thinking…`);
}

function content(message) {
  if (has(message, FLAG.loading)) return [thinking(message)];
  const components = (message.components ?? []).map((component) => renderComponent(component, message));
  if (has(message, FLAG.v2)) return [components, edited(message)];
  const text = message.content ? markdown(message.content) : null;
  const mark = edited(message);
  if (text && mark) (text.lastElementChild?.matches(".paragraph") ? text.lastElementChild : text).append(" ", mark);
  const embeds = (message.embeds ?? []).map(renderEmbed);
  return [text, renderAttachments(message.attachments ?? []), embeds, components, text ? null : mark];
}

/** "3 messages ›" under the message a thread grew from. */
export function threadOf(message) {
  const thread = world.channels.get(message.id) ?? message.thread;
  return thread && isThread(thread) && world.channels.has(thread.id) ? world.channels.get(thread.id) : null;
}

export const countOf = (thread) => Math.max(
  thread.message_count ?? 0,
  messagesOf(thread.id).filter((m) => !isSystem(m) && !m.ephemeral_for).length,
);

function threadLink(message) {
  const thread = threadOf(message);
  if (!thread || message.channel_id === thread.id) return null;
  const count = countOf(thread);
  const label = `${count} ${count === 1 ? "message" : "messages"} ›`;
  return el(
    "a",
    { class: "thread-link", href: placeOf(thread.id), "data-testid": "thread-link", "data-channel-id": thread.id },
    icon("thread"),
    el("strong", {}, thread.name),
    el("span", {}, label),
  );
}

function onlyYou(message) {
  const dismiss = button(
    { class: "text-button", "data-testid": "dismiss", onclick: () => dismissMessage(message) },
    "Dismiss message",
  );
  return el("div", { class: "only-you" }, icon("eye"), "Only you can see this", " · ", dismiss);
}

const SYSTEM_TEXTS = {
  1: "added somebody",
  2: "removed somebody",
  4: "changed the channel's name",
  6: "pinned a message",
  7: "joined the server",
};

function systemLine(message) {
  const time = el("time", { datetime: message.timestamp }, stamp(message.timestamp));
  if (message.type !== MESSAGE.threadCreated) return [
    who(message.author),
    ` ${SYSTEM_TEXTS[message.type] ?? message.content ?? ""} `,
    time,
  ];
  const thread = message.message_reference?.channel_id ?? message.thread?.id;
  const name = world.channels.get(thread)?.name ?? message.content;
  const open = thread ? link(`https://discord.com/channels/${world.guild.id}/${thread}`, name) : el("strong", {}, name);
  return [who(message.author), " started a thread: ", open, ". ", time];
}

function systemNode(message) {
  const attributes = { class: "message system", "data-testid": "system", "data-message-id": message.id };
  return el(
    "article",
    attributes,
    icon(message.type === MESSAGE.threadCreated ? "thread" : "right"),
    el("span", {}, systemLine(message)),
  );
}

/** The message a thread grew from, as its first line; null where it is gone. */
function starterNode(message) {
  const reference = message.message_reference ?? {};
  const first = findMessage(reference.channel_id, reference.message_id) ?? message.referenced_message;
  if (!first) return el(
    "article",
    { class: "message system", "data-message-id": message.id },
    "The message this thread grew from is gone.",
  );
  const node = messageNode(first, { starter: true });
  node.classList.add("starter");
  node.dataset.testid = "starter";
  return node;
}

/**
 * The element for a message; `compact` leaves out avatar and head, as for the second of several by one author; a
 * `starter` has no link to the thread one is in.
 */
export function messageNode(message, { compact = false, starter = false }) {
  if (message.type === MESSAGE.threadStarter) return starterNode(message);
  if (isSystem(message)) return systemNode(message);
  const mine = isEphemeral(message);
  const classes = [
    "message",
    compact && "compact",
    mine && "ephemeral",
    mentionsMe(message) && "mentions-me",
  ].filter(Boolean).join(" ");
  const attributes = {
    class: classes,
    "data-testid": "message",
    "data-message-id": message.id,
    "data-channel-id": message.channel_id,
    "data-author-id": message.author.id,
    "data-ephemeral": mine ? "true" : null,
    "aria-label": `${nameOf(message.author)}, ${stamp(message.timestamp)}`,
  };
  const side = compact ? el(
    "time",
    { class: "side-time", datetime: message.timestamp, "aria-hidden": "true" },
    stamp(message.timestamp),
  ) : avatar(message.author);
  const body = el("div", { class: "message-body", "data-testid": "body" }, content(message));
  const below = [starter ? null : threadLink(message), mine ? onlyYou(message) : null];
  const main = el("div", { class: "message-main" }, compact ? null : head(message), body, below);
  return el("article", attributes, compact ? null : context(message), side, main);
}
