import type { Scope, State } from "./asl-definition.ts";
import type { Json } from "./json-path.ts";
import { StateFailure } from "./state-failure.ts";

/** One state that an execution is in. All of it is JSON: it is what a restart continues from. */
export interface Frame {
  readonly state: string;
  readonly input: Json;
  /** Epoch milliseconds. */
  readonly enteredAt: number;
  /** Retries made so far, one count for each entry of the state's `Retry`. */
  readonly retries: readonly number[];
  /** The instant (epoch ms) the state goes on: the end of a wait, or of a retry's back-off. */
  readonly dueAt?: number;
  /** How far a Map state has come; the item being worked on is at the index `results.length`. */
  readonly map?: { readonly items: Json[]; readonly results: Json[] };
}

/** Where an execution is: its states from the outermost inwards, more than one only inside Map states. Never empty. */
export type Position = readonly Frame[];

/** The innermost frame, the one that runs next. */
export function innermost(position: Position): Frame {
  const frame = position.at(-1);
  if (!frame) throw new Error("an execution is always in some state");
  return frame;
}

/** The definition of the innermost state. @throws StateFailure States.Runtime where the definition has no such state. */
export function stateAt(definition: Scope, position: Position): State {
  const frame = innermost(position);
  const state = scopeAt(definition, position).States[frame.state];
  if (!state) throw StateFailure.runtime(`The definition has no state '${frame.state}'`);
  return state;
}

function scopeAt(definition: Scope, position: Position): Scope {
  const outer = position.slice(0, -1);
  if (outer.length === 0) return definition;
  const state = stateAt(definition, outer);
  if (state.Type !== "Map") throw StateFailure.runtime(`The state '${innermost(outer).state}' is no Map any more`);
  return state.ItemProcessor;
}

/** The position in which a redriven execution starts anew: in the same states, with all retries granted again. */
export function refreshed(position: Position): Position {
  return position.map(({ dueAt: _dueAt, ...frame }) => ({ ...frame, retries: [] }));
}
