// Typing as people do: with an input method, with the keyboard alone, on a phone.
import { AgentPage, video } from "./agent_page.js";
import { expect, test } from "./page.js";

test("chinese input: Enter that confirms a candidate does not send", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.composer.focus();
  const input = await page.context().newCDPSession(page);
  for (const composed of ["xian", "xian zai", "现在是第几课"]) {
    await input.send("Input.imeSetComposition", { text: composed, selectionStart: composed.length, selectionEnd: composed.length });
  }
  // While an input method composes, the browser reports every key as 229.
  const confirm = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await input.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...confirm });
  await expect(agent.questions).toHaveCount(0);
  await input.send("Input.insertText", { text: "现在是第几课" });
  await input.send("Input.dispatchKeyEvent", { type: "keyUp", ...confirm });
  await expect(agent.questions).toHaveCount(0);
  await expect(agent.composer).toHaveValue("现在是第几课");

  await agent.composer.press("Enter");
  await expect(agent.questions).toHaveText(["现在是第几课"]);
  await expect(agent.composer).toHaveValue("");
});

test("Shift+Enter breaks the line, blank text is not sent", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.composer.fill("  ");
  await agent.composer.press("Enter");
  await expect(agent.questions).toHaveCount(0);
  expect(await agent.element.evaluate((element) => element.sessionId)).toBeNull();
  await agent.composer.fill("我看到哪了");
  await agent.composer.press("Shift+Enter");
  await expect(agent.questions).toHaveCount(0);
  await expect(agent.composer).toHaveValue("我看到哪了\n");
});

test("a suggested question that is double-clicked is asked once", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.prompts.first().dblclick();
  await expect(agent.questions).toHaveCount(1);
  await agent.answered();
  await expect(agent.questions).toHaveCount(1);
});

test("keyboard only: from the top of the page to an answer, and focus stays in the composer", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  const inComposer = () =>
    agent.element.evaluate((element) => element.shadowRoot.activeElement?.localName === "textarea");
  for (let steps = 0; steps < 120 && !(await inComposer()); steps += 1) await page.keyboard.press("Tab");
  expect(await inComposer()).toBe(true);
  await page.keyboard.type("我看到哪了？");
  await page.keyboard.press("Enter");
  await agent.answered();
  await expect(agent.answers).toHaveCount(1);
  expect(await inComposer()).toBe(true);
});

test("nothing takes the focus by itself", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the agent opens in a sheet, answers, and gives the page back", async ({ page }) => {
    await page.goto("/lessons/1");
    const agent = new AgentPage(page);
    const lesson = video(page);
    await expect(lesson.element).toBeVisible();
    await expect(agent.composer).not.toBeInViewport();
    await page.getByRole("button", { name: "课程助手" }).click();
    await expect(agent.composer).toBeInViewport();
    await agent.ask("我看到哪了？");
    await expect(await agent.answered()).toBeInViewport();
    await page.getByRole("button", { name: "收起课程助手" }).click();
    await expect(agent.composer).not.toBeInViewport();
    // Nothing is wider than the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
