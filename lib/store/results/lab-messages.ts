import * as z from "zod";
import { labMessages } from "../../contract/resources.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** A message of a laboratory, identified by its control id. */
export interface LabMessage {
  readonly lab: string;
  readonly controlId: string;
  /** Digest of the content. It distinguishes a repeated message from another message with the same control id. */
  readonly digest: string;
}

/**
 * Retention of control ids. Laboratories repeat unacknowledged messages within days; later, a control id may belong to
 * another message.
 */
const KEPT_S = 90 * 24 * 60 * 60;

const messageKey = (scope: TeamScope, { lab, controlId }: Omit<LabMessage, "digest">): Key => ({
  pk: `${labMessages.keyPrefix}${scope.teamId}`,
  sk: `${lab}#${controlId}`,
});
const messageItem = z.object({ digest: z.string(), expires_at: z.number() });

/** Received messages of laboratories, without their content. */
export class LabMessageStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the digest of the message with a control id. @param nowMs epoch milliseconds. */
  async getDigest(scope: TeamScope, message: Omit<LabMessage, "digest">, nowMs: number): Promise<string | undefined> {
    const item = await this.#table.get(messageKey(scope, message), messageItem);
    return item && item.expires_at * 1000 > nowMs ? item.digest : undefined;
  }

  /**
   * Builds the write that records a message as received, for the transaction that processes it. It fails if the message
   * was received before.
   */
  recordItem(scope: TeamScope, message: LabMessage, nowMs: number): WriteItem {
    const now = Math.floor(nowMs / 1000);
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...messageKey(scope, message), digest: message.digest, expires_at: now + KEPT_S },
        ConditionExpression: `${NOT_EXISTS} OR expires_at <= :now`,
        ExpressionAttributeValues: { ":now": now },
      },
    };
  }
}
