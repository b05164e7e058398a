// The ports of AgentTask. Module constants: Workglow compiles a schema once per class.
import type { DataPortSchema } from "@workglow/util/schema";

const LIMITS = {
  maxRounds: { type: "number", title: "Max rounds", description: "Model answers per turn, at least 1 (default 8)" },
  maxToolResultChars: { type: "number", title: "Max tool result characters", description: "Per result, notice included (default 20,000)" },
  maxHistoryChars: { type: "number", title: "Max history characters", description: "Per request; oldest whole turns are left out (default 120,000)" },
  graceMs: { type: "number", title: "Grace", description: "Milliseconds for started bodies after an abort (default 2,000)" },
} as const;

// An enum's first member is what 0.2.37 takes when the port is absent: the safest comes first.
const CHOICES = {
  approval: {
    type: "string",
    enum: ["beyond-inference", "never"],
    title: "Approval",
    description: "Which task tools are put to a person; `never` counts only where the host allows it",
  },
  onDenied: { type: "string", enum: ["continue", "stop-round"], title: "On denied", description: "What happens to the rest of the round" },
  liveText: { type: "string", enum: ["auto", "settled", "live"], title: "Live text", description: "When text is emitted" },
} as const;

// A string stands first in each anyOf: 0.2.37 invents `{}` for an absent port whose first alternative is an object.
// Host ports: objects or bound names. Hidden in builders, and not part of a graph document unless they are names.
const PORTS = {
  approver: { anyOf: [{ type: "string" }, { type: "object" }], title: "Approver", "x-ui-hidden": true },
  clock: { anyOf: [{ type: "string" }, { type: "object" }], title: "Clock", "x-ui-hidden": true },
  ids: { title: "Ids", "x-ui-hidden": true },
} as const;

export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    prompt: {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "object" } }],
      title: "Prompt",
      description: "What the user says: text, or a list of text and image blocks",
    },
    messages: { type: "array", items: { type: "object" }, title: "Messages", description: "The conversation so far" },
    system: { type: "string", title: "System", description: "Instructions that stand before the conversation" },
    model: { anyOf: [{ type: "string" }, { type: "object" }], title: "Model", description: "A model, or the name of a bound one" },
    tools: {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "object" }] },
      title: "Tools",
      description: "Tools, names of bound tools, or names of task types",
    },
    argumentDeltas: { type: "boolean", title: "Argument deltas", description: "Emit argument text while it streams (default false)" },
    ...LIMITS,
    ...CHOICES,
    ...PORTS,
  },
  required: ["prompt", "model"],
  additionalProperties: false,
} as const satisfies DataPortSchema;

export const OUTPUT_SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string", title: "Text", description: "The text of all rounds", "x-stream": "append" },
    messages: { type: "array", items: { type: "object" }, title: "Messages", description: "The conversation after the turn" },
    rounds: { type: "number", title: "Rounds", description: "Accepted model answers" },
    stopReason: { type: "string", title: "Stop reason" },
    usage: { type: "object", additionalProperties: true, title: "Usage", description: "Tokens by kind" },
  },
  required: ["text", "messages", "rounds", "stopReason", "usage"],
  additionalProperties: false,
} as const satisfies DataPortSchema;
