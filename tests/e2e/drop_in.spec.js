// The app on a page whose <praxis-agent> is another make: it is driven as it is, and ours is not loaded (K12).
import { readFile } from "node:fs/promises";
import { video } from "./agent_page.js";
import { expect, test } from "./page.js";

test("k12: another make of the element is driven as it is", async ({ page, complaints }) => {
  const module = await readFile(new URL("../foreign/praxis-agent.js", import.meta.url), "utf8");
  const script = module.replaceAll(/^export /gm, "");
  await page.addInitScript(`{ ${script}; takeOnlyDocumented(true); define(); }`);
  await page.route("**/config.json", (route) =>
    route.fulfill({ json: { api: { protocol: "praxis", url: "https://agent.example" }, agent: { name: "课程助手" } } }),
  );
  await page.goto("/lessons/2");
  const lesson = video(page);
  await lesson.loaded();
  const agent = page.locator("praxis-agent");
  await expect(agent).toBeAttached();
  const options = await agent.evaluate((element) => element.options);
  expect(options).toEqual({ api: { url: "https://agent.example" }, agent: { name: "课程助手" } });

  await lesson.element.evaluate((element) => (element.currentTime = 42));
  const run = (id) => agent.evaluate((element, id) => element.run(id, "read_playback_progress", "{}"), id);
  expect(await run("a")).toContain('"positionSeconds":42');
  expect(await run("a")).toBeNull(); // Its own claims hold.
  expect(await agent.evaluate((element) => element.snapshot())).toContainEqual(expect.stringContaining("lesson="));
  const names = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(names.filter((name) => /kit_bg|praxis-kit/.test(name))).toEqual([]);
  expect(complaints).toEqual([]);
});
