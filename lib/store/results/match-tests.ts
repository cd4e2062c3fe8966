import { matchTests } from "../../contract/resources.ts";
import { type MatchTest, matchTest } from "../../domain/match-reviews/match-test.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** How long trials can be read, and their idempotency keys are kept. */
const KEPT_S = 30 * 24 * 60 * 60;

const testKey = ({ teamId }: TeamScope, runId: string): Key => ({
  pk: `${matchTests.keyPrefix}${teamId}`,
  sk: runId,
});

/** Trials of unmatched results. */
export class MatchTestStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, runId: string): Promise<MatchTest | undefined> {
    return this.#table.get(testKey(scope, runId), matchTest);
  }

  /** Writes a new trial. @returns the one that has its id already, else the new one. */
  async open(scope: TeamScope, test: MatchTest): Promise<MatchTest> {
    try {
      await this.put(scope, test, isNew);
      return test;
    } catch (error) {
      const known = error instanceof ConditionFailed ? await this.get(scope, test.run_id) : undefined;
      if (!known) throw error;
      return known;
    }
  }

  /** Replaces a trial; only one run at a time is at it, and a second run writes the same again. */
  put(scope: TeamScope, test: MatchTest, condition?: string): Promise<void> {
    const expires_at = Math.floor(Date.parse(test.created_at) / 1000) + KEPT_S;
    const item = { ...testKey(scope, test.run_id), ...test, expires_at };
    return this.#table.put(item, condition === undefined ? undefined : { ConditionExpression: condition });
  }
}
