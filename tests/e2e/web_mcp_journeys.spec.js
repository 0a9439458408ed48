// The browser's own agents, where it has WebMCP: the same tools, through the same engine.
import { expect, test } from "./page.js";
import config from "./playwright.config.js";

const { launchOptions } = config.use;
test.use({ launchOptions: { ...launchOptions, args: [...launchOptions.args, "--enable-features=WebMCP"] } });

async function open(page, path) {
  await page.goto(path);
  await expect(page.locator("main h1")).toBeVisible();
  // The page's tools come with a module of their own.
  await expect.poll(() => tools(page).then((tools) => tools.map(({ name }) => name))).toContain("query_data");
}

/** The tools that the browser knows: interface objects or dictionaries, whichever this browser has. */
const tools = (page) =>
  page.evaluate(async () => {
    const tools = await document.modelContext.getTools();
    return tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      inputSchema: typeof inputSchema === "string" ? JSON.parse(inputSchema) : inputSchema,
      readOnly: annotations?.readOnlyHint ?? false,
      consequential: annotations?.consequentialHint ?? false,
    }));
  });

const execute = (page, name, input) =>
  page.evaluate(
    async ([name, input]) => {
      const tool = (await document.modelContext.getTools()).find((tool) => tool.name === name);
      const run = (input) => document.modelContext.executeTool(tool, input);
      // Older browsers take the arguments as text.
      const text = await run(input).catch(() => run(JSON.stringify(input)));
      return JSON.parse(text);
    },
    [name, input],
  );

test("the tools are the page's: those of a lesson come and go with it", async ({ page }) => {
  await open(page, "/profile");
  const listed = await tools(page);
  const named = (name) => listed.find((tool) => tool.name === name);
  expect(named("query_data")).toMatchObject({ readOnly: true, consequential: false });
  expect(named("query_data").inputSchema.properties.target.enum).toEqual(["table", "list"]);
  expect(named("fill_form_field")).toMatchObject({ readOnly: false });
  expect(named("seek_to")).toBeUndefined();
  await page.getByRole("link", { name: "课程", exact: true }).click();
  await page.getByRole("link", { name: /第 1 课/ }).first().click();
  await expect.poll(() => tools(page).then((tools) => tools.some(({ name }) => name === "seek_to"))).toBe(true);
  await page.getByRole("link", { name: "我的" }).click();
  await expect.poll(() => tools(page).then((tools) => tools.some(({ name }) => name === "seek_to"))).toBe(false);
});

test("a call goes through the engine: checked, confirmed, run", async ({ page }) => {
  await open(page, "/profile");
  const found = await execute(page, "query_data", { target: "table", filters: { 状态: "待审核" } });
  expect(found).toMatchObject({ success: true, toolName: "query_data", data: { total: 3 } });

  const wrong = await execute(page, "query_data", { target: "chair" });
  expect(wrong.success).toBe(false);
  expect(wrong.error).toContain("target");

  const filling = execute(page, "fill_form_field", { fields: [{ name: "username", value: "张三" }] });
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("张三");
  await question.getByRole("button", { name: "同意" }).click();
  expect(await filling).toMatchObject({ success: true, data: { filled: ["username"] } });
  await expect(page.locator("#username")).toHaveValue("张三");

  const refused = execute(page, "fill_form_field", { fields: [{ name: "username", value: "李四" }] });
  await question.getByRole("button", { name: "拒绝" }).click();
  expect((await refused).success).toBe(false);
  await expect(page.locator("#username")).toHaveValue("张三");
});

test("E12: its limits are the agent's", async ({ page }) => {
  await open(page, "/profile");
  for (let times = 0; times < 10; times += 1) {
    expect((await execute(page, "scroll_to", {})).success).toBe(true);
  }
  const refused = await execute(page, "scroll_to", {});
  expect(refused.success).toBe(false);
  expect(refused.error).toContain("rate limit");
});

test("the configuration can switch it off", async ({ page }) => {
  await page.route("**/config.json", (route) => route.fulfill({ json: { api: { protocol: "demo" }, webMcp: false } }));
  await page.goto("/profile");
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("praxis-agent")).toBeAttached();
  expect(await tools(page)).toEqual([]);
});
