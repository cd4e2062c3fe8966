import * as z from "zod";
import { labMessages } from "../../contract/resources.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** A message of a laboratory, by the number that the laboratory gave it. */
export interface LabMessage {
  readonly lab: string;
  readonly control: string;
  /** Of what it reports; tells the same message from another one that has its number. */
  readonly digest: string;
}

/** Laboratories send again what was not answered within days; after this time a number may be another message's. */
const KEPT_S = 90 * 24 * 60 * 60;

const messageKey = (scope: TeamScope, { lab, control }: Omit<LabMessage, "digest">): Key => ({
  pk: `${labMessages.keyPrefix}${scope.teamId}`,
  sk: `${lab}#${control}`,
});
const messageItem = z.object({ digest: z.string(), expires_at: z.number() });

/** Which messages of laboratories were taken; nothing of what was in them. */
export class LabMessageStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The digest of the message that came with a number. @param nowMs epoch milliseconds. */
  async digestOf(scope: TeamScope, message: Omit<LabMessage, "digest">, nowMs: number): Promise<string | undefined> {
    const item = await this.#table.get(messageKey(scope, message), messageItem);
    return item && item.expires_at * 1000 > nowMs ? item.digest : undefined;
  }

  /** Notes a message as taken, for the transaction that does what it says; refused where it was taken before. */
  takeItem(scope: TeamScope, message: LabMessage, nowMs: number): WriteItem {
    const now = Math.floor(nowMs / 1000);
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...messageKey(scope, message), digest: message.digest, expires_at: now + KEPT_S },
        ConditionExpression: `${isNew} OR expires_at <= :now`,
        ExpressionAttributeValues: { ":now": now },
      },
    };
  }
}
