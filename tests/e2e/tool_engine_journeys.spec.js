// What the tool engine does in front of a person: asks, is answered or not, and the agent says what came of it
// (E2–E9, E15–E17).
import AxeBuilder from "@axe-core/playwright";
import { AgentPage, open } from "./agent_page.js";
import { expect, test } from "./page.js";

const sentence = '帮我把表单里的用户名填成"张三"，然后查询表格中状态为"待审核"的记录';
const inEnglish = 'Set the user name in the form to "Zhang San", then list the table rows whose status is "Pending review"';

const question = (page) => page.getByRole("alertdialog");
const allow = (page) => question(page).getByRole("button", { name: "同意" });
const refuse = (page) => question(page).getByRole("button", { name: "拒绝" });
const userName = (page) => page.locator("#username");

/** Makes calls as the agent would, side by side; `results()` is what has come of them so far. */
async function call(agent, calls) {
  await agent.element.evaluate((element, calls) => {
    globalThis.results = {};
    for (const [id, name, input] of calls) {
      const { signal } = new AbortController();
      Promise.resolve(element.onClientTool({ id, name, input, signal })).then(
        (text) => (globalThis.results[id] = JSON.parse(text)),
        (error) => (globalThis.results[id] = JSON.parse(error.message)),
      );
    }
  }, calls);
  return () => agent.page.evaluate(() => globalThis.results);
}

test("E17: both calls are made, the person agrees, and the answer has the number found", async ({ page }) => {
  const agent = await open(page, "/profile");
  await agent.ask(sentence);
  await expect(question(page)).toContainText("将填写 1 个表单字段：用户名 (username)");
  await expect(question(page)).toContainText('"value": "张三"');
  await expect(question(page)).toContainText("fill_form_field");
  await expect(question(page).getByRole("timer")).toContainText(/还剩 (30|2\d) 秒/);
  // Nothing happens before the answer.
  await expect(userName(page)).toHaveValue("");
  await expect(agent.call("query_data")).toHaveAttribute("data-status", "end");
  await allow(page).click();
  const answer = await agent.answered();
  await expect(answer).toContainText("3");
  await expect(answer).toContainText("张三");
  await expect(userName(page)).toHaveValue("张三");
  await expect(agent.call("fill_form_field")).toHaveAttribute("data-status", "end");
  await expect(question(page)).toHaveCount(0);
  // The focus is back where the person wrote.
  expect(await agent.element.evaluate((element) => element.shadowRoot.activeElement?.localName)).toBe("textarea");

  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("资料已保存。")).toBeVisible();
});

test("E15, E17: from another page it goes to the form first, and the other calls wait for it", async ({ page }) => {
  const agent = await open(page, "/");
  await agent.ask(sentence);
  await allow(page).click();
  await expect(await agent.answered()).toContainText("3");
  await expect(page).toHaveURL(/\/profile$/);
  await expect(userName(page)).toHaveValue("张三");
  await expect(agent.calls).toHaveCount(3);
});

test.describe("in English", () => {
  test.use({ locale: "en-GB" });

  for (const asked of [inEnglish, sentence]) {
    test(`E17: ${asked}`, async ({ page }) => {
      const agent = await open(page, "/profile");
      await agent.ask(asked);
      await question(page).getByRole("button", { name: "Allow" }).click();
      await expect(await agent.answered()).toContainText("3");
      await expect(userName(page)).toHaveValue(asked === sentence ? "张三" : "Zhang San");
    });
  }
});

for (const [how, act] of [
  ["by its button", (page) => refuse(page).click()],
  ["by Escape", (page) => page.keyboard.press("Escape")],
]) {
  test(`E9: refused ${how}, nothing is filled in and the rest is answered`, async ({ page }) => {
    const agent = await open(page, "/profile");
    await agent.ask(sentence);
    await expect(refuse(page)).toBeFocused();
    await act(page);
    const answer = await agent.answered();
    await expect(answer).toContainText("没有填写用户名：你没有同意");
    await expect(answer).toContainText("3 条");
    await expect(agent.call("fill_form_field")).toHaveAttribute("data-status", "error");
    await expect(userName(page)).toHaveValue("");
    await expect(question(page)).toHaveCount(0);
  });
}

test("E9: ignored, it counts as refused after 30 seconds", async ({ page }) => {
  await page.clock.install();
  const agent = await open(page, "/profile");
  await agent.ask(sentence);
  await expect(allow(page)).toBeVisible();
  await page.clock.runFor(15_000);
  await expect(question(page).getByRole("timer")).toContainText(/还剩 1\d 秒/);
  await page.clock.runFor(16_000);
  await expect(question(page)).toHaveCount(0);
  await expect(agent.call("fill_form_field")).toHaveAttribute("data-status", "error");
  await expect(userName(page)).toHaveValue("");
  await expect(await agent.answered()).toContainText("没有填写用户名：30 秒里没有等到你的选择");
});

test("E9: going back while the question is open, nothing of the same name is filled in", async ({ page }) => {
  const agent = await open(page, "/");
  await page.getByRole("link", { name: "我的", exact: true }).click();
  await expect(userName(page)).toBeVisible();
  const results = await call(agent, [["a", "fill_form_field", { fields: [{ name: "username", value: "张三" }] }]]);
  await expect(allow(page)).toBeVisible();
  await page.goBack();
  await expect(userName(page)).toHaveCount(0);
  await page.locator("main").evaluate((main) => {
    main.insertAdjacentHTML("beforeend", '<form><input name="username" id="another"></form>');
  });
  await allow(page).click();
  await expect.poll(async () => (await results()).a?.error).toContain("the page has changed since the person was asked");
  await expect(page.locator("#another")).toHaveValue("");
});

test("E15: a navigation waits for the calls before it, and those after it wait for the new page", async ({ page }) => {
  const agent = await open(page, "/profile");
  const results = await call(agent, [
    ["a", "fill_form_field", { fields: [{ name: "username", value: "张三" }] }],
    ["b", "navigate_to", { path: "/records" }],
    ["c", "query_data", { target: "table", filters: { 状态: "待审核" } }],
  ]);
  await expect(allow(page)).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await allow(page).click();
  await expect.poll(async () => (await results()).c?.data?.total).toBe(3);
  const { a, b } = await results();
  expect([a.success, b.data]).toEqual([true, { path: "/records" }]);
  await expect(page).toHaveURL(/\/records$/);
});

test("E9: of two calls of one id each fills what was seen for it", async ({ page }) => {
  const agent = await open(page, "/");
  await page.getByRole("link", { name: "我的", exact: true }).click();
  await expect(userName(page)).toBeVisible();
  await agent.element.evaluate((element) => {
    globalThis.outcomes = {};
    for (const value of ["甲", "乙"]) {
      const { signal } = new AbortController();
      const input = { fields: [{ name: "username", value }] };
      element.onClientTool({ id: "same", name: "fill_form_field", input, signal }).then(
        () => (globalThis.outcomes[value] = "filled"),
        (error) => (globalThis.outcomes[value] = JSON.parse(error.message).error),
      );
    }
  });
  await expect(question(page)).toContainText("甲");
  await allow(page).click();
  await expect(question(page)).toContainText("乙");
  await expect(userName(page)).toHaveValue("甲");
  await page.goBack();
  await page.locator("main").evaluate((main) => {
    main.insertAdjacentHTML("beforeend", '<form><input name="username" id="another"></form>');
  });
  await allow(page).click();
  await expect.poll(() => page.evaluate(() => globalThis.outcomes["乙"])).toContain("the page has changed since the person was asked");
  await expect(page.locator("#another")).toHaveValue("");
  expect(await page.evaluate(() => globalThis.outcomes["甲"])).toBe("filled");
});

test("E9: on a small screen the question is read from its beginning, with its buttons in sight", async ({ page }) => {
  const agent = await open(page, "/profile");
  await page.setViewportSize({ width: 320, height: 568 });
  const names = ["username", "email", "aim", "role", "topics", "reminder"];
  const fields = names.map((name) => ({ name, value: "x".repeat(60) }));
  await call(agent, [["a", "fill_form_field", { fields }]]);
  await expect(question(page).getByRole("heading")).toBeInViewport({ ratio: 1 });
  await expect(allow(page)).toBeInViewport({ ratio: 1 });
  await expect(refuse(page)).toBeFocused();
});

test("E3: what cannot be filled is not asked about", async ({ page }) => {
  const agent = await open(page, "/profile");
  const results = await call(agent, [["a", "fill_form_field", { fields: [{ name: "nickname", value: "张三" }] }]]);
  await expect.poll(async () => (await results()).a?.error).toContain("has no such field");
  await expect(question(page)).toHaveCount(0);
});

test("case C14: a password that the page shows before any call is left to the person", async ({ page }) => {
  const agent = await open(page, "/profile");
  await page.locator("main").evaluate((main) => {
    main.insertAdjacentHTML("beforeend", '<form id="entrance"><input type="password" name="entry"></form>');
  });
  await page.locator("[name=entry]").evaluate((field) => (field.type = "text"));
  const input = { formId: "entrance", fields: [{ name: "entry", value: "hunter2" }] };
  const results = await call(agent, [["a", "fill_form_field", input]]);
  await expect.poll(async () => (await results()).a?.error).toContain("left to the person");
  await expect(question(page)).toHaveCount(0);
});

test("E2: the path that is reported is the one that is shown, and pages that are not there are refused", async ({ page }) => {
  const agent = await open(page, "/");
  const results = await call(agent, [
    ["a", "navigate_to", { path: "/lessons/:number", params: { number: 2, t: 30, filter: "x" } }],
    ["b", "navigate_to", { path: "/lessons/999" }],
    ["c", "navigate_to", { path: "/nowhere" }],
  ]);
  await expect.poll(async () => (await results()).c?.error).toContain("the app has no such page");
  const { a, b } = await results();
  expect([a.data, b.error]).toEqual([{ path: "/lessons/2?t=30" }, "there is no lesson 999; there are 1, 2, 3"]);
  await expect(page).toHaveURL(/\/lessons\/2\?t=30$/);
});

test("E8: a schema worker that cannot be had is no fault of the arguments, and the next call tries again", async ({ page }) => {
  await page.route(/schema-worker/, (route) => route.abort());
  const agent = await open(page, "/profile");
  const results = await call(agent, [["a", "scroll_to", {}]]);
  await expect.poll(async () => (await results()).a?.error).toContain("could not be checked against the schema");
  expect((await results()).a.summary).toBe("没能检查“scroll_to”的参数，没有执行");
  await page.unroute(/schema-worker/);
  const again = await call(agent, [["b", "scroll_to", {}]]);
  await expect.poll(async () => (await again()).b?.success).toBe(true);
});

test("K13: the page's tools come, though the network has failed to bring them at first", async ({ page, complaints }) => {
  let [down, asked] = [true, 0];
  await page.route(/page-tools\.js/, (route) => (down ? route.abort() : route.fallback()));
  // When its script comes at last, the first request for its wasm fails.
  await page.route(/page-tools_bg\.wasm/, (route) => (asked++ === 0 ? route.abort() : route.fallback()));
  const agent = await open(page, "/profile");
  // The lesson's agent does not wait for them.
  await agent.ask("我看到哪了？");
  await agent.answered();
  const scroll = (element) => {
    const { signal } = new AbortController();
    return element.onClientTool({ id: "a", name: "scroll_to", input: {}, signal }).then(
      () => "done",
      (error) => error.message,
    );
  };
  expect(await agent.element.evaluate(scroll)).toBe("unknown tool scroll_to");
  down = false;
  await expect.poll(() => agent.element.evaluate(scroll), { timeout: 15_000 }).toBe("done");
  expect(asked).toBe(2);
  expect(complaints.splice(0).join()).toContain("Failed to load resource");
});

test("K13: page tools that stall keep nobody from the agent", async ({ page }) => {
  await page.clock.install();
  await page.route(/page-tools\.js/, () => {});
  await page.goto("/profile");
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("praxis-agent")).toHaveCount(0);
  await page.clock.runFor(11_000);
  await expect(page.locator("praxis-agent")).toHaveCount(1);
  // A request that is never answered keeps the page from closing.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("case J06: an approval after the deadline is refused, although no timer has fired", async ({ page }) => {
  const agent = await open(page, "/profile");
  const results = await call(agent, [["a", "fill_form_field", { fields: [{ name: "username", value: "张三" }] }]]);
  await expect(allow(page)).toBeVisible();
  // The tab slept: the next thing that happens to it is a click.
  await page.evaluate(() => {
    const late = Date.now() + 60_000;
    Date.now = () => late;
    document.querySelector("[data-action=allow]").click();
  });
  await expect.poll(async () => (await results()).a?.success).toBe(false);
  await expect(question(page)).toHaveCount(0);
  await expect(userName(page)).toHaveValue("");
});

test("case J06: the seconds that are left never grow, although the clock is set back", async ({ page }) => {
  const agent = await open(page, "/profile");
  await call(agent, [["a", "fill_form_field", { fields: [{ name: "username", value: "张三" }] }]]);
  await expect(allow(page)).toBeVisible();
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() - 3_600_000;
  });
  // Not at once, for it counts twice a second.
  await expect(question(page).getByRole("timer")).toContainText(/还剩 2\d 秒/);
});

test("case J05: two at once wait in line; a double click answers only the one that was seen", async ({ page }) => {
  const agent = await open(page, "/profile");
  const results = await call(agent, [
    ["a", "fill_form_field", { fields: [{ name: "username", value: "张三" }] }],
    ["b", "read_storage", { key: "lesson-player.preferences" }],
  ]);
  await expect(question(page)).toContainText("还在等待：1");
  await expect(question(page)).toContainText("fill_form_field");
  await allow(page).dblclick();
  await expect(question(page)).toContainText("read_storage");
  await expect(userName(page)).toHaveValue("张三");
  expect(Object.keys(await results())).toEqual(["a"]);
  await refuse(page).click();
  await expect(question(page)).toHaveCount(0);
  const { a, b } = await results();
  expect([a.success, b.success]).toEqual([true, false]);
});

test("case J05: a click that was meant for one question does not allow the next", async ({ page }) => {
  const agent = await open(page, "/profile");
  await page.evaluate(() => {
    globalThis.asked = [];
    addEventListener("agent-confirmation-required", ({ detail }) => globalThis.asked.push(detail.id));
  });
  const results = await call(agent, [
    ["a", "read_storage", { key: "lesson-player.preferences" }],
    ["b", "read_storage", { key: "lesson-player.notes" }],
  ]);
  await expect(question(page)).toContainText("还在等待：1");
  await page.evaluate(async () => {
    // The first closes by itself, and the click comes when the next has just been painted.
    const detail = { id: globalThis.asked[0], confirmed: false };
    dispatchEvent(new CustomEvent("agent-confirmation-response", { detail }));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    document.querySelector("[data-action=allow]").click();
  });
  await expect(question(page)).toContainText("lesson-player.notes");
  await expect.poll(async () => Object.keys(await results())).toEqual(["a"]);
  await allow(page).click();
  await expect.poll(async () => (await results()).b?.success).toBe(true);
});

test("case J05: an answer of another script closes the dialog, and forged ids do nothing", async ({ page }) => {
  const agent = await open(page, "/profile");
  await page.evaluate(() => {
    addEventListener("agent-confirmation-required", ({ detail }) => (globalThis.asked = detail), { once: true });
  });
  const results = await call(agent, [["a", "fill_form_field", { fields: [{ name: "username", value: "张三" }] }]]);
  await expect(allow(page)).toBeVisible();
  const answer = (id) =>
    page.evaluate((id) => {
      const detail = { id: id ?? globalThis.asked.id, confirmed: true };
      // What a listener does to the copy it got changes nothing.
      globalThis.asked.args.fields[0].value = "李四";
      dispatchEvent(new CustomEvent("agent-confirmation-response", { detail }));
    }, id);
  await answer("forged");
  await expect(allow(page)).toBeVisible();
  await answer(null);
  await expect(question(page)).toHaveCount(0);
  await expect(userName(page)).toHaveValue("张三");
  expect((await results()).a.success).toBe(true);
});

test("E16: stopping the turn closes the dialog as refused", async ({ page }) => {
  const agent = await open(page, "/profile");
  await agent.ask(sentence);
  await expect(allow(page)).toBeVisible();
  await agent.element.evaluate((element) => element.interrupt());
  await expect(question(page)).toHaveCount(0);
  await expect(userName(page)).toHaveValue("");
});

test("the keyboard stays inside of the dialog, and Enter on what is focused first refuses", async ({ page }) => {
  const agent = await open(page, "/profile");
  await agent.ask(sentence);
  await expect(refuse(page)).toBeFocused();
  for (let steps = 0; steps < 8; steps += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const active = document.activeElement;
      return active !== document.body && !active.closest("dialog");
    });
    expect(outside).toBe(false);
  }
  await refuse(page).focus();
  await page.keyboard.press("Enter");
  await agent.answered();
  await expect(userName(page)).toHaveValue("");
});

test("the page's other tools answer to plain sentences", async ({ page }) => {
  const agent = await open(page, "/");
  await agent.ask("打开记录页");
  await agent.answered();
  await expect(page).toHaveURL(/\/records$/);
  await expect(page.locator("main h1")).toHaveText("学习记录");
  await page.evaluate(() => scrollTo(0, 1000));
  await agent.ask("滚动到顶部");
  await expect(await agent.answered()).toContainText("顶部");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await agent.ask("读取设置");
  await expect(question(page)).toContainText("lesson-player.preferences");
  await allow(page).click();
  await agent.answered();
  await expect(agent.call("read_storage")).toHaveAttribute("data-status", "end");
});

test("E6: a key that the app has not opened is refused, and nobody is asked", async ({ page }) => {
  const agent = await open(page, "/profile");
  const results = await call(agent, [["a", "read_storage", { key: "lesson-player.profile" }]]);
  await expect.poll(async () => (await results()).a?.success).toBe(false);
  await expect(question(page)).toHaveCount(0);
});

for (const [screen, viewport] of Object.entries({ wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } })) {
  for (const colorScheme of ["light", "dark"]) {
    test.describe(`${screen}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, reducedMotion: "reduce" });

      test("the dialog has no findings, over the phone's sheet too", async ({ page }) => {
        await page.goto("/profile");
        const agent = new AgentPage(page);
        if (screen === "phone") await page.getByRole("button", { name: "课程助手" }).click();
        await agent.ready();
        await agent.ask(sentence);
        await expect(allow(page)).toBeInViewport();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        await page.keyboard.press("Escape");
        await agent.answered();
        // Only the dialog was closed.
        await expect(agent.composer).toBeInViewport();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      });
    });
  }
}
