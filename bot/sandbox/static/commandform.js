/**
 * A chosen slash command in the message box: its name, a field for every option in use, and a chip for each optional
 * one that is not.
 */

import { sendCommand } from "./actions.js";
import { button, el, icon } from "./dom.js";
import { Field } from "./field.js";

/** The options that stand ready: all that are required; if none is, the first, which may stay empty. */
function firstOptions({ options }) {
  const required = options.filter((option) => option.required);
  return required.length ? required : options.slice(0, 1);
}

export class CommandForm {
  /** `box` gives {suggestions, error(text), leave(text), busy(bool)}: the message box around it. */
  constructor(command, box) {
    this.command = command;
    this.box = box;
    this.suggestions = box.suggestions;
    this.fields = firstOptions(command).map((option) => new Field(option, this));
    this.name = el("span", { class: "command-name", "data-testid": "command-name" }, `/${command.name}`);
    this.chips = el("span", { class: "chips" });
    this.slots = el("span", { class: "fields" }, this.fields.map((field) => field.node));
    this.node = el("div", { class: "command", "data-testid": "command-form" }, this.name, this.slots, this.chips);
    this.drawChips();
  }

  drawChips() {
    const used = new Set(this.fields.map((field) => field.option.name));
    const free = this.command.options.filter((option) => !used.has(option.name));
    this.chips.replaceChildren(
      ...free.map((option) =>
        button(
          {
            class: "chip",
            title: option.description,
            "data-testid": "add-option",
            "data-option": option.name,
            onclick: () => this.add(option),
          },
          icon("plus"),
          option.name,
        ),
      ),
    );
  }

  add(option) {
    const field = new Field(option, this);
    this.fields.push(field);
    this.slots.append(field.node);
    this.drawChips();
    field.input.focus();
  }

  remove(field) {
    const at = this.fields.indexOf(field);
    this.fields.splice(at, 1);
    this.suggestions.hide();
    field.node.remove();
    this.drawChips();
    this.focus(Math.max(at - 1, 0));
  }

  focus(at = 0) {
    const input = this.fields[at]?.input;
    if (input) input.focus();
    else this.box.focusSend();
  }

  /** After a pick: on to the next required option that is empty, or stay. */
  next(field) {
    const empty = this.fields.find((other) => other.option.required && !other.text);
    if (empty) empty.input.focus();
    else if (document.activeElement !== field.input) field.input.focus();
    if (!empty) this.suggestions.hide();
  }

  /** Backspace in an empty field. */
  back(field) {
    const at = this.fields.indexOf(field);
    if (!field.option.required) this.remove(field);
    else if (at > 0) this.focus(at - 1);
    else this.cancel(`/${this.command.name}`);
  }

  cancel(text = "") {
    this.suggestions.hide();
    this.box.leave(text);
  }

  /** The values of all other fields, if they can be read; a completion is sent them. */
  readable(except) {
    const values = this.fields.filter((field) => field !== except).map((field) => [
      field.option.name,
      field.read().value,
    ]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  submit() {
    this.suggestions.hide();
    for (const field of this.fields) {
      const { text } = field.read();
      field.markWrong(Boolean(text));
      if (text) {
        field.input.focus();
        return this.box.error(text);
      }
    }
    this.box.error("");
    this.box.busy(true);
    return sendCommand(this.command.path, this.readable(null), this.label(), (refused) => {
      this.box.busy(false);
      if (refused === null) this.box.leave();
      else this.refuse(refused);
    });
  }

  refuse(text) {
    this.box.error(text);
    this.focus(this.fields.length - 1);
    this.suggestions.hide();
  }

  label() {
    const values = this.fields.filter((field) => field.text).map((field) => `${field.option.name}: ${field.text}`);
    return [`/${this.command.name}`, ...values].join(" ");
  }
}
