/**
 * One option of a slash command in the message box: an input, what may be picked for it, and the value that it stands
 * for. Text, whole numbers, yes or no, people, channels, fixed choices and the bot's completions.
 */

import { complete } from "./actions.js";
import { OPTION } from "./commands.js";
import { button, el, icon } from "./dom.js";
import { avatar } from "./faces.js";
import { nameOf, pickable, world } from "./state.js";

const TYPING_PAUSE = 150;
const SHORT_LIST = 10;

const others = (user) => user.id !== world.me.id;
// Oneself comes last: it is seldom meant.
const everybody = () => [...world.people.values()].sort((a, b) => others(b) - others(a)).map(person);
const person = (user) => ({
  title: nameOf(user),
  detail: `@${user.username}`,
  value: user.id,
  icon: avatar(user, true),
});
const channel = (place) => ({ title: `#${place.name}`, detail: "", value: place.id });
const YES_NO = [{ title: "True", value: true }, { title: "False", value: false }];

const PICKS = {
  [OPTION.boolean]: () => YES_NO,
  [OPTION.user]: everybody,
  [OPTION.mentionable]: everybody,
  [OPTION.channel]: () => pickable().map(channel),
  [OPTION.role]: () => [],
};

const fine = (value) => ({ value, text: null });
const wrong = (text) => ({ value: undefined, text });

function checkNumber(option, number) {
  const { name, min_value: min = -Infinity, max_value: max = Infinity } = option;
  if (number < min) return wrong(`${name} must be at least ${min}.`);
  if (number > max) return wrong(`${name} must be at most ${max}.`);
  return fine(number);
}

function readInteger(option, text) {
  const number = Number(text);
  return /^-?[0-9]+$/.test(text) && Number.isSafeInteger(number) ? checkNumber(
    option,
    number,
  ) : wrong(`${option.name} must be a whole number.`);
}

function readNumber(option, text) {
  const number = Number(text);
  return text && Number.isFinite(number) ? checkNumber(option, number) : wrong(`${option.name} must be a number.`);
}

function readText(option, text) {
  const { name, min_length: min = 0, max_length: max = 6000 } = option;
  if (text.length < min) return wrong(`${name} must have at least ${min} characters.`);
  if (text.length > max) return wrong(`${name} must have at most ${max} characters.`);
  return fine(text);
}

const READERS = { [OPTION.integer]: readInteger, [OPTION.number]: readNumber, [OPTION.string]: readText };

export class Field {
  #chosen = null;
  #moved = false;
  #timer = 0;
  #question = 0;

  /** `form` is the CommandForm it belongs to. */
  constructor(option, form) {
    this.option = option;
    this.form = form;
    this.input = el("input", {
      type: option.type === OPTION.attachment ? "file" : "text",
      size: 4,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      role: "combobox",
      "aria-label": `${option.name}: ${option.description}`,
      "aria-autocomplete": "list",
      "aria-controls": "suggestions",
      "aria-expanded": "false",
      "aria-required": option.required ? "true" : null,
      inputmode: this.inputMode(),
      enterkeyhint: "send",
    });
    this.input.addEventListener("input", () => this.input.files ? this.take(this.input.files[0]) : this.typed());
    this.input.addEventListener("focus", () => this.offer());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener(
      "blur",
      () => this.form.suggestions.belongsTo(this.input) && this.form.suggestions.hide(),
    );
    const away = option.required ? null : button(
      {
        class: "field-remove",
        tabindex: -1,
        "aria-label": `Leave out ${option.name}`,
        onclick: () => form.remove(this),
      },
      icon("close"),
    );
    this.node = el(
      "label",
      { class: "field", "data-testid": "option", "data-option": option.name },
      el("span", { class: "field-name" }, option.name),
      this.input,
      away,
    );
  }

  /** No keyboard on a phone where a short list says it all. */
  inputMode() {
    const { type, choices } = this.option;
    if (type === OPTION.boolean || (choices?.length && choices.length <= SHORT_LIST)) return "none";
    return type === OPTION.integer ? "numeric" : null;
  }

  get text() {
    return this.input.value;
  }

  /** Whether only what is listed may be sent. */
  get picksOnly() {
    return Boolean(this.option.choices?.length) || this.option.type in PICKS;
  }

  picks() {
    const { choices, type } = this.option;
    if (choices?.length) return choices.map(({ name, value }) => ({ title: name, value }));
    return PICKS[type]?.() ?? [];
  }

  found(query) {
    const text = query.toLowerCase().replace(/^[@#]/, "");
    const hits = this.picks().filter((item) => `${item.title} ${item.detail ?? ""}`.toLowerCase().includes(text));
    const starts = (item) => item.title.replace(/^#/, "").toLowerCase().startsWith(text);
    return [...hits.filter(starts), ...hits.filter((item) => !starts(item))];
  }

  typed() {
    this.#chosen = null;
    this.markWrong(false);
    this.fit();
    this.offer();
  }

  /** Reads a file that was picked. */
  async take(file) {
    this.#chosen = null;
    const bytes = file ? new Uint8Array(await file.arrayBuffer()) : [];
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    if (file) this.#chosen = { title: file.name, value: { name: file.name, data } };
    this.markWrong(false);
  }

  fit() {
    this.input.size = Math.min(Math.max(this.text.length + 1, 4), 60);
  }

  /** Shows what may be picked for what is typed. */
  offer() {
    this.#moved = false;
    clearTimeout(this.#timer);
    this.#question += 1;
    if (this.option.autocomplete) {
      this.show([], "Loading…");
      this.#timer = setTimeout(() => this.ask(this.#question), TYPING_PAUSE);
    } else this.show(this.found(this.#chosen ? "" : this.text));
  }

  ask(question) {
    const options = { ...this.form.readable(this), [this.option.name]: this.text };
    complete(this.form.command.path, options, this.option.name, (choices) => {
      if (question !== this.#question || document.activeElement !== this.input) return;
      if (!choices) this.show([], "Loading the options failed.");
      else this.show(
        choices.map(({ name, value }) => ({ title: name, value })),
        choices.length ? "" : "No options match.",
      );
    });
  }

  show(items, extra = "") {
    const { name, description, required } = this.option;
    const note = [`${name}: ${description}`, required ? "" : "optional", extra].filter(Boolean).join(" · ");
    const typed = this.text.trim().toLowerCase();
    const exact = items.findIndex((item) => [item.title, `${item.value}`].some((one) => one.toLowerCase() === typed));
    const idle = !typed && !required;
    this.form.suggestions.show(this.input, items, (item) => this.pick(item), note, idle ? -1 : Math.max(exact, 0));
  }

  pick(item) {
    this.#chosen = item;
    this.input.value = item.title;
    this.markWrong(false);
    this.fit();
    this.#question += 1;
    this.form.next(this);
  }

  /** Writes a value as if it had been typed. */
  fill(text) {
    this.input.value = text;
    this.#chosen = null;
    this.fit();
  }

  /** {value, text}: the value (undefined when left empty or wrong) and what is wrong with it. */
  read() {
    const text = this.text.trim();
    if (this.#chosen) return fine(this.#chosen.value);
    if (!text && !this.option.required) return fine(undefined);
    if (!text) return wrong(`${this.option.name} is required: specify a value.`);
    if (this.picksOnly) return this.readPick(text);
    return READERS[this.option.type]?.(this.option, text) ?? wrong(`This stand-in cannot send ${this.option.name}.`);
  }

  readPick(text) {
    const bare = text.toLowerCase().replace(/^[@#]/, "");
    const match = this.picks().find((item) => item.title.toLowerCase().replace(/^#/, "") === bare);
    return match ? fine(match.value) : wrong(`${this.option.name}: pick one of the list.`);
  }

  markWrong(isWrong) {
    this.node.classList.toggle("wrong", isWrong);
    this.input.setAttribute("aria-invalid", String(isWrong));
  }

  /**
   * Whether Enter and Tab take the lit suggestion: not when one was taken already, unless one has moved on in the
   * list.
   */
  get takes() {
    const { suggestions } = this.form;
    return suggestions.lit && suggestions.belongsTo(this.input) && (!this.#chosen || this.#moved);
  }

  key(event) {
    if (event.isComposing) return;
    const { suggestions } = this.form;
    const act = {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      Enter: () => (this.takes ? suggestions.take() : this.form.submit()),
      Tab: () => !event.shiftKey && this.takes && suggestions.take(),
      Escape: () => (suggestions.open ? suggestions.hide() : this.form.cancel()),
      Backspace: () => !this.text && this.form.back(this),
    }[event.key];
    // false: nothing was done, the key keeps its meaning.
    if (act && act() !== false) event.preventDefault();
  }

  step(by) {
    if (!this.form.suggestions.open) this.offer();
    this.#moved = true;
    this.form.suggestions.move(by);
  }
}
