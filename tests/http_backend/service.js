// An agent service for tests, behind a network that does what a test says: each message starts a turn with one
// call of the tool `t`, and the call's result ends it with an answer.

import { Origin, json, refusal, streamed } from "./fetch.js";

/** Lets everything happen that waits for nothing but its turn. */
const moment = () =>
  new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => (channel.port1.close(), resolve());
    channel.port2.postMessage(0);
  });

// Timers of a fifth of a second and more ring when a test says that time passes.
const [now, later, never] = [Date.now, setTimeout, clearTimeout];
const waiting = new Map();
let [offset, last] = [0, -1];
Date.now = () => now() + offset;
globalThis.setTimeout = (act, delay = 0, ...rest) => {
  if (delay < 200) return later(act, delay, ...rest);
  waiting.set(--last, [Date.now() + delay, act]);
  return last;
};
globalThis.clearTimeout = (id) => waiting.delete(id) || never(id);
const pass = (time) => {
  offset += time;
  for (const [id, [at, act]] of [...waiting]) if (at <= Date.now() && waiting.delete(id)) act();
};

const numbered = (kind, number) => `${kind}_${String(number).padStart(6, "0")}`;
const text = (text) => [{ type: "text", text }];

class Service extends Origin {
  sessions = new Map();
  events = 0;
  /** Answers a request in the service's place. */
  instead = () => undefined;
  /** What becomes of an answer of the service. */
  answered = (request, answer) => answer;
  /** How the bytes of a frame go out. */
  send = (stream, bytes) => stream.send(bytes);

  answer = async (request) => {
    const instead = await this.instead(request);
    return instead ?? this.answered(request, this.serve(request));
  };

  serve(request) {
    const [, , , id, events, stream] = request.path.split("?")[0].split("/");
    const kept = this.sessions.get(id);
    const body = request.body && JSON.parse(request.body);
    if (!id) {
      if (request.method === "POST") return json(201, this.make());
      const data = [...this.sessions.values()].map(({ session }) => session).reverse();
      const from = Number(new URLSearchParams(request.path.split("?")[1]).get("page") ?? 0);
      const next_page = from + 2 < data.length ? String(from + 2) : null;
      return json(200, { data: data.slice(from, from + 2), next_page });
    }
    if (!kept) return refusal(404, "not_found_error", "no such session");
    if (request.method === "DELETE") {
      this.sessions.delete(id);
      return json(200, { id, type: "session_deleted" });
    }
    if (stream) {
      const opened = streamed();
      kept.streams.add(opened);
      opened.send(":\n\n");
      return opened;
    }
    if (request.method === "GET") {
      const from = Number(new URLSearchParams(request.path.split("?")[1]).get("page") ?? 0);
      const next_page = from + 3 < kept.log.length ? String(from + 3) : null;
      return json(200, { data: kept.log.slice(from, from + 3), next_page });
    }
    return this.post(kept, body.events[0]);
  }

  make() {
    const session = {
      id: numbered("sesn", this.sessions.size + 1), type: "session", status: "idle", title: null,
      agent: { name: "tutor" }, created_at: "2026-11-30T00:00:00Z", updated_at: "2026-11-30T00:00:00Z",
    };
    this.sessions.set(session.id, { session, log: [], streams: new Set(), results: new Map() });
    return session;
  }

  post(kept, event) {
    if (event.type !== "user.custom_tool_result") {
      const stored = this.record(kept, event);
      if (event.type === "user.message") {
        this.record(kept, { type: "session.status_running" });
        const call = this.record(kept, { type: "agent.custom_tool_use", name: "t", input: { n: 1 } });
        this.record(kept, { type: "session.status_idle", stop_reason: { type: "requires_action", event_ids: [call.id] } });
      }
      return json(200, { data: [stored] });
    }
    const before = kept.results.get(event.custom_tool_use_id);
    if (before) {
      const same = JSON.stringify(before.content) === JSON.stringify(event.content);
      return same ? json(200, { data: [before] }) : refusal(409, "conflict_error", "answered already");
    }
    if (!kept.log.some(({ id }) => id === event.custom_tool_use_id)) return refusal(400, "invalid_request_error", "no such call");
    const stored = this.record(kept, event);
    kept.results.set(event.custom_tool_use_id, stored);
    this.record(kept, { type: "session.status_running" });
    const id = numbered("sevt", ++this.events);
    this.publish(kept, { type: "event_start", event: { type: "agent.message", id } });
    for (const piece of ["看到 ", "1:23 🎬"]) {
      const delta = { type: "content_delta", index: 0, content: { type: "text", text: piece } };
      this.publish(kept, { type: "event_delta", event_id: id, delta });
    }
    this.record(kept, { id, type: "agent.message", content: text("看到 1:23 🎬") });
    this.record(kept, { type: "session.status_idle", stop_reason: { type: "end_turn" } });
    return json(200, { data: [stored] });
  }

  record(kept, body) {
    const event = { id: numbered("sevt", ++this.events), ...body, processed_at: "2026-11-30T00:00:00Z" };
    kept.log.push(event);
    this.publish(kept, event);
    return event;
  }

  publish(kept, event) {
    const id = event.id ? `id: ${event.id}\n` : "";
    const frame = new TextEncoder().encode(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const stream of kept.streams) this.send(stream, frame);
  }

  /** The results that were posted, in order. */
  results() {
    const posts = this.requests.filter(({ method, body }) => method === "POST" && body?.includes("custom_tool_result"));
    return posts.map(({ body }) => JSON.parse(body).events[0]);
  }
}

/** An element that speaks to a service of its own. */
function stage(url, api = {}) {
  const service = new Service(url);
  const agent = document.createElement("praxis-agent");
  const seen = { runs: {}, starts: [], ends: [], errors: [], responses: 0 };
  agent.onClientTool = ({ id }) => {
    seen.runs[id] = (seen.runs[id] ?? 0) + 1;
    return { run: seen.runs[id] };
  };
  agent.addEventListener("praxis.tool.change", ({ detail }) => seen[detail.status + "s"].push(detail.id));
  agent.addEventListener("praxis.log", ({ detail }) => detail.level === "error" && seen.errors.push(detail.message));
  agent.addEventListener("praxis.response.end", () => (seen.responses += 1));
  document.body.append(agent);
  agent.setOptions({ api: { url, ...api }, locale: "en" });
  return { service, agent, seen };
}

/** Waits until it holds, while `meanwhile` happens again and again. */
async function until(holds, meanwhile = () => {}) {
  for (let patience = 0; !holds(); patience += 1) {
    if (patience > 3000) throw new Error(`it never holds: ${holds}`);
    meanwhile();
    await moment();
  }
}

/** A turn in a session of its own, and what is wrong with it; empty when nothing is. */
async function turn({ service, agent, seen }, meanwhile) {
  const before = seen.responses;
  const sent = agent.sendUserMessage({ text: "go", newSession: true });
  await until(() => seen.responses > before, meanwhile);
  await sent;
  const kept = service.sessions.get(agent.sessionId);
  const calls = kept.log.filter(({ type }) => type === "agent.custom_tool_use").map(({ id }) => id);
  const messages = kept.log.filter(({ type }) => type === "user.message").length;
  const wrong = [];
  for (const call of calls) {
    if (seen.runs[call] !== 1) wrong.push(`${call} ran ${seen.runs[call]} times`);
    if (!kept.results.has(call)) wrong.push(`${call} has no result`);
    await until(() => seen.ends.includes(call), meanwhile).catch(() => wrong.push(`${call} has no end`));
    if (seen.ends.filter((id) => id === call).length > 1) wrong.push(`${call} ended twice`);
  }
  if (calls.length !== 1 || messages !== 1) wrong.push(`${messages} messages, ${calls.length} calls`);
  if (agent.status !== "idle") wrong.push(`the status is ${agent.status}`);
  return wrong.concat(seen.errors);
}

globalThis.http.service = { stage, turn, until, moment, pass };
/** Makes sure that this module is loaded. */
export const load_service = () => {};
