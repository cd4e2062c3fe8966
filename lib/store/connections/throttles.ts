import { throttles } from "../../contract/resources.ts";
import { connectionThrottleOf, throttleWindowStart } from "../../domain/connections/connection-throttle.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Connection starts of teams at providers in the current window: one counter for each team and provider. */
export class ThrottleStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Counts one more connection start. @returns undefined, or the instant (epoch ms) at which the window ends. */
  async reserve(scope: TeamScope, provider: string, nowMs: number): Promise<number | undefined> {
    const key = { pk: `${throttles.keyPrefix}${scope.teamId}`, sk: provider };
    const throttle = connectionThrottleOf(provider);
    const window = throttleWindowStart(throttle, nowMs);
    const values = { ":window": window, ":one": 1 };
    const more = {
      UpdateExpression: "ADD taken :one",
      ConditionExpression: "begun_at = :window AND taken < :most",
      ExpressionAttributeValues: { ...values, ":most": throttle.most },
    };
    const first = {
      UpdateExpression: "SET begun_at = :window, taken = :one",
      ConditionExpression: "attribute_not_exists(begun_at) OR begun_at < :window",
      ExpressionAttributeValues: values,
    };
    // A writer that loses the race to open a window finds it open.
    for (const change of [more, first, more])
      if (await isConditionMet(this.#table.update(key, change))) return undefined;
    return window + throttle.windowMs;
  }
}
