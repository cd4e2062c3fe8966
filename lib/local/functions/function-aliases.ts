import type { LocalFunction } from "./lambda-context.ts";

/** A second version that takes a share of an alias's invocations. */
export interface AdditionalVersion {
  readonly fn: LocalFunction;
  /** From 0 to 1. */
  readonly weight: number;
}

interface Alias {
  readonly fn: LocalFunction;
  readonly additional: AdditionalVersion | undefined;
  /** Share of an invocation that the additional version still has to take. */
  owed: number;
}

/** Called on each invocation of an alias, as Lambda counts them by version. */
export type AliasObserver = (aliasArn: string, version: string, hasFailed: boolean) => void;

/**
 * Aliases of functions, each with one or two versions (Lambda Developer Guide, "Using versions and aliases in weighted
 * configurations"). The additional version takes exactly its share in turn; Lambda chooses by chance.
 */
export class FunctionAliases {
  readonly #aliases = new Map<string, Alias>();
  observe: AliasObserver = () => undefined;

  /** Points an alias to a version, and optionally to an additional one. */
  point(arn: string, fn: LocalFunction, additional?: AdditionalVersion): void {
    this.#aliases.set(arn, { fn, additional, owed: 0 });
  }

  /** The version for the next invocation of an alias; undefined if no alias has this ARN. */
  choose(arn: string): LocalFunction | undefined {
    const alias = this.#aliases.get(arn);
    if (!alias?.additional) return alias?.fn;
    alias.owed += alias.additional.weight;
    // The sum of ten tenths is a little below one.
    if (alias.owed < 1 - Number.EPSILON * 10) return alias.fn;
    alias.owed -= 1;
    return alias.additional.fn;
  }
}
