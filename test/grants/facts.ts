import { masked, minus, type Run, shapeOf } from "../faults/judge.ts";
import type { Change } from "../faults/tape.ts";

interface EndpointAnswer {
  readonly statusCode?: number;
  readonly body?: string;
}

/**
 * What can be said of an invocation afterwards, a line each: what it answered, what it changed in tables and buckets,
 * what it handed on, and that it asked others outside; without what is drawn or told by the clock.
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

/** An item that was changed is a fact for each of its attributes. */
function factsOfItem(change: Change): string[] {
  const [item, names] = shapeOf(change).split(" changed ");
  return names === undefined ? [`${item}`] : names.split(",").map((name) => `${item} changed ${name}`);
}

function answerOf(answer: unknown): string[] {
  const { statusCode, body = "" } = (answer ?? {}) as EndpointAnswer;
  if (statusCode === undefined) return [`answers ${masked(JSON.stringify(answer ?? null))}`];
  return [`answers ${statusCode}`, `body ${masked(body)}`];
}

/** Facts of an invocation with all grants, made twice, that are no more when it is made without one of them. */
export function lostFacts(first: readonly string[], again: readonly string[], removed: readonly string[]): string[] {
  const asserted = minus(first, minus(first, again));
  return minus(asserted, removed);
}
