// What a person does with an agent behind any protocol: the same journeys for the tutor in the page, praxis-server,
// chat completions and AG-UI, by config.json alone (E9, E15, E16).
import { open, video } from "./agent_page.js";
import { expect, test } from "./page.js";

const fillAndQuery = '帮我把表单里的用户名填成"张三"，然后查询表格中状态为"待审核"的记录';

const question = (page) => page.getByRole("alertdialog");
const userName = (page) => page.locator("#username");
/** Models that other programs play; the others are the tutor. */
const isModel = (service) => !["demo", "http"].includes(service);
/** Whether the page asks it itself. */
const isAskedByPage = (service) => ["chat", "fake-llm", "ag-ui"].includes(service);
/** The one that knows fixed answers only. */
const fillsInAnswers = (service) => service !== "fake-llm";

/** A further question is answered: what came before left a history that the model takes. */
async function goesOn(agent) {
  const before = await agent.answers.count();
  await agent.ask("现在是第几课？");
  await agent.answered();
  await expect(agent.answers).toHaveCount(before + 1);
  await expect(agent.answers.last()).toContainText("第");
}

test("e15: two calls side by side answer a question", async ({ page, service }) => {
  const agent = await open(page, "/profile");
  const waiting = await page.getByRole("row").filter({ hasText: "待审核" }).count();
  expect(waiting).toBeGreaterThan(0);
  await agent.ask(fillAndQuery);
  // One waits for the person, and does not keep the other waiting.
  await expect(agent.call("query_data")).toHaveAttribute("data-status", "end");
  await question(page).getByRole("button", { name: "同意" }).click();
  const answer = await agent.answered();
  await expect(userName(page)).toHaveValue("张三");
  await expect(agent.call("fill_form_field")).toHaveAttribute("data-status", "end");
  if (fillsInAnswers(service)) await expect(answer).toContainText(String(waiting));
  await goesOn(agent);
});

test("e9: a refused confirmation is a result like others", async ({ page }) => {
  const agent = await open(page, "/profile");
  await agent.ask(fillAndQuery);
  await question(page).getByRole("button", { name: "拒绝" }).click();
  await expect(await agent.answered()).not.toBeEmpty();
  await expect(agent.call("fill_form_field")).toHaveAttribute("data-status", "error");
  await expect(agent.call("query_data")).toHaveAttribute("data-status", "end");
  await expect(userName(page)).toHaveValue("");
  await goesOn(agent);
});

test("e15: an error is a result, and is explained", async ({ page, service }) => {
  const agent = await open(page, "/lessons/1");
  await video(page).loaded();
  const before = await video(page).position();
  await agent.ask("跳到 59:00");
  const answer = await agent.answered();
  await expect(agent.call("seek_to")).toHaveAttribute("data-status", "error");
  await expect(answer).not.toBeEmpty();
  if (fillsInAnswers(service)) await expect(answer).toContainText(/\d:\d\d|\d+/);
  expect(await video(page).position()).toBe(before);
  await goesOn(agent);
});

test("e15: after five rounds it stops and says so, and no sixth request is made", async ({ page, service }) => {
  test.skip(!isModel(service), "the tutor never asks on");
  const posts = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  const agent = await open(page, "/lessons/1");
  await agent.ask("一直看");
  await expect(await agent.answered()).toContainText("5");
  await expect(agent.calls).toHaveCount(5);
  for (const call of await agent.calls.all()) await expect(call).toHaveAttribute("data-status", "end");
  if (isAskedByPage(service)) expect(posts).toHaveLength(5);
  await goesOn(agent);
});

test("e16: stopped in the middle of an answer, what there was stays and is marked", async ({ page, service }) => {
  const agent = await open(page, "/lessons/1");
  await agent.ask("什么是前端工具？");
  await expect(agent.answers.last()).toContainText("前");
  const aborted = isAskedByPage(service) && page.waitForEvent("requestfailed");
  await agent.stop.click();
  await aborted;
  const answer = await agent.answered();
  await expect(answer).toContainText("已停止");
  const partial = await answer.innerText();
  await goesOn(agent);
  // Nothing of it came later.
  expect(await agent.answers.first().innerText()).toBe(partial);
});

test("e16: stopped while a call runs, the call is closed and the conversation goes on", async ({ page }) => {
  const agent = await open(page, "/lessons/1");
  await agent.element.evaluate((element) => (element.onClientTool = () => new Promise(() => {})));
  await agent.ask("我看到哪了？");
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "start");
  await agent.stop.click();
  await agent.answered();
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "error");
  await goesOn(agent);
});

test("k23: reloaded while a call runs, the call runs once more and is answered once", async ({ page }) => {
  const agent = await open(page, "/lessons/1");
  await agent.element.evaluate((element) => (element.onClientTool = () => new Promise(() => {})));
  await agent.ask("我看到哪了？");
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "start");
  await page.reload();
  await expect(agent.call("read_playback_progress")).toHaveAttribute("data-status", "end");
  await expect(await agent.answered()).not.toBeEmpty();
  await expect(agent.questions).toHaveCount(1);
  await expect(agent.calls).toHaveCount(1);
  await goesOn(agent);
});

test("reloaded in the middle of an answer, the page says what became of it and goes on", async ({ page }) => {
  const agent = await open(page, "/lessons/1");
  await agent.ask("什么是前端工具？");
  await expect(agent.answers.last()).toContainText("前");
  await page.reload();
  await agent.ready();
  // Where the service is elsewhere, it goes on writing; the page knows once it has read the history.
  await expect(agent.questions).toHaveCount(1);
  await expect.poll(() => agent.status()).not.toBe("running");
  await goesOn(agent);
});

test("an agent that asks is answered by the next message", async ({ page, service }) => {
  test.skip(service !== "ag-ui", "only AG-UI's agents can wait for a person");
  const agent = await open(page, "/lessons/1");
  await agent.ask("删除笔记");
  await expect(await agent.answered()).toContainText("delete_notes");
  await page.reload();
  await agent.ready();
  await agent.ask("同意");
  await expect(await agent.answered()).toContainText("已删除 3 条笔记");
  await goesOn(agent);
});
