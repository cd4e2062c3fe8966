import { expect } from "vitest";
import { exploreModel, type Model } from "./explore-model.ts";
import type { ModelState } from "./state-layout.ts";

/** Maximum duration of a test with all states of a deep run. */
export const EXPLORATION = { timeout: 30 * 60_000 };

/** Expects that all invariants hold in all states of a model. */
export function expectToHold<S extends ModelState>(model: Model<S>): void {
  const { broken, trace, isComplete } = exploreModel(model);
  expect([broken, trace, isComplete]).toEqual([undefined, [], true]);
}

/** Expects that an invariant breaks, first after this number of steps. */
export function expectToBreak<S extends ModelState>(model: Model<S>, invariant: string, steps: number): void {
  const { broken, trace } = exploreModel(model);
  expect([broken, trace.length], trace.join("\n")).toEqual([invariant, steps]);
}
