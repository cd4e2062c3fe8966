import type { Team } from "../../domain/management/records.ts";
import { defaultLimits } from "../../runtime/deployment.ts";
import { QuotaReached } from "../../runtime/errors.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { QuotaShard } from "../../store/usage/quotas.ts";

/** Number of sharded counters for the users of a team. */
const COUNTER_SHARDS = 8;

/**
 * Creates a user within the quota of its team, if the team has one. Tries counter shards until one has room.
 * @param create writes user and counter in one transaction. A {@link ConditionFailed} of the counter alone means that
 * the shard is full.
 * @param first a number that differs between users; selects the first shard.
 * @throws QuotaReached if all shards are full.
 */
export async function createWithinUserQuota(
  { limits }: Team,
  first: number,
  create: (place?: QuotaShard) => Promise<void>,
  isFull: (error: ConditionFailed) => boolean,
): Promise<void> {
  const most = limits?.users ?? defaultLimits().users;
  if (most === undefined || most === null) return create();
  for (let tried = 0; tried < COUNTER_SHARDS; tried++) {
    const place = (first + tried) % COUNTER_SHARDS;
    const share = Math.floor(most / COUNTER_SHARDS) + (place < most % COUNTER_SHARDS ? 1 : 0);
    try {
      if (share > 0) return await create({ shard: place, max: share });
    } catch (error) {
      if (!(error instanceof ConditionFailed) || !isFull(error)) throw error;
    }
  }
  throw new QuotaReached(`A team can have at most ${most} users. Deleted users count until their grace period ends.`);
}
