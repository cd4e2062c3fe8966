import type { Ids } from "./attack-request.ts";

/** Returns the caller's ids with those of the victim instead, where the victim has the kind. */
export const mixIds = (own: Ids, victims: Ids): Ids => ({ ...own, ...victims });

/** Returns ids that nobody has. An id that caller and victim share stays, as that of their organisation. */
export const unknownIds = (own: Ids, foreign: Ids): Ids =>
  Object.fromEntries(Object.entries(foreign).map(([name, id]) => [name, id === own[name] ? id : crypto.randomUUID()]));
