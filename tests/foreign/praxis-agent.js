// Another implementation of <praxis-agent>, in plain JavaScript: what the binding must be able to drive.
//
// It is stricter than it need be, so that a binding that takes liberties is noticed: it refuses options that it
// does not know, readables that are no strings, and gives its handlers no `signal`. It writes down everything
// that is done to it, in order, and runs each call's id once.

const OPTIONS = {
  options: ["api", "agent", "locale", "theme", "startScreen", "composer", "history"],
  api: ["protocol", "url", "getToken", "headers", "model", "request", "script"],
  agent: ["name", "instructions", "tools"],
};
/** What the source document has of them. */
const DOCUMENTED = { options: ["api", "agent"], api: ["url", "getToken"], agent: ["name"] };
let known = OPTIONS;

class ForeignAgent extends HTMLElement {
  #handler;
  #claimed = new Set();
  #readables = new Map();
  #turn = null;
  sessionId = null;
  status = "idle";
  done = [];
  options = null;

  get onClientTool() {
    return this.#handler;
  }

  set onClientTool(handler) {
    this.done.push(`onClientTool ${typeof handler}`);
    this.#handler = handler;
  }

  setOptions(options) {
    this.done.push("setOptions");
    for (const [part, keys] of Object.entries(known)) {
      const given = part === "options" ? options : options[part];
      for (const key of Object.keys(given ?? {})) {
        if (!keys.includes(key)) throw new TypeError(`unknown option ${part}.${key}`);
      }
    }
    this.options = options;
  }

  setReadable(name, value) {
    this.done.push(`setReadable ${name} ${value}`);
    if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(name)) throw new TypeError(`bad name ${name}`);
    if (typeof value !== "string") throw new TypeError(`bad value of ${name}`);
    if (name === "refused") throw new TypeError("refused for the test");
    this.#readables.set(name, value);
  }

  removeReadable(name) {
    this.done.push(`removeReadable ${name}`);
    this.#readables.delete(name);
  }

  sendUserMessage(text) {
    this.done.push(`sendUserMessage ${text}`);
    if (text === "refused") return Promise.reject(new Error("nobody listens"));
    this.status = "running";
    return new Promise((resolve) => {
      this.#turn = resolve;
    });
  }

  setSession(id) {
    this.done.push(`setSession ${id}`);
    this.sessionId = id;
    this.emit("praxis.session.change", { sessionId: id });
    return Promise.resolve();
  }

  interrupt() {
    this.done.push("interrupt");
    this.status = "idle";
    this.emit("praxis.response.end", { sessionId: this.sessionId });
  }

  // What follows is for tests.

  /** The service has stored the message: the turn begins. */
  beginTurn(sessionId) {
    this.sessionId = sessionId;
    this.#turn?.();
    this.emit("praxis.session.change", { sessionId });
    this.emit("praxis.response.start", { sessionId });
  }

  endTurn() {
    this.status = "idle";
    this.emit("praxis.response.end", { sessionId: this.sessionId });
  }

  fail(message) {
    this.status = "error";
    this.emit("praxis.error", { message });
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  /** Runs a call as the service would; gives `result <text>` or `error <text>`, or `null` for a claimed id. */
  async run(id, name, input, more = {}) {
    if (this.#claimed.has(id)) return null;
    this.#claimed.add(id);
    this.emit("praxis.tool.change", { id, name, status: "start" });
    let answer;
    try {
      const value = await this.#handler({ id, name, input: JSON.parse(input), ...more });
      answer = typeof value === "string" ? `result ${value}` : `no text: ${typeof value}`;
    } catch (error) {
      answer = `error ${error.message}`;
    }
    this.emit("praxis.tool.change", { id, name, status: "end", isError: answer.startsWith("error") });
    return answer;
  }

  /** What has been done since the last time. */
  takeDone() {
    return this.done.splice(0);
  }

  snapshot() {
    return [...this.#readables].map(([name, value]) => `${name}=${value}`);
  }
}

/** From now on only the documented options are taken, or all again. */
export function takeOnlyDocumented(only) {
  known = only ? DOCUMENTED : OPTIONS;
}

export function define() {
  if (!customElements.get("praxis-agent")) customElements.define("praxis-agent", ForeignAgent);
}

/** Writes down each of these events that reaches the document, as `type detail`, until `stop()`. */
export function watch(...types) {
  const seen = [];
  const note = (event) => seen.push(`${event.type} ${JSON.stringify(event.detail)}`);
  for (const type of types) document.addEventListener(type, note);
  return { take: () => seen.splice(0), stop: () => types.forEach((type) => document.removeEventListener(type, note)) };
}

/** Presses a key on `target`; says whether somebody took it, so that the browser does not act on it. */
export function press(target, key, ctrlShift) {
  const init = { key, ctrlKey: ctrlShift, shiftKey: ctrlShift, bubbles: true, cancelable: true };
  return !target.dispatchEvent(new KeyboardEvent("keydown", init));
}
