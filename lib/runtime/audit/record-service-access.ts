import { userDigest } from "../../domain/erasure/erasure-certificate.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { isoNow } from "../ports.ts";

/** An access of the service itself to data of a user. */
export interface ServiceAccess {
  readonly operation: string;
  /** Unique id of the access. It names no user, because an entry outlives its user. */
  readonly id: string;
  /** Empty if the access concerns no user. */
  readonly userId: string;
  /** Other ids, by name. */
  readonly target: Readonly<Record<string, string>>;
}

/** Records an access of the service in the access log, before the access. Skips an access that concerns no user. */
export async function recordServiceAccess(
  accessLog: Pick<AccessLogStore, "record">,
  scope: TeamScope,
  { operation, id, userId, target }: ServiceAccess,
): Promise<void> {
  if (userId === "") return;
  const subject = userDigest(scope.teamId, userId);
  const about = {
    id,
    at: isoNow(),
    caller: "service",
    key_id: null,
    session_id: null,
    actor: null,
    reason: null,
    status: null,
  } as const;
  await accessLog.record(scope, { ...about, operation, subject, target: { ...target } });
}
