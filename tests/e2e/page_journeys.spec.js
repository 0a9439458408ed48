// The page and the agent on it: two programs in one document, and a browser that may deny what both would like.
import { AgentPage } from "./agent_page.js";
import { expect, test } from "./page.js";

test("what is pressed in the panel reaches no handler of the page's app", async ({ page }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  // Yew finds handlers by its marks on elements; the app's must not be found on the panel's.
  const marked = await agent.element.evaluate(({ shadowRoot }) =>
    [...shadowRoot.querySelectorAll("*")].filter((element) => Object.keys(element).some((key) => key.startsWith("__yew_"))).length,
  );
  expect(marked).toBe(0);

  const state = () =>
    page.evaluate(() => [
      ...Array.from(document.querySelectorAll("[aria-selected], [aria-expanded], [aria-pressed]"), ({ outerHTML }) => outerHTML),
      location.href,
      document.documentElement.lang,
      document.documentElement.dataset.theme,
    ]);
  const before = await state();
  for (let index = 0; index < (await agent.element.getByRole("button").count()); index += 1) {
    await agent.element.getByRole("button").nth(index).click({ force: true });
    await agent.element.press("Escape");
    expect(await state()).toEqual(before);
  }
});

test("where the browser denies storage and locks, the agent answers and the page says what that means", async ({ page }) => {
  await page.addInitScript(() => {
    const denied = () => new DOMException("The request was denied.", "SecurityError");
    Object.defineProperty(window, "localStorage", { get: () => { throw denied(); } });
    navigator.locks.request = () => Promise.reject(denied());
  });
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  await agent.ask("我看到哪了？");
  await expect(agent.answers).toHaveText(/第 1 课/);
  await expect(page.getByRole("status").filter({ hasText: "不允许本页保存数据" })).toBeVisible();
});
