// An OpenAI-compatible endpoint (aimock) that answers as script.json says. It prints its address when it listens.
import { createRequire } from "node:module";
import { reply } from "./script.js";

// Installed beside the other peers, not beside this file.
const { LLMock } = createRequire(`${process.env.PRAXIS_PEERS}/package.json`)("@copilotkit/aimock");

const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
const answer = ({ messages }) => {
  const { text, calls } = reply(messages);
  const toolCalls = calls.map(({ name, arguments: input }) => ({ name, arguments: JSON.stringify(input) }));
  return calls.length > 0 ? { content: text, toolCalls } : { content: text };
};
// What goes wrong with servers.
mock.on({ userMessage: "太忙", sequenceIndex: 0 }, { error: { message: "slow down" }, status: 429, retryAfter: 1 });
mock.on({ userMessage: "太忙" }, { content: "现在有空了。" });
mock.on({ userMessage: "说一半" }, { content: "这句话有头没有尾，因为连接断了。" }, { chunkSize: 2, latency: 40, truncateAfterChunks: 4 });
mock.on({ predicate: ({ messages }) => Boolean(reply(messages).slowly) }, answer, { latency: 60, chunkSize: 2 });
mock.on({ predicate: () => true }, answer, { chunkSize: 3 });
console.log(await mock.start());
