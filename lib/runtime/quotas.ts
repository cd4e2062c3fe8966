import type { Team } from "../domain/identity.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { QuotaPlace } from "../store/quotas.ts";
import { defaultLimits } from "./deployment.ts";
import { QuotaReached } from "./errors.ts";

/** Number of sharded counters for the users of a team. */
const PLACES = 8;

/**
 * Creates a user within the quota of its team, if the team has one. Tries counter shards until one has room.
 * @param create writes user and counter in one transaction. A {@link ConditionFailed} of the counter alone means that
 * the shard is full.
 * @param first a number that differs between users; selects the first shard.
 * @throws QuotaReached if all shards are full.
 */
export async function inUserQuota(
  { limits }: Team,
  first: number,
  create: (place?: QuotaPlace) => Promise<void>,
  isFull: (error: ConditionFailed) => boolean,
): Promise<void> {
  const most = limits?.users ?? defaultLimits().users;
  if (most === undefined || most === null) return create();
  for (let tried = 0; tried < PLACES; tried++) {
    const place = (first + tried) % PLACES;
    const share = Math.floor(most / PLACES) + (place < most % PLACES ? 1 : 0);
    try {
      if (share > 0) return await create({ place, most: share });
    } catch (error) {
      if (!(error instanceof ConditionFailed) || !isFull(error)) throw error;
    }
  }
  throw new QuotaReached(`A team can have at most ${most} users. Deleted users count until their grace period ends.`);
}
