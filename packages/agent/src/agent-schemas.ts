// The ports of AgentTask. Module constants: Workglow compiles a schema once per class.
import type { DataPortSchema } from "@workglow/util/schema";

const LIMITS = {
  maxRounds: { type: "number", title: "Max rounds", description: "Model answers per turn, at least 1 (default 8)" },
  maxToolResultChars: {
    type: "number",
    title: "Max tool result characters",
    description: "Per result, notice included (default 20,000)",
  },
  maxHistoryChars: {
    type: "number",
    title: "Max history characters",
    description: "Per request; oldest whole turns are left out (default 120,000)",
  },
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
  onDenied: {
    type: "string",
    enum: ["continue", "stop-round"],
    title: "On denied",
    description: "What happens to the rest of the round",
  },
  liveText: { type: "string", enum: ["auto", "settled", "live"], title: "Live text", description: "When text is emitted" },
} as const;

// An object of the host or its bound name. One type of two, not an anyOf: to try the first alternative of an anyOf, 0.2.37
// turns the value into JSON, which fails for what holds a client. A string stands first: an object would be invented as `{}`.
const NAME_OR_OBJECT = { type: ["string", "object"] } as const;

// Host ports: hidden in builders, and not part of a graph document unless they are names.
const PORTS = {
  approver: { ...NAME_OR_OBJECT, title: "Approver", "x-ui-hidden": true },
  clock: { ...NAME_OR_OBJECT, title: "Clock", "x-ui-hidden": true },
  ids: { title: "Ids", "x-ui-hidden": true },
} as const;

// Lists stand alone in an anyOf: MapTask and ReduceTask demand a list for a port whose type is array, and would iterate over
// the conversation. So they iterate over what is given as a list of lists, and leave an absent port alone.
function list(items: object) {
  return { anyOf: [{ type: "array", items }] } as const;
}

export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    prompt: {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "object" } }],
      title: "Prompt",
      description: "What the user says: text, or a list of text and image blocks",
    },
    messages: { ...list({ type: "object" }), title: "Messages", description: "The conversation so far" },
    system: { type: "string", title: "System", description: "Instructions that stand before the conversation" },
    model: {
      ...NAME_OR_OBJECT,
      title: "Model",
      description: "A model, or the name of a bound one",
    },
    tools: {
      ...list(NAME_OR_OBJECT),
      title: "Tools",
      description: "Tools, names of bound tools, or names of task types",
    },
    argumentDeltas: {
      type: "boolean",
      title: "Argument deltas",
      description: "Emit argument text while it streams (default false)",
    },
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
