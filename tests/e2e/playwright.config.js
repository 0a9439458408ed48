// The journeys run against dist/ as it ships, served with the headers that it names.
import { createServer } from "node:net";
import { defineConfig } from "@playwright/test";

/** A port that nobody listens on. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

// Each worker reads this file again: the first to read it chooses for all.
process.env.PRAXIS_E2E_PORT ??= String(await freePort());
const address = `http://127.0.0.1:${process.env.PRAXIS_E2E_PORT}`;

export default defineConfig({
  testMatch: "*.spec.{js,ts}",
  outputDir: "../../target/e2e",
  reporter: "list",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  retries: 0,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  projects: [
    { name: "demo", testIgnore: "network_journeys.spec.js" },
    // The demo's journeys again, and what only a network can do.
    {
      name: "http",
      testMatch: [
        "network_journeys.spec.js",
        "lesson_journeys.spec.js",
        "input_journeys.spec.js",
        "model_journeys.spec.js",
        "web_component.spec.js",
      ],
      grepInvert: /@demo/,
      use: { service: "http" },
    },
  ],
  webServer: { command: "node server.js", url: address, reuseExistingServer: false, timeout: 30_000 },
  use: {
    baseURL: address,
    locale: "zh-CN",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      // As root Chromium needs the first; the others keep it from the network.
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-quic",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
