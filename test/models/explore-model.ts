import { type ModelState, type Ranges, StateLayout } from "./state-layout.ts";
import { StateSet } from "./state-set.ts";

/** A step that one part of a model can take. */
export interface Rule<S extends ModelState> {
  readonly name: string;
  /** Returns the states that the step leads to; none if the part cannot take it. */
  readonly next: (state: S) => readonly S[];
}

/** A protocol as states and steps, and what holds in every state. */
export interface Model<S extends ModelState> {
  readonly ranges: Ranges<S>;
  readonly initial: S;
  readonly rules: readonly Rule<S>[];
  /** What holds in every state, by a name that says so. */
  readonly invariants: Readonly<Record<string, (state: S) => boolean>>;
}

/** The states of a model that were visited. */
export interface Exploration {
  readonly states: number;
  readonly steps: number;
  /** Whether no further state can be reached. */
  readonly isComplete: boolean;
  /** The invariant that does not hold in some state. */
  readonly broken?: string;
  /** A shortest sequence of steps to that state. */
  readonly trace: readonly string[];
}

/**
 * Visits the states of a model breadth first and checks all invariants in each.
 * @param most number of states to visit at most.
 */
export function exploreModel<S extends ModelState>(model: Model<S>, most = Number.POSITIVE_INFINITY): Exploration {
  const states = new StateSet(new StateLayout(model.ranges));
  const checks = Object.entries(model.invariants);
  states.add(model.initial, -1);
  let steps = 0;
  for (let position = 0; position < states.size; position++) {
    const state = states.at(position);
    const broken = checks.find(([, holds]) => !holds(state))?.[0];
    const isComplete = position + 1 === states.size;
    if (broken !== undefined)
      return { states: position + 1, steps, isComplete, broken, trace: describePath(model, states.pathTo(position)) };
    for (const { next } of model.rules) {
      for (const after of next(state)) {
        steps++;
        if (states.size < most) states.add(after, position);
      }
    }
  }
  return { states: states.size, steps, isComplete: states.size < most, trace: [] };
}

/** Names the rule of each step, and what it changes. */
function describePath<S extends ModelState>(model: Model<S>, path: readonly S[]): string[] {
  return path.slice(1).map((after, index) => {
    const before = path[index] ?? model.initial;
    const text = JSON.stringify(after);
    const rule = model.rules.find(({ next }) => next(before).some((state) => JSON.stringify(state) === text));
    const changes = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
    return `${rule?.name}: ${changes.map((name) => `${name} ${JSON.stringify(after[name])}`).join(", ")}`;
  });
}
