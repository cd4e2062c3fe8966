import { matchTests } from "../../contract/resources.ts";
import { type MatchTest, matchTestRecord } from "../../domain/results/match-test.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Retention of match tests and their idempotency keys. */
const KEPT_S = 30 * 24 * 60 * 60;

const testKey = ({ teamId }: TeamScope, runId: string): Key => ({
  pk: `${matchTests.keyPrefix}${teamId}`,
  sk: runId,
});

/** Match tests of unmatched results. */
export class MatchTestStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, runId: string): Promise<MatchTest | undefined> {
    return this.#table.get(testKey(scope, runId), matchTestRecord);
  }

  /** Creates a match test. @returns the existing one if its id exists, otherwise the new one. */
  async getOrCreate(scope: TeamScope, test: MatchTest): Promise<MatchTest> {
    try {
      await this.put(scope, test, NOT_EXISTS);
      return test;
    } catch (error) {
      const known = error instanceof ConditionFailed ? await this.get(scope, test.run_id) : undefined;
      if (!known) throw error;
      return known;
    }
  }

  /**
   * Replaces a match test. Only one run processes a match test at a time, and a repeated run writes the same result.
   */
  put(scope: TeamScope, test: MatchTest, condition?: string): Promise<void> {
    const expires_at = Math.floor(Date.parse(test.created_at) / 1000) + KEPT_S;
    const item = { ...testKey(scope, test.run_id), ...test, expires_at };
    return this.#table.put(item, condition === undefined ? undefined : { ConditionExpression: condition });
  }
}
