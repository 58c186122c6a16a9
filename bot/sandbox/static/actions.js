/**
 * What a person does, told to the server, and what came of it, written into the state. The views call these functions
 * and draw the state; they never speak to the server themselves.
 */

import { toast } from "./dom.js";
import { go } from "./places.js";
import { apply, world } from "./state.js";

const QUIET = "The application did not respond";

let line = null;
let changed = () => {};
let showModal = () => {};

/** Joins the actions to the line, to the redrawing of the page and to the dialog for modals. */
export function connect(parts) {
  ({ line, changed, showModal } = parts);
}

const failed = (frame) => frame.t === "failed" || frame.t === "refused";

/** Presses a button, or answers a select with `values`. */
export function press(message, customId, values = null) {
  const key = `${message.id}/${customId}`;
  if (world.presses.get(key) === "waiting") return;
  world.presses.set(key, "waiting");
  changed();
  const frame = { t: "press", channel: message.channel_id, message: message.id, custom_id: customId };
  line.ask(values ? { ...frame, values } : frame, (answer) => {
    if (answer.t === "pending") return;
    if (failed(answer)) world.presses.set(key, answer.text || QUIET);
    else world.presses.delete(key);
    if (answer.t === "modal") showModal(answer.modal);
    changed();
  });
}

/**
 * Sends a command. `settled(null)` is called as soon as the server has taken it, `settled(text)` when it refused it, so
 * that the message box can keep what was typed.
 */
export function sendCommand(path, options, label, settled) {
  const pendingCommand = { n: 0, channel: world.here, label, error: null };
  const drop = () => (world.pendingCommands = world.pendingCommands.filter((other) => other !== pendingCommand));
  let open = true;
  const settle = (text) => {
    if (open) settled(text);
    open = false;
  };
  pendingCommand.n = line.ask({ t: "command", channel: world.here, path, options }, (answer) => {
    settle(answer.t === "refused" ? answer.text : null);
    if (answer.t === "failed") pendingCommand.error = answer.text || QUIET;
    else if (answer.t !== "pending") drop();
    if (answer.t === "pending" || answer.t === "failed") keep(pendingCommand);
    if (answer.t === "modal") showModal(answer.modal);
    changed();
  });
}

function keep(pendingCommand) {
  if (!world.pendingCommands.includes(pendingCommand)) world.pendingCommands.push(pendingCommand);
}

export function dropPending(pendingCommand) {
  world.pendingCommands = world.pendingCommands.filter((other) => other !== pendingCommand);
  changed();
}

/** Asks for the completions of one option; `answered(choices)` gets null when the bot said nothing. */
export function complete(path, options, focused, answered) {
  line.ask({ t: "complete", channel: world.here, path, options, focused }, (answer) => {
    if (answer.t !== "pending") answered(answer.t === "choices" ? answer.choices : null);
  });
}

/** Sends a modal's values; `settled(null)` when it was taken, `settled(text)` when not. */
export function submitModal(modal, values, settled) {
  line.ask({ t: "submit", modal, values }, (answer) => {
    if (answer.t === "pending") return;
    settled(failed(answer) ? answer.text || QUIET : null);
    if (answer.t === "modal") showModal(answer.modal);
  });
}

export function dismissModal(modal) {
  line.say({ t: "dismiss", modal });
}

/** Takes an ephemeral message out of one's own view. */
export function dismissMessage(message) {
  if (!line.say({ t: "dismiss_message", message: message.id })) return toast("Not connected to the sandbox.");
  apply({ t: "delete", channel_id: message.channel_id, id: message.id });
  return changed();
}

/** "start", "stop" or "restart": asks the process that runs the bot. */
export function controlBot(what) {
  line.ask({ t: "bot", do: what }, (answer) => failed(answer) && toast(answer.text));
}

/** Opens one's direct messages with the bot, and goes there. */
export function openMailbox() {
  line.ask({ t: "open_mailbox" }, (answer) => {
    if (failed(answer)) toast(answer.text);
    else if (answer.channel) go(answer.channel);
  });
}

/** Closes one's mailbox to direct messages, or opens it. */
export function closeMailbox(closed) {
  line.ask({ t: "mailbox", closed }, (answer) => failed(answer) && toast(answer.text));
}
