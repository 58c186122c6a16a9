/**
 * Addresses. A place on this page is `#<channel>` or `#<channel>/<message>`, so the browser's back button, copied
 * links and middle clicks work as anywhere. Links of Discord's own form to this server become such places; anything
 * else that is http(s) opens a new tab; other schemes are no links at all.
 */

import { el } from "./dom.js";
import { world, nameById } from "./state.js";

const PLACE = /^#([0-9]{1,20})(?:\/([0-9]{1,20}))?$/;
const DISCORD = /^https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/channels\/(\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

/** {channel, message} that the address bar asks for, or null. */
export function placeInAddress() {
  const match = PLACE.exec(location.hash);
  return match ? { channel: match[1], message: match[2] ?? null } : null;
}

export const placeOf = (channel, message = null) => (message ? `#${channel}/${message}` : `#${channel}`);

export function go(channel, message = null) {
  const place = placeOf(channel, message);
  // The same place again (a second press on the same link) changes no address, yet shall jump again.
  if (location.hash === place) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = place;
}

/**
 * {href, inside, label} for an address; label is what to show where the link has no text of its own. Null: not a link.
 */
export function resolve(address) {
  const match = DISCORD.exec(address);
  if (match && ["@me", world.guild?.id].includes(match[1])) {
    const [, where, channel, message] = match;
    const name = (where === "@me" ? "@" : "#") + (world.channels.get(channel)?.name ?? "unknown");
    return { href: placeOf(channel, message), inside: true, label: message ? `${name} › message` : name };
  }
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  return { href: address, inside: false, label: address };
}

/** A link with the given children (or its own label); plain text where the address is not one to follow. */
export function link(address, children = null, attributes = {}) {
  const target = resolve(address);
  if (!target) return el("span", {}, children ?? address);
  const outside = target.inside ? { class: "place-link" } : { target: "_blank", rel: "noopener noreferrer" };
  const again = target.inside ? () => location.hash === target.href && go(...target.href.slice(1).split("/")) : null;
  return el("a", { href: target.href, onclick: again, ...outside, ...attributes }, children ?? target.label);
}

/**
 * The address of an attachment on this very origin, however the server wrote its host; "" for what the page may not
 * load.
 */
export function mediaAddress(address) {
  if (!address || !URL.canParse(address, location.href)) return "";
  const url = new URL(address, location.href);
  if (url.pathname.startsWith("/attachments/")) return url.pathname + url.search;
  return url.origin === location.origin ? url.href : "";
}

export function channelLink(id) {
  const channel = world.channels.get(id);
  if (!channel) return el("span", { class: "mention" }, "#unknown");
  return el("a", { href: placeOf(id), class: "mention" }, `#${channel.name}`);
}

export function personMention(id) {
  const mine = id === world.me?.id;
  return el(
    "span",
    { class: mine ? "mention mention-me" : "mention", "data-user-id": id },
    `@${nameById(id)}`,
  );
}
