// The pages with a config.json of their own, served by a child process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export class PageServer {
  #process;
  origin;

  /** Serves them with this `api` in config.json; `/v1/` and `/api/` are passed on to `upstream`, where there is one. */
  static async start(api, upstream = "") {
    const server = new PageServer();
    server.#process = spawn(process.execPath, [fileURLToPath(new URL("server.js", import.meta.url))], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, PRAXIS_E2E_PORT: "0", PRAXIS_CONFIG: JSON.stringify({ api }), PRAXIS_UPSTREAM: upstream },
    });
    const ended = once(server.#process, "exit").then(([code]) => {
      throw new Error(`server.js ended with ${code} before it listened`);
    });
    const [line] = await Promise.race([once(createInterface(server.#process.stdout), "line"), ended]);
    ended.catch(() => {});
    server.origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)[0];
    return server;
  }

  async stop() {
    this.#process.kill();
    await once(this.#process, "exit");
  }
}
