// A network for tests: `fetch` of a test's origins is answered by what the test says. A request that is aborted
// rejects, and its body breaks, as in a browser.

const origins = new Map();
const real = globalThis.fetch.bind(globalThis);
globalThis.fetch = (address, init) => {
  const url = new URL(address.url ?? address, location);
  const origin = origins.get(url.origin);
  return origin ? origin.fetch(url, init) : real(address, init);
};

const bytes = (text) => (typeof text === "string" ? new TextEncoder().encode(text) : text);

/** A JSON answer. */
export const json = (status, body) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** A no of the service. */
export const refusal = (status, type, message) => json(status, { type: "error", error: { type, message } });

/** An answer whose body the test sends piece by piece. */
export function streamed(type = "text/event-stream", status = 200) {
  const stream = { open: true };
  const body = new ReadableStream({
    start: (controller) => (stream.controller = controller),
    cancel: () => (stream.open = false),
  });
  stream.send = (part) => stream.open && stream.controller.enqueue(bytes(part));
  stream.end = () => stream.open && ((stream.open = false), stream.controller.close());
  stream.break = (why = new TypeError("network error")) =>
    stream.open && ((stream.open = false), stream.controller.error(why));
  stream.response = new Response(body, { status, headers: { "content-type": type } });
  return stream;
}

/** An origin whose requests are kept in `requests` and answered by `answer`. */
export class Origin {
  requests = [];
  answer = () => refusal(404, "not_found_error", "nothing here");

  constructor(origin) {
    this.origin = origin;
    origins.set(origin, this);
  }

  async fetch(url, init) {
    const request = {
      method: init.method,
      path: url.pathname + url.search,
      headers: Object.fromEntries(init.headers),
      body: init.body ?? null,
      cache: init.cache,
      aborted: false,
    };
    this.requests.push(request);
    const aborted = new Promise((_, reject) => {
      init.signal.addEventListener("abort", () => {
        request.aborted = true;
        request.stream?.break(init.signal.reason);
        reject(init.signal.reason);
      });
    });
    aborted.catch(() => {});
    let answer = await Promise.race([this.answer(request), aborted]);
    if (answer.response) {
      request.stream = answer;
      answer = answer.response;
    }
    return answer;
  }
}

globalThis.http = { json, refusal, streamed, Origin };
/** Makes sure that this module is loaded. */
export const load = () => {};
