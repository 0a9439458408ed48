// All that a page without Rust writes: a handler, page context, options, and listeners where it wants to know more.
import "../praxis-kit.js";

const video = document.querySelector("#lesson-video");
const agent = document.querySelector("praxis-agent");

// Front-end tools: one function runs them all, and refuses the names that it does not know. It is set before the first
// `await`, so that a call which a reload has interrupted finds it.
agent.onClientTool = async ({ name, input }) => {
  switch (name) {
    case "read_playback_progress":
      return { positionSeconds: video.currentTime, durationSeconds: finite(video.duration), paused: video.paused };
    case "seek_to": {
      const { position_seconds: position } = input;
      const end = finite(video.duration);
      if (typeof position !== "number" || position < 0 || (end !== null && position > end)) {
        throw new Error(`position_seconds 应在 0 到 ${end} 之间，收到 ${JSON.stringify(position)}`);
      }
      video.currentTime = position;
      return { positionSeconds: position, durationSeconds: end, paused: video.paused };
    }
    default:
      throw new Error(`未知工具：${name}`);
  }
};

// Page context: it goes along with each message of the person.
agent.setReadable("lesson", "正在看第 3 课");
agent.setReadable("playback", { positionSeconds: Math.floor(video.currentTime) });
video.addEventListener("timeupdate", () => {
  // An equal value changes nothing.
  agent.setReadable("playback", { positionSeconds: Math.floor(video.currentTime) });
});

// Both events cross the shadow root.
agent.addEventListener("praxis.tool.change", ({ detail }) => show("praxis.tool.change", detail, detail.isError));
agent.addEventListener("praxis.log", ({ detail }) => show("praxis.log", detail, detail.level !== "info"));

// The agent's definition lists the same tools. With an agent service it is the service that has it.
const tools = [
  {
    type: "custom",
    name: "read_playback_progress",
    description: "读取用户当前视频的播放进度，单位秒。用户问「我看到哪了」时调用。",
    input_schema: { type: "object", properties: {} },
  },
  {
    type: "custom",
    name: "seek_to",
    description: "把视频移到某个位置。用户要求跳到某个时间时调用。",
    input_schema: {
      type: "object",
      properties: { position_seconds: { type: "number", description: "从开头算起的秒数" } },
      required: ["position_seconds"],
    },
  },
];

agent.setOptions(await options());

/** Where the agent answers: what the site's `config.json` says, the tutor in the page where it says nothing. */
async function options() {
  const { api = {}, agent: { name = "课程助手" } = {}, locale } = await json("../config.json");
  const { protocol = "demo", url, tokenUrl, model } = api;
  const script = protocol === "demo" ? await json("../tutor_script.json") : undefined;
  const getToken = tokenUrl && (() => token(tokenUrl));
  const prompts = ["我看到哪了？", "跳到 1:05"].map((prompt) => ({ label: prompt, prompt }));
  return { api: { protocol, url, model, script, getToken }, agent: { name, tools }, locale, startScreen: { prompts } };
}

async function token(address) {
  const response = await fetch(address, { method: "POST" });
  if (!response.ok) throw new Error("暂时无法使用");
  return (await response.json()).token;
}

async function json(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

function finite(seconds) {
  return Number.isFinite(seconds) ? seconds : null; // Not known yet, or a live stream's.
}

function show(type, detail, isProblem) {
  document.querySelector("#no-events").hidden = true;
  const item = document.createElement("li");
  item.classList.toggle("problem", Boolean(isProblem));
  const name = document.createElement("strong");
  name.textContent = type;
  const text = document.createElement("code");
  text.textContent = JSON.stringify(detail);
  item.append(name, " ", text);
  document.querySelector("#events").prepend(item);
}
