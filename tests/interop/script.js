// What the peers answer, read from script.json: the same for every protocol, so that the same journeys hold.
import { readFileSync } from "node:fs";

const script = JSON.parse(readFileSync(new URL("script.json", import.meta.url), "utf8"));

const text = ({ content }) => (typeof content === "string" ? content : "");

/** What a model says to these messages of a chat: `{text, calls, slowly}`. */
export function reply(messages) {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const turn = messages.slice(asked + 1);
  const question = script.questions.find((question) => text(messages[asked]).includes(question.asked));
  if (!question) return { text: script.otherwise, calls: [] };
  const results = turn.filter(({ role }) => role === "tool");
  if (question.calls && (results.length === 0 || question.again)) {
    return { text: question.says ?? "", calls: question.calls };
  }
  const seen = [text(messages[asked]), ...results.map(text)].join("\n");
  const found = ([, name]) => new RegExp(question.find[name]).exec(seen)?.[1] ?? "?";
  return { text: question.answer.replace(/\{(\w+)\}/g, (...match) => found(match)), calls: [], slowly: question.slowly };
}
