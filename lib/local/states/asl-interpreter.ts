import type { Scope } from "./asl-definition.ts";
import type { Json, JsonObject } from "./json-path.ts";
import { type Frame, innermost, type Position, stateAt } from "./position.ts";
import { recover } from "./recovery.ts";
import { type Move, runState, type Surroundings } from "./run-state.ts";
import { StateFailure } from "./state-failure.ts";

/** Entry to or exit from a state, with its input or output. `type` as in GetExecutionHistory ("TaskStateEntered"). */
export interface StateEvent {
  readonly type: string;
  readonly name: string;
  readonly data: Json;
}

/** Result of one step. A running execution continues at `innermost(position).dueAt` if set, else at once. */
export type Outcome = { readonly events: StateEvent[] } & (
  | { readonly status: "RUNNING"; readonly position: Position }
  | { readonly status: "SUCCEEDED"; readonly output: Json }
  | { readonly status: "FAILED"; readonly error: string | undefined; readonly cause: string }
);

/** Data of an execution for its context object. */
export interface ExecutionFacts {
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly machineName: string;
  readonly input: Json;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly redriveCount: number;
}

/** Enters the start state of a definition. */
export function begin(definition: Scope, input: Json, now: number): Outcome {
  return enter(definition, [], definition.StartAt, input, now, []);
}

/**
 * Runs the innermost state of a position once. An execution is a loop of "load position, step, save outcome".
 * Never rejects: every error becomes a failed outcome.
 */
export async function step(
  definition: Scope,
  position: Position,
  facts: ExecutionFacts,
  around: Omit<Surroundings, "context">,
): Promise<Outcome> {
  const surroundings: Surroundings = {
    context: contextObject(position, facts),
    now: () => around.now(),
    invoke: (functionArn, payload) => around.invoke(functionArn, payload),
  };
  try {
    const move = await runState(stateAt(definition, position), innermost(position), surroundings);
    return apply(definition, position, move, around.now());
  } catch (error) {
    return unwind(definition, position, StateFailure.of(error), around.now());
  }
}

function apply(definition: Scope, position: Position, move: Move, now: number): Outcome {
  const outer = position.slice(0, -1);
  if (move.kind === "stay") return { status: "RUNNING", position: [...outer, move.frame], events: [] };
  if (move.kind === "start-item") return enter(definition, [...outer, move.frame], move.startAt, move.input, now, []);
  const { type, name } = eventOf(definition, position, "Exited");
  const events = [{ type, name, data: move.output }];
  if (move.next !== undefined) return enter(definition, outer, move.next, move.output, now, events);
  const map = outer.at(-1);
  if (!map) return { status: "SUCCEEDED", output: move.output, events };
  return { status: "RUNNING", position: [...outer.slice(0, -1), withResult(map, move.output)], events };
}

function enter(
  definition: Scope,
  outer: Position,
  state: string,
  input: Json,
  now: number,
  before: StateEvent[],
): Outcome {
  const position = [...outer, { state, input, enteredAt: now, retries: [] }];
  const { type, name } = eventOf(definition, position, "Entered");
  return { status: "RUNNING", position, events: [...before, { type, name, data: input }] };
}

function eventOf(definition: Scope, position: Position, what: "Entered" | "Exited") {
  return { type: `${stateAt(definition, position).Type}State${what}`, name: innermost(position).state };
}

function withResult(frame: Frame, result: Json): Frame {
  return { ...frame, map: { items: frame.map?.items ?? [], results: [...(frame.map?.results ?? []), result] } };
}

/** Offers a failure to the state itself, then to the enclosing Map states. */
function unwind(definition: Scope, position: Position, failure: StateFailure, now: number): Outcome {
  try {
    for (let depth = position.length; depth > 0; depth -= 1) {
      const here = position.slice(0, depth);
      const move = recover(stateAt(definition, here), innermost(here), failure, now);
      if (move) return apply(definition, here, move, now);
    }
  } catch (error) {
    // The recovery itself can fail, for example when the ResultPath does not match the input.
    return failed(StateFailure.of(error));
  }
  return failed(failure);
}

function failed(failure: StateFailure): Outcome {
  return { status: "FAILED", error: failure.error, cause: failure.message, events: [] };
}

function contextObject(position: Position, facts: ExecutionFacts): JsonObject {
  const frame = innermost(position);
  const map = position.at(-2)?.map;
  const index = map?.results.length ?? 0;
  return {
    Execution: {
      Id: facts.arn,
      Name: facts.name,
      Input: facts.input,
      StartTime: new Date(facts.startedAt).toISOString(),
      RedriveCount: facts.redriveCount,
    },
    StateMachine: { Id: facts.machineArn, Name: facts.machineName },
    State: {
      Name: frame.state,
      EnteredTime: new Date(frame.enteredAt).toISOString(),
      RetryCount: frame.retries.reduce((sum, count) => sum + count, 0),
    },
    ...(map ? { Map: { Item: { Index: index, Value: map.items[index] ?? null } } } : {}),
  };
}
