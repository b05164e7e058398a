// Names for what a graph document cannot hold: models, function tools, approvers and clocks, bound in Workglow's registry.
import type { Approver, Clock, ErrorCode, Model, Tool } from "@callwire/wire";
import { createServiceToken, globalServiceRegistry, type ServiceRegistry, type ServiceToken } from "@workglow/util";
import { AgentConfigurationError } from "./errors.ts";

type Bound<T> = ReadonlyMap<string, T>;
type Token<T> = ServiceToken<Bound<T>>;

export const CALLWIRE_MODELS: Token<Model> = createServiceToken("callwire.models");
export const CALLWIRE_TOOLS: Token<Tool> = createServiceToken("callwire.tools");
export const CALLWIRE_APPROVERS: Token<Approver> = createServiceToken("callwire.approvers");
export const CALLWIRE_CLOCKS: Token<Clock> = createServiceToken("callwire.clocks");
/** Bound to `true` by a host that lets documents run task tools without asking (`approval: "never"`). No document can bind it. */
export const CALLWIRE_ALLOW_UNASKED: ServiceToken<boolean> = createServiceToken("callwire.allow-unasked");

function bind<T>(token: Token<T>, name: string, value: T, registry: ServiceRegistry): void {
  const bound = registry.has(token) ? registry.get(token) : undefined;
  registry.registerInstance(token, new Map([...(bound ?? []), [name, value]]));
}

/** Binds a model under a name that graph documents use. Default: Workglow's global registry. */
export function bindModel(name: string, model: Model, registry: ServiceRegistry = globalServiceRegistry): void {
  bind(CALLWIRE_MODELS, name, model, registry);
}

/** Binds a function tool under its own name. Default: Workglow's global registry. */
export function bindTool(tool: Tool, registry: ServiceRegistry = globalServiceRegistry): void {
  bind(CALLWIRE_TOOLS, tool.name, tool, registry);
}

/** Binds an approver. One bound as `default` serves every agent that names none. Default: Workglow's global registry. */
export function bindApprover(name: string, approver: Approver, registry: ServiceRegistry = globalServiceRegistry): void {
  bind(CALLWIRE_APPROVERS, name, approver, registry);
}

/** Binds a clock under a name. Default: Workglow's global registry. */
export function bindClock(name: string, clock: Clock, registry: ServiceRegistry = globalServiceRegistry): void {
  bind(CALLWIRE_CLOCKS, name, clock, registry);
}

/** Looks a name up in the run's registry, then in the global one. */
export function lookUp<T>(token: Token<T>, name: string, registry: ServiceRegistry): T | undefined {
  for (const place of [registry, globalServiceRegistry]) {
    const value = place.has(token) ? place.get(token).get(name) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The name under which a value is bound, if it is. */
export function boundName<T>(token: Token<T>, value: T, registry: ServiceRegistry): string | undefined {
  for (const place of [registry, globalServiceRegistry]) {
    if (!place.has(token)) continue;
    for (const [name, bound] of place.get(token)) if (bound === value) return name;
  }
  return undefined;
}

/** What a port was given: the thing itself, or its name. Throws a coded error for a name that nobody bound. */
export function resolvePort<T extends object>(
  given: T | string | undefined,
  port: { readonly token: Token<T>; readonly code: ErrorCode; readonly bind: string },
  registry: ServiceRegistry,
): T | undefined {
  if (typeof given !== "string") return given;
  const found = lookUp(port.token, given, registry);
  if (found !== undefined) return found;
  throw new AgentConfigurationError(
    port.code,
    `"${given}" is not bound: call ${port.bind} before the run, or pass the object itself.`,
  );
}
