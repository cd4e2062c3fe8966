import type { StateMachineDefinition } from "./asl-definition.ts";
import type { Json, JsonObject } from "./json-path.ts";
import { type Frame, innermostFrame, type Position, stateAt } from "./position.ts";
import { recoverFromFailure } from "./recovery.ts";
import { runState, type StateEnvironment, type StateTransition } from "./run-state.ts";
import { StateFailure } from "./state-failure.ts";

/** Entry to or exit from a state, with its input or output. `type` as in GetExecutionHistory ("TaskStateEntered"). */
export interface StateEvent {
  readonly type: string;
  readonly name: string;
  readonly data: Json;
}

/** Result of one step. A running execution continues at `innermost(position).dueAt` if set, else at once. */
export type StepOutcome = { readonly events: StateEvent[] } & (
  | { readonly status: "RUNNING"; readonly position: Position }
  | { readonly status: "SUCCEEDED"; readonly output: Json }
  | { readonly status: "FAILED"; readonly error: string | undefined; readonly cause: string }
);

/** Data of an execution for its context object. */
export interface ExecutionInfo {
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
export function startExecution(definition: StateMachineDefinition, input: Json, now: number): StepOutcome {
  return enterState(definition, [], definition.StartAt, input, now, []);
}

/**
 * Runs the innermost state of a position once. An execution is a loop of "load position, step, save outcome".
 * Never rejects: every error becomes a failed outcome.
 */
export async function runStep(
  definition: StateMachineDefinition,
  position: Position,
  facts: ExecutionInfo,
  around: Omit<StateEnvironment, "context">,
): Promise<StepOutcome> {
  const surroundings: StateEnvironment = {
    context: contextObject(position, facts),
    now: () => around.now(),
    invoke: (functionArn, payload) => around.invoke(functionArn, payload),
  };
  try {
    const move = await runState(stateAt(definition, position), innermostFrame(position), surroundings);
    return applyTransition(definition, position, move, around.now());
  } catch (error) {
    return handleFailure(definition, position, StateFailure.of(error), around.now());
  }
}

function applyTransition(
  definition: StateMachineDefinition,
  position: Position,
  move: StateTransition,
  now: number,
): StepOutcome {
  const outer = position.slice(0, -1);
  if (move.kind === "stay") return { status: "RUNNING", position: [...outer, move.frame], events: [] };
  if (move.kind === "start-item")
    return enterState(definition, [...outer, move.frame], move.startAt, move.input, now, []);
  const { type, name } = toStateEvent(definition, position, "Exited");
  const events = [{ type, name, data: move.output }];
  if (move.next !== undefined) return enterState(definition, outer, move.next, move.output, now, events);
  const map = outer.at(-1);
  if (!map) return { status: "SUCCEEDED", output: move.output, events };
  return { status: "RUNNING", position: [...outer.slice(0, -1), addItemResult(map, move.output)], events };
}

function enterState(
  definition: StateMachineDefinition,
  outer: Position,
  state: string,
  input: Json,
  now: number,
  before: StateEvent[],
): StepOutcome {
  const position = [...outer, { state, input, enteredAt: now, retries: [] }];
  const { type, name } = toStateEvent(definition, position, "Entered");
  return { status: "RUNNING", position, events: [...before, { type, name, data: input }] };
}

function toStateEvent(definition: StateMachineDefinition, position: Position, what: "Entered" | "Exited") {
  return { type: `${stateAt(definition, position).Type}State${what}`, name: innermostFrame(position).state };
}

function addItemResult(frame: Frame, result: Json): Frame {
  return { ...frame, map: { items: frame.map?.items ?? [], results: [...(frame.map?.results ?? []), result] } };
}

/** Offers a failure to the state itself, then to the enclosing Map states. */
function handleFailure(
  definition: StateMachineDefinition,
  position: Position,
  failure: StateFailure,
  now: number,
): StepOutcome {
  try {
    for (let depth = position.length; depth > 0; depth -= 1) {
      const here = position.slice(0, depth);
      const move = recoverFromFailure(stateAt(definition, here), innermostFrame(here), failure, now);
      if (move) return applyTransition(definition, here, move, now);
    }
  } catch (error) {
    // The recovery itself can fail, for example when the ResultPath does not match the input.
    return toFailedOutcome(StateFailure.of(error));
  }
  return toFailedOutcome(failure);
}

function toFailedOutcome(failure: StateFailure): StepOutcome {
  return { status: "FAILED", error: failure.error, cause: failure.message, events: [] };
}

function contextObject(position: Position, facts: ExecutionInfo): JsonObject {
  const frame = innermostFrame(position);
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
