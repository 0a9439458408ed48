// The schema worker as it ships: lazily started, alone, under the policy (E8).
import { expect, test } from "./page.js";

test("the worker says that it is ready and answers with the question's id", async ({ page, complaints }) => {
  await page.goto("/");
  const heard = await page.evaluate(async () => {
    const worker = new Worker("/schema-worker_loader.js", { type: "module" });
    const next = () => new Promise((resolve) => worker.addEventListener("message", resolve, { once: true }));
    const ready = await next();
    worker.postMessage([7, '{"type":"object","required":["name"]}', "{}"]);
    const answer = await next();
    const broken = new Promise((resolve) =>
      worker.addEventListener(
        "error",
        (event) => {
          event.preventDefault();
          resolve(event.message);
        },
        { once: true },
      ),
    );
    worker.postMessage("nonsense");
    const refusal = await broken;
    worker.postMessage([8, "true", "{}"]);
    const after = await next();
    worker.terminate();
    return { ready: ready.data, answer: answer.data, refusal, after: after.data };
  });
  expect(heard.ready).toBe("ready");
  expect(heard.answer[0]).toBe(7);
  expect(JSON.parse(heard.answer[1])).toEqual({
    verdict: "invalid",
    mismatches: [{ path: "", expected: 'the property "name"', came: "{}" }],
  });
  expect(heard.refusal).toContain("expected [id, schema, instance]");
  expect(heard.after).toEqual([8, '{"verdict":"valid"}']);
  expect(complaints).toEqual([]);
});

test("no page starts the worker before it is needed", async ({ page }) => {
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/");
  await expect(page.locator("#app > *")).not.toHaveCount(0);
  expect(asked.filter((path) => path.includes("schema-worker"))).toEqual([]);
});
