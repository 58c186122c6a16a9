/**
 * The message box. It takes slash commands only: a line to type in until a command is chosen, then that command's
 * form.
 */

import { CommandForm } from "./commandform.js";
import { findCommand, matching, spelledOut } from "./commands.js";
import { button, byId, el, icon } from "./dom.js";
import { USE_COMMAND } from "./mentions.js";
import { isDirect, isThread, world } from "./state.js";
import { Suggestions } from "./suggestions.js";

const NO_MATCH = "No command matches.";
const NO_COMMANDS = "No commands yet: the bot has not registered any.";
const NO_SUCH = "There is no such command: type / to see them all.";
const ONLY_COMMANDS = "This stand-in for Discord only takes slash commands: type / to see them.";

class Composer {
  constructor(root) {
    this.form = null;
    this.suggestions = new Suggestions();
    this.alert = el("div", { class: "composer-error", role: "alert", "data-testid": "composer-error", hidden: true });
    this.input = el("input", {
      id: "message-input",
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      role: "combobox",
      "aria-label": "Message box",
      "aria-autocomplete": "list",
      "aria-controls": "suggestions",
      "aria-expanded": "false",
      "data-testid": "message-input",
      enterkeyhint: "send",
    });
    this.slot = el("div", { class: "box-slot" }, this.input);
    this.send = button(
      { class: "icon-button send", "aria-label": "Send", "data-testid": "send", onclick: () => this.submit() },
      icon("send"),
    );
    this.away = button(
      {
        class: "icon-button",
        "aria-label": "Cancel the command",
        "data-testid": "cancel-command",
        hidden: true,
        onclick: () => this.leave(),
      },
      icon("close"),
    );
    this.box = el("div", { class: "message-box" }, this.slot, this.away, this.send);
    root.append(this.suggestions.node, this.alert, this.box);
    this.listen();
  }

  listen() {
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("focus", () => this.typed());
    this.input.addEventListener("blur", () => this.suggestions.belongsTo(this.input) && this.suggestions.hide());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.send.addEventListener("keydown", (event) => {
      if (this.form && (event.key === "Escape" || event.key === "Backspace")) this.form.cancel();
    });
    document.addEventListener(USE_COMMAND, (event) => this.use(findCommand(event.detail), event.detail));
    document.addEventListener("keydown", (event) => {
      const typing = document.activeElement?.matches("input, textarea, [role=option]");
      if (event.key === "/" && !typing && !document.querySelector("dialog[open]") && !this.form) this.input.focus();
    });
  }

  /** Says where one is; another place empties the box. */
  draw() {
    const channel = world.channels.get(world.here);
    if (this.place !== world.here) this.leave("", false);
    this.place = world.here;
    const sign = channel && (isThread(channel) || isDirect(channel)) ? "" : "#";
    this.input.placeholder = channel ? `Type / for a command in ${sign}${channel.name}` : "";
  }

  typed() {
    const text = this.input.value;
    if (!text.startsWith("/")) return this.suggestions.hide();
    this.error("");
    const whole = spelledOut(text.slice(1));
    if (whole) return this.use(whole);
    const items = matching(text.slice(1)).map((command) => ({
      title: `/${command.name}`,
      detail: command.description,
      value: command.name,
      command,
    }));
    const none = world.commands.length ? NO_MATCH : NO_COMMANDS;
    const note = items.length ? "" : none;
    return this.suggestions.show(this.input, items, (item) => this.use(item.command), note);
  }

  use(command, path = []) {
    if (!command) return this.error(`There is no command /${path.join(" ")}.`);
    this.leave("", false);
    this.form = new CommandForm(command, this);
    this.slot.replaceChildren(this.form.node);
    this.away.hidden = false;
    return this.form.focus();
  }

  /** Back to the line to type in, with a text. */
  leave(text = "", focus = true) {
    this.suggestions.hide();
    this.form = null;
    this.slot.replaceChildren(this.input);
    this.away.hidden = true;
    this.input.value = text;
    this.error("");
    if (focus) this.input.focus();
  }

  error(text) {
    this.alert.textContent = text;
    this.alert.hidden = !text;
  }

  busy(isBusy) {
    this.box.classList.toggle("waiting", isBusy);
    this.send.disabled = isBusy;
  }

  focusSend() {
    this.send.focus();
  }

  submit() {
    if (this.form) return this.send.disabled ? undefined : this.form.submit();
    if (!this.input.value.trim()) return this.input.focus();
    const named = spelledOut(`${this.input.value.replace(/^\//, "").trim()} `);
    if (this.input.value.startsWith("/") && named) return this.use(named);
    return this.error(this.input.value.startsWith("/") ? NO_SUCH : ONLY_COMMANDS);
  }

  key(event) {
    if (event.isComposing) return;
    const act = {
      ArrowDown: () => this.suggestions.move(1),
      ArrowUp: () => this.suggestions.move(-1),
      Enter: () => this.suggestions.take() || this.submit(),
      Tab: () => this.suggestions.take(),
      Escape: () => this.leave(),
    }[event.key];
    if (act && act() !== false) event.preventDefault();
  }
}

export const composer = new Composer(byId("composer"));
