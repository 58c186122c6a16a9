/**
 * Embeds, in their plain parts: author, title, description, fields, pictures, footer. And attachments of version-1
 * messages.
 */

import { fileSize, hexColour } from "./components.js";
import { el } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { thumbnail } from "./pictures.js";
import { link, mediaAddress } from "./places.js";
import { stamp } from "./times.js";

function media(part, className) {
  const address = mediaAddress(part?.url);
  return address ? thumbnail(
    [{ address, alt: part.description ?? "", width: part.width, height: part.height }],
    0,
    className,
  ) : null;
}

function field({ name, value, inline: beside }) {
  return el(
    "div",
    { class: beside ? "embed-field beside" : "embed-field" },
    el("strong", {}, inline(name)),
    markdown(value),
  );
}

function footer(embed) {
  const parts = [embed.footer?.text, embed.timestamp ? stamp(embed.timestamp) : null].filter(Boolean);
  return parts.length ? el("div", { class: "embed-footer" }, parts.join(" • ")) : null;
}

export function renderEmbed(embed) {
  const title = embed.title ? el(
    "div",
    { class: "embed-title" },
    embed.url ? link(embed.url, inline(embed.title)) : inline(embed.title),
  ) : null;
  const node = el(
    "div",
    { class: "embed", "data-testid": "embed" },
    media(embed.thumbnail, "picture accessory"),
    embed.author?.name ? el("div", { class: "embed-author" }, embed.author.name) : null,
    title,
    embed.description ? markdown(embed.description) : null,
    embed.fields?.length ? el("div", { class: "embed-fields" }, embed.fields.map(field)) : null,
    media(embed.image, "picture"),
    footer(embed),
  );
  if (typeof embed.color === "number") node.style.setProperty("--accent", hexColour(embed.color));
  return node;
}

const isPicture = (attachment) => (attachment.content_type ?? "").startsWith("image/");

/** The attachments of a message without version-2 components (there, components show them). */
export function renderAttachments(attachments) {
  const pictures = attachments.filter(isPicture).map((a) => ({
    address: mediaAddress(a.url),
    alt: a.description ?? "",
    width: a.width,
    height: a.height,
  }));
  const files = attachments.filter((attachment) => !isPicture(attachment));
  return [
    pictures.length ? el(
      "div",
      { class: `gallery gallery-${Math.min(pictures.length, 4)}` },
      pictures.map((_, at) => thumbnail(pictures, at)),
    ) : null,
    files.map((a) => el(
      "div",
      { class: "file" },
      el("a", { href: mediaAddress(a.url) || null, download: a.filename }, a.filename),
      el("small", {}, fileSize(a.size)),
    )),
  ];
}
