/**
 * Elements without parsing any HTML: everything on this page is made by `el`, so text from bots and people is always
 * text. Also the handful of icons, as line drawings on a 24-unit square.
 */

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  people: "M9 11a3.5 3.5 0 1 0 0-7a3.5 3.5 0 1 0 0 7M2.5 20c0-8 13-8 13 0M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5q3 1 3.5 5.5",
  close: "M5 5l14 14M19 5L5 19",
  send: "M4 12h14M12 5l7 7-7 7",
  hash: "M9 3L7 21M17 3l-2 18M4 8.5h17M3 15.5h17",
  thread: "M5 3v10a4 4 0 0 0 4 4h10M14 12l5 5-5 5",
  voice: "M4 9v6h4l5 4V5L8 9zM17 9a4 4 0 0 1 0 6",
  forum: "M4 5h16v10H10l-4 4v-4H4z",
  outside: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  down: "M12 4v15M5 12l7 7 7-7",
  chevron: "M5 9l7 7 7-7",
  left: "M15 4l-8 8 8 8",
  right: "M9 4l8 8-8 8",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  reload: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
  plus: "M12 5v14M5 12h14",
};

/**
 * Makes an element. `on…` attributes are listeners; null, undefined and false are left out, of attributes
 * and children alike.
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button that never submits a form. */
export function button(attributes, ...children) {
  return el("button", { type: "button", ...attributes }, ...children);
}

export const byId = (id) => document.getElementById(id);

/** A short notice at the edge of the screen, gone after a few seconds. */
export function toast(text) {
  const node = el("div", { class: "toast", "data-testid": "toast" }, text);
  byId("toasts").append(node);
  setTimeout(() => node.remove(), 6000);
}
