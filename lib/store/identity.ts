import * as z from "zod";
import { keys, orgs, teams } from "../contract/resources.ts";
import { type KeyRecord, keyRecord, type Org, orgRecord, type Team, teamRecord } from "../domain/identity.ts";
import { type Item, isNew, type Key, type Page, type Table } from "./table.ts";

const firstWrite = { ConditionExpression: isNew };

/** Organisations. */
export class OrgStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(orgId: string): Promise<Org | undefined> {
    return this.#table.get({ pk: `${orgs.keyPrefix}${orgId}`, sk: "org" }, orgRecord);
  }

  /** @throws ConditionFailed when the id exists. */
  create(org: Org): Promise<void> {
    return this.#table.put({ pk: `${orgs.keyPrefix}${org.org_id}`, sk: "org", ...org }, firstWrite);
  }
}

const teamKey = (teamId: string): Key => ({ pk: `${teams.keyPrefix}${teamId}`, sk: "team" });

/** Teams, each with an entry in the list of its organisation. */
export class TeamStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(teamId: string): Promise<Team | undefined> {
    return this.#table.get(teamKey(teamId), teamRecord);
  }

  /** The two first writes of a team, for one transaction: the team and its entry in the organisation's list. */
  createItems(team: Team) {
    const list = { pk: `${teams.keyPrefix}of#${team.org_id}`, sk: `${team.created_on}#${team.team_id}` };
    return [
      { Put: { TableName: this.#table.name, Item: { ...teamKey(team.team_id), ...team }, ConditionExpression: isNew } },
      { Put: { TableName: this.#table.name, Item: { ...list, ...team }, ConditionExpression: isNew } },
    ];
  }

  /** Teams of an organisation in order of creation, after the given position. */
  list(orgId: string, after: string | undefined, limit: number): Promise<Page<Team & { sk: string }>> {
    return this.#table.query(
      {
        KeyConditionExpression: after === undefined ? "pk = :org" : "pk = :org AND sk > :after",
        ExpressionAttributeValues: {
          ":org": `${teams.keyPrefix}of#${orgId}`,
          ...(after === undefined ? {} : { ":after": after }),
        },
        Limit: limit,
      },
      teamRecord.extend({ sk: z.string() }),
    );
  }
}

/** API keys by their public id. */
export class KeyStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(keyId: string): Promise<KeyRecord | undefined> {
    return this.#table.get({ pk: `${keys.keyPrefix}${keyId}`, sk: "key" }, keyRecord);
  }

  /** @throws ConditionFailed when the id exists. */
  create(key: KeyRecord): Promise<void> {
    const item: Item & Key = { pk: `${keys.keyPrefix}${key.key_id}`, sk: "key", ...key };
    return this.#table.put(item, firstWrite);
  }
}
