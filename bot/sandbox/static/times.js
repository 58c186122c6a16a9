/**
 * Times as Discord writes them: the styles of `<t:unix:style>`, the stamp beside a message's author, the dividers
 * between days. Relative times on the page are kept true by one ticking clock.
 */

import { el } from "./dom.js";

const STEPS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const LOCALE = "en-GB";

const format = (options) => new Intl.DateTimeFormat(LOCALE, options);
const STYLES = {
  t: format({ timeStyle: "short" }),
  T: format({ timeStyle: "medium" }),
  d: format({ dateStyle: "short" }),
  D: format({ dateStyle: "long" }),
  f: format({ dateStyle: "long", timeStyle: "short" }),
  F: format({ dateStyle: "full", timeStyle: "short" }),
  s: format({ dateStyle: "short", timeStyle: "short" }),
  S: format({ dateStyle: "short", timeStyle: "medium" }),
};
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function relative(unix) {
  const seconds = unix - Date.now() / 1000;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS.at(-1);
  return RELATIVE.format(Math.round(seconds / size), unit);
}

/** The element for `<t:unix:style>`. */
export function timestamp(unix, style = "f") {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return el("span", {}, "Invalid date");
  const isRelative = style === "R";
  const text = isRelative ? relative(unix) : STYLES[style].format(date);
  const attributes = { class: "timestamp", datetime: date.toISOString(), title: STYLES.F.format(date) };
  return el("time", { ...attributes, "data-relative": isRelative ? unix : null }, text);
}

setInterval(() => {
  for (const node of document.querySelectorAll("time[data-relative]")) {
    node.textContent = relative(Number(node.dataset.relative));
  }
}, 10_000);

const dayOf = (date) => date.toDateString();
export const sameDay = (a, b) => dayOf(new Date(a)) === dayOf(new Date(b));
export const dayName = (iso) => STYLES.D.format(new Date(iso));
export const clock = (iso) => STYLES.t.format(new Date(iso));

/** "07:35" today, "Yesterday at 07:35", else the date too. */
export function stamp(iso) {
  const now = new Date();
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (sameDay(iso, now)) return clock(iso);
  if (sameDay(iso, yesterday)) return `Yesterday at ${clock(iso)}`;
  return STYLES.s.format(new Date(iso));
}

export const fullStamp = (iso) => STYLES.F.format(new Date(iso));
