// The page around the tools: its workers, its clock, and a person who answers.

const WORKER = `
  onmessage = ({ data: [id, schema, args] }) => {
    const { wrong = 0, hang, die } = JSON.parse(args);
    JSON.parse(schema);
    if (hang) return;
    if (die) throw new Error("died for the test");
    const mismatches = Array.from({ length: wrong }, (_, at) => ({ path: "/" + at, expected: "nothing", came: "1" }));
    postMessage([id + 1000, '{"verdict":"schemaUnusable","message":"an answer to another question"}']);
    postMessage([id, JSON.stringify(wrong ? { verdict: "invalid", mismatches } : { verdict: "valid" })]);
  };
  postMessage("ready");
`;

let started = 0;
let sent = 0;
globalThis.Worker = class extends globalThis.Worker {
  constructor(...args) {
    super(...args);
    started += 1;
  }
  postMessage(...args) {
    sent += 1;
    super.postMessage(...args);
  }
};

export const stubWorker = () => URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
export const workersStarted = () => started;
export const questionsSent = () => sent;

export const answer = (id, confirmed) =>
  dispatchEvent(new CustomEvent("agent-confirmation-response", { detail: { id, confirmed } }));

const wall = Date.now;
let ahead = 0;
Date.now = () => wall() + ahead;
export const sleepFor = (millis) => {
  ahead += millis;
};

let agree = false;
let tampering = false;
addEventListener("agent-confirmation-required", ({ detail }) => {
  if (tampering) {
    detail.args.n = 99;
    detail.id = "other";
  }
  if (agree) answer(detail.id, true);
});
export const agreeAtOnce = (value) => {
  agree = value;
};
export const tamper = (value) => {
  tampering = value;
};
