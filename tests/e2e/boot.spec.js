// How the page starts, and what it offers when it cannot.
import { AgentPage, video } from "./agent_page.js";
import { expect, test } from "./page.js";

const isCode = /\.(js|wasm|css)$/;

test("the app starts under the policy, without a complaint", async ({ page, complaints }) => {
  const response = await page.goto("/");
  expect(response.headers()["content-security-policy"]).toContain("default-src 'none'");
  await expect(page.locator("#app > *")).not.toHaveCount(0);
  await expect(page.locator(".boot-progress")).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("the policy is in force: an inline script is refused and reported", async ({ page, complaints }) => {
  await page.goto("/");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'inline'";
    document.body.append(script);
  });
  await expect(page).not.toHaveTitle("inline");
  expect(complaints.splice(0).join()).toContain("script-src");
});

test("a lesson can be watched before the agent is there, with nothing loaded for it", async ({ page }) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/(kit|page-tools)_bg\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/lessons/1");
  const lesson = video(page);
  await lesson.loaded();
  await lesson.play();
  await page.locator(".transcript button").nth(3).click();
  await expect.poll(() => lesson.position()).toBeGreaterThan(5);
  await expect(page.locator(".agent").getByText("正在加载助手")).toBeAttached();
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  // What the page's own code weighs, `cargo xtask dist` checks.
  expect(loaded.filter((name) => isCode.test(name)).length).toBeGreaterThan(3);
  expect(loaded.filter((name) => /schema-worker|kit_bg|page-tools_bg|debug\.css/.test(name))).toEqual([]);
  // Asked before there is anyone to answer: it is sent once there is.
  await page.getByRole("button", { name: "这里在讲什么？" }).first().click();
  release();
  const agent = new AgentPage(page);
  await expect(agent.questions).toHaveText(/这里在讲什么/);
  await expect(agent.call("read_transcript")).toHaveAttribute("data-status", "end");
  await agent.answered();
});

test("when the agent cannot be loaded the lesson goes on, and reloading brings it", async ({ page, complaints }) => {
  let broken = true;
  await page.route(/kit_bg\.wasm$/, (route) => (broken ? route.abort() : route.continue()));
  await page.goto("/lessons/1");
  const notice = page.getByRole("alert").filter({ hasText: "助手没有加载成功" });
  await expect(notice).toBeVisible();
  await video(page).loaded();
  broken = false;
  await notice.getByRole("button", { name: "重新加载" }).click();
  await new AgentPage(page).ready();
  expect(complaints.splice(0).join()).toContain("Failed to load resource");
});

test("a trap in the kit leaves the lesson alone: its element shows it", async ({ page, complaints }) => {
  await page.goto("/lessons/1");
  const agent = new AgentPage(page);
  await agent.ready();
  // A trap whose stack lies in the kit, as the browser writes it.
  await page.evaluate(() => {
    const trap = new WebAssembly.RuntimeError("unreachable");
    trap.stack = "RuntimeError: unreachable\n    at http://127.0.0.1/kit_bg.wasm:wasm-function[7]:0x10";
    dispatchEvent(new ErrorEvent("error", { error: trap }));
  });
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await agent.ready();
  expect(complaints).toEqual([]);
});

for (const [locale, message, reload] of [
  ["zh-CN", "页面没有加载成功", "重新加载"],
  ["en-GB", "could not be loaded", "Reload"],
]) {
  test.describe(locale, () => {
    test.use({ locale });

    test("a failed load says so and reloading tries again", async ({ page, complaints }) => {
      let broken = true;
      await page.route(/_bg\.wasm$/, (route) => (broken ? route.abort() : route.continue()));
      await page.goto("/");
      const notice = page.getByRole("alertdialog");
      await expect(notice).toContainText(message);
      const button = notice.getByRole("button", { name: reload });
      await expect(button).toBeFocused();
      broken = false;
      await button.press("Enter");
      await expect(page.locator("#app > *")).not.toHaveCount(0);
      await expect(notice).toHaveCount(0);
      expect(complaints.splice(0).join()).toContain("Failed to load resource");
    });
  });
}

test("while it loads, progress is shown", async ({ page }) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/_bg\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  const loading = page.getByRole("status").filter({ hasText: "正在加载" });
  await expect(loading.getByRole("progressbar")).toBeVisible();
  release();
  await expect(page.locator(".boot-progress")).toHaveCount(0);
});

test("a trap in wasm offers to reload, an error of another script does not", async ({ page, complaints }) => {
  await page.goto("/");
  await expect(page.locator("#app > *")).not.toHaveCount(0);
  // Thrown from a message's task, as a page's own callbacks are: what `evaluate` runs is caught by the test.
  const throwInTask = (source) =>
    page.evaluate((source) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        if (source === "other") throw new Error("other");
        // A module whose start function is `unreachable`, which is how a panic ends.
        const bytes = "0061736d01000000010401600000030201000801000a05010300000b".match(/../g);
        new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes, (byte) => parseInt(byte, 16))));
      };
      const seen = new Promise((resolve) => addEventListener("error", resolve, { once: true }));
      port2.postMessage(null);
      return seen.then(() => undefined);
    }, source);
  await throwInTask("other");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await throwInTask("trap");
  await expect(page.getByRole("alertdialog")).toContainText("已停止运行");
  expect(complaints.splice(0)).toHaveLength(2);
});

test("the kit's module loads on its own under the policy", async ({ page, complaints }) => {
  await page.goto("/");
  await page.evaluate(() => import("/praxis-kit.js").then(() => undefined));
  expect(complaints).toEqual([]);
});
