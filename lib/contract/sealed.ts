import { get, open, put, seal } from "./access.ts";
import { dataKey, teamKeys, userKeys } from "./resources.ts";

/** What sealing and opening the data of users takes: their keys, and those of their teams. */
export const underUserKeys = [get(userKeys), get(teamKeys), open(dataKey)] as const;

/** What giving a new user a key takes, and a team its own with its first user. */
export const makingUserKeys = [
  put(userKeys),
  ...([get(teamKeys), put(teamKeys), seal(dataKey), open(dataKey)] as const),
] as const;
