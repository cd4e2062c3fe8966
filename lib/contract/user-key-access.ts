import { decryptDataKey, generateDataKey, getItem, putItem } from "./access.ts";
import { dataKey, teamKeys, userKeys } from "./resources.ts";

/** Grants to encrypt and decrypt user data: the user keys and their team keys. */
export const userKeyAccess = [getItem(userKeys), getItem(teamKeys), decryptDataKey(dataKey)] as const;

/** Grants to create the key of a new user, and the key of a team with its first user. */
export const createUserKeyAccess = [
  putItem(userKeys),
  ...([getItem(teamKeys), putItem(teamKeys), generateDataKey(dataKey), decryptDataKey(dataKey)] as const),
] as const;
