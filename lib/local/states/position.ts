import type { State, StateMachineDefinition } from "./asl-definition.ts";
import type { Json } from "./json-path.ts";
import { StateFailure } from "./state-failure.ts";

/** A state that an execution is in. A frame is JSON, so that an execution can continue after a restart. */
export interface Frame {
  readonly state: string;
  readonly input: Json;
  /** Epoch milliseconds. */
  readonly enteredAt: number;
  /** Number of retries for each entry of the state's `Retry`. */
  readonly retries: readonly number[];
  /** The instant (epoch ms) at which the state continues: the end of a wait or of a retry's backoff. */
  readonly dueAt?: number;
  /** Progress of a Map state. The current item is at the index `results.length`. */
  readonly map?: { readonly items: Json[]; readonly results: Json[] };
}

/** The current states of an execution, outermost first. More than one only inside Map states. Never empty. */
export type Position = readonly Frame[];

/** The innermost frame, which runs next. */
export function innermostFrame(position: Position): Frame {
  const frame = position.at(-1);
  if (!frame) throw new Error("a position has at least one frame");
  return frame;
}

/** The definition of the innermost state. @throws StateFailure States.Runtime when the definition lacks the state. */
export function stateAt(definition: StateMachineDefinition, position: Position): State {
  const frame = innermostFrame(position);
  const state = definitionAt(definition, position).States[frame.state];
  if (!state) throw StateFailure.runtime(`The definition has no state '${frame.state}'`);
  return state;
}

function definitionAt(definition: StateMachineDefinition, position: Position): StateMachineDefinition {
  const outer = position.slice(0, -1);
  if (outer.length === 0) return definition;
  const state = stateAt(definition, outer);
  if (state.Type !== "Map")
    throw StateFailure.runtime(`The state '${innermostFrame(outer).state}' is not a Map state any more`);
  return state.ItemProcessor;
}

/** The position of a redriven execution: the same states, with all retry counts reset. */
export function resetRetries(position: Position): Position {
  return position.map(({ dueAt: _dueAt, ...frame }) => ({ ...frame, retries: [] }));
}
