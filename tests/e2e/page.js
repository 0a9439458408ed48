// What every journey starts from: a page that fails its test when it breaks the policy or throws.
import { test as base, expect } from "@playwright/test";
import { PraxisServer } from "./praxis_server.js";

export { expect };

export const test = base.extend({
  /** Where the agent is: `demo`, in the page, or `http`, in a praxis-server that serves the pages too. */
  service: ["demo", { option: true, scope: "worker" }],

  server: [
    async ({ service }, use) => {
      if (service === "demo") return use(null);
      const server = await PraxisServer.start();
      await use(server);
      await server.stop();
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
