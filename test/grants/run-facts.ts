import type { ItemChange } from "../faults/effect-recorder.ts";
import { changeShape, type InvocationRun, maskRandomValues, subtractOnce } from "../faults/judge-trial.ts";

interface EndpointResponse {
  readonly statusCode?: number;
  readonly body?: string;
}

/**
 * Describes the observable effects of an invocation, one line each: its response, changes in tables and buckets,
 * messages, and outbound requests. Leaves out random values and times.
 */
export function describeRun({ answer, calls, changes, messages, objects }: InvocationRun): string[] {
  return [
    ...describeAnswer(answer),
    ...changes.flatMap(describeChange),
    ...messages.map((one) => `sends ${maskRandomValues(one)}`),
    ...calls.filter((one) => one === "http").map(() => "asks somebody outside"),
    ...objects.map((one) => `object ${maskRandomValues(one)}`),
  ];
}

/** Describes a changed item, one line per attribute. */
function describeChange(change: ItemChange): string[] {
  const [item, names] = changeShape(change).split(" changed ");
  return names === undefined ? [`${item}`] : names.split(",").map((name) => `${item} changed ${name}`);
}

function describeAnswer(answer: unknown): string[] {
  const { statusCode, body = "" } = (answer ?? {}) as EndpointResponse;
  if (statusCode === undefined) return [`answers ${maskRandomValues(JSON.stringify(answer ?? null))}`];
  return [`answers ${statusCode}`, `body ${maskRandomValues(body)}`];
}

/** Facts of two invocations with all grants that an invocation without one grant lacks. */
export function lostFacts(first: readonly string[], again: readonly string[], removed: readonly string[]): string[] {
  const asserted = subtractOnce(first, subtractOnce(first, again));
  return subtractOnce(asserted, removed);
}
