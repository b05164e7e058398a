// Our slot in the side-by-side benchmark of agent runtimes: AgentTask, or the turn alone with CALLWIRE_PEER=turn. Needs `npm run build`.
import { AgentTask, defineTool, runTurn } from "@callwire/agent";
import { openaiChat } from "@callwire/models/openai-chat";

const NAME = "work";
const SCHEMA = {
  type: "object",
  properties: { r: { type: "number" }, i: { type: "number" }, p: { type: "string" } },
  required: ["r", "i", "p"],
  additionalProperties: false,
};

function scripted(script) {
  return {
    name: "script",
    async run({ messages }, sink) {
      let k = 0;
      for (const message of messages) if (message.role === "assistant") k++;
      const calls = [];
      let stop = "end";
      for (const event of script.answer(k)) {
        if (event.t === 0) sink.text(event.text);
        else if (event.t === 1) sink.call(event.i, event.id, NAME);
        else if (event.t === 3) calls.push({ slot: event.i, id: event.id, name: NAME, input: JSON.parse(event.args) });
        else if (event.t === 4) stop = event.reason === "tool" ? "tool-calls" : "end";
      }
      return { stop, calls };
    },
  };
}

function see(ledger, event) {
  if (event.type === "text-delta") ledger.text(event.textDelta);
  else if (event.type !== "tool-call") return;
  else if (event.status === "preparing") ledger.sawCall(event.toolCallId, event.name);
  else if (event.status === "pending") ledger.askedCall(event.toolCallId, event.name);
  else if (event.status === "completed") ledger.settledCall(event.toolCallId, event.result);
  else if (event.status === "failed") throw new Error(event.result);
}

export default {
  id: "callwire",
  title: "Callwire AgentTask",
  packages: [],
  imports: [],
  async setup(script, env = {}) {
    const model = env.baseURL ? openaiChat({ model: "bench-model", apiKey: "x", baseURL: env.baseURL }) : scripted(script);
    const tools = [defineTool({ name: NAME, description: "does work", input: SCHEMA, execute: (args) => script.tool(args) })];
    const options = { model, prompt: "go", tools, maxRounds: 100_000, maxToolResultChars: 1 << 30 };
    if (process.env.CALLWIRE_PEER === "turn") {
      return { turn: (ledger) => runTurn({ ...options, emit: (event) => see(ledger, event) }) };
    }
    return {
      async turn(ledger) {
        const task = new AgentTask();
        task.on("stream_chunk", (event) => see(ledger, event));
        await task.run(options);
      },
    };
  },
};
