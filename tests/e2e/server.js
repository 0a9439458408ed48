// Serves dist/ as a good host would: with the headers that dist/_headers names, precompressed where the browser takes
// it, byte ranges for video, and index.html for the app's own routes. PRAXIS_CONFIG takes config.json's place, and
// /v1/ and /api/ are passed on to PRAXIS_UPSTREAM: a model, or a praxis-server that gives out the tokens.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

const folder = process.env.PRAXIS_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mp4": "video/mp4",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".vtt": "text/vtt; charset=utf-8",
  ".wasm": "application/wasm",
  ".webm": "video/webm",
  ".webp": "image/webp",
};

/**
 * The headers under `/*`: an indented `name: value` each. Where config.json names another origin, the policy allows it,
 * as the file says.
 */
async function commonHeaders() {
  const { api } = JSON.parse(process.env.PRAXIS_CONFIG ?? "{}");
  const origins = URL.canParse(api?.url) ? `connect-src ${new URL(api.url).origin}` : "connect-src";
  const text = (await readFile(join(folder, "_headers"), "utf8")).replace(/connect-src(?= 'self')/, origins);
  return Object.fromEntries([...text.matchAll(/^\s+([\w-]+):\s*(.+)$/gm)].map(([, name, value]) => [name, value]));
}

const isFile = async (path) => (await stat(path).catch(() => undefined))?.isFile() ?? false;

/** The file that a path leads to; a route of the app leads to its page, a missing file nowhere. */
async function locate(pathname) {
  const path = join(folder, normalize(decodeURIComponent(pathname)));
  if (await isFile(path)) return path;
  return extname(path) ? undefined : join(folder, "index.html");
}

/** What a `Range` header asks for: `undefined` for the whole, `null` for what is not there. */
function byteRange(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (!first && !last) return undefined;
  const start = first ? Number(first) : Math.max(size - Number(last), 0);
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1;
  return start <= end ? { start, end } : null;
}

/** Passes a request on, for as long as somebody waits for its answer. */
async function passOn(request, response) {
  const body = (await request.toArray()).join("");
  const aborted = new AbortController();
  response.once("close", () => aborted.abort());
  const answer = await fetch(process.env.PRAXIS_UPSTREAM + request.url, {
    method: request.method,
    headers: { "content-type": "application/json", cookie: request.headers.cookie ?? "" },
    body: body || undefined,
    signal: aborted.signal,
  });
  response.writeHead(answer.status, {
    "Content-Type": answer.headers.get("content-type"),
    "Set-Cookie": answer.headers.getSetCookie(),
  });
  await pipeline(Readable.fromWeb(answer.body), response);
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  if (process.env.PRAXIS_UPSTREAM && /^\/(v1|api)\//.test(pathname)) return passOn(request, response);
  if (process.env.PRAXIS_CONFIG && pathname === "/config.json") {
    return response.writeHead(200, { "Content-Type": types[".json"] }).end(process.env.PRAXIS_CONFIG);
  }
  const path = await locate(pathname);
  if (!path) return response.writeHead(404).end();
  response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");

  const small = `${path}.br`;
  if (/\bbr\b/.test(request.headers["accept-encoding"] ?? "") && (await isFile(small))) {
    response.setHeader("Content-Encoding", "br");
    response.setHeader("Vary", "Accept-Encoding");
    return pipeline(createReadStream(small), response);
  }

  const { size } = await stat(path);
  response.setHeader("Accept-Ranges", "bytes");
  const range = byteRange(request.headers.range, size);
  if (range === null) return response.writeHead(416, { "Content-Range": `bytes */${size}` }).end();
  if (range) response.writeHead(206, { "Content-Range": `bytes ${range.start}-${range.end}/${size}` });
  return pipeline(createReadStream(path, range), response);
}

const headers = await commonHeaders();
const server = createServer((request, response) => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  answer(request, response).catch((error) => {
    // A browser that seeks closes the response it no longer wants.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE" && error.name !== "AbortError") console.error(request.url, error);
    response.destroy();
  });
});
server.listen(Number(process.env.PRAXIS_E2E_PORT ?? 8391), "127.0.0.1", () => {
  console.log(`dist/ at http://127.0.0.1:${server.address().port}`);
});
