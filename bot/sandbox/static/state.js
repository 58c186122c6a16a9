/**
 * What this tab knows: the world as the server told it, and what is this tab's own (where one is, what one has read,
 * which buttons wait for an answer). Nothing here touches the document.
 */

export const CHANNEL = {
  text: 0,
  direct: 1,
  voice: 2,
  category: 4,
  news: 5,
  newsThread: 10,
  thread: 11,
  privateThread: 12,
  forum: 15,
};
export const FLAG = { ephemeral: 1 << 6, loading: 1 << 7, silent: 1 << 12, v2: 1 << 15 };
export const MESSAGE = { plain: 0, threadCreated: 18, reply: 19, command: 20, threadStarter: 21, contextMenu: 23 };

const MOST_PUSHES = 20;
const PALETTE = ["#5b8def", "#d9773f", "#3fa37c", "#b66bb0", "#c2a03a", "#4aa8c0", "#c75d6b", "#8a7fd1"];

export const world = {
  me: null,
  guild: null,
  bot: null,
  /** The members, from whom the pickers choose. */
  people: new Map(),
  /** Those whom this tab can name: they came along with something that it has loaded. */
  met: new Map(),
  /** The last pushes of this person's phone, the latest last, and how many there were. */
  pushes: [],
  rung: 0,
  colours: new Map(),
  channels: new Map(),
  messages: new Map(),
  commands: [],
  connected: false,
  /** Whether this person takes no direct messages. */
  closed: false,
  /** Where this tab is. */
  here: null,
  /** The last message read when one came here: the "New" line is drawn after it. */
  readOnArrival: null,
  /** `message/custom_id` → "waiting" or the text of a failure. */
  presses: new Map(),
  /** Commands under way or failed: {n, channel, label, error}. */
  pendingCommands: [],
};

/** Snowflakes compare as numbers; they are too long for JavaScript's. */
export function compareIds(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const HANDLERS = {
  hello(frame) {
    const { me, guild, people, channels, messages, commands, bot, closed, pushes, rung } = frame;
    Object.assign(world, { me, guild, commands, bot, closed, pushes, rung, connected: true });
    world.met = new Map();
    world.people = new Map(people.map((person) => [person.id, person]));
    world.channels = new Map(channels.map((channel) => [channel.id, channel]));
    world.messages = new Map(Object.entries(messages));
    for (const list of world.messages.values()) list.sort((a, b) => compareIds(a.id, b.id));
  },
  message({ message }) {
    const list = messagesOf(message.channel_id);
    const at = list.findIndex((other) => other.id === message.id);
    if (at >= 0) list[at] = message;
    else list.splice(placeFor(list, message.id), 0, message);
  },
  edit({ message }) {
    const list = messagesOf(message.channel_id);
    const at = list.findIndex((other) => other.id === message.id);
    if (at >= 0) list[at] = message;
    // An edited message has answered whatever had failed on it.
    const failed = ([key, state]) => key.startsWith(`${message.id}/`) && state !== "waiting";
    for (const [key] of [...world.presses].filter(failed)) world.presses.delete(key);
  },
  delete({ channel_id: channel, id }) {
    world.messages.set(channel, messagesOf(channel).filter((message) => message.id !== id));
  },
  channel({ channel }) {
    world.channels.set(channel.id, { ...world.channels.get(channel.id), ...channel });
  },
  channel_gone({ id }) {
    for (const thread of threadsOf(id)) world.channels.delete(thread.id);
    world.channels.delete(id);
    world.messages.delete(id);
  },
  push({ push, rung }) {
    Object.assign(world, { pushes: [...world.pushes, push].slice(-MOST_PUSHES), rung });
  },
  mailbox({ closed }) {
    world.closed = closed;
  },
  commands({ commands }) {
    world.commands = commands;
  },
  bot(frame) {
    world.bot = { ...world.bot, ...frame };
  },
};

/** Takes in one frame from the server, with whom it makes known; unknown kinds are left alone. */
export function apply(frame) {
  if (Object.hasOwn(HANDLERS, frame.t)) HANDLERS[frame.t](frame);
  for (const user of frame.met ?? []) world.met.set(user.id, user);
}

function placeFor(list, id) {
  let at = list.length;
  while (at > 0 && compareIds(list[at - 1].id, id) > 0) at -= 1;
  return at;
}

export function messagesOf(channel) {
  if (!world.messages.has(channel)) world.messages.set(channel, []);
  return world.messages.get(channel);
}

export function findMessage(channel, id) {
  return messagesOf(channel).find((message) => message.id === id) ?? null;
}

export const isThread = (channel) => [CHANNEL.newsThread, CHANNEL.thread, CHANNEL.privateThread].includes(channel.type);
export const isDirect = (channel) => channel.type === CHANNEL.direct;
export const isArchived = (channel) => Boolean(channel.thread_metadata?.archived);

export const lastMessageId = (channel) => messagesOf(channel.id).at(-1)?.id ?? channel.last_message_id ?? channel.id;

/** Threads of a channel, the most lately used first. */
export function threadsOf(parent) {
  const threads = [...world.channels.values()].filter((channel) => isThread(channel) && channel.parent_id === parent);
  return threads.sort((a, b) => compareIds(lastMessageId(b), lastMessageId(a)));
}

/** Channels that are no threads, in the server's order, each category before its own. */
export function topChannels() {
  const tops = [...world.channels.values()].filter((channel) => !isThread(channel) && !isDirect(channel));
  const place = (channel) => channel.position ?? 0;
  const inOrder = (a, b) => place(a) - place(b) || compareIds(a.id, b.id);
  const isLoose = ({ type, parent_id: parent }) => type !== CHANNEL.category && !world.channels.has(parent ?? "");
  const loose = tops.filter(isLoose);
  const categories = tops.filter((channel) => channel.type === CHANNEL.category).sort(inOrder);
  const inside = (category) => tops.filter((channel) => channel.parent_id === category.id).sort(inOrder);
  return [...loose.sort(inOrder), ...categories.flatMap((category) => [category, ...inside(category)])];
}

/** Channels and threads of the server, as they are offered to choose from. */
export const pickable = () =>
  [...world.channels.values()].filter((channel) => channel.type !== CHANNEL.category && !isDirect(channel));

/** The channels of direct messages: one, or none before the bot has written. */
export const directChannels = () => [...world.channels.values()].filter(isDirect);

/** What people call a user; a bot goes by its application's name. */
export function nameOf(user) {
  if (user && user.id === world.bot?.id) return world.bot.name;
  return user?.global_name || user?.username || "somebody";
}

/** The same by id, as a mention shows it. */
export const nameById = (id) => (world.met.has(id) ? nameOf(world.met.get(id)) : "unknown-user");

export function colourOf(id) {
  return world.colours.get(id) ?? PALETTE[Number(BigInt(id) % BigInt(PALETTE.length))];
}

// What has been read is kept in the browser, by person and channel; without storage everything starts unread.
const shelf = () => `read:${world.me.id}`;
let marks = null;
let marksOf = null;

function readMarks() {
  if (marksOf !== shelf()) {
    marksOf = shelf();
    try {
      marks = JSON.parse(localStorage.getItem(marksOf)) ?? {};
    } catch {
      marks = {};
    }
  }
  return marks;
}

export const readUpTo = (channel) => readMarks()[channel] ?? "0";

export function markRead(channel) {
  const last = messagesOf(channel).at(-1)?.id;
  if (!last || compareIds(last, readUpTo(channel)) <= 0) return false;
  readMarks()[channel] = last;
  try {
    localStorage.setItem(shelf(), JSON.stringify(marks));
  } catch {
    // Private windows may forbid storage; the mark then lasts as long as the tab.
  }
  return true;
}

/** {count, mentions} of what others wrote in a channel since one last read it; what is silent counts for no mention. */
export function unread(channel) {
  const since = readUpTo(channel);
  const later = messagesOf(channel).filter((message) => compareIds(message.id, since) > 0);
  const fresh = later.filter((message) => message.author.id !== world.me.id && !message.ephemeral_for);
  const direct = isDirect(world.channels.get(channel) ?? {});
  const loud = fresh.filter((message) => !(message.flags & FLAG.silent));
  return { count: fresh.length, mentions: direct ? loud.length : loud.filter(mentionsMe).length };
}

export const mentionsMe = (message) =>
  Boolean(message.mention_everyone) || (message.mentions ?? []).some((user) => user.id === world.me.id);
