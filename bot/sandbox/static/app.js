/**
 * The chat page of the sandbox: asks who one is, opens the line to the server, and draws the state after every frame
 * and act. Frames that come together are drawn together.
 */

import { connect } from "./actions.js";
import { composer } from "./composer.js";
import { byId, el, icon } from "./dom.js";
import { Line } from "./line.js";
import { avatar } from "./faces.js";
import { showModal } from "./modal.js";
import { placeInAddress, placeOf } from "./places.js";
import { drawPushes } from "./pushes.js";
import { drawAround, openDrawer } from "./sidebar.js";
import { CHANNEL, apply, readUpTo, topChannels, world } from "./state.js";
import { drawTimeline, jumpTo, noteRead } from "./timeline.js";

const me = new URLSearchParams(location.search).get("as") ?? "";
let due = false;

function draw() {
  due = false;
  if (!world.me) return;
  drawTimeline();
  drawAround();
  drawPushes();
  composer.draw();
}

/** Draws once for all that happens in this turn of the event loop. */
function changed() {
  if (due) return;
  due = true;
  queueMicrotask(draw);
}

const firstChannel = () => topChannels().find((channel) => channel.type === CHANNEL.text)?.id ?? null;

/** Goes where the address bar says; without a place, or to one that is gone, to the first channel. */
function arrive() {
  if (!world.me) return;
  const place = placeInAddress();
  const known = place && world.channels.has(place.channel);
  const here = known ? place.channel : firstChannel();
  if (here !== world.here) {
    world.here = here;
    world.readOnArrival = here ? readUpTo(here) : null;
  }
  if (!known && here) history.replaceState(null, "", location.search + placeOf(here));
  draw();
  openDrawer(null);
  if (known && place.message) jumpTo(place.message);
}

function onFrame(frame) {
  apply(frame);
  if (frame.t === "hello") {
    byId("app").dataset.state = "ready";
    const elsewhere = !world.here || !world.channels.has(world.here);
    if (elsewhere) arrive();
  }
  // The thread one is in was deleted: its parent is the place to go.
  if (frame.t === "channel_gone" && frame.id === world.here) location.hash = placeOf(firstChannel());
  changed();
}

function onLost() {
  world.connected = false;
  byId("app").dataset.state = "disconnected";
  changed();
  // A server that began anew has other people; there is nobody here to go on as.
  askPeople().then((known) => known && !isKnown(known) && location.replace("/"));
}

const isKnown = (everybody) => everybody.some((person) => person.id === me);

/** The people of the server, null when it does not answer. */
async function askPeople() {
  try {
    const answer = await fetch("/ui/people");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function start(people) {
  world.colours = new Map(people.filter((person) => person.colour).map((person) => [person.id, person.colour]));
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const line = new Line(`${scheme}://${location.host}/ui/socket?as=${encodeURIComponent(me)}`, onFrame, onLost);
  connect({ line, changed, showModal });
}

/** The first question of the page, when the address does not say who one is. */
function chooser(people) {
  world.colours = new Map(people.filter((person) => person.colour).map((person) => [person.id, person.colour]));
  const row = ({ id, name }) => el(
    "a",
    { class: "person", href: `/?as=${id}`, "data-testid": "who" },
    avatar({ id, username: name }),
    el("span", { class: "person-name" }, name),
  );
  const text = "This is a stand-in for Discord on your own machine. Open one tab per person.";
  const box = el("main", { class: "chooser" }, el("h1", {}, "Who are you?"), el("p", {}, text), people.map(row));
  byId("app").replaceWith(box);
}

/** The same, however long it takes. */
async function awaitPeople() {
  for (;;) {
    const everybody = await askPeople();
    if (everybody) return everybody;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Keeps the page as high as what the keyboard of a phone leaves of the screen. */
function followViewport() {
  const { visualViewport } = window;
  const fit = () => document.documentElement.style.setProperty("--height", `${visualViewport.height}px`);
  visualViewport?.addEventListener("resize", fit);
}

byId("open-channels").append(icon("menu"));
byId("newest").append(icon("down"));
byId("open-people").append(icon("people"));
byId("open-channels").addEventListener("click", () => openDrawer("channels"));
byId("open-people").addEventListener("click", () => openDrawer("people"));
for (const node of document.querySelectorAll(".drawer-close")) node.append(icon("close"));
for (const node of document.querySelectorAll("[data-close-drawer]")) node.addEventListener(
  "click",
  () => openDrawer(null),
);
document.addEventListener("keydown", (event) => event.key === "Escape" && !byId("shade").hidden && openDrawer(null));
// The channel one is in already changes no address, but choosing it ends the choosing.
byId("channels").addEventListener("click", (event) => event.target.closest("a") && openDrawer(null));
document.addEventListener("was-read", changed);
document.addEventListener("visibilitychange", () => noteRead() && changed());
window.addEventListener("hashchange", arrive);
followViewport();

const everybody = await awaitPeople();
if (isKnown(everybody)) start(everybody);
else chooser(everybody);
