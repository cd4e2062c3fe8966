import { type Action, actions } from "./access-counts.ts";

/** Numbers of users that docs/scale.md computes. */
export const SCALES = [10_000, 1_000_000, 100_000_000] as const;

/** Actions of a mean user in a day. A fifth of the users have a connection that is polled every hour. */
export const actionsPerDay: Readonly<Record<Action, number>> = { sync: 24, read: 4, poll: 0.2 * 24 };

/** Actions of the busiest user in a minute. */
const busiestUserPerMinute: Readonly<Record<Action, number>> = { sync: 12, read: 60, poll: 1 };

/** Rate of the busiest hour against the mean of the day. */
export const PEAK_FACTOR = 3;

/** Deleted users in a day, as a share of all. */
export const DELETIONS_PER_USER_DAY = 0.0005;

/** Days after which stored data is counted. */
export const STORED_DAYS = 365;

/** The busiest team has a tenth of all users, up to the number that one team may have. */
const BUSIEST_TEAM_SHARE = 0.1;
/** Users of one team for which the service is built. */
const MOST_USERS_OF_TEAM = 150_000;

const DAY_S = 86_400;
const MINUTE_S = 60;

export const usersOfBusiestTeam = (users: number): number => Math.min(users * BUSIEST_TEAM_SHARE, MOST_USERS_OF_TEAM);

/** Actions a second of a number of users in the busiest hour. */
export const peakRate = (action: Action, users: number): number =>
  (actionsPerDay[action] * users * PEAK_FACTOR) / DAY_S;

/** What all actions of a number of users need a second in the busiest hour. @param count what one action needs. */
export const peakSum = (users: number, count: (action: Action) => number): number =>
  actions.reduce((sum, action) => sum + count(action) * peakRate(action, users), 0);

/** Actions a second of the busiest user. */
export const busiestUserRate = (action: Action): number => busiestUserPerMinute[action] / MINUTE_S;
