import { usage } from "../../contract/resources.ts";
import type { Key } from "../item.ts";
import { scanKeys } from "../scan-keys.ts";
import type { Table } from "../table.ts";

/** A user with data in a table. */
export interface DataOwner {
  readonly team_id: string;
  readonly user_id: string;
}

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** The key of a user's partition contains the ids of team and user in sequence. */
const OWNED = new RegExp(`#(?<team_id>${ID})#(?:of#)?(?<user_id>${ID})(?:#|$)`);
/** The stored bytes of a user are an item among the usage of the team. */
const GAUGE = new RegExp(`^${usage.keyPrefix}(?<team_id>${ID}) user#(?<user_id>${ID})$`);

/** Returns the pair of ids in the key of an item that may identify a team and one of its users. */
export function dataOwnerOf({ pk, sk }: Key): DataOwner | undefined {
  const { team_id, user_id } = (OWNED.exec(pk) ?? GAUGE.exec(`${pk} ${sk}`))?.groups ?? {};
  return team_id === undefined || user_id === undefined ? undefined : { team_id, user_id };
}

/** Yields every pair of ids in the keys of a table that may identify a team and one of its users. A pair may repeat. */
export async function* scanDataOwners(table: Table): AsyncGenerator<DataOwner> {
  for await (const key of scanKeys(table)) {
    const owner = dataOwnerOf(key);
    if (owner) yield owner;
  }
}
