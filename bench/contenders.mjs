// Who plays the workloads: the bare loop, the same loop inside Workglow's Task, the turn alone, and AgentTask.
import { AgentTask, defineTool, runTurn } from "@callwire/agent";
import { Task } from "@workglow/task-graph";
import { TOOL } from "./workloads.mjs";

const SCHEMA = {
  type: "object",
  properties: { r: { type: "number" }, i: { type: "number" }, p: { type: "string" } },
  required: ["r", "i", "p"],
  additionalProperties: false,
};

// --- The physical limit: a hand-written loop that keeps a conversation, parses, announces, runs and reports, and nothing else.

async function* answer(script, k) {
  const events = [];
  script.play(k, {
    text: (text) => events.push({ t: 0, text }),
    call: (i, id) => events.push({ t: 1, i, id }),
    fragment: (i, piece) => events.push({ t: 2, i, piece }),
  });
  for (const event of events) yield event;
}

/** `mirror` is called where a turn also tells of a message or of a round's usage. */
async function bareLoop(script, emit, mirror = () => {}) {
  mirror();
  mirror();
  const messages = [{ role: "user", text: "go" }];
  for (let k = 0; ; k++) {
    let text = "";
    const calls = [];
    for await (const event of answer(script, k)) {
      if (event.t === 0) {
        text += event.text;
        emit({ type: "text-delta", port: "text", textDelta: event.text });
      } else if (event.t === 1) {
        calls.push({ id: event.id, json: "", args: undefined });
        emit({ type: "tool-call", status: "preparing", toolCallId: event.id, name: TOOL });
      } else calls[event.i].json += event.piece;
    }
    messages.push({ role: "assistant", text, calls });
    mirror();
    mirror();
    if (calls.length === 0) {
      mirror();
      return messages;
    }
    for (const call of calls) {
      call.args = JSON.parse(call.json);
      emit({ type: "tool-call", status: "pending", toolCallId: call.id, name: TOOL, input: call.args });
    }
    const results = [];
    for (const call of calls) {
      emit({ type: "tool-call", status: "running", toolCallId: call.id, name: TOOL });
      const result = await script.tool(call.args);
      results.push({ id: call.id, result });
      emit({ type: "tool-call", status: "completed", toolCallId: call.id, name: TOOL, result });
    }
    messages.push({ role: "tool", results });
    mirror();
  }
}

function see(script, event) {
  if (event.type === "text-delta") script.delta(event.textDelta);
  else if (event.type === "tool-call" && event.status === "completed") script.settled(event.result);
}

// --- Workglow's own share: the bare loop inside a Task with AgentTask's ports, emitting as many events as AgentTask does.

class BareTask extends Task {
  static type = "BareTask";
  static cacheable = false;
  static inputSchema() {
    return AgentTask.inputSchema();
  }
  static outputSchema() {
    return AgentTask.outputSchema();
  }
  async *executeStream(input) {
    let text = "";
    const emit = (event) => {
      if (event.type === "text-delta") text += event.textDelta;
      this.emit("stream_chunk", event);
    };
    const messages = await bareLoop(input.model.script, emit, () => this.emit("stream_chunk", { type: "message" }));
    yield { type: "finish", data: { text, messages, rounds: 1, stopReason: "answered", usage: {} } };
  }
}

// --- Ours.

class ScriptModel {
  name = "script";
  constructor(script) {
    this.script = script;
  }
  async run(request, sink) {
    const k = request.round - 1;
    const parts = [];
    const asks = this.script.play(k, {
      text: (text) => sink.text(text),
      call: (i, id) => {
        parts[i] = { id, json: "" };
        sink.call(i, id, TOOL);
      },
      fragment: (i, piece) => {
        parts[i].json += piece;
      },
    });
    const calls = parts.map(({ id, json }, slot) => ({ slot, id, name: TOOL, input: JSON.parse(json) }));
    return { stop: asks ? "tool-calls" : "end", calls };
  }
}

const limits = { maxRounds: 10_000, maxToolResultChars: 20_000 };
const toolOf = (script) =>
  defineTool({ name: TOOL, description: "does work", input: SCHEMA, execute: (args) => script.tool(args) });

/** Each: a script in, a function that plays one turn out. */
export const CONTENDERS = {
  bare: (script) => () => bareLoop(script, (event) => see(script, event)),
  "task-run": (script) => {
    const model = new ScriptModel(script);
    return async () => {
      const task = new BareTask();
      task.on("stream_chunk", (event) => see(script, event));
      await task.run({ prompt: "go", model });
    };
  },
  turn: (script) => {
    const model = new ScriptModel(script);
    const tools = [toolOf(script)];
    return () => runTurn({ model, prompt: "go", tools, ...limits, emit: (event) => see(script, event) });
  },
  agent: (script) => {
    const model = new ScriptModel(script);
    const tools = [toolOf(script)];
    return async () => {
      const task = new AgentTask();
      task.on("stream_chunk", (event) => see(script, event));
      await task.run({ prompt: "go", model, tools, ...limits });
    };
  },
};
