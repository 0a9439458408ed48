// How the page starts, and what it offers when it cannot.
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
  expect(complaints.join()).toContain("script-src");
});

test("a lesson's page loads its own code and no other", async ({ page }) => {
  await page.goto("/lessons/1", { waitUntil: "load" });
  await expect(page.locator("#app > *")).not.toHaveCount(0);
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const code = loaded.filter((name) => isCode.test(name));
  expect(code.length).toBeGreaterThan(3);
  // What these weigh, `cargo xtask dist` checks.
  expect(code.filter((name) => /schema-worker|\/kit[._]|debug\.css/.test(name))).toEqual([]);
});

for (const [locale, message, reload] of [
  ["zh-CN", "页面没有加载成功", "重新加载"],
  ["en-GB", "could not be loaded", "Reload"],
]) {
  test.describe(locale, () => {
    test.use({ locale });

    test("a failed load says so and reloading tries again", async ({ page }) => {
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

test("a trap in wasm offers to reload, an error of another script does not", async ({ page }) => {
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
});

test("the kit's module loads on its own under the policy", async ({ page, complaints }) => {
  await page.goto("/");
  await page.evaluate(() => import("/praxis-kit.js").then(() => undefined));
  expect(complaints).toEqual([]);
});
