// The class of `<praxis-agent>`, and what only JavaScript can do right: serialise values as
// `JSON.stringify` does (K4, K14) and call the page's handler (K2, K3). All else is the Rust `agent`'s.
//
// Handlers live here, beside their element, so that nothing in Rust keeps an element alive that the
// page has let go of.

const handlers = new WeakMap();
const connected = new Map(); // Each element in a document, with what its panel lies in.
const RESULT_LIMIT = 1_048_576; // bytes of UTF-8 (K4)

/** Defines the element, unless something on the page has: then it says `false`. */
export function define(tag, styles, create) {
  if (customElements.get(tag)) return false;
  const sheet = new CSSStyleSheet(); // Not subject to `style-src`.
  sheet.replaceSync(styles);

  customElements.define(tag, class PraxisAgent extends HTMLElement {
    #agent;
    #mount;

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      this.#mount = document.createElement("div");
      this.#mount.part = "panel";
      root.append(this.#mount);
      this.#agent = create(this);
      // A property that was set before the element was defined hides the accessor: set it again (K2).
      if (Object.hasOwn(this, "onClientTool")) {
        const handler = this.onClientTool;
        delete this.onClientTool;
        try {
          this.onClientTool = handler;
        } catch (error) {
          reportError(error);
        }
      }
    }

    connectedCallback() {
      connected.set(this, this.#mount);
      this.#agent.connect(this.#mount);
    }

    // A move within one task keeps everything: only who is still outside afterwards was removed.
    disconnectedCallback() {
      queueMicrotask(() => {
        if (this.isConnected) return;
        connected.delete(this);
        this.#agent.disconnect();
      });
    }

    get onClientTool() { return handlers.get(this) ?? null; }
    set onClientTool(handler) {
      if (handler !== null && handler !== undefined && typeof handler !== "function") {
        throw new TypeError(`onClientTool: expected a function or null, got ${typeof handler}`);
      }
      handlers.set(this, handler);
    }

    get sessionId() { return this.#agent.sessionId ?? null; }
    get status() { return this.#agent.status; }
    get readables() { return JSON.parse(this.#agent.readables); }

    setOptions(options) { this.#agent.setOptions(options); }
    setReadable(name, value) { this.#agent.setReadable(name, value); }
    removeReadable(name) { return this.#agent.removeReadable(name); }
    sendUserMessage(message) { return this.#agent.sendUserMessage(message); }
    setSession(id) { return this.#agent.setSession(id); }
    interrupt() { return this.#agent.interrupt(); }
  });
  return true;
}

/**
 * Calls the handler that `element` has now, before it returns, and promises `[text, isError]`; the
 * promise never rejects (K3, K4). `undefined` where there is no handler (K20).
 */
export function runHandler(element, id, name, input, signal) {
  const handler = handlers.get(element);
  return handler && outcome(element, handler, { id, name, input: JSON.parse(input), signal });
}

async function outcome(element, handler, call) {
  let text;
  let isError = false;
  try {
    const value = await Reflect.apply(handler, element, [call]);
    text = value === undefined ? "" : serialise(value);
  } catch (error) {
    [text, isError] = [errorText(error), true];
  }
  const size = text.length > RESULT_LIMIT / 3 ? new TextEncoder().encode(text).length : 0;
  return size > RESULT_LIMIT
    ? [`the result has ${size} bytes; at most ${RESULT_LIMIT} are allowed`, true]
    : [text, isError];
}

/** A string as it is, the JSON text of any other value (K4, K14); throws where there is none. */
export function serialise(value) {
  if (typeof value === "string") return value;
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`a ${typeof value} cannot be serialised`);
  // `JSON.stringify` escapes a lone surrogate, which strict readers refuse. (An escaped backslash is
  // matched to step over it.)
  return text.replace(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (escape) => (escape === "\\\\" ? escape : "\ufffd"));
}

/** What an agent is told about something thrown; never empty, never throws (K4). */
export function errorText(error) {
  try {
    const message = error?.message;
    if (typeof message === "string" && message !== "") return message;
    if (error === null || error === undefined || error === "") return "tool failed";
    return serialise(error);
  } catch {
    return "tool failed";
  }
}

/** A panic has ended all Rust code of the page: says so in each element, and offers a way back. */
export function stop(message) {
  console.error(message);
  // After the panic is over: listeners may do what they like.
  setTimeout(() => {
    const chinese = (document.documentElement.lang || navigator.language).startsWith("zh");
    for (const [element, mount] of connected) {
      const text = document.createElement("p");
      text.textContent = chinese
        ? "助手遇到错误，已停止运行。对话已保存，重新加载后可以继续。"
        : "The agent has stopped after an error. The conversation is saved: reload to go on.";
      const reload = document.createElement("button");
      reload.textContent = chinese ? "重新加载" : "Reload";
      reload.onclick = () => location.reload();
      const notice = document.createElement("div");
      notice.setAttribute("role", "alert");
      notice.part = "stopped";
      notice.append(text, reload);
      mount.replaceChildren(notice);
      element.dispatchEvent(
        new CustomEvent("praxis.error", { bubbles: true, composed: true, detail: { message: text.textContent, cause: message } }),
      );
    }
  });
}
