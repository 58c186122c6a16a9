/**
 * The list of suggestions above the message box: commands, choices, people, completions. One at a time belongs to one
 * input.
 */

import { el } from "./dom.js";

export class Suggestions {
  #input = null;
  #onPick = null;
  #items = [];
  #at = -1;

  constructor() {
    this.note = el("div", { class: "suggestion-note", "data-testid": "suggestion-note", hidden: true });
    this.list = el(
      "div",
      { id: "suggestions", role: "listbox", "aria-label": "Suggestions", "data-testid": "suggestions" },
    );
    this.node = el("div", { class: "suggestions", hidden: true }, this.note, this.list);
    // Pressing an item must not take the focus (and, on phones, the keyboard) away from the field.
    this.node.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** Whether Enter would take something. */
  get lit() {
    return this.open && this.#at >= 0;
  }

  get open() {
    return !this.node.hidden && this.#items.length > 0;
  }

  belongsTo(input) {
    return this.#input === input;
  }

  /**
   * Shows items {title, detail, icon, value} for an input, with a line of explanation; the one at `lit` is lit, -1 for
   * none.
   */
  show(input, items, onPick, note = "", lit = 0) {
    this.hide();
    this.#input = input;
    this.#items = items;
    this.#onPick = onPick;
    this.note.textContent = note;
    this.note.hidden = !note;
    this.list.replaceChildren(...items.map((item, at) => this.#row(item, at)));
    this.node.hidden = !note && items.length === 0;
    input.setAttribute("aria-expanded", String(items.length > 0));
    this.list.scrollTop = 0;
    this.#light(Math.min(lit, items.length - 1));
  }

  #row(item, at) {
    const attributes = {
      id: `suggestion-${at}`,
      class: "suggestion",
      role: "option",
      "data-testid": "suggestion",
      "data-value": item.value,
    };
    const text = el(
      "span",
      { class: "suggestion-text" },
      el("span", { class: "suggestion-title" }, item.title),
      item.detail ? el("small", {}, item.detail) : null,
    );
    return el("div", { ...attributes, onclick: () => this.#pick(at) }, item.icon ?? null, text);
  }

  #light(at) {
    this.#at = at;
    [...this.list.children].forEach((row, index) => row.setAttribute("aria-selected", String(index === at)));
    if (at >= 0) this.#input.setAttribute("aria-activedescendant", `suggestion-${at}`);
    this.list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  #pick(at) {
    const item = this.#items[at];
    const onPick = this.#onPick;
    this.hide();
    if (item) onPick(item);
  }

  /** Takes the lit item; says whether there was one. */
  take() {
    if (!this.lit) return false;
    this.#pick(this.#at);
    return true;
  }

  move(by) {
    if (!this.open) return;
    const from = this.#at < 0 && by < 0 ? 0 : this.#at;
    this.#light((from + by + this.#items.length) % this.#items.length);
  }

  hide() {
    this.node.hidden = true;
    this.#items = [];
    this.#at = -1;
    this.#input?.removeAttribute("aria-activedescendant");
    this.#input?.setAttribute("aria-expanded", "false");
    this.list.replaceChildren();
  }
}
