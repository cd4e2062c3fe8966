import type { Model } from "../explore-model.ts";
import type { ModelState } from "../state-layout.ts";

/** An effect of a real handler, and the steps of the model that may explain it. */
export interface ObservedEffect<S extends ModelState> {
  /** What happened, for the report of a refusal. */
  readonly text: string;
  /** Names of the rules of which one explains the effect. Without any, the model stays where it is. */
  readonly rules: readonly string[];
  /** Names of rules that must not be possible, because the handler was refused what they do. */
  readonly impossible?: readonly string[];
  /** Whether a state of the model shows what the store holds after the effect. */
  readonly isSeen: (state: S) => boolean;
}

/** The result of a replay. */
export interface Replay {
  readonly steps: number;
  /** The effect that no step of the model explains, after those before it. */
  readonly refused?: string;
}

/**
 * Follows a trace of real effects through a model. After each effect it keeps all states of the model that the effects so
 * far allow, and checks the invariants in each.
 */
export function replayTrace<S extends ModelState>(model: Model<S>, trace: readonly ObservedEffect<S>[]): Replay {
  const rules = Map.groupBy(model.rules, ({ name }) => name);
  const next = (state: S, name: string): readonly S[] => {
    const named = rules.get(name);
    if (!named) throw new Error(`the model has no step "${name}"`);
    return named.flatMap((rule) => rule.next(state));
  };
  let states: readonly S[] = [model.initial];
  for (const [place, { text, rules: names, impossible = [], isSeen }] of trace.entries()) {
    const possible = states.filter((state) => impossible.every((name) => next(state, name).length === 0));
    const after =
      names.length === 0 ? possible : possible.flatMap((state) => names.flatMap((name) => next(state, name)));
    const seen = new Map(after.filter(isSeen).map((state) => [JSON.stringify(state), state]));
    states = [...seen.values()].filter((state) => Object.values(model.invariants).every((holds) => holds(state)));
    if (states.length === 0) {
      const last = trace.slice(Math.max(0, place - 8), place).map((effect) => effect.text);
      return { steps: place, refused: [...last, `REFUSED ${text}`].join("\n") };
    }
  }
  return { steps: trace.length };
}
