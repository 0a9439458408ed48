// Loads the app, shows that it is loading, and offers a way back when it cannot load or stops.
// A panic ends all Rust code of the page, so this stays outside of it and uses nothing of the app: its words and
// its styles are its own.

const words = navigator.language.toLowerCase().startsWith("zh")
  ? {
      lang: "zh-CN",
      loading: "正在加载…",
      failed: "页面没有加载成功。请检查网络后重试。",
      stopped: "页面遇到错误，已停止运行。重新加载后可以继续；对话和学习进度已保存。",
      reload: "重新加载",
    }
  : {
      lang: "en",
      loading: "Loading…",
      failed: "The page could not be loaded. Check the connection and try again.",
      stopped: "The page has stopped after an error. Reload to go on; conversations and progress are saved.",
      reload: "Reload",
    };

const sheet = new CSSStyleSheet(); // unlike inline styles, the content security policy allows these
sheet.replaceSync(`
  .boot-progress {
    position: fixed; inset: 0; display: grid; place-content: center; justify-items: center; gap: 12px;
    font: 16px/1.5 system-ui, sans-serif; animation: boot-appear 0s 0.4s both;
  }
  .boot-progress progress { inline-size: 240px; accent-color: #4f46e5; }
  @keyframes boot-appear { from { visibility: hidden; } }
  .boot-notice {
    box-sizing: border-box; max-inline-size: min(26rem, 100vw - 48px); padding: 24px; border: 1px solid GrayText; border-radius: 12px;
    font: 16px/1.6 system-ui, sans-serif; color: CanvasText; background: Canvas;
  }
  .boot-notice::backdrop { background: rgb(0 0 0 / 50%); }
  .boot-notice p { margin: 0 0 20px; }
  .boot-notice button {
    min-block-size: 44px; padding: 0 20px; border: 0; border-radius: 8px;
    font: inherit; color: #fff; background: #4338ca; cursor: pointer;
  }
  .boot-notice button:focus-visible { outline: 3px solid #818cf8; outline-offset: 2px; }
`);
document.adoptedStyleSheets.push(sheet);

const create = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const bar = create("progress", { max: 1, ariaLabel: words.loading });
const indicator = create("div", { className: "boot-progress", role: "status", lang: words.lang }, bar, words.loading);
document.body.append(indicator);

/** Passes a response on and moves the bar as its bytes come, where their number is known. */
function withProgress(response) {
  const total = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length"));
  if (!response.ok || !response.body || !total) return response;
  let received = 0;
  const count = new TransformStream({
    transform(chunk, controller) {
      received += chunk.byteLength;
      bar.value = Math.min(received / total, 1);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), response);
}

/** Says what happened and offers to reload, once: what goes wrong after the first error follows from it. */
function offerReload(message) {
  indicator.remove();
  if (document.querySelector(".boot-notice")) return;
  const text = create("p", { id: "boot-notice", textContent: message });
  const reload = create("button", { type: "button", textContent: words.reload, onclick: () => location.reload() });
  const properties = { className: "boot-notice", role: "alertdialog", lang: words.lang };
  const notice = create("dialog", properties, text, reload);
  notice.setAttribute("aria-labelledby", text.id);
  document.body.append(notice);
  notice.showModal();
}

/**
 * A trap is how a panic ends, an exhausted stack is another; errors of other scripts leave the app running. The kit and
 * the page's tools are modules of their own: when one stops, its element or the call says so, and the lesson goes on.
 */
const stopped = (error) =>
  (error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && /wasm/.test(error.stack))) &&
  !/\/(kit|page-tools)_bg\.wasm/.test(error.stack);
const onError = (error) => {
  if (stopped(error)) offerReload(words.stopped);
};
addEventListener("error", (event) => onError(event.error));
addEventListener("unhandledrejection", (event) => onError(event.reason));

const { js, wasm } = document.querySelector("script[data-js][data-wasm]").dataset;
try {
  const [bindings, response] = await Promise.all([import(js), fetch(wasm)]);
  await bindings.default({ module_or_path: withProgress(response) });
  indicator.remove();
} catch (error) {
  offerReload(stopped(error) ? words.stopped : words.failed);
  throw error;
}
