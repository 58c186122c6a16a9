/** How somebody is shown wherever they are named: a face, which is a letter in their colour; a name; whether a bot. */

import { el } from "./dom.js";
import { colourOf, nameOf } from "./state.js";

export function avatar(user, small = false) {
  const node = el(
    "span",
    { class: small ? "avatar small" : "avatar", "aria-hidden": "true" },
    [...nameOf(user)][0]?.toUpperCase() ?? "?",
  );
  node.style.setProperty("--colour", colourOf(user.id));
  return node;
}

export const botTag = (user) => (user.bot ? el("span", { class: "bot-tag" }, "BOT") : null);

export function who(user) {
  const node = el("span", { class: "author", "data-testid": "author" }, nameOf(user));
  node.style.setProperty("--colour", colourOf(user.id));
  return node;
}
