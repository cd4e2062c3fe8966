import { get, open, put, seal } from "./access.ts";
import { dataKey, teamKeys, userKeys } from "./resources.ts";

/** Grants to encrypt and decrypt user data: the user keys and their team keys. */
export const underUserKeys = [get(userKeys), get(teamKeys), open(dataKey)] as const;

/** Grants to create the key of a new user, and the key of a team with its first user. */
export const makingUserKeys = [
  put(userKeys),
  ...([get(teamKeys), put(teamKeys), seal(dataKey), open(dataKey)] as const),
] as const;
