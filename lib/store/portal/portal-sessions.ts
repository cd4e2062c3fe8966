import { portalSessions } from "../../contract/resources.ts";
import { type PortalSession, portalSession } from "../../domain/webhooks/portal-session.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";

const sessionKey = (sha256: string): Key => ({ pk: `${portalSessions.keyPrefix}${sha256}`, sk: "session" });

/** Webhook portal sessions by the SHA-256 (hex) of their secrets. */
export class PortalSessionStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the session, including an expired one. */
  get(sha256: string): Promise<PortalSession | undefined> {
    return this.#table.get(sessionKey(sha256), portalSession);
  }

  /** @throws ConditionFailed if the hash exists. */
  create(sha256: string, session: PortalSession): Promise<void> {
    return this.#table.put({ ...sessionKey(sha256), ...session }, { ConditionExpression: NOT_EXISTS });
  }
}
