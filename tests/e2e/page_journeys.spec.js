// The page and the agent on it: two programs in one document, in a browser that may deny what both would like; and the
// agent on a page of somebody else.
import { readFile } from "node:fs/promises";
import { AgentPage, video } from "./agent_page.js";
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

test("the README's page without Yew works as it is written", async ({ page }) => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const sample = (language) => new RegExp("^```" + language + "\\n(.*?)^```$", "ms").exec(readme)[1];
  const headers = (await page.request.get("/")).headers();
  const policy = { "content-security-policy": headers["content-security-policy"] };
  const serve = (path, contentType, body) => page.route(path, (route) => route.fulfill({ contentType, body, headers: policy }));
  await serve("/sample", "text/html", `<!doctype html><meta charset="utf-8">${sample("html")}`);
  await serve("/lesson.js", "text/javascript", sample("js"));

  await page.goto("/sample");
  const agent = new AgentPage(page);
  await agent.ready();
  await video(page).loaded();
  await video(page).element.evaluate((element) => (element.currentTime = 42));
  await agent.ask("我看到哪了？");
  await expect(await agent.answered()).toContainText("0:42");
});

for (const locale of ["zh-CN", "en-GB"]) {
  test.describe(locale, () => {
    test.use({ locale });

    test("the lesson keeps to its column, however wide the page", async ({ page }) => {
      await page.goto("/lessons/1");
      await new AgentPage(page).ready();
      for (const width of [390, 768, 1100, 1280, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        // What is scrolled within a box of its own may be wider than the box.
        const outside = await page.locator("main").evaluate((main) => {
          const { right } = main.getBoundingClientRect();
          return [...main.querySelectorAll(".lesson > *, .lesson-frame, .chapter-bar")]
            .filter((element) => element.getBoundingClientRect().right > right + 0.5)
            .map((element) => element.className);
        });
        expect(outside, `at ${width} pixels`).toEqual([]);
      }
    });
  });
}
