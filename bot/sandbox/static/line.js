/**
 * The line to the server: one WebSocket that comes back by itself, and questions with a number each. After a break the
 * server greets again with everything, so nothing is replayed; open questions are answered with a failure.
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 4000;
const LOST = "The connection to the sandbox was lost before an answer came.";
const NOT_CONNECTED = "Not connected to the sandbox. The page is trying again.";

export class Line {
  #address;
  #onFrame;
  #onLost;
  #socket = null;
  #wait = FIRST_WAIT;
  #next = 1;
  #asked = new Map();

  /** `onFrame(frame)` gets everything that answers no question; `onLost()` is called at every broken connection. */
  constructor(address, onFrame, onLost) {
    this.#address = address;
    this.#onFrame = onFrame;
    this.#onLost = onLost;
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#broken());
  }

  #hear(frame) {
    if (frame.t === "hello") this.#wait = FIRST_WAIT;
    if (frame.n === undefined || frame.n === null) return this.#onFrame(frame);
    const answer = this.#asked.get(frame.n);
    if (frame.t !== "pending") this.#asked.delete(frame.n);
    return answer?.(frame);
  }

  #broken() {
    const open = [...this.#asked.values()];
    this.#asked.clear();
    this.#onLost();
    for (const answer of open) answer({ t: "failed", text: LOST });
    setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Says something that has no answer. */
  say(frame) {
    if (this.open) this.#socket.send(JSON.stringify(frame));
    return this.open;
  }

  /** Asks; `answer(frame)` is called for "pending" and then once for what came of it. Returns the question's number. */
  ask(frame, answer) {
    const n = this.#next++;
    if (!this.open) {
      answer({ t: "refused", n, text: NOT_CONNECTED });
      return n;
    }
    this.#asked.set(n, answer);
    this.say({ ...frame, n });
    return n;
  }
}
