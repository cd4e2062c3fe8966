import { usage } from "../../contract/resources.ts";
import { allKeys } from "../all-keys.ts";
import type { Table } from "../table.ts";

/** A user of whom a table has something. */
export interface Owner {
  readonly team_id: string;
  readonly user_id: string;
}

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** Partitions of users have the ids of team and user in their names, one after the other. */
const OWNED = new RegExp(`#(?<team_id>${ID})#(?:of#)?(?<user_id>${ID})(?:#|$)`);
/** What a user has stored is noted among the usage of the team. */
const GAUGE = new RegExp(`^${usage.keyPrefix}(?<team_id>${ID}) user#(?<user_id>${ID})$`);

/** Every two ids in the keys of a table that may be those of a team and of one of its users; some come several times. */
export async function* ownersIn(table: Table): AsyncGenerator<Owner> {
  for await (const { pk, sk } of allKeys(table)) {
    const { team_id, user_id } = (OWNED.exec(pk) ?? GAUGE.exec(`${pk} ${sk}`))?.groups ?? {};
    if (team_id !== undefined && user_id !== undefined) yield { team_id, user_id };
  }
}
