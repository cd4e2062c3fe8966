import { erasedName } from "../../domain/erasure.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { isoNow } from "../ports.ts";

/** Something that the service does by itself with data of a user. */
export interface NotedWork {
  readonly operation: string;
  /** What tells it from all other work. */
  readonly id: string;
  /** Empty where it is about no user. */
  readonly userId: string;
  /** Other ids, by their names. */
  readonly target: Readonly<Record<string, string>>;
}

/** Notes work in the access log, before it is done; not what is about no user. */
export async function noteWork(
  accessLog: Pick<AccessLogStore, "record">,
  scope: TeamScope,
  { operation, id, userId, target }: NotedWork,
): Promise<void> {
  if (userId === "") return;
  const subject = erasedName(scope.teamId, userId);
  const about = { id, at: isoNow(), caller: "service", key_id: null, status: null } as const;
  await accessLog.record(scope, { ...about, operation, subject, target: { ...target } });
}
