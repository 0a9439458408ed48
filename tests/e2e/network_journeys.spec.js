// What a network does to a conversation with praxis-server: it breaks, the server is killed, a second tab looks on.
import { AgentPage } from "./agent_page.js";
import { expect, test } from "./page.js";
import { PageServer } from "./page_server.js";

/** An agent that waits for the page's handler. `finish()` lets it answer; `runs()` says how often it was called. */
async function inTheMiddleOfACall(page) {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.element.evaluate((element) => {
    window.runs = 0;
    element.onClientTool = () => {
      window.runs += 1;
      return new Promise((resolve) => (window.finish = () => resolve({ lesson: 1, positionSeconds: 42, durationSeconds: 148 })));
    };
  });
  await agent.ask("我看到哪了？");
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "start");
  return { agent, finish: () => page.evaluate(() => window.finish()), runs: () => page.evaluate(() => window.runs) };
}

/** The call ran once, its result was accepted, and the answer came of it, once. */
async function isAnsweredOnce({ agent, runs }) {
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "end");
  await expect(await agent.answered()).toContainText("0:42");
  await expect(agent.answers).toHaveCount(1);
  await expect(agent.questions).toHaveCount(1);
  expect(await runs()).toBe(1);
}

/** Failed requests are what these journeys are about, and what the browser writes to its console. */
test.afterEach(({ complaints }) => {
  const others = complaints.splice(0).filter((text) => !/Failed to load resource|ERR_/.test(text));
  expect(others).toEqual([]);
});

test("a praxis-server elsewhere answers pages whose own host passes its tokens on", async ({ page, server }) => {
  const api = { protocol: "praxis", url: server.origin, tokenUrl: "/api/praxis-token" };
  const pages = await PageServer.start(api, server.origin);
  try {
    await page.goto(`${pages.origin}/lessons/1`);
    const agent = new AgentPage(page);
    await agent.ready();
    await agent.ask("现在是第几课？");
    await expect(await agent.answered()).toContainText("1");
    // The same visitor comes back.
    await page.reload();
    await expect(agent.answers).toHaveCount(1);
  } finally {
    await pages.stop();
  }
});

test("k22: the network goes while a call runs, and its result is written when it is back", async ({ context, page }) => {
  const call = await inTheMiddleOfACall(page);
  await context.setOffline(true);
  await call.finish();
  await expect(call.agent.call("read_playback_progress")).toHaveAttribute("data-status", "start");
  await context.setOffline(false);
  await isAnsweredOnce(call);
});

test("the network goes in the middle of an answer: the page says so, and shows all of it afterwards", async ({ context, page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("什么是前端工具？");
  // Looked for with each frame: an answer is soon over.
  await page.waitForFunction(() => {
    const { shadowRoot } = document.querySelector("praxis-agent");
    return shadowRoot.querySelector('[part~="message"][data-role="agent"]')?.textContent;
  });
  await context.setOffline(true);
  // Chromium's switch leaves an open stream alone in some runs. Then the whole answer comes, and there is nothing to say.
  const notice = agent.element.getByText(/离线|重新连接|连接/).first();
  await expect.poll(async () => (await notice.isVisible()) || (await agent.status()) === "idle").toBe(true);
  await context.setOffline(false);
  const answer = await agent.answered();
  await expect(agent.answers).toHaveCount(1);
  const whole = await answer.innerText();
  await page.reload();
  await agent.ready();
  // What the service keeps is what the page showed.
  await expect(agent.answers).toHaveCount(1);
  expect(await agent.answers.first().innerText()).toBe(whole);
});

test("the server is killed while a call runs: what it kept goes on, and the call is not run again", async ({ page, server }) => {
  const call = await inTheMiddleOfACall(page);
  await server.kill();
  await call.finish();
  await server.restart();
  await isAnsweredOnce(call);
});

test("a message that could not be sent comes back with the reason, and is not sent twice", async ({ context, page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await context.setOffline(true);
  await agent.ask("我看到哪了？");
  await expect(agent.composer).toHaveValue("我看到哪了？");
  await context.setOffline(false);
  await agent.composer.press("Enter");
  await agent.answered();
  await expect(agent.questions).toHaveText(["我看到哪了？"]);
});

test("two tabs show one conversation, and a call has one result", async ({ context, page }) => {
  await page.goto("/lessons/1");
  const first = new AgentPage(page);
  await first.ready();
  await first.ask("现在是第几课？");
  await first.answered();

  const other = await context.newPage();
  await other.goto("/lessons/1");
  const second = new AgentPage(other);
  await expect(second.questions).toHaveText(["现在是第几课？"]);
  await second.ask("我看到哪了？");
  await second.answered();
  await expect(first.questions).toHaveText(["现在是第几课？", "我看到哪了？"]);
  await expect(first.answers).toHaveCount(2);
  await expect(first.calls).toHaveCount(1);
});

test("the history lists the person's conversations only, and deletes one after a question", async ({ browser, page, baseURL }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("现在是第几课？");
  await agent.answered();

  const stranger = await (await browser.newContext({ baseURL, locale: "zh-CN" })).newPage();
  await stranger.goto("/lessons/1");
  const theirs = new AgentPage(stranger);
  await theirs.ready();
  await expect(theirs.questions).toHaveCount(0);
  await theirs.element.getByRole("button", { name: "历史" }).click();
  await expect(theirs.element.getByText("现在是第几课？")).toHaveCount(0);

  await agent.element.getByRole("button", { name: "历史" }).click();
  await agent.element.getByRole("button", { name: /删除/ }).first().click();
  await agent.element.getByRole("button", { name: /^删除$/ }).last().click();
  await expect(agent.questions).toHaveCount(0);
});
