import { consumers } from "../../functions/index.ts";
import type { Outcome } from "./judge.ts";

/** An invocation of a function at an instant (epoch milliseconds). */
export interface Invocation {
  /** Physical name of the function. */
  readonly name: string;
  readonly operation: string;
  readonly event: unknown;
  readonly at: number;
}

/** Fields of the events of all trigger types. */
interface Event {
  readonly rawPath?: string;
  readonly Records?: readonly { readonly dynamodb?: object }[];
}

interface Answer {
  readonly statusCode?: number;
  readonly error?: string;
  readonly batchItemFailures?: readonly unknown[];
}

/** Longer than any lease and than any visibility timeout. */
const LATER_MS = 16 * 60_000;
const SOON_MS = 1_000;
const scheduled = new Set(consumers.filter(({ trigger }) => trigger.kind === "schedule").map((one) => one.operationId));

/** The operation id in a physical function name, whose end may be truncated. */
export const operationOf = (name: string): string => /-(\w+?)(Func\w*)?(-\w{8})?$/.exec(name)?.[1] ?? name;

/** Whether the event is a request, which only its sender repeats. */
export const isEndpoint = ({ event }: Pick<Invocation, "event">): boolean => (event as Event).rawPath !== undefined;

/** Whether an invocation contains several messages, which the function processes in parallel. */
export const isBatch = ({ event }: Invocation): boolean => ((event as Event).Records?.length ?? 0) > 1;

/** The repetition of an invocation: callers retry at once, streams soon, queues and schedules later. */
export function repetitionOf(invocation: Invocation): Invocation {
  const { event, at } = invocation;
  if (isEndpoint(invocation)) return invocation;
  const isOfStream = (event as Event).Records?.[0]?.dynamodb !== undefined;
  return { ...invocation, at: at + (isOfStream ? SOON_MS : LATER_MS) };
}

/** Whether nobody repeats an invocation with this outcome. A schedule runs again whatever the outcome. */
export const isFinal = ({ operation }: Invocation, outcome: Outcome): boolean =>
  !scheduled.has(operation) && (outcome === "ok" || outcome === "refused");

/** Classifies the end of an invocation. @param answer of its function, or `error` if it threw. */
export function outcomeOf(invocation: Invocation, answer: unknown): Outcome {
  const { statusCode = 500, error, batchItemFailures = [] } = (answer ?? {}) as Answer;
  const isOfEndpoint = isEndpoint(invocation);
  if (error !== undefined) return isOfEndpoint && !error.includes("exited") ? "broken" : "unavailable";
  if (!isOfEndpoint) return batchItemFailures.length > 0 ? "unavailable" : "ok";
  if (statusCode === 503) return "unavailable";
  if (statusCode >= 500) return "broken";
  return statusCode >= 400 ? "refused" : "ok";
}
