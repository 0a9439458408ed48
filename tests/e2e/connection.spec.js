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
    this.report = this.form.getByRole("status");
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

/** A service that is there and lets no page of another origin in. */
async function withService(act) {
  const service = createServer((_, response) => response.end("{}"));
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
