// The page of settings: who the agent's answers come from is chosen, tested, used and taken back.
import { createServer } from "node:http";
import { AgentPage } from "./agent_page.js";
import { expect, test } from "./page.js";

const KEY = "sk-of-the-tests";
const chunk = (delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

/** What a model's server at `/model/v1` of the site itself does; `keys`: only with the key. */
async function serveModel(page, { keys = false, answer = "来自模型的回答" } = {}) {
  const asked = [];
  await page.route("**/model/v1/**", (route) => {
    const request = route.request();
    asked.push({ path: new URL(request.url()).pathname, authorization: request.headers().authorization });
    if (keys && request.headers().authorization !== `Bearer ${KEY}`) {
      const message = `Incorrect API key: ${request.headers().authorization}`;
      return route.fulfill({ status: 401, json: { error: { message } } });
    }
    if (request.url().endsWith("/models")) return route.fulfill({ json: { data: [{ id: "qwen3" }, { id: "gemma3" }] } });
    if (request.postDataJSON().model !== "qwen3") {
      return route.fulfill({ status: 404, json: { error: { message: "model not found, try pulling it first" } } });
    }
    return route.fulfill({ contentType: "text/event-stream", body: `${chunk({ content: answer })}data: [DONE]\n\n` });
  });
  return asked;
}

class Settings {
  constructor(page) {
    this.page = page;
    this.form = page.locator("connection-settings form");
    this.report = this.form.locator(".connection-report");
    this.warning = this.form.locator(".connection-warning");
    this.now = this.form.locator(".connection-now");
  }

  static async open(page) {
    await page.goto("/settings");
    const settings = new Settings(page);
    await expect(settings.form).toBeVisible();
    return settings;
  }

  async enter(protocol, { url, model, key } = {}) {
    await this.form.getByRole("radio", { name: protocol }).check();
    if (url) await this.form.getByLabel("地址").fill(url);
    if (model) await this.form.getByLabel("模型", { exact: true }).fill(model);
    if (key) await this.form.getByLabel("密钥", { exact: true }).fill(key);
  }

  press(name) {
    return this.form.getByRole("button", { name }).click();
  }

  async test() {
    await this.press("测试连接");
    await expect(this.report).toHaveAttribute("data-state", /works|problem/);
  }
}

const origin = (page) => new URL(page.url()).origin;
const stored = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
const chat = "OpenAI 兼容接口";

/** What a browser reports of answers that are a no is no fault of the page's. */
const expectOnly = (complaints, pattern) => {
  expect(complaints.filter((complaint) => !pattern.test(complaint))).toEqual([]);
  complaints.length = 0;
};

test("a model is tested, used, and given up again", async ({ page }) => {
  const asked = await serveModel(page);
  const settings = await Settings.open(page);
  await expect(settings.now).toContainText("演示助教");
  await settings.enter(chat, { url: `${origin(page)}/model/v1/`, model: "qwen3" });
  await settings.test();
  await expect(settings.report).toContainText("模型 qwen3 有回应");
  await expect(settings.form.locator("datalist option")).toHaveCount(2);
  expect(asked.map(({ path }) => path)).toEqual(["/model/v1/models", "/model/v1/chat/completions"]);

  await settings.press("使用这个连接");
  await expect(settings.now).toContainText("只在这台设备上");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("你是谁？");
  await expect(await agent.answered()).toContainText("来自模型的回答");

  await page.reload();
  await expect(settings.now).toContainText("qwen3");
  await settings.press("恢复网站的设置");
  await expect(settings.now).toContainText("演示助教");
  await agent.ready();
  await agent.ask("现在是第几课？");
  await expect(await agent.answered()).not.toContainText("来自模型的回答");
  expect(await page.evaluate(() => localStorage.getItem("lesson-player.connection"))).toBeNull();
});

test("a key stays in memory, unless the person says otherwise, and nothing shows it", async ({ page, complaints }) => {
  const asked = await serveModel(page, { keys: true });
  const logs = [];
  page.on("console", (message) => logs.push(message.text()));
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "qwen3" });
  await settings.test();
  await expect(settings.report).toContainText("PRAXIS_MODEL_KEY");
  await settings.enter(chat, { key: "sk-wrong-key" });
  await settings.test();
  await expect(settings.report).toContainText("拒绝了这个密钥（401）");
  await expect(settings.report).toContainText("Incorrect API key: Bearer …");
  await settings.enter(chat, { key: KEY });
  await settings.test();
  await expect(settings.report).toContainText("连接正常");
  await settings.press("使用这个连接");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("你是谁？");
  await expect(await agent.answered()).toContainText("来自模型的回答");
  expect(asked.at(-1).authorization).toBe(`Bearer ${KEY}`);
  expect(await stored(page)).not.toContain("sk-");
  expect(logs.join()).not.toContain("sk-");

  await settings.form.getByRole("checkbox").check();
  await settings.press("使用这个连接");
  await expect.poll(() => stored(page)).toContain(KEY);
  await page.reload();
  await expect(settings.form.getByLabel("密钥", { exact: true })).toHaveValue(KEY);
  await settings.press("恢复网站的设置");
  await expect.poll(() => stored(page)).not.toContain("sk-");
  expectOnly(complaints, /status of 401/);
});

test("a model that cannot be reached is said to be tried again, is stopped at once, and the reason is said in the end", async ({ page, complaints }) => {
  await page.clock.install();
  await page.route("**/model/v1/**", (route) => route.abort("connectionrefused"));
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "qwen3" });
  await settings.press("使用这个连接");
  const agent = new AgentPage(page);
  await agent.ready();
  const waits = agent.element.locator(".thinking");
  await agent.ask("你是谁？");
  await expect(waits).toContainText("没有得到回答，正在重试：连不上模型服务");
  await agent.stop.click();
  await expect.poll(() => agent.status()).toBe("idle");
  await expect(waits).toBeEmpty();

  await agent.ask("现在呢？");
  await expect(waits).toContainText("（CORS）");
  const failed = agent.element.locator('[part~="error"]');
  await expect.poll(async () => (await page.clock.runFor(1000), failed.count())).toBe(1);
  await expect(failed).toContainText("连不上模型服务：它没有在运行，地址不对，或者它不允许这个页面访问（CORS）");
  await expect(waits).toBeEmpty();
  expectOnly(complaints, /net::ERR/);
});

test("what is entered wrong is said beside its field", async ({ page }) => {
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: "localhost:11434" });
  await settings.press("使用这个连接");
  await expect(settings.form.getByLabel("地址")).toHaveAttribute("aria-invalid", "true");
  await expect(settings.form.getByLabel("地址")).toBeFocused();
  await expect(settings.form).toContainText("请填 http:// 或 https:// 开头的完整地址");
  await expect(settings.form).toContainText("请填模型名");
  expect(await stored(page)).not.toContain("localhost");
});

test("a model that is not there, a wrong path and a web page are told apart", async ({ page, complaints }) => {
  await serveModel(page);
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "gone" });
  await settings.test();
  await expect(settings.report).toContainText("没有名叫 gone 的模型");
  await page.route("**/elsewhere/**", (route) => route.fulfill({ status: 404, body: "404 page not found" }));
  await settings.enter(chat, { url: `${origin(page)}/elsewhere` });
  await settings.test();
  await expect(settings.report).toContainText("一般以 /v1 结尾");
  // The site's own page, as hosts answer for paths that they do not know.
  await settings.enter(chat, { url: origin(page) });
  await settings.test();
  await expect(settings.report).toContainText("返回的是一个网页");
  expectOnly(complaints, /status of 404/);
});

/** A service on this computer that answers so: without more, nothing that a page of another origin may read. */
async function withService(act, answer = (_, response) => response.end("{}")) {
  const service = createServer(answer);
  await new Promise((listening) => service.listen(0, "127.0.0.1", listening));
  const close = () => new Promise((closed) => service.close(closed).closeAllConnections());
  try {
    await act(`http://127.0.0.1:${service.address().port}`, close);
  } finally {
    if (service.listening) await close();
  }
}

test("an address that the site's policy forbids is said to be so", async ({ page, complaints }) => {
  await withService(async (address) => {
    const settings = await Settings.open(page);
    await settings.enter(chat, { url: `${address}/v1`, model: "m" });
    await settings.test();
    await expect(settings.report).toContainText(`（CSP）不允许页面访问 ${address}`);
  });
  expectOnly(complaints, /Content Security Policy/);
});

test.describe("where the policy lets the page through", () => {
  test.use({ bypassCSP: true });

  test("a service that lets no page in is told from one that is not running", async ({ page, complaints }) => {
    await withService(async (address, close) => {
      const settings = await Settings.open(page);
      await settings.enter(chat, { url: `${address}/v1`, model: "m" });
      await settings.test();
      await expect(settings.report).toContainText("（CORS）");
      await expect(settings.report).toContainText(`来源 ${origin(page)}`);
      await close();
      await settings.test();
      await expect(settings.report).toContainText(`连不上 ${address}`);
    });
    expectOnly(complaints, /CORS policy|net::ERR/);
  });

  test("an Ollama that lets no page in is told from others, with what to start it with", async ({ page, complaints }) => {
    const address = "http://localhost:11434";
    const headers = { "access-control-allow-origin": "http://elsewhere.example" };
    await page.route(`${address}/**`, (route) => route.fulfill({ headers, json: {} }));
    const settings = await Settings.open(page);
    await settings.enter(chat, { url: `${address}/v1`, model: "m" });
    await settings.test();
    await expect(settings.report).toContainText("Ollama 在那里，但它不允许这个页面访问（CORS）");
    await expect(settings.report.locator("code")).toHaveText(`OLLAMA_ORIGINS="${origin(page)}" ollama serve`);
    await expect(settings.report).toContainText(`launchctl setenv OLLAMA_ORIGINS "${origin(page)}"`);
    expectOnly(complaints, /CORS policy|net::ERR/);
  });

  test("a browser that keeps the site from the local network is said to do so", async ({ page, complaints }) => {
    // No flag brings a browser to it here: what it answers to whoever asks, and the failure, are played.
    await page.addInitScript(() => {
      navigator.permissions.query = async ({ name }) => ({ state: name === "local-network-access" ? "denied" : "prompt" });
    });
    await page.route("http://localhost:11434/**", (route) => route.abort("blockedbyclient"));
    const settings = await Settings.open(page);
    await settings.enter(chat, { url: "http://localhost:11434/v1", model: "m" });
    await settings.test();
    await expect(settings.report).toContainText("浏览器不让这个网站访问本机和本地网络，所以到不了 http://localhost:11434");
    expectOnly(complaints, /net::ERR/);
  });

  test("an answer that stops coming ends by itself, one that breaks off or is empty is said to be so", async ({ page, complaints }) => {
    const letPass = await holdTime(page);
    let act = (response) => response.write('{"data":');
    const answer = (request, response) => {
      response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
      if (request.method === "OPTIONS") return response.end();
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      act(response, request);
    };
    await withService(async (address) => {
      const settings = await Settings.open(page);
      await settings.enter(chat, { url: `${address}/v1` });
      const begun = page.waitForEvent("response");
      await settings.press("测试连接");
      await begun;
      await letPass(15);
      await expect(settings.report).toContainText("模型列表 15 秒内没有读到");

      act = (response) => response.write('{"data":', () => response.destroy());
      await settings.test();
      await expect(settings.report).toContainText(`GET ${address}/v1/models 的回答到一半断了`);

      act = (response, { url }) => response.end(url.endsWith("/models") ? "null" : "");
      await settings.enter(chat, { model: "m" });
      await settings.test();
      await expect(settings.report).toContainText(`POST ${address}/v1/chat/completions 回答了，但里面什么也没有`);
      await expect(settings.report).toHaveAttribute("data-state", "problem");
    }, answer);
    expectOnly(complaints, /net::ERR/);
  });
});

test("a test that takes long is stopped, and the request with it", async ({ page }) => {
  let gone;
  const left = new Promise((resolve) => (gone = resolve));
  page.on("requestfailed", (request) => request.url().endsWith("/models") && gone());
  await page.route("**/model/v1/models", () => {}); // it never answers
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "m" });
  await settings.press("测试连接");
  await expect(settings.report).toContainText("正在读取模型列表");
  await expect(settings.report.getByRole("progressbar")).toBeVisible();
  await settings.press("停止");
  await expect(settings.report).toContainText("已停止测试");
  await left;
  await expect(settings.form.getByRole("button", { name: "测试连接" })).toBeVisible();
});

test("what was found goes as soon as anything of the connection changes", async ({ page }) => {
  await serveModel(page);
  const settings = await Settings.open(page);
  const url = `${origin(page)}/model/v1`;
  for (const change of [{ url: `${url}/` }, { model: "gemma3" }, { key: KEY }]) {
    await settings.enter(chat, { url, model: "qwen3" });
    await settings.test();
    await expect(settings.report).toContainText("有回应");
    await settings.enter(chat, change);
    await expect(settings.report).toHaveText("设置改过了，还没有测试。");
    await expect(settings.report).toHaveAttribute("data-state", "changed");
    await expect(settings.report).toHaveRole("status");
  }
  await settings.enter(chat, { model: "qwen3" });
  await settings.test();
  await settings.enter("AG-UI 智能体");
  await expect(settings.report).toBeEmpty();
  // Where a key is kept is no part of the connection.
  await settings.enter(chat);
  await settings.test();
  await settings.form.getByRole("checkbox").check();
  await expect(settings.report).toContainText("有回应");
});

test("a test that runs says nothing of values that were entered meanwhile", async ({ page, complaints }) => {
  await serveModel(page);
  let answer;
  const asked = new Promise((resolve) => {
    page.route("**/model/v1/chat/completions", (route) => {
      if (route.request().postDataJSON().model !== "qwen3") return route.fallback();
      answer = () => route.fulfill({ contentType: "text/event-stream", body: chunk({ content: "ok" }) }).catch(() => {});
      resolve();
    });
  });
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "qwen3" });
  await settings.press("测试连接");
  await asked;
  const left = page.waitForEvent("requestfailed");
  await settings.form.getByLabel("模型", { exact: true }).press("End");
  await settings.form.getByLabel("模型", { exact: true }).press("x");
  await left;
  await expect(settings.report).toHaveText("设置改过了，还没有测试。");
  await answer();
  await settings.test();
  await expect(settings.report).toContainText("没有名叫 qwen3x 的模型");
  await settings.enter(chat, { model: "gemma3" });
  await expect(settings.report).toHaveText("设置改过了，还没有测试。");
  expectOnly(complaints, /status of 404/);
});

test("what is used or taken back while a test runs is not undone by its end", async ({ page }) => {
  await page.route("**/model/v1/models", () => {}); // it never answers
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "qwen3" });
  for (const [button, said] of [["使用这个连接", "已切换到这个连接。"], ["恢复网站的设置", "已恢复网站的设置。"]]) {
    const left = page.waitForEvent("requestfailed");
    await settings.press("测试连接");
    await expect(settings.report).toContainText("正在读取模型列表");
    await settings.press(button);
    await left;
    // A turn of the page's own, in which the test that was left could still speak.
    await page.evaluate(() => new Promise((turn) => setTimeout(turn)));
    await expect(settings.report).toHaveText(said);
    await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "qwen3" });
  }
});

/** Limits of time that the test lets pass, by their seconds. */
async function holdTime(page) {
  await page.addInitScript(() => {
    const limits = [];
    AbortSignal.timeout = (milliseconds) => {
      const limit = new AbortController();
      limits.push({ seconds: milliseconds / 1000, limit });
      return limit.signal;
    };
    window.letPass = (seconds) => {
      for (const { limit } of limits.filter((entry) => entry.seconds <= seconds)) limit.abort(new DOMException("", "TimeoutError"));
    };
  });
  return (seconds) => page.evaluate((seconds) => window.letPass(seconds), seconds);
}

test("a list of models that never comes ends by itself, and the model is asked all the same", async ({ page }) => {
  const letPass = await holdTime(page);
  await serveModel(page);
  await page.route("**/model/v1/models", () => {}); // it never answers
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: `${origin(page)}/model/v1`, model: "qwen3" });
  await settings.form.getByRole("button", { name: "测试连接" }).press("Enter");
  await expect(settings.report).toContainText("最多等 15 秒");
  await expect(settings.report).toContainText("模型名也可以直接填");
  await letPass(15);
  await expect(settings.report).toContainText("模型 qwen3 有回应");
  await expect(settings.report).toContainText("模型列表 15 秒内没有读到");

  await settings.form.getByLabel("模型", { exact: true }).fill("");
  await settings.press("测试连接");
  await expect(settings.report).toContainText("最多等 15 秒");
  await letPass(15);
  await expect(settings.report).toContainText("请填模型名");
  await expect(settings.report).toContainText("模型列表 15 秒内没有读到");
});

test.describe("in English", () => {
  test.use({ locale: "en-US" });

  test("a list of models that never comes is said to be so", async ({ page }) => {
    const letPass = await holdTime(page);
    await page.route("**/model/v1/models", () => {}); // it never answers
    const settings = await Settings.open(page);
    await settings.form.getByRole("radio", { name: "OpenAI-compatible endpoint" }).check();
    await settings.form.getByLabel("Address").fill(`${origin(page)}/model/v1`);
    await settings.press("Test the connection");
    await expect(settings.report).toContainText("for 15 seconds at most");
    await letPass(15);
    await expect(settings.report).toContainText("Enter the model's name.");
    await expect(settings.report).toContainText("did not come within 15 seconds");
    await settings.form.getByLabel("Model", { exact: true }).fill("m");
    await expect(settings.report).toHaveText("The settings have changed, and are not tested yet.");
    await settings.form.getByLabel("Key", { exact: true }).fill(KEY);
    await settings.form.getByLabel("Address").fill("http://192.168.1.5:11434/v1");
    await expect(settings.warning).toContainText("would travel unencrypted");
  });
});

test("a key that would go over the network for all to read is warned of", async ({ page }) => {
  const settings = await Settings.open(page);
  await settings.enter(chat, { url: "http://192.168.1.5:11434/v1", model: "m" });
  await expect(settings.warning).toBeEmpty();
  await settings.enter(chat, { key: KEY });
  await expect(settings.warning).toContainText("密钥会不加密地发出去");
  await expect(settings.warning).toHaveRole("status");
  await expect(settings.form.getByLabel("密钥", { exact: true })).toHaveAccessibleDescription(/密钥会不加密地发出去/);
  for (const url of ["https://192.168.1.5/v1", "http://localhost:11434/v1", "http://127.0.0.1:1/v1", "http://[::1]:1/v1", "http://"]) {
    await settings.enter(chat, { url });
    await expect(settings.warning, url).toBeEmpty();
  }
  await settings.enter(chat, { url: "http://localhost.example/v1" });
  await expect(settings.warning).toContainText("密钥会不加密地发出去");
  await settings.form.getByLabel("密钥", { exact: true }).fill("");
  await expect(settings.warning).toBeEmpty();
});

/** The site at an address with https, as the test's own server cannot be. */
async function openWithHttps(page, baseURL) {
  const secure = "https://player.example";
  await page.route(`${secure}/**`, async (route) => {
    const response = await route.fetch({ url: baseURL + route.request().url().slice(secure.length) });
    await route.fulfill({ response });
  });
  await page.goto(`${secure}/settings`);
  const settings = new Settings(page);
  await expect(settings.form).toBeVisible();
  return settings;
}

test("mixed content is said to be forbidden, and nothing is sent", async ({ page, baseURL }) => {
  const sent = [];
  page.on("request", (request) => sent.push(request.url()));
  const settings = await openWithHttps(page, baseURL);
  await settings.enter(chat, { url: "http://192.168.1.5:11434/v1", model: "m" });
  await settings.test();
  await expect(settings.report).toContainText("浏览器禁止这种混合内容");
  await expect(settings.report).toHaveAttribute("data-state", "problem");
  expect(sent.filter((url) => url.includes("192.168"))).toEqual([]);
});
