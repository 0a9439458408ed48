// The agent panel as a journey sees it: only what DESIGN.md fixes from outside.
import { expect } from "@playwright/test";

export class AgentPage {
  constructor(page) {
    this.page = page;
    this.element = page.locator("praxis-agent");
    this.composer = this.element.locator("textarea");
    this.send = this.element.locator('[part~="send"]');
    this.stop = this.element.locator('[part~="stop"]');
    this.prompts = this.element.locator('[part~="prompt"]');
    this.questions = this.element.locator('[part~="message"][data-role="user"]');
    this.answers = this.element.locator('[part~="message"][data-role="agent"]');
    this.calls = this.element.locator('[part~="tool-call"]');
  }

  call(name) {
    return this.element.locator(`[part~="tool-call"][data-name="${name}"]`);
  }

  status() {
    return this.element.evaluate((agent) => agent.status);
  }

  async ready() {
    await expect(this.composer).toBeEditable();
  }

  async ask(text) {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  // The turn is over when the element says so, not when a text has appeared.
  async answered() {
    await expect.poll(() => this.status()).toBe("idle");
    return this.answers.last();
  }
}

/** Opens a page of the lesson player, and gives its agent once it can be asked. */
export async function open(page, path) {
  await page.goto(path);
  await expect(page.locator("main h1")).toBeVisible();
  const agent = new AgentPage(page);
  await agent.ready();
  return agent;
}

export function video(page) {
  const element = page.locator("#lesson-video");
  return {
    element,
    position: () => element.evaluate((video) => video.currentTime),
    duration: () => element.evaluate((video) => video.duration),
    // Without sound a page may play without a click; the lessons have none anyway.
    play: () => element.evaluate((video) => ((video.muted = true), video.play())),
    async loaded() {
      await expect.poll(() => element.evaluate((video) => video.readyState)).toBeGreaterThanOrEqual(1);
    },
  };
}

// Reads "1:23" or "0:07" out of a text, in seconds.
export function clockIn(text) {
  const match = /(\d+):([0-5]\d)/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN;
}
