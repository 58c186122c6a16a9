/**
 * Discord's Markdown, as nodes: blocks first (fences, quotes, headings, lists, paragraphs), then what stands in a line.
 * A table of rules is tried at every character; what no rule takes is text.
 */

import { el } from "./dom.js";
import { channelLink, link, personMention } from "./places.js";
import { timestamp } from "./times.js";
import { commandMention } from "./mentions.js";

const FENCE = /```(?:[\w+#.-]*\n)?([\s\S]*?)```/;
const HEADING = /^(#{1,3})\s+(\S.*)$/;
const SMALL = /^-#\s+(\S.*)$/;
const ITEM = /^(\s*)([-*]|[0-9]{1,9}\.)\s+(\S.*)$/;

const wrap = (tag, attributes = {}) => (match) => el(tag, attributes, inline(match[1]));

function code(match) {
  return el("code", {}, match[2]);
}

// Discord draws its emoji itself, whatever fonts there are; of the squares this page can do the same.
const SQUARES = new Map([
  ["🟥", "red"], ["🟧", "orange"], ["🟨", "yellow"], ["🟩", "green"], ["🟦", "blue"], ["🟪", "purple"], ["🟫", "brown"],
  ["⬛", "black"], ["⬜", "white"],
]);

function square(match) {
  const colour = SQUARES.get(match[0]);
  return el("span", { class: `square ${colour}`, role: "img", "aria-label": `${colour} square` });
}

function spoiler(match) {
  const node = el(
    "span",
    { class: "spoiler", role: "button", tabindex: 0, "aria-label": "Spoiler: press to reveal" },
    inline(match[1]),
  );
  const reveal = () => node.classList.add("revealed");
  node.addEventListener("click", reveal);
  node.addEventListener("keydown", (event) => event.key === "Enter" && reveal());
  return node;
}

const RULES = [
  [/\\([^A-Za-z0-9\s])/uy, (match) => match[1]],
  [/(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/y, code],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, wrap("strong")],
  [/__([\s\S]+?)__(?!_)/y, wrap("u")],
  [/~~([\s\S]+?)~~/y, wrap("s")],
  [/\|\|([\s\S]+?)\|\|/y, spoiler],
  [/\*(?=\S)((?:\*\*|\\.|[^*\\])+?)\*(?!\*)/y, wrap("em")],
  [/\b_((?:__|\\.|[^_\\])+?)_\b/y, wrap("em")],
  [/\[((?:\\.|[^[\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/iy, (match) => link(match[2], inline(match[1]))],
  [/<(https?:\/\/[^\s<>]+)>/iy, (match) => link(match[1])],
  [/https?:\/\/[^\s<>]*[^\s<>.,:;"'\])*_~|]/iy, (match) => link(match[0])],
  [/<@!?([0-9]{1,20})>/y, (match) => personMention(match[1])],
  [/<@&([0-9]{1,20})>/y, () => el("span", { class: "mention" }, "@role")],
  [/<#([0-9]{1,20})>/y, (match) => channelLink(match[1])],
  [/<\/([^:>\n]{1,100}):([0-9]{1,20})>/y, (match) => commandMention(match[1])],
  [/<t:(-?[0-9]{1,13})(?::([tTdDfFRsS]))?>/y, (match) => timestamp(Number(match[1]), match[2])],
  [/<a?:(\w{2,32}):[0-9]{1,20}>/y, (match) => `:${match[1]}:`],
  [new RegExp([...SQUARES.keys()].join("|"), "uy"), square],
  [/@(?:everyone|here)\b/y, (match) => el("span", { class: "mention" }, match[0])],
];

// An underscore inside a word is no emphasis, and \b alone would start inside words; so words are taken whole.
const WORD = /[A-Za-z0-9]+/y;

function ruleAt(text, at) {
  for (const [pattern, build] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { length: match[0].length, node: build(match) };
  }
  return null;
}

function wordAt(text, at) {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at));
}

/** What stands in a line: an array of nodes and strings. */
export function inline(text) {
  const nodes = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const found = ruleAt(text, at);
    if (found) {
      nodes.push(plain, found.node);
      plain = "";
      at += found.length;
    } else {
      const word = wordAt(text, at);
      plain += word;
      at += word.length;
    }
  }
  nodes.push(plain);
  return nodes.filter((node) => node !== "");
}

/** A list of items {indent, ordered, text} as nested <ul> and <ol>. */
function listOf(items) {
  const ordered = items[0].ordered;
  const list = el(ordered ? "ol" : "ul", { start: ordered ? items[0].number : null });
  for (let at = 0; at < items.length; ) {
    const item = el("li", {}, inline(items[at].text));
    let next = at + 1;
    while (next < items.length && items[next].indent > items[0].indent) next += 1;
    if (next > at + 1) item.append(listOf(items.slice(at + 1, next)));
    list.append(item);
    at = next;
  }
  return list;
}

function itemOf(line) {
  const [, space, sign, text] = ITEM.exec(line);
  return { indent: space.length, ordered: sign.length > 1, number: Number.parseInt(sign, 10), text };
}

const countWhile = (lines, from, test) => {
  let to = from;
  while (to < lines.length && test(lines[to])) to += 1;
  return to;
};

const BLOCKS = [
  {
    starts: (line) => line.startsWith(">>> "),
    take: (lines, at) => [
      lines.length,
      el("blockquote", {}, blocks([lines[at].slice(4), ...lines.slice(at + 1)].join("\n"))),
    ],
  },
  {
    starts: (line) => /^> /.test(line) || line === ">",
    take: (lines, at) => {
      const to = countWhile(lines, at, (line) => /^> /.test(line) || line === ">");
      return [to, el("blockquote", {}, blocks(lines.slice(at, to).map((line) => line.slice(2)).join("\n")))];
    },
  },
  {
    starts: (line) => HEADING.test(line),
    take: (lines, at) => {
      const [, signs, text] = HEADING.exec(lines[at]);
      return [
        at + 1,
        el(
          "div",
          { class: `heading heading-${signs.length}`, role: "heading", "aria-level": signs.length + 2 },
          inline(text),
        ),
      ];
    },
  },
  {
    starts: (line) => SMALL.test(line),
    take: (lines, at) => [at + 1, el("div", { class: "small" }, inline(SMALL.exec(lines[at])[1]))],
  },
  {
    starts: (line) => ITEM.test(line),
    take: (lines, at) => {
      const to = countWhile(lines, at, (line) => ITEM.test(line));
      return [to, listOf(lines.slice(at, to).map(itemOf))];
    },
  },
];

const blockAt = (line) => BLOCKS.find((block) => block.starts(line));

function blocks(text) {
  const lines = text.split("\n");
  const nodes = [];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines[at]);
    if (block) {
      const [to, node] = block.take(lines, at);
      nodes.push(node);
      at = to;
    } else {
      const to = countWhile(lines, at, (line) => !blockAt(line));
      const paragraph = lines.slice(at, to).join("\n").replace(/^\n+|\n+$/g, "");
      if (paragraph) nodes.push(el("div", { class: "paragraph" }, inline(paragraph)));
      at = to;
    }
  }
  return nodes;
}

/** A text in Discord's Markdown as one element. */
export function markdown(text) {
  const root = el("div", { class: "markdown" });
  for (let rest = text; rest; ) {
    const fence = FENCE.exec(rest);
    const before = fence ? rest.slice(0, fence.index) : rest;
    if (before.trim()) root.append(...blocks(before));
    if (fence) root.append(el("pre", { tabindex: 0 }, el("code", {}, fence[1].replace(/\n$/, ""))));
    rest = fence ? rest.slice(fence.index + fence[0].length) : "";
  }
  return root;
}
