/**
 * Message components, version 1 and 2: a table from the type's number to a function (component, message) → node.
 * Pressing ends in actions.js; whether a press is waiting or failed is read from the state.
 */

import { press } from "./actions.js";
import { button, el } from "./dom.js";
import { dropdown } from "./dropdown.js";
import { avatar } from "./faces.js";
import { markdown } from "./markdown.js";
import { thumbnail } from "./pictures.js";
import { link, mediaAddress, resolve } from "./places.js";
import { nameOf, pickable, world } from "./state.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };

export const hexColour = (number) => `#${number.toString(16).padStart(6, "0")}`;

export function fileSize(bytes) {
  if (!bytes) return "";
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

// Emoji of a server's own have an id and a picture elsewhere; their name stands for them.
const emojiOf = ({ emoji }) => (emoji?.id ? `:${emoji.name}:` : (emoji?.name ?? null));

const stateOf = (message, customId) => world.presses.get(`${message.id}/${customId}`) ?? null;

function buttonFace(component) {
  const emoji = emojiOf(component);
  return [
    emoji ? el("span", { class: "emoji" }, emoji) : null,
    component.label ? el("span", { class: "label" }, component.label) : null,
  ];
}

function pressButton(component, message) {
  const style = STYLES[component.style] ?? "secondary";
  if (component.url) {
    const face = [
      ...buttonFace(component),
      resolve(component.url)?.inside ? null : el("span", { class: "outside", "aria-hidden": "true" }, "↗"),
    ];
    return link(component.url, face, { class: "button button-link", "data-testid": "link-button" });
  }
  const waiting = stateOf(message, component.custom_id) === "waiting";
  const attributes = {
    class: `button button-${style}${waiting ? " waiting" : ""}`,
    "data-testid": "button",
    "data-custom-id": component.custom_id,
    "aria-busy": waiting ? "true" : null,
    // A waiting button keeps the focus, so it is not disabled for the browser; press() takes no second press.
    "aria-disabled": waiting ? "true" : null,
    disabled: component.disabled,
    onclick: () => press(message, component.custom_id),
  };
  return button(attributes, buttonFace(component));
}

// As Discord lists them: by name, each with a face and the name that is theirs alone.
const people = () => [...world.people.values()]
  .map((user) => ({
    label: nameOf(user),
    value: user.id,
    description: `@${user.username}`,
    face: () => avatar(user, true),
  }))
  .sort((a, b) => a.label.localeCompare(b.label));
const channels = () => pickable().map((c) => ({
  label: `#${c.name}`,
  value: c.id,
}));
const NO_OPTIONS = () => [];
const OPTIONS = { 3: (component) => component.options ?? [], 5: people, 6: NO_OPTIONS, 7: people, 8: channels };

/** What dropdown.js needs of any kind of select. */
export function selectSettings(component, label) {
  const defaults = new Set((component.default_values ?? []).map((value) => value.id));
  const options = OPTIONS[component.type](component).map((option) => ({
    ...option,
    default: option.default || defaults.has(option.value),
  }));
  const { placeholder, min_values: min = 1, max_values: max = 1, disabled = false } = component;
  return {
    label: label || placeholder || "Selection",
    customId: component.custom_id,
    placeholder,
    options,
    min,
    max,
    disabled,
  };
}

export const isSelect = (component) => Object.hasOwn(OPTIONS, component.type);

function select(component, message) {
  const settings = selectSettings(component);
  const waiting = stateOf(message, component.custom_id) === "waiting";
  const { node } = dropdown({
    ...settings,
    disabled: settings.disabled || waiting,
    onPick: (values) => press(message, component.custom_id, values),
  });
  node.classList.toggle("waiting", waiting);
  return node;
}

function failures(row, message) {
  const states = row.map((component) => stateOf(message, component.custom_id));
  const texts = new Set(states.filter((text) => text && text !== "waiting"));
  const attributes = { class: "press-error", role: "alert", "data-testid": "press-error" };
  return [...texts].map((text) => el("div", attributes, text));
}

function actionRow({ components }, message) {
  const row = el(
    "div",
    { class: "action-row", role: "group" },
    components.map((component) => renderComponent(component, message)),
  );
  return [row, failures(components, message)];
}

function section({ components, accessory }, message) {
  const texts = el(
    "div",
    { class: "section-texts" },
    components.map((component) => renderComponent(component, message)),
  );
  const node = el("div", { class: "section" }, texts, accessory ? renderComponent(accessory, message) : null);
  return accessory?.custom_id ? [node, failures([accessory], message)] : node;
}

function pictureOf(item, message) {
  const { media } = item;
  const isIt = (attachment) => attachment.id === media.attachment_id || attachment.url === media.url;
  const attachment = (message.attachments ?? []).find(isIt);
  return {
    address: mediaAddress(media.url),
    alt: item.description ?? attachment?.description ?? "",
    width: media.width ?? attachment?.width,
    height: media.height ?? attachment?.height,
  };
}

function veil(node) {
  const cover = button({ class: "spoiler-cover", onclick: () => cover.remove() }, "Spoiler");
  return el("div", { class: "spoiler-box" }, node, cover);
}

function gallery({ items }, message) {
  const pictures = items.map((item) => pictureOf(item, message));
  const shown = items.map((item, at) => (item.spoiler ? veil(thumbnail(pictures, at)) : thumbnail(pictures, at)));
  return el("div", { class: `gallery gallery-${Math.min(items.length, 4)}` }, shown);
}

function file(component) {
  const { file: media, name, size } = component;
  const address = mediaAddress(media?.url);
  return el(
    "div",
    { class: "file" },
    el("a", { href: address || null, download: name ?? "" }, name ?? "file"),
    el("small", {}, fileSize(size)),
  );
}

function container(component, message) {
  const inside = (component.components ?? []).map((part) => renderComponent(part, message));
  const node = el("div", { class: "container" }, inside);
  if (typeof component.accent_color === "number") {
    node.classList.add("accented");
    node.style.setProperty("--accent", hexColour(component.accent_color));
  }
  return component.spoiler ? veil(node) : node;
}

const separator = ({ divider = true, spacing = 1 }) => el(
  divider ? "hr" : "div",
  { class: `separator separator-${spacing}` },
);

const KINDS = {
  1: actionRow,
  2: pressButton,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: ({ content }) => markdown(content),
  11: (component, message) => thumbnail([pictureOf(component, message)], 0, "picture accessory"),
  12: gallery,
  13: file,
  14: separator,
  17: container,
};

/** A component as a node, or an array of them. A kind that Discord has and this page has not says so. */
export function renderComponent(component, message) {
  const render = KINDS[component.type];
  return render ? render(component, message) : el(
    "div",
    { class: "unknown" },
    `(a component of type ${component.type}, not shown here)`,
  );
}

/** What the redrawing of a message depends on beside the message itself. */
export function pressSignature(message) {
  return [...world.presses].filter(([key]) => key.startsWith(`${message.id}/`)).join("|");
}
