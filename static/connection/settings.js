// <connection-settings lang="zh-CN|en">: where a person chooses and tests whom the agent's answers come from.
//
// Plain JavaScript, and loaded when the page of settings opens: who only watches a lesson loads none of it. What is
// chosen is kept under KEY in the form of config.json, whose place it takes on this device; the app follows the event
// KEY of the window, whose detail is that text with the key, or null for config.json's own. A key is kept only where
// the person says so; else it lives here, as long as the page.
import { address, check, isInClear, isKey } from "./check.js";
import { words } from "./words.js";

const KEY = "lesson-player.connection";
const examples = {
  praxis: `${location.origin}/`,
  "openai-chat-completions": "http://localhost:11434/v1",
  "ag-ui": "http://localhost:8000/",
};
const protocols = ["demo", ...Object.keys(examples)];

const sheet = new CSSStyleSheet(); // unlike inline styles, the content security policy allows these
sheet.replaceSync(`
  connection-settings, .connection-form { display: grid; gap: var(--space-5); min-inline-size: 0; }
  connection-settings:not([data-ready]) > form { display: none; }
  connection-settings[data-ready] > :not(form) { display: none; }
  .connection-form fieldset { display: grid; gap: var(--space-2); margin: 0; padding: 0; border: 0; min-inline-size: 0; }
  .connection-form legend { padding: 0; margin-block-end: var(--space-2); font-weight: 580; }
  .connection-choice { display: grid; grid-template-columns: auto 1fr; gap: 0 var(--space-3); align-items: center; padding: var(--space-3) var(--space-4); border: 1px solid var(--border); border-radius: var(--radius); cursor: pointer; }
  .connection-choice:has(:checked) { border-color: var(--accent-fill); background: var(--accent-surface); }
  .connection-choice:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 2px; }
  .connection-choice input { grid-row: 1 / 3; inline-size: 20px; block-size: 20px; margin: 0; accent-color: var(--accent-fill); outline: none; }
  .connection-choice > span { font-weight: 580; }
  .connection-now { display: grid; gap: var(--space-1); overflow-wrap: anywhere; }
  .connection-now strong { font-weight: 580; }
  .connection-report:empty { display: none; }
  .connection-report { display: grid; gap: var(--space-3); padding: var(--space-4); border-radius: var(--radius); background: var(--surface-sunken); overflow-wrap: anywhere; }
  .connection-report > * { margin: 0; }
  .connection-report[data-state="works"] { background: var(--success-surface); }
  .connection-report[data-state="works"] > :first-child { color: var(--success); font-weight: 580; }
  .connection-report[data-state="problem"] { background: var(--danger-surface); }
  .connection-report[data-state="problem"] > :first-child { color: var(--danger); font-weight: 580; }
  .connection-report code { padding: var(--space-2) var(--space-3); border-radius: var(--radius-small); background: var(--surface); font-family: var(--font-mono); font-size: var(--size-small); user-select: all; }
  .connection-report progress { inline-size: 100%; accent-color: var(--accent-fill); }
  .connection-warning { margin: 0; color: var(--danger); }
  .connection-warning:empty { display: none; }
  .connection-form .check { font-weight: inherit; }
  .connection-form .check input { flex: none; }
  .connection-form .form-actions { flex-wrap: wrap; gap: var(--space-3); }
`);
document.adoptedStyleSheets.push(sheet);

const create = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child != null));
  return element;
};

/** What was chosen on this page, with its key; `undefined`: nothing yet. What is being entered, too, while it is. */
let chosen;
let draft;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY))?.api ?? null;
  } catch {
    return null;
  }
}

/** Tells the app, and keeps what may be kept; whether the browser did. */
function choose(api, keepKey) {
  chosen = api;
  const detail = api && JSON.stringify({ api });
  dispatchEvent(new CustomEvent(KEY, { detail }));
  try {
    const { key, ...open } = api ?? {};
    if (api) localStorage.setItem(KEY, JSON.stringify({ api: keepKey ? api : open }));
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}

class ConnectionSettings extends HTMLElement {
  static observedAttributes = ["lang"];
  #site = {}; // config.json's `api`
  #form;
  #report;
  #test; // what stops the test that runs
  #models = [];
  #say = words();

  async connectedCallback() {
    const answer = await fetch(new URL("config.json", document.baseURI)).then((file) => file.json()).catch(() => ({}));
    this.#site = answer?.api ?? {};
    this.#render();
  }

  disconnectedCallback() {
    this.#leaveTest();
  }

  attributeChangedCallback() {
    if (this.#form) this.#render();
  }

  /** Draws everything anew, in the language that holds. */
  #render() {
    this.#leaveTest();
    const say = (this.#say = words(this.lang));
    const form = create("form", { className: "connection-form", noValidate: true, autocomplete: "off" });
    this.#report = create("div", { className: "connection-report", role: "status" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#use();
    });
    form.addEventListener("input", ({ target }) => {
      draft = this.#entered();
      if (target.name !== "keep") this.#changed();
    });
    form.addEventListener("change", ({ target }) => {
      if (target.name === "protocol") this.#follow(true);
    });

    const choices = protocols.map((protocol) =>
      create("label", { className: "connection-choice" },
        create("input", { type: "radio", name: "protocol", value: protocol }),
        create("span", {}, say(protocol)),
        create("small", { className: "field-hint" }, say(`${protocol}Hint`))));
    const models = create("datalist", { id: "connection-models" });
    form.append(
      create("div", { className: "connection-now" }),
      create("fieldset", {}, create("legend", {}, say("protocols")), ...choices),
      this.#field("url", { type: "text", inputMode: "url", spellcheck: false }, ""),
      this.#field("model", { type: "text", spellcheck: false }, say("modelHint"), models),
      this.#field("key", { type: "password", autocomplete: "off", spellcheck: false }, say("keyHint"),
        create("p", { id: "connection-warning", className: "connection-warning", role: "status" })),
      create("div", { className: "field keep" },
        create("label", { className: "check" }, create("input", { type: "checkbox", name: "keep" }), create("span", {}, say("keep"))),
        create("p", { className: "field-hint" }, say("keepHint"))),
      create("div", { className: "form-actions" },
        create("button", { type: "submit", className: "button button-primary" }, say("use")),
        create("button", { type: "button", className: "button", name: "test", onclick: () => this.#onTest() }, say("test")),
        create("button", { type: "button", className: "button", name: "restore", onclick: () => this.#restore() }, say("restore"))),
      this.#report,
    );
    form.elements.model.setAttribute("list", models.id);
    form.elements.key.setAttribute("aria-describedby", "connection-key-hint connection-warning");
    this.#form?.remove();
    this.#form = form;
    this.append(form);
    this.#fill(draft ?? { ...this.#current(), keep: Boolean(kept()?.key) });
    this.#showModels();
    this.#showNow();
    this.dataset.ready = "";
  }

  #field(name, properties, hint, ...more) {
    const id = `connection-${name}`;
    const input = create("input", { id, name, ...properties });
    input.setAttribute("aria-describedby", `${id}-hint`);
    return create("div", { className: `field ${name}` },
      create("label", { htmlFor: id }, this.#say(name)), input, create("p", { className: "field-hint", id: `${id}-hint` }, hint), ...more);
  }

  /** The connection that is in use. */
  #current() {
    return (chosen === undefined ? kept() : chosen) ?? this.#site;
  }

  #fill({ protocol = "demo", url = "", model = "", key = "", keep = false }) {
    const fields = this.#form.elements;
    fields.protocol.value = protocols.includes(protocol) ? protocol : "demo";
    Object.assign(fields.url, { value: url });
    Object.assign(fields.model, { value: model });
    Object.assign(fields.key, { value: key });
    fields.keep.checked = keep;
    this.#follow(false);
  }

  #entered() {
    const { protocol, url, model, key, keep } = this.#form.elements;
    return { protocol: protocol.value, url: url.value, model: model.value, key: key.value, keep: keep.checked };
  }

  /** Shows the fields that the protocol has; `anew`: another was chosen, and its own address is suggested. */
  #follow(anew) {
    const { protocol, url, test } = this.#form.elements;
    const example = examples[protocol.value];
    const show = (name, shown) => (this.#form.querySelector(`.${name}`).hidden = !shown);
    for (const name of ["url", "key", "keep"]) show(name, example);
    show("model", protocol.value === "openai-chat-completions");
    test.hidden = !example;
    if (anew && (!url.value.trim() || Object.values(examples).includes(url.value))) url.value = example ?? "";
    url.placeholder = example ?? "";
    this.#complain({});
    this.#warn();
    this.#tell();
  }

  /** Says of a key that it would go over the network for all to read. */
  #warn() {
    const { protocol, url, key } = this.#entered();
    let isAtRisk = false;
    try {
      isAtRisk = Boolean(key) && isInClear(address(url, protocol));
    } catch {
      // There is no address yet.
    }
    const warning = this.#form.querySelector(".connection-warning");
    const text = isAtRisk ? this.#say("keyInClear") : "";
    if (warning.textContent !== text) warning.textContent = text;
  }

  /** Says beside each field what is wrong with it. */
  #complain(problems) {
    const hints = { url: this.#say("urlHint", { example: examples[this.#form.elements.protocol.value] }), model: this.#say("modelHint"), key: this.#say("keyHint") };
    for (const [name, hint] of Object.entries(hints)) {
      const input = this.#form.elements[name];
      this.#form.querySelector(`#connection-${name}-hint`).textContent = problems[name] ?? hint;
      if (problems[name]) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    const first = Object.keys(hints).find((name) => problems[name]);
    if (first) this.#form.elements[first].focus();
    return !first;
  }

  /** What was entered, as config.json has it; nothing where it is wrong, which is then said. */
  #read(needsModel) {
    const { protocol, url, model, key } = this.#entered();
    const problems = {};
    const api = { protocol };
    if (protocol !== "demo") {
      try {
        api.url = address(url, protocol);
      } catch {
        problems.url = this.#say("urlInvalid");
      }
      if (isKey(key)) Object.assign(api, key && { key });
      else problems.key = this.#say("keyInvalid");
    }
    if (protocol === "openai-chat-completions") {
      if (model.trim()) api.model = model.trim();
      else if (needsModel) problems.model = this.#say("modelMissing");
    }
    if (protocol === "praxis" && !key && api.url) api.tokenUrl = `${api.url}/api/praxis-token`;
    return this.#complain(problems) ? api : undefined;
  }

  #use() {
    const api = this.#read(true);
    if (!api) return;
    this.#leaveTest();
    const isKept = choose(api, this.#form.elements.keep.checked);
    this.#showNow();
    this.#tell("works", this.#say("used"), ...(isKept ? [] : [this.#say("notKept")]));
  }

  #restore() {
    this.#leaveTest();
    choose(null);
    draft = undefined;
    this.#fill(this.#site);
    this.#showNow();
    this.#tell("works", this.#say("restored"));
  }

  async #onTest() {
    if (this.#test) return this.#test.abort();
    const connection = this.#read(false);
    if (!connection) return;
    const test = (this.#test = new AbortController());
    const say = this.#say;
    this.#form.elements.test.textContent = say("stop");
    const progress = (...words) => test === this.#test && this.#tell("runs", create("span", {}, say(...words)), create("progress"));
    const report = await check(connection, say, progress, test.signal);
    if (test !== this.#test) return; // nobody asks any more
    this.#leaveTest();
    if (report.models) {
      this.#models = report.models;
      this.#showModels();
    }
    const state = report.problem ? "problem" : report.stopped ? "runs" : "works";
    this.#tell(state, report.text, report.command && create("code", {}, report.command),
      report.said && create("p", {}, say("said"), create("q", {}, report.said)), ...report.notes);
  }

  /** Ends the test that runs, if one does; what comes of it is said no more. */
  #leaveTest() {
    this.#test?.abort();
    this.#test = undefined;
    if (this.#form) this.#form.elements.test.textContent = this.#say("test");
  }

  /** What was said holds for other values than those that stand there now. */
  #changed() {
    this.#leaveTest();
    this.#warn();
    if (this.#report.hasChildNodes() && this.#report.dataset.state !== "changed") this.#tell("changed", this.#say("changed"));
  }

  #showModels() {
    this.#form.querySelector("datalist").replaceChildren(...this.#models.map((value) => create("option", { value })));
  }

  #showNow() {
    const say = this.#say;
    const { protocol = "demo", url, model } = this.#current();
    const onDevice = Boolean(chosen === undefined ? kept() : chosen);
    const name = [protocols.includes(protocol) ? say(protocol) : protocol, model, url].filter(Boolean).join(" · ");
    this.#form.querySelector(".connection-now").replaceChildren(
      create("span", {}, `${say("now")}${this.lang === "en" ? ": " : "："}`, create("strong", {}, name)),
      create("span", { className: "field-hint" }, say(onDevice ? "onDevice" : "bySite")));
    this.#form.elements.restore.hidden = !onDevice;
  }

  #tell(state, ...parts) {
    this.#report.dataset.state = state ?? "";
    const texts = parts.filter(Boolean);
    this.#report.replaceChildren(...texts.map((part) => (typeof part === "string" ? create("p", {}, part) : part)));
  }
}

customElements.define("connection-settings", ConnectionSettings);
