// axe-core finds nothing on any page, wide and narrow, light and dark, empty and in conversation.
import AxeBuilder from "@axe-core/playwright";
import { AgentPage } from "./agent_page.js";
import { expect, test } from "./page.js";

const pages = ["/", "/lessons/1", "/records", "/profile", "/settings", "/no-such-page"];
const screens = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

async function findings(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  for (const [screen, viewport] of Object.entries(screens)) {
    test.describe(`${colorScheme}, ${screen}`, () => {
      test.use({ colorScheme, viewport, reducedMotion: "reduce" });

      for (const path of pages) {
        test(`${path} has no findings`, async ({ page }) => {
          await page.goto(path);
          await expect(page.locator("main h1")).toBeVisible();
          if (path === "/settings") await expect(page.locator("connection-settings form")).toBeVisible();
          expect(await findings(page)).toEqual([]);
        });
      }

      test("a conversation has no findings", async ({ page }) => {
        await page.goto("/lessons/1");
        const agent = new AgentPage(page);
        if (screen === "phone") await page.getByRole("button", { name: "课程助手" }).click();
        await agent.ready();
        await agent.ask("我看到哪了？");
        await agent.answered();
        expect(await findings(page)).toEqual([]);
      });
    });
  }
}
