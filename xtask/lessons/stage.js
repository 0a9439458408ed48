// The stage: builds all slides of a lesson and moves them by a clock that the caller sets, so that each picture
// depends on the time alone. Knows nothing of videos.
//
// What a slide's markup may say. A moment is a cue of the slide and a part of it: "2" is when its second cue starts, "2.5" half-way.
//   data-at="2"            comes in at that moment (data-from="up|left|right|none|pop", data-delay in ms)
//   data-until="4"         goes out at that moment
//   data-do="3 dim; 4 move 0 -40 600"    at a moment, a verb of `verbs`, its arguments, and optionally a duration in ms
//   data-count="2 0 120 4000; …"         a number that runs from 0 to 120 in 4 s
//   <g data-arrow="x1 y1 x2 y2 [label]" data-at="2">   an arrow that draws itself
//   <pre data-code="js" data-focus="2:3-4; 3:0" data-show="2:5-9">   code; lines in focus (0: all), lines that come later

const EASE = "cubic-bezier(.2,.7,.2,1)";
const ENTER_MS = 320;
const LEAVE_MS = 200;
// Nothing important below: captions and the player's controls lie there.
const SAFE = { left: 40, top: 0, right: 1240, bottom: 612 };

const entrances = {
  up: { opacity: 0, translate: "0 16px" },
  left: { opacity: 0, translate: "-24px 0" },
  right: { opacity: 0, translate: "24px 0" },
  none: { opacity: 0 },
  pop: { opacity: 0, scale: "0.85" },
};

const verbs = {
  dim: () => ({ opacity: 0.28 }),
  undim: () => ({ opacity: 1 }),
  hide: () => ({ opacity: 0 }),
  hot: () => ({ borderColor: "#ffb454", backgroundColor: "#2c2a2b" }),
  bad: () => ({ borderColor: "#ff8a7a", backgroundColor: "#33232c" }),
  good: () => ({ borderColor: "#86d9b0", backgroundColor: "#1b2f33" }),
  cool: () => ({ borderColor: "#303c58", backgroundColor: "#182135" }),
  strike: () => ({ backgroundSize: "100% 3px" }),
  move: (x, y) => ({ translate: `${x}px ${y}px` }),
  fall: () => ({ translate: "0 90px", rotate: "14deg", opacity: 0 }),
  fill: part => ({ scale: `${part} 1` }),
};

const stage = {
  animations: [],
  counters: [],
  spans: [],

  async load(lesson) {
    const problems = [];
    document.body.append(header(lesson));
    lesson.chapters.forEach((chapter, chapterIndex) => chapter.slides.forEach((slide, slideIndex) => {
      const first = chapterIndex === 0 && slideIndex === 0;
      const section = element("section", "slide");
      section.innerHTML = slide.html ? withEscapedCode(slide.html) : cover(lesson);
      centreBelowHeading(section);
      document.body.append(section);
      build(section, slide, first, slide.times.at(-1) === lesson.end);
    }));
    await document.fonts.ready;
    for (const section of document.querySelectorAll("section")) problems.push(...misplaced(section));
    return { spans: stage.spans, problems };
  },

  seek(ms) {
    for (const animation of stage.animations) animation.currentTime = ms;
    for (const { node, start, duration, from, to, resumes } of stage.counters) {
      if (resumes && ms < start) continue;
      const part = Math.min(Math.max((ms - start) / duration, 0), 1);
      node.textContent = Math.round(from + (to - from) * part);
    }
    // A screenshot taken before the next frame may show the state before.
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
  },
};

function element(tag, className, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Code stands in the course as it is; a `<` in it opens no tag. */
function withEscapedCode(html) {
  return html.replace(/(<pre[^>]*>)([^]*?)(<\/pre>)/g, (_, open, code, close) =>
    open + code.replace(/&/g, "&amp;").replace(/</g, "&lt;") + close);
}

/** Puts all but the heading into a box of its own, in the middle of what the heading leaves. */
function centreBelowHeading(section) {
  const heading = section.querySelector(":scope > h2");
  if (!heading) return;
  const body = element("div", "body");
  while (heading.nextSibling) body.append(heading.nextSibling);
  section.append(body);
}

/** Moves `node` at `start` ms. Where `keyframes` is one frame, it moves from where it is. */
function animate(node, keyframes, start, duration, fill = "forwards", easing = EASE) {
  const animation = node.animate(keyframes, { delay: start, duration, fill, easing });
  animation.pause();
  stage.animations.push(animation);
  stage.spans.push([start, start + duration]);
}

function header(lesson) {
  const bar = element("header", "");
  bar.append(element("span", "course", `第 ${lesson.number} 课 · ${lesson.title["zh-CN"]}`));
  const names = element("span", "names");
  const line = element("div", "line");
  bar.append(names, line);
  const edge = index => lesson.chapters[index]?.slides[0].times[0] ?? lesson.end;
  lesson.chapters.forEach((chapter, index) => {
    const [start, end] = [edge(index), edge(index + 1)];
    const name = element("span", "", chapter.title["zh-CN"]);
    names.append(name);
    if (index > 0) animate(name, [{ opacity: 0 }, { opacity: 1 }], start, ENTER_MS, "both");
    if (index < lesson.chapters.length - 1) animate(name, [{ opacity: 0 }], end - LEAVE_MS, LEAVE_MS);
    const segment = element("i", "");
    segment.style.flexGrow = end - start;
    const filled = element("b", "");
    segment.append(filled);
    line.append(segment);
    filled.style.scale = "0 1";
    const cues = [...new Set(chapter.slides.flatMap(slide => slide.times))];
    cues.slice(0, -1).forEach((time, cue) =>
      animate(filled, [{ scale: `${(cues[cue + 1] - start) / (end - start)} 1` }], time, ENTER_MS));
  });
  return bar;
}

function cover(lesson) {
  const chapters = lesson.chapters.map(({ title }, index) =>
    `<li data-at="1" data-from="left" data-delay="${300 + index * 120}"><i>${index + 1}</i>${title["zh-CN"]}<em>${title.en}</em></li>`).join("");
  return `<div class="cover"><b class="numeral">${lesson.number}</b>
    <div><h1>${lesson.title["zh-CN"]}</h1><p class="subtitle">${lesson.title.en}</p></div><ol>${chapters}</ol></div>`;
}

function build(section, { times }, first, last) {
  const [start, end] = [times[0], times.at(-1)];
  const moment = text => {
    const [cue, part] = [Math.floor(text), text % 1];
    if (!(cue >= 1 && cue < times.length)) throw new Error(`a slide with ${times.length - 1} cues has no moment ${text}: ${section.innerText.slice(0, 60)}`);
    return times[cue - 1] + part * (times[cue] - times[cue - 1]);
  };
  if (!first) animate(section, [{ opacity: 0 }, { opacity: 1 }], start, ENTER_MS, "both");
  if (!last) animate(section, [{ opacity: 0 }], end - LEAVE_MS, LEAVE_MS);
  for (const pre of section.querySelectorAll("pre[data-code]")) buildCode(pre, moment);
  for (const group of section.querySelectorAll("[data-arrow]")) buildArrow(group, moment);
  for (const node of section.querySelectorAll("[data-at]:not([data-arrow])")) {
    const begin = moment(node.dataset.at) + Number(node.dataset.delay ?? 0);
    const { opacity, ...from } = entrances[node.dataset.from ?? "up"];
    const to = { opacity: 1, translate: "none", scale: "none" };
    const rest = Object.fromEntries(Object.keys(from).map(key => [key, to[key]]));
    animate(node, [{ opacity, ...from }, { opacity: 1, ...rest }], begin, ENTER_MS, "both");
  }
  for (const node of section.querySelectorAll("[data-until]")) animate(node, [{ opacity: 0 }], moment(node.dataset.until) - LEAVE_MS, LEAVE_MS);
  for (const node of section.querySelectorAll("[data-do]"))
    for (const step of node.dataset.do.split(";")) {
      const [at, verb, ...parameters] = step.trim().split(/\s+/);
      const count = verbs[verb].length;
      const duration = Number(parameters[count] ?? ENTER_MS);
      animate(node, [verbs[verb](...parameters.slice(0, count))], moment(at), duration, "forwards", duration > 1500 ? "linear" : EASE);
    }
  for (const node of section.querySelectorAll("[data-count]"))
    node.dataset.count.split(";").forEach((step, index) => {
      const [at, from, to, duration] = step.trim().split(" ").map(Number);
      stage.counters.push({ node, start: moment(at), duration, from, to, resumes: index > 0 });
      stage.spans.push([moment(at), moment(at) + duration]);
    });
}

/** `"2:3-4; 3:0"` as `[[2, 3, 4], [3, 0, 0]]`: a moment and the lines it is about. */
function lineSteps(text) {
  return (text ?? "").split(";").filter(Boolean).map(step => {
    const [at, lines] = step.trim().split(":");
    const [from, to = from] = lines.split("-").map(Number);
    return [Number(at), from, to];
  });
}

function buildCode(pre, moment) {
  const source = pre.textContent.replace(/^\n|\s+$/g, "");
  pre.textContent = "";
  const lines = highlight(source, pre.dataset.code).map(tokens => {
    // Coming in and being in focus both change the opacity: one on the line, the other on what is in it.
    const line = element("div", "code-line");
    const content = element("div", "");
    content.append(...tokens.map(({ kind, text }) => element("span", kind, text)));
    if (!tokens.length) content.append("\u200b");
    line.append(content);
    pre.append(line);
    return line;
  });
  for (const [at, from, to] of lineSteps(pre.dataset.show))
    lines.slice(from - 1, to).forEach((line, index) =>
      animate(line, [{ opacity: 0, translate: "0 10px" }, { opacity: 1, translate: "none" }], moment(at) + index * 60, ENTER_MS, "both"));
  for (const [at, from, to] of lineSteps(pre.dataset.focus))
    lines.forEach((line, index) => {
      const all = from === 0;
      const inFocus = all || (index + 1 >= from && index + 1 <= to);
      animate(line.firstChild, [{ opacity: inFocus ? 1 : 0.45, boxShadow: `inset 4px 0 0 ${inFocus && !all ? "#ffb454" : "#ffb45400"}` }], moment(at), ENTER_MS);
    });
}

function buildArrow(group, moment) {
  const [x1, y1, x2, y2, ...label] = group.dataset.arrow.split(" ");
  const angle = Math.atan2(y2 - y1, x2 - x1) * 180 / Math.PI;
  group.innerHTML = `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" pathLength="1" stroke-dasharray="1 1"/>
    <path d="M0 0L-15 -8L-15 8Z" transform="translate(${x2} ${y2}) rotate(${angle})"/>
    <text x="${(+x1 + +x2) / 2}" y="${(+y1 + +y2) / 2 - 14}">${label.join(" ")}</text>`;
  if (!group.dataset.at) return;
  const [line, head, text] = group.children;
  const start = moment(group.dataset.at) + Number(group.dataset.delay ?? 0);
  animate(line, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], start, 420, "both");
  // A dash of length nought still shows its round cap.
  animate(line, [{ opacity: 0 }, { opacity: 1 }], start, 40, "both");
  animate(head, [{ opacity: 0 }, { opacity: 1 }], start + 240, 160, "both");
  animate(text, [{ opacity: 0 }, { opacity: 1 }], start, ENTER_MS, "both");
}

/** What a slide shows outside the safe area, or cuts off. */
function misplaced(section) {
  const problems = [];
  for (const node of section.querySelectorAll("*")) {
    const owned = [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!owned) continue;
    const { left, top, right, bottom } = node.getBoundingClientRect();
    if (left < SAFE.left || top < SAFE.top || right > SAFE.right || bottom > SAFE.bottom)
      problems.push(`outside the safe area (${Math.round(left)},${Math.round(top)} to ${Math.round(right)},${Math.round(bottom)}): ${node.textContent.trim().slice(0, 50)}`);
    if (node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
      problems.push(`wider than its box: ${node.textContent.trim().slice(0, 50)}`);
  }
  return problems;
}
