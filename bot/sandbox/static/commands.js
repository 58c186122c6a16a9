/**
 * The registered slash commands as a flat list, groups taken apart, and how typed letters find them.
 */

import { isDirect, world } from "./state.js";

export const OPTION = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
};
const CHAT_INPUT = 1;
const IN_DESCRIPTION = 3;

const isBranch = (option) => option.type === OPTION.subcommand || option.type === OPTION.group;

function leaves(node, path) {
  const options = node.options ?? [];
  const branches = options.filter(isBranch);
  if (branches.length) return branches.flatMap((branch) => leaves(branch, [...path, branch.name]));
  return [{ path, name: path.join(" "), description: node.description, options }];
}

/** Whether a command is offered where one is: `contexts` has 0 for servers and 1 for direct messages with the bot. */
function isOffered(command) {
  const context = isDirect(world.channels.get(world.here) ?? {}) ? 1 : 0;
  return (command.type ?? CHAT_INPUT) === CHAT_INPUT && (command.contexts ?? [context]).includes(context);
}

/** All commands one can send here: {path, name, description, options}, by name. */
export function allCommands() {
  const roots = world.commands.filter(isOffered);
  return roots.flatMap((root) => leaves(root, [root.name])).sort((a, b) => a.name.localeCompare(b.name));
}

export const findCommand = (path) => allCommands().find((command) => command.name === path.join(" ")) ?? null;

const words = (text) => text.toLowerCase().split(/[\s-]+/).filter(Boolean);

/**
 * 0 is best; Infinity is no match. Every typed word must be found: at the start, at a word's start, anywhere, or in
 * the description.
 */
function rank(command, typed) {
  const name = command.name.toLowerCase();
  if (name.startsWith(typed)) return 0;
  const own = words(name);
  const wanted = words(typed);
  if (wanted.every((word) => own.some((part) => part.startsWith(word)))) return 1;
  if (wanted.every((word) => name.includes(word))) return 2;
  const all = `${name} ${command.description.toLowerCase()}`;
  return wanted.every((word) => all.includes(word)) ? IN_DESCRIPTION : Infinity;
}

/** Commands for what stands after the slash, the best first. */
export function matching(typed) {
  const text = typed.toLowerCase().trimStart();
  const ranked = allCommands().map((command) => ({ command, place: rank(command, text) }));
  const best = Math.min(...ranked.map(({ place }) => place));
  // Descriptions are searched only where no name is found.
  const found = ranked.filter(({ place }) => place < Infinity && (place < IN_DESCRIPTION || best === IN_DESCRIPTION));
  return found.sort((a, b) => a.place - b.place).map(({ command }) => command);
}

/** The command that `typed` spells out in full with a space behind it, as when one types on into the first option. */
export function spelledOut(typed) {
  if (!/\s$/.test(typed)) return null;
  const name = typed.trim().toLowerCase();
  return allCommands().find((command) => command.name.toLowerCase() === name) ?? null;
}
