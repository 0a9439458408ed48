// The kit on a page without Rust: the example page, which is the source document's sample running for real.
import AxeBuilder from "@axe-core/playwright";
import { AgentPage, clockIn, video } from "./agent_page.js";
import { expect, test } from "./page.js";

const address = "/examples/web-component.html";

test("a plain page's handler answers, and both of its listeners hear", async ({ page }) => {
  await page.goto(address);
  const agent = new AgentPage(page);
  const lesson = video(page);
  await agent.ready();
  await lesson.loaded();
  await lesson.element.evaluate((element) => (element.currentTime = 42));

  await agent.ask("我看到哪了？");
  expect(clockIn(await (await agent.answered()).innerText())).toBe(42);
  const events = page.locator("#events li");
  await expect(events.filter({ hasText: "praxis.tool.change" })).toHaveCount(2);
  await expect(events.first()).toContainText('"status":"end"');

  // More than a message may carry: the earliest is dropped, and the log says which (K17).
  await agent.element.evaluate((element) => element.setReadable("notes", "x".repeat(4000)));
  await agent.ask("跳到 1:05");
  await agent.answered();
  expect(await lesson.position()).toBe(65);
  await expect(events.filter({ hasText: "praxis.log" })).toContainText('"names":["lesson"');
});

test("it looks right to axe, wide and on a phone", async ({ page }) => {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await page.goto(address);
    await new AgentPage(page).ready();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
