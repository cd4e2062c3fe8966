import type { Team } from "../../domain/management/records.ts";
import { defaultLimits } from "../../runtime/deployment.ts";
import { QuotaReached } from "../../runtime/errors.ts";
import { serviceBusy } from "../../runtime/outages.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import { USER_SHARDS, type UserPlace } from "../../store/usage/quotas.ts";

/** Maximum number of tries of a creation while others change the same counters. */
const MAX_TRIES = 10;

const WHO_COUNTS = "Deleted users count until their grace period ends.";

/** What the creation of a user needs of the store. */
interface UserCreation {
  /** A number that differs between users; selects the first shard. */
  readonly first: number;
  /** Reads the numbers of users by shard. */
  readonly count: () => Promise<readonly number[]>;
  /** Writes user and counter in one transaction. */
  readonly create: (place: UserPlace) => Promise<void>;
  /** Whether the conditions of counters failed, and no other. */
  readonly isRaced: (error: ConditionFailed) => boolean;
}

/**
 * Creates and counts a user, within the quota of its team if the team has one.
 *
 * Each shard has a share of the quota, so a creation needs room in one counter only. A shard has more than its share if a
 * higher limit or none applied before. Then no sum of shares holds, so the creation sums the counters and demands that
 * none of them changes. Both ways fill shards below their share only.
 * @throws QuotaReached; Unavailable if others change the counters all the time.
 */
export async function createWithinUserQuota({ limits }: Team, creation: UserCreation): Promise<void> {
  const { first, count, create, isRaced } = creation;
  const most = limits?.users ?? defaultLimits().users;
  if (most === undefined || most === null) return create({ shard: first % USER_SHARDS });
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const place = findPlace(await count(), most, first);
    try {
      return await create(place);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || !isRaced(error)) throw error;
      if (place.max === 0) throw new QuotaReached(`A team can have at most ${most} users. ${WHO_COUNTS}`);
    }
  }
  throw serviceBusy();
}

/**
 * Finds a shard with room. Without one the write finds out, so that what else is wrong with the user comes first, such as
 * a `client_user_id` that is taken.
 */
function findPlace(counts: readonly number[], most: number, first: number): UserPlace {
  const shareOf = (shard: number) => Math.floor(most / USER_SHARDS) + (shard < most % USER_SHARDS ? 1 : 0);
  const hasRoom = (shard: number) => (counts[shard] ?? 0) < shareOf(shard);
  const shards = counts.map((_, place) => (first + place) % USER_SHARDS);
  const shard = shards.find(hasRoom);
  const isFull = counts.reduce((sum, one) => sum + one, 0) >= most;
  if (shard === undefined || isFull) return { shard: first % USER_SHARDS, max: 0 };
  const isExceeded = counts.some((taken, one) => taken > shareOf(one));
  return { shard, max: shareOf(shard), ...(isExceeded ? { counts } : {}) };
}
