/**
 * Pictures large, over the page: with their alt text below, through a gallery by arrow keys, closed by Escape or a
 * tap.
 */

import { button, el, icon } from "./dom.js";

const HIGHEST = 560;

function viewer(pictures, start) {
  const image = el("img", { alt: "" });
  const caption = el("figcaption", { class: "alt-text", "data-testid": "alt-text", tabindex: 0 });
  const original = el("a", { target: "_blank", rel: "noopener noreferrer" }, "Open original");
  const count = el("span", {});
  let at = start;
  const show = (next) => {
    at = (next + pictures.length) % pictures.length;
    image.src = original.href = pictures[at].address;
    image.alt = pictures[at].alt;
    caption.textContent = pictures[at].alt || "This picture has no alt text.";
    count.textContent = pictures.length > 1 ? `${at + 1} of ${pictures.length}` : "";
  };
  show(start);
  return { image, caption, original, count, step: (by) => show(at + by) };
}

/** Opens `pictures` ({address, alt}) at one of them. */
export function openPictures(pictures, start = 0) {
  const { image, caption, original, count, step } = viewer(pictures, start);
  const close = () => dialog.close();
  const several = pictures.length > 1;
  const arrow = (name, label, by) => several && button(
    { class: "icon-button", "aria-label": label, onclick: () => step(by) },
    icon(name),
  );
  const closer = button(
    { class: "icon-button", "aria-label": "Close the picture", "data-testid": "close-picture", onclick: close },
    icon("close"),
  );
  const tools = el(
    "div",
    { class: "overlay-tools" },
    arrow("left", "Previous picture", -1),
    count,
    arrow("right", "Next picture", 1),
    original,
    closer,
  );
  const figure = el("figure", {}, image, caption);
  const dialog = el(
    "dialog",
    { class: "overlay", "data-testid": "overlay", "aria-label": "Picture", onclose: () => dialog.remove() },
    tools,
    figure,
  );
  const keys = { ArrowLeft: -1, ArrowRight: 1 };
  dialog.addEventListener("keydown", (event) => several && event.key in keys && step(keys[event.key]));
  dialog.addEventListener("click", (event) => [dialog, figure, image].includes(event.target) && close());
  document.body.append(dialog);
  dialog.showModal();
  closer.focus();
}

/**
 * Width and height in the list of messages, so that nothing moves when the picture has loaded; {} where they are
 * unknown.
 */
function shownSize({ width, height }) {
  if (!width || !height) return {};
  const scale = Math.min(1, HIGHEST / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** One picture in a message: a button around the image. No mark lies over it, for boards use their corners. */
export function thumbnail(pictures, at, className = "picture") {
  const { address, alt } = pictures[at];
  const image = el(
    "img",
    { src: address, alt: alt || "Picture without alt text", ...shownSize(pictures[at]), decoding: "async" },
  );
  const open = () => openPictures(pictures, at);
  return el(
    "div",
    { class: className },
    button(
      { class: "picture-button", "data-testid": "picture", title: "Open large, with the alt text", onclick: open },
      image,
    ),
  );
}
