import { portalSessions } from "../contract/resources.ts";
import { type PortalSession, portalSession } from "../domain/portal-session.ts";
import { isNew, type Key, type Table } from "./table.ts";

const sessionKey = (sha256: string): Key => ({ pk: `${portalSessions.keyPrefix}${sha256}`, sk: "session" });

/** Sessions of the webhook portal by the SHA-256 (hex) of their secrets. */
export class PortalSessionStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The session, whether or not it has expired. */
  get(sha256: string): Promise<PortalSession | undefined> {
    return this.#table.get(sessionKey(sha256), portalSession);
  }

  /** @throws ConditionFailed when there is one under this hash. */
  create(sha256: string, session: PortalSession): Promise<void> {
    return this.#table.put({ ...sessionKey(sha256), ...session }, { ConditionExpression: isNew });
  }
}
