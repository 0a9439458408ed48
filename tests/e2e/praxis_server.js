// praxis-server as a child process with data of its own: it can be killed at any moment and started again at its place.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const binary = process.env.PRAXIS_SERVER ?? file("target/debug/praxis-server");
const dist = process.env.PRAXIS_DIST ?? file("dist");

export class PraxisServer {
  #data;
  #options;
  #process;
  #address = "127.0.0.1:0";

  /** `options` are those of its command line beside the usual ones: a model, say. */
  static async start(options = {}) {
    const server = new PraxisServer();
    server.#options = options;
    server.#data = await mkdtemp(join(tmpdir(), "praxis-"));
    await server.#run();
    return server;
  }

  get origin() {
    return `http://${this.#address}`;
  }

  /** Ends it as a power cut would. */
  async kill() {
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  /** Starts it again, where it was and with what it kept. */
  async restart() {
    await this.#run();
  }

  /** Ends it as an operator would, for good. */
  async stop() {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill("SIGTERM");
      await once(this.#process, "exit");
    }
    await rm(this.#data, { recursive: true, force: true });
  }

  async #run() {
    const options = {
      listen: this.#address,
      dist,
      data: join(this.#data, "praxis.sqlite"),
      agent: file("agent.json"),
      ...this.#options,
    };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    this.#process = spawn(binary, words, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "warn" } });
    const ended = once(this.#process, "exit").then(([code]) => {
      throw new Error(`praxis-server ended with ${code} before it listened`);
    });
    const listening = once(createInterface(this.#process.stdout), "line");
    const [line] = await Promise.race([listening, ended]);
    ended.catch(() => {});
    this.#address = /127\.0\.0\.1:\d+/.exec(line)[0];
  }
}
