// The journeys with models, against the programs of other makers that `cargo xtask interop` has started.
import { defineConfig } from "@playwright/test";
import common from "./playwright.config.js";

export default defineConfig({
  ...common,
  testMatch: "model_journeys.spec.js",
  // Each project's pages come from a server of its own, with its config.json.
  webServer: undefined,
  projects: ["http-chat", "chat", "fake-llm", "ag-ui"].map((service) => ({ name: service, use: { service } })),
});
