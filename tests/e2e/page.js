// What every journey starts from: a page that fails its test when it breaks the policy or throws.
import { test as base, expect } from "@playwright/test";
import { PageServer } from "./page_server.js";
import { PraxisServer } from "./praxis_server.js";

export { expect };

/** What serves the pages where it is not the demo's server, by where the agent is. */
const servers = {
  demo: () => null,
  http: () => PraxisServer.start(),
  "http-chat": () => PraxisServer.start({ "model-url": `${process.env.PRAXIS_CHAT}/v1`, model: "aimock" }),
  chat: () => PageServer.start({ protocol: "openai-chat-completions", url: `${process.env.PRAXIS_CHAT}/v1`, model: "aimock" }),
  "fake-llm": () =>
    PageServer.start({ protocol: "openai-chat-completions", url: "/v1", model: "fakellm" }, process.env.PRAXIS_FAKE_LLM),
  "ag-ui": () => PageServer.start({ protocol: "ag-ui", url: process.env.PRAXIS_AG_UI }),
};

export const test = base.extend({
  /**
   * Where the agent is: `demo`, in the page; `http`, in a praxis-server that serves the pages too; `chat`, `fake-llm`
   * or `ag-ui`, in a program of another maker that `cargo xtask interop` has started, and `http-chat`, in such a one
   * behind a praxis-server.
   */
  service: ["demo", { option: true, scope: "worker" }],

  server: [
    async ({ service }, use) => {
      const server = await servers[service]();
      await use(server);
      await server?.stop();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ server, baseURL }, use) => use(server?.origin ?? baseURL),

  /**
   * What the page reported: violations of the content security policy, uncaught errors, errors in the console. A test
   * that provokes one takes it out.
   */
  complaints: async ({}, use) => use([]),

  page: async ({ page, complaints }, use) => {
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error}`));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`console: ${message.text()}`);
    });
    await use(page);
    expect(complaints).toEqual([]);
  },
});
