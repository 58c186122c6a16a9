/**
 * The pushes of one's phone, the latest first, as a lock screen shows them: where each came from, and the content that
 * the message was posted with. A message of components has none.
 */

import { byId, el } from "./dom.js";
import { part } from "./sidebar.js";
import { world } from "./state.js";

function pushRow({ title, text, author, mentioned }) {
  const empty = text ? null : el("span", { class: "push-empty" }, `${author} ${mentioned ? "mentioned you" : "wrote"}`);
  return el(
    "li",
    { class: "push", "data-testid": "push", "data-empty": empty ? "true" : null },
    el("strong", { class: "push-title" }, title),
    el("span", { class: "push-text" }, empty ?? text),
  );
}

/** Draws the list, which can be folded away; how many there were stays above it. */
export function drawPushes() {
  byId("pushes").dataset.count = world.rung;
  part("pushes", [world.rung, world.pushes], () => [
    el("summary", { class: "category", "data-focus": "pushes" }, `Pushes (${world.rung})`),
    el("ol", {}, world.pushes.toReversed().map(pushRow)),
  ]);
}
