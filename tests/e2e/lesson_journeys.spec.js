// The main job, as a learner does it: watch a lesson, ask the agent beside it, be answered.
import { AgentPage, clockIn, video } from "./agent_page.js";
import { expect, test } from "./page.js";

/** An agent whose call does not end: the page's handler is as slow as can be. */
async function inTheMiddleOfACall(page) {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.element.evaluate((element) => (element.onClientTool = () => new Promise(() => {})));
  await agent.ask("我看到哪了？");
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "start");
  return agent;
}

test("asks where the lesson is while it plays, and the answer agrees with the video", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  const lesson = video(page);
  await agent.ready();
  await lesson.loaded();
  await lesson.element.evaluate((element) => (element.currentTime = 42));
  await lesson.play();

  const before = await lesson.position();
  await agent.ask("我看到哪了？");
  const answer = await agent.answered();
  const after = await lesson.position();

  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "end");
  const told = clockIn(await answer.innerText());
  expect(told).toBeGreaterThanOrEqual(Math.floor(before));
  expect(told).toBeLessThanOrEqual(Math.ceil(after));
  expect(await lesson.element.evaluate((element) => element.paused)).toBe(false);
});

test("answers in the language of the question", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  // The words of the panel around an answer are in the language of the page.
  await agent.ask("Where am I in the video?");
  await expect((await agent.answered()).locator("p")).toHaveText(/^[\p{Script=Latin}\p{Script=Common}]+$/u);
  await agent.ask("我看到哪了？");
  await expect((await agent.answered()).locator("p")).toHaveText(/\p{Script=Han}/u);
});

test("seeks on request, and says why when it cannot", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  const lesson = video(page);
  await agent.ready();
  await lesson.loaded();
  await agent.ask("跳到 1:05");
  await agent.answered();
  await expect(agent.call("seek_to")).toHaveAttribute("data-status", "end");
  expect(await lesson.position()).toBeCloseTo(65, 0);

  await agent.ask("跳到 59:00");
  await agent.answered();
  await expect(agent.call("seek_to").last()).toHaveAttribute("data-status", "error");
  await expect(agent.answers.last()).not.toBeEmpty();
  expect(await lesson.position()).toBeCloseTo(65, 0);
});

test("k16: a suggested question carries the page context and is answered from it alone", async ({ page }) => {
  await page.goto("/lessons/2");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("现在是第几课？");
  await expect(await agent.answered()).toContainText("2");
  await expect(agent.calls).toHaveCount(0);
});

test("k23: a call that was running when the page was reloaded is run once more and answered once", async ({ page }) => {
  const agent = await inTheMiddleOfACall(page);

  await page.reload();
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "end");
  await expect(await agent.answered()).toContainText(/\d:\d\d/);
  await expect(agent.questions).toHaveCount(1);
  await expect(agent.calls).toHaveCount(1);

  await page.reload();
  await agent.ready();
  await expect(agent.answers).toHaveCount(1);
  await expect(agent.calls).toHaveCount(1);
});

test("stops an answer in the middle and goes on from there", async ({ page }) => {
  const agent = await inTheMiddleOfACall(page);
  await agent.stop.click();
  await agent.answered();
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "error");
  await agent.ask("现在是第几课？");
  await expect(await agent.answered()).toContainText("1");
});

test("a new conversation begins empty, and the old one is in the history", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("现在是第几课？");
  await agent.answered();
  const first = await agent.element.evaluate((element) => element.sessionId);
  await agent.element.evaluate((element) => element.setSession(null));
  await expect(agent.questions).toHaveCount(0);
  await agent.ask("我看到哪了？");
  await agent.answered();
  expect(await agent.element.evaluate((element) => element.sessionId)).not.toBe(first);
  await agent.element.evaluate((element, id) => element.setSession(id), first);
  await expect(agent.questions).toHaveText(["现在是第几课？"]);
});

test("two tabs: the second shows the conversation and does not write to it", { tag: "@demo" }, async ({ context, page }) => {
  await page.goto("/lessons/1");
  const first = new AgentPage(page);
  await first.ready();
  await first.ask("现在是第几课？");
  await first.answered();

  const other = await context.newPage();
  await other.goto("/lessons/1");
  const second = new AgentPage(other);
  await expect(second.questions).toHaveText(["现在是第几课？"]);
  await expect(second.composer).not.toBeEditable();

  await page.close();
  await expect(second.composer).toBeEditable();
  await second.ask("我看到哪了？");
  await second.answered();
});

test("works without a network once it is there", { tag: "@demo" }, async ({ context, page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await context.setOffline(true);
  await agent.ask("我看到哪了？");
  await expect(await agent.answered()).toContainText(/\d:\d\d/);
});
