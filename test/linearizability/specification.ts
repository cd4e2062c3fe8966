import { isDeepStrictEqual } from "node:util";
import type { Operation } from "./operation.ts";

/** What happens to an object if calls come one after another. States are plain data that JSON keeps. */
export interface Specification<S> {
  readonly initial: S;
  /** The states after an operation. None if its result is impossible; for a lost answer, all that are possible. */
  readonly after: (state: S, operation: Operation) => readonly S[];
}

/** The state after an operation that has one possible result, if it has this one or if a fault hid it. */
export function expectResult<S>(state: S, operation: Operation, result: readonly string[], next: S = state): S[] {
  if (operation.result === null) return next === state ? [state] : [state, next];
  return isDeepStrictEqual(operation.result, result) ? [next] : [];
}
