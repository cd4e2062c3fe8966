import { masked, minus, type Run, shapeOf } from "../faults/judge.ts";
import type { Change } from "../faults/tape.ts";

interface EndpointAnswer {
  readonly statusCode?: number;
  readonly body?: string;
}

/**
 * Describes the observable effects of an invocation, one line each: its response, changes in tables and buckets,
 * messages, and outbound requests. Leaves out random values and times.
 */
export function factsOf({ answer, calls, changes, messages, objects }: Run): string[] {
  return [
    ...answerOf(answer),
    ...changes.flatMap(factsOfItem),
    ...messages.map((one) => `sends ${masked(one)}`),
    ...calls.filter((one) => one === "http").map(() => "asks somebody outside"),
    ...objects.map((one) => `object ${masked(one)}`),
  ];
}

/** Describes a changed item, one line per attribute. */
function factsOfItem(change: Change): string[] {
  const [item, names] = shapeOf(change).split(" changed ");
  return names === undefined ? [`${item}`] : names.split(",").map((name) => `${item} changed ${name}`);
}

function answerOf(answer: unknown): string[] {
  const { statusCode, body = "" } = (answer ?? {}) as EndpointAnswer;
  if (statusCode === undefined) return [`answers ${masked(JSON.stringify(answer ?? null))}`];
  return [`answers ${statusCode}`, `body ${masked(body)}`];
}

/** Facts of two invocations with all grants that an invocation without one grant lacks. */
export function lostFacts(first: readonly string[], again: readonly string[], removed: readonly string[]): string[] {
  const asserted = minus(first, minus(first, again));
  return minus(asserted, removed);
}
