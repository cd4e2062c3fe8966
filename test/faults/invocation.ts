import { consumers } from "../../functions/index.ts";
import type { InvocationOutcome, InvocationRun } from "./judge-trial.ts";

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
const REDELIVERY_DELAY_MS = 16 * 60_000;
/** Callers and streams repeat soon. */
const RETRY_DELAY_MS = 1_000;
/** Operation ids of the functions that a schedule starts. */
export const scheduledOperations = new Set(
  consumers.filter(({ trigger }) => trigger.kind === "schedule").map((one) => one.operationId),
);

/** The operation id in a physical function name, whose end may be truncated. */
export const operationOf = (name: string): string => /-(\w+?)(Func\w*)?(-\w{8})?$/.exec(name)?.[1] ?? name;

/** Whether the event is a request, which only its sender repeats. */
export const isRequest = ({ event }: Pick<Invocation, "event">): boolean => (event as Event).rawPath !== undefined;

/** Whether an invocation contains several messages, which the function processes in parallel. */
export const isBatch = ({ event }: Invocation): boolean => ((event as Event).Records?.length ?? 0) > 1;

/** The repetition of an invocation that ended: callers and streams retry soon, queues and schedules later. */
export function retryOf(invocation: Invocation, { endedAt }: Pick<InvocationRun, "endedAt">): Invocation {
  const isOfStream = (invocation.event as Event).Records?.[0]?.dynamodb !== undefined;
  const isSoon = isOfStream || isRequest(invocation);
  return { ...invocation, at: endedAt + (isSoon ? RETRY_DELAY_MS : REDELIVERY_DELAY_MS) };
}

/** Whether nobody repeats an invocation with this outcome. A schedule runs again whatever the outcome. */
export const isFinalOutcome = ({ operation }: Invocation, outcome: InvocationOutcome): boolean =>
  !scheduledOperations.has(operation) && (outcome === "ok" || outcome === "refused");

/** Classifies the end of an invocation. @param answer of its function, or `error` if it threw. */
export function outcomeOf(invocation: Invocation, answer: unknown): InvocationOutcome {
  const { statusCode = 500, error, batchItemFailures = [] } = (answer ?? {}) as Answer;
  const isOfEndpoint = isRequest(invocation);
  if (error !== undefined) return isOfEndpoint && !error.includes("exited") ? "broken" : "unavailable";
  if (!isOfEndpoint) return batchItemFailures.length > 0 ? "unavailable" : "ok";
  if (statusCode === 503) return "unavailable";
  if (statusCode >= 500) return "broken";
  return statusCode >= 400 ? "refused" : "ok";
}
