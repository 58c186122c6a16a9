/** A command named in a text, `</name:id>`: pressing it puts the command into the message box. */

import { button } from "./dom.js";

/** The document hears this event (detail: the command's path as an array of words) and opens the message box. */
export const USE_COMMAND = "use-command";

export function commandMention(name) {
  const path = name.split(" ");
  const use = () => document.dispatchEvent(new CustomEvent(USE_COMMAND, { detail: path }));
  return button({ class: "mention command-mention", onclick: use }, `/${name}`);
}
