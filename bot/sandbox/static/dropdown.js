/**
 * A select, the same in messages and in modals: a button that opens a list in the flow of the page, so that it can
 * neither be cut off by a dialog nor hang over the edge of a phone. Arrow keys, Home, End, first letters, Enter,
 * Escape; or taps.
 */

import { button, el, icon } from "./dom.js";

class Dropdown {
  /**
   * `settings`: {label, customId, placeholder, options: [{label, value, description, default, face}], min, max,
   * disabled, onPick(values)}; `face` makes the picture of a person.
   */
  constructor(settings) {
    this.settings = settings;
    this.max = settings.max ?? 1;
    this.chosen = new Set(settings.options.filter((option) => option.default).map((option) => option.value));
    this.items = settings.options.map((option) => this.item(option));
    this.list = el(
      "div",
      {
        class: "dropdown-list",
        role: "listbox",
        "aria-label": settings.label,
        "aria-multiselectable": this.max > 1 ? "true" : null,
        hidden: true,
      },
      this.items,
    );
    this.text = el("span", { class: "dropdown-text" });
    this.button = button(
      {
        class: "dropdown-button",
        "aria-haspopup": "listbox",
        "aria-expanded": "false",
        disabled: settings.disabled,
        onclick: () => (this.open ? this.close() : this.toggle(true)),
      },
      this.text,
      icon("chevron"),
    );
    this.node = el(
      "div",
      { class: "dropdown", "data-testid": "select", "data-custom-id": settings.customId },
      this.button,
      this.list,
    );
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("focusout", (event) => this.left(event));
    this.draw();
  }

  item(option) {
    const detail = option.description ? el("small", {}, option.description) : null;
    const emoji = option.emoji?.name && !option.emoji.id ? `${option.emoji.name} ` : "";
    const { label, value } = option;
    const names = { "data-value": value, "data-label": label };
    const attributes = { class: "dropdown-option", role: "option", tabindex: -1, ...names };
    const texts = [el("span", {}, emoji, label), detail];
    return el(
      "div",
      { ...attributes, onclick: () => this.pick(value) },
      option.face ? el("div", { class: "dropdown-face" }, option.face(), el("div", {}, texts)) : texts,
    );
  }

  get open() {
    return !this.list.hidden;
  }

  toggle(open = !this.open) {
    this.before = open ? this.values().join("\n") : this.before;
    this.list.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return;
    const first = this.items.find((item) => this.chosen.has(item.dataset.value)) ?? this.items[0];
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "nearest" });
    this.list.scrollIntoView({ block: "nearest" });
  }

  /** Closes the list, and in a message sends a choice of several, if it changed. */
  close() {
    if (!this.open) return;
    this.toggle(false);
    if (this.max > 1 && this.values().join("\n") !== this.before) this.settings.onPick?.(this.values());
  }

  pick(value) {
    if (this.max === 1) {
      const again = this.chosen.has(value) && this.settings.min === 0;
      this.chosen = new Set(again ? [] : [value]);
      this.toggle(false);
      this.button.focus();
      this.settings.onPick?.(this.values());
    } else if (this.chosen.has(value)) this.chosen.delete(value);
    else if (this.chosen.size < this.max) this.chosen.add(value);
    this.draw();
  }

  draw() {
    const picked = this.settings.options.filter((option) => this.chosen.has(option.value));
    const text = picked.map((option) => option.label).join(", ") || this.settings.placeholder || "Make a selection";
    this.text.textContent = text;
    this.text.classList.toggle("placeholder", picked.length === 0);
    this.button.setAttribute("aria-label", `${this.settings.label}: ${text}`);
    for (const item of this.items) item.setAttribute("aria-selected", String(this.chosen.has(item.dataset.value)));
  }

  key(event) {
    if (!this.open) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") this.handled(event, () => this.toggle(true));
      return;
    }
    const at = this.items.indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.items.length - 1 };
    if (event.key in moves) this.handled(
      event,
      () => this.items[Math.min(Math.max(moves[event.key], 0), this.items.length - 1)]?.focus(),
    );
    else if ((event.key === "Enter" || event.key === " ") && at >= 0) this.handled(
      event,
      () => this.pick(this.items[at].dataset.value),
    );
    else if (event.key === "Escape") this.handled(event, () => (this.close(), this.button.focus()));
    else if (event.key.length === 1) this.jump(event.key, at);
  }

  jump(letter, at) {
    const order = [...this.items.slice(at + 1), ...this.items.slice(0, at + 1)];
    const begins = (item) => item.dataset.label.toLowerCase().startsWith(letter.toLowerCase());
    order.find(begins)?.focus();
  }

  handled(event, act) {
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  left(event) {
    if (this.open && !this.node.contains(event.relatedTarget)) this.close();
  }

  values() {
    return this.settings.options.map((option) => option.value).filter((value) => this.chosen.has(value));
  }
}

export const dropdown = (settings) => new Dropdown(settings);
