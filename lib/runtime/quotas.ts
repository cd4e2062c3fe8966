import type { Team } from "../domain/identity.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { QuotaPlace } from "../store/quotas.ts";
import { defaultLimits } from "./deployment.ts";
import { QuotaReached } from "./errors.ts";

/** Counters over which the users of a team are spread. */
const PLACES = 8;

/**
 * Creates a user with a place in the quota of its team, if it has one, trying places until one is free.
 * @param create writes user and place in one transaction; of what it throws, {@link ConditionFailed} of the place alone says
 * that the place is full.
 * @param first any number that differs from user to user.
 * @throws QuotaReached when all places are full.
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
  throw new QuotaReached(`A team may have ${most} users; deleted ones count until their grace period is over.`);
}
