// Tests a connection the way the agent will use it, and says in plain words what is wrong with it.
// It knows nothing of the form: what goes in is a connection, what comes out are words.

/** How long an exchange may take, in seconds: any, and one in which a model says its first word. */
const PATIENCE = 15;
const FIRST_WORD = 150;

/** What is wrong, by the name of its words; `more` may have a command to copy, what the service said, a further note. */
class Problem extends Error {
  constructor(name, values, more = {}) {
    super(name);
    Object.assign(this, { values, more });
  }
}

/**
 * The address, whole; one of this site may be a path. Without slashes at its end, except for an AG-UI agent, to whom
 * they may matter. Throws where there is none.
 */
export function address(text, protocol) {
  const url = new URL(text.trim(), document.baseURI);
  const fits = /^(https?:|\/)/i.test(text.trim()) && /^https?:$/.test(url.protocol) && !/[?#]/.test(url.href) && !url.username && !url.password;
  if (!fits) throw new TypeError(text);
  // Makers of models give the whole of the endpoint's address; what is kept is its base.
  return protocol === "ag-ui" ? url.href : url.href.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
}

/** Whether a header can carry a key. */
export const isKey = (key) => /^[\x21-\x7e]*$/.test(key);

/** Whether what is sent to an address, as `address` gives it, can be read on its way. */
export function isInClear(address) {
  const url = new URL(address);
  return url.protocol === "http:" && !isLoopback(url);
}

const isLoopback = ({ hostname }) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
const isOllama = ({ port }) => port === "11434";

/**
 * Tests a connection `{protocol, url, model, key}`. `say` gives words, `progress` gets what is being done, `signal` stops it.
 * Resolves with `{text, models?, notes}`; where it was stopped with `{stopped: true}` besides, where something is wrong with
 * `{problem: true, command?, said?}`.
 */
export async function check(connection, say, progress, signal) {
  const found = { notes: [] };
  const note = (name, values) => found.notes.push(say(name, values));
  try {
    const text = await tests[connection.protocol](connection, { found, note, progress, signal });
    return { ...found, text: say(...text) };
  } catch (error) {
    if (signal.aborted) return { ...found, stopped: true, text: say("stopped") };
    if (!(error instanceof Problem)) throw error;
    const { command, said, note: further } = error.more;
    if (further) note(...further);
    return { ...found, problem: true, text: say(error.message, error.values), command, said: shown(said, connection.key) };
  }
}

const tests = {
  async demo() {
    return ["works"];
  },

  async praxis({ url, key }, { progress, signal }) {
    let token = key;
    if (!token) {
      progress("asksToken", { seconds: PATIENCE });
      token = (await json(await ask(`${url}/api/praxis-token`, { method: "POST" }, signal), {}))?.token;
    }
    progress("asksSessions", { seconds: PATIENCE });
    await json(await ask(`${url}/v1/sessions?limit=1`, { headers: bearer(token) }, signal), { key });
    return ["works"];
  },

  async "openai-chat-completions"(connection, { found, note, progress, signal }) {
    const { url, model, key } = connection;
    progress("asksModels", { seconds: PATIENCE });
    try {
      found.models = await models(connection, signal);
      if (found.models) note("models", { count: found.models.length });
    } catch (error) {
      if (error.message !== "silent") throw error;
      note("listSilent", error.values); // the model may answer all the same
    }
    if (!model) throw new Problem("modelMissing");
    progress("asksModel", { seconds: FIRST_WORD });
    // As the agent asks it; what comes after the first word is let go.
    const body = { model, messages: [{ role: "user", content: "Say: ok" }], stream: true };
    await firstBytes(await post(`${url}/chat/completions`, body, key, signal), connection);
    if (!found.models && !found.notes.length) note("noList");
    return ["worksModel", { model }];
  },

  async "ag-ui"(connection, { progress, signal }) {
    progress("asksAgent", { seconds: FIRST_WORD });
    const messages = [{ id: "test", role: "user", content: "Say: ok" }];
    const body = { threadId: `test-${Date.now()}`, runId: "test", state: {}, messages, tools: [], context: [], forwardedProps: {} };
    const answer = await post(connection.url, body, connection.key, signal);
    await firstBytes(answer, connection);
    const kind = answer.headers.get("content-type") ?? "";
    if (!kind.startsWith("text/event-stream")) throw new Problem("notEvents", { asked: answer.asked });
    return ["works"];
  },
};

/** The names of the models that a service lists; nothing where it has no list. */
async function models(connection, signal) {
  const answer = await ask(`${connection.url}/models`, { headers: bearer(connection.key) }, signal);
  if (!answer.ok && answer.status !== 401 && answer.status !== 403) {
    answer.body?.cancel().catch(() => {});
    return undefined;
  }
  const list = (await json(answer, connection))?.data;
  return Array.isArray(list) ? list.map((entry) => entry?.id).filter((id) => typeof id === "string") : [];
}

const bearer = (key) => (key ? { authorization: `Bearer ${key}` } : {});

function post(url, body, key, signal) {
  const headers = { ...bearer(key), "content-type": "application/json", accept: "text/event-stream, application/json" };
  return ask(url, { method: "POST", headers, body: JSON.stringify(body) }, signal, FIRST_WORD);
}

/** Whether the person, or the browser in their place, keeps this site from this computer and its network. */
async function isKeptFromLocalNetwork() {
  const names = ["loopback-network", "local-network", "local-network-access"];
  const states = await Promise.allSettled(names.map((name) => navigator.permissions.query({ name })));
  return states.some(({ value }) => value?.state === "denied");
}

/** Sends a request; where no answer comes in time, finds out why. */
async function ask(url, init, signal, patience = PATIENCE) {
  const target = new URL(url);
  const page = location.origin;
  if (location.protocol === "https:" && target.protocol === "http:" && !isLoopback(target)) throw new Problem("mixed");
  let forbidden = false;
  const onViolation = ({ blockedURI }) => (forbidden ||= blockedURI.startsWith(target.origin));
  document.addEventListener("securitypolicyviolation", onViolation);
  const limit = AbortSignal.timeout(patience * 1000);
  const send = (init, limit) => fetch(url, { ...init, cache: "no-store", credentials: "same-origin", signal: AbortSignal.any([signal, limit]) });
  try {
    const answer = await send(init, limit);
    return Object.assign(answer, { asked: `${init.method ?? "GET"} ${url}`, stopped: signal, limit, patience });
  } catch {
    signal.throwIfAborted();
    if (limit.aborted) throw new Problem("silent", { seconds: patience });
    await new Promise((told) => setTimeout(told)); // of a violation the page is told a little later
    if (forbidden) throw new Problem("policy", { origin: target.origin });
    if (location.hostname !== target.hostname && (await isKeptFromLocalNetwork())) throw new Problem("localDenied", { origin: target.origin });
    // An answer that the page may not read is an answer all the same.
    const isThere = await send({ mode: "no-cors" }, AbortSignal.timeout(PATIENCE * 1000)).then(() => true, () => false);
    signal.throwIfAborted();
    if (isThere && isOllama(target)) {
      throw new Problem("corsOllama", {}, { command: `OLLAMA_ORIGINS="${page}" ollama serve`, note: ["corsOllamaMore", { page }] });
    }
    if (isThere) throw new Problem("cors", { page });
    throw new Problem(isLoopback(target) ? "unreachableLocal" : "unreachable", { origin: target.origin });
  } finally {
    document.removeEventListener("securitypolicyviolation", onViolation);
  }
}

/** What reading an answer's body gives; where that breaks off, why. */
async function body({ asked, stopped, limit, patience }, reading) {
  try {
    return await reading;
  } catch {
    stopped.throwIfAborted();
    throw limit.aborted ? new Problem("silent", { seconds: patience }) : new Problem("brokeOff", { asked });
  }
}

/** The JSON of an answer that is a yes. */
async function json(answer, connection) {
  const text = await body(answer, answer.text());
  if (!answer.ok) throw refusal(answer, text, connection);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(isPage(text) ? "page" : "notJson", { asked: answer.asked });
  }
}

/** Waits for the first bytes of a yes, and lets the rest go. */
async function firstBytes(answer, connection) {
  if (!answer.ok) throw refusal(answer, await body(answer, answer.text()), connection);
  const reader = answer.body.getReader();
  const { value } = await body(answer, reader.read());
  reader.cancel().catch(() => {}); // it is of no more use, whatever becomes of it
  if (!value) throw new Problem("empty", { asked: answer.asked });
  const text = new TextDecoder().decode(value);
  if (isPage(text)) throw new Problem("page", { asked: answer.asked });
  const said = failure(text.replace(/^data:/, ""));
  if (said) throw new Problem("refused", { status: answer.status }, { said });
}

const isPage = (text) => /^\s*<(!doctype|html)/i.test(text);

/** What an error says, in the forms that services have; nothing where there is none. */
function failure(text) {
  try {
    const { error, message, detail } = JSON.parse(text);
    const said = error?.message ?? error ?? message ?? detail;
    return said && (typeof said === "string" ? said : JSON.stringify(said));
  } catch {
    return undefined;
  }
}

function refusal({ status, asked }, text, { protocol, url, model, key }) {
  const said = failure(text);
  const problem = (name, more) => new Problem(name, { status, asked, model }, { said, ...more });
  if (status === 401) return problem(key ? "keyRefused" : "keyNeeded");
  if (status === 403) return problem(key ? "keyRefused" : "forbidden");
  if (status === 429) return problem("limited");
  if (status >= 500) return problem("broken");
  const isAboutModel = model && said && /model/i.test(said) && /not found|not exist|no such|unknown|invalid|not supported/i.test(said);
  if (isAboutModel && isOllama(new URL(url))) return problem("noModelOllama", { command: `ollama pull ${model}` });
  if (isAboutModel) return problem("noModel");
  if (status !== 404 && status !== 405) return problem("refused");
  const lacksVersion = protocol === "openai-chat-completions" && !/\/v\d+[a-z]*$/.test(url);
  return problem("notFound", lacksVersion ? { note: ["notFoundV1", { example: `${url}/v1` }] } : {});
}

/** What a service said, short, and without the key, which some repeat. */
function shown(said, key) {
  const text = key ? said?.replaceAll(key, "…") : said;
  return text?.length > 300 ? `${text.slice(0, 300)}…` : text;
}
