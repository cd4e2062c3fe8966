import type { Retrier, State } from "./asl-definition.ts";
import { applyResultPath } from "./data-flow.ts";
import type { JsonObject } from "./json-path.ts";
import type { Frame } from "./position.ts";
import type { StateTransition } from "./run-state.ts";
import type { StateFailure } from "./state-failure.ts";

/** Applies `Retry`, then `Catch` of a failed state. Undefined when neither matches. */
export function recoverFromFailure(
  state: State,
  frame: Frame,
  failure: StateFailure,
  now: number,
): StateTransition | undefined {
  // States.Runtime can be neither retried nor caught, not even by States.ALL (Step Functions guide, "Error names").
  if (failure.error === "States.Runtime" || (state.Type !== "Task" && state.Type !== "Map")) return undefined;
  const retry = state.Retry.findIndex(({ ErrorEquals }) => matches(ErrorEquals, failure));
  const retrier = state.Retry[retry];
  const made = frame.retries[retry] ?? 0;
  if (retrier && made < retrier.MaxAttempts) {
    // A retried Map state restarts with its first item.
    const { map: _progress, ...again } = frame;
    const retries = state.Retry.map((_, index) => (frame.retries[index] ?? 0) + (index === retry ? 1 : 0));
    return { kind: "stay", frame: { ...again, retries, dueAt: now + backoffMs(retrier, made) } };
  }
  const catcher = state.Catch.find(({ ErrorEquals }) => matches(ErrorEquals, failure));
  if (!catcher) return undefined;
  const output = applyResultPath(catcher.ResultPath, frame.input, errorOutput(failure));
  return { kind: "leave", output, next: catcher.Next };
}

function matches(names: string[], failure: StateFailure): boolean {
  return names.some((name) => name === "States.ALL" || name === failure.error || isTaskFailed(name, failure));
}

/** States.TaskFailed matches every error except a timeout. */
function isTaskFailed(name: string, failure: StateFailure): boolean {
  return name === "States.TaskFailed" && failure.error !== "States.Timeout";
}

function backoffMs(retrier: Retrier, made: number): number {
  const seconds = retrier.IntervalSeconds * retrier.BackoffRate ** made;
  return Math.min(seconds, retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY) * 1000;
}

function errorOutput(failure: StateFailure): JsonObject {
  return { Error: failure.error ?? "", Cause: failure.message };
}
