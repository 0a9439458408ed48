// How fast the page's tools are: medians over the release build in dist/, in Chromium. Nothing here passes or fails.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import config from "./playwright.config.js";

/** The engine admits ten calls of a tool in a minute (E12), so a page that was just opened is asked ten times. */
const CALLS = 10;
const OPENED = 10;
const ROWS = 10_000;

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

function print(what, values, target) {
  const spread = `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  console.log(`${what}: ${median(values).toFixed(2)} ms (of ${values.length}: ${spread}); target ${target}`);
}

/** Runs in the page before its own scripts: how long each worker takes to say that it is ready. */
function watchWorkers() {
  globalThis.workerStarts = [];
  globalThis.Worker = class extends Worker {
    constructor(...how) {
      const begun = performance.now();
      super(...how);
      this.addEventListener("message", () => globalThis.workerStarts.push(performance.now() - begun), { once: true });
    }
  };
}

/** Runs in the page: makes calls one after the other, as the agent would, and gives their times in milliseconds. */
async function time([name, input, calls]) {
  const agent = document.querySelector("praxis-agent");
  const times = [];
  for (let call = 0; call < calls; call += 1) {
    const begun = performance.now();
    const { signal } = new AbortController();
    const text = await agent.onClientTool({ id: `${name}-${call}`, name, input, signal });
    times.push(performance.now() - begun);
    const result = JSON.parse(text);
    if (result.success === false) throw new Error(text);
  }
  return times;
}

/** Runs in the page: puts a table of so many rows before all others. */
function addTable(rows) {
  const cells = (values, tag) => `<tr>${values.map((value) => `<${tag}>${value}</${tag}>`).join("")}</tr>`;
  const row = (index) => cells([index, `课时 ${(index * 7919) % 997}`, index % 4 ? "已完成" : "待审核", `${(index * 31) % 101} 分`, `2026-11-${1 + (index % 28)}`], "td");
  const body = Array.from({ length: rows }, (_, index) => row(index)).join("");
  const head = cells(["编号", "课时", "状态", "得分", "日期"], "th");
  document.querySelector("main").insertAdjacentHTML("afterbegin", `<table><thead>${head}</thead><tbody>${body}</tbody></table>`);
}

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const environment = { ...process.env, PRAXIS_E2E_PORT: String(port) };
const server = spawn(process.execPath, [fileURLToPath(new URL("server.js", import.meta.url))], { env: environment });
const browser = await chromium.launch(config.use.launchOptions);
try {
  await new Promise((resolve) => server.stdout.once("data", resolve));
  const page = await browser.newPage({ baseURL: `http://127.0.0.1:${port}`, locale: "zh-CN" });
  await page.addInitScript(watchWorkers);
  const open = async (path) => {
    await page.goto(path);
    // The element comes when the page's tools are there.
    await page.waitForFunction(() => document.querySelector("praxis-agent")?.onClientTool);
  };

  const [plain, checked, starts, queries] = [[], [], [], []];
  for (let opened = 0; opened < OPENED; opened += 1) {
    await open("/lessons/1");
    // The worker is warm once it has judged a call.
    await page.evaluate(time, ["set_playback_speed", { speed: 1 }, 1]);
    plain.push(...(await page.evaluate(time, ["read_playback_progress", {}, CALLS])));
    // Both give the playback's progress; this one goes through all of the engine's stages.
    checked.push(...(await page.evaluate(time, ["pause", {}, CALLS])));
    starts.push(...(await page.evaluate(() => globalThis.workerStarts)));
  }
  for (let opened = 0; opened < 2; opened += 1) {
    await open("/records");
    await page.evaluate(addTable, ROWS);
    const input = { target: "table", filters: { 状态: "待审核" }, sortBy: "得分", sortOrder: "desc", limit: 50 };
    queries.push(...(await page.evaluate(time, ["query_data", input, CALLS])).slice(1));
  }
  print("a plain tool's call", plain, "none");
  print("a call through the engine, the worker warm", checked, "none");
  console.log(`  what the engine adds: ${(median(checked) - median(plain)).toFixed(2)} ms; target 1 ms`);
  print("the schema worker's start", starts, "150 ms, off the main thread");
  print(`query_data over ${ROWS} rows, filtered and sorted`, queries, "200 ms");
} finally {
  await browser.close();
  server.kill();
}
