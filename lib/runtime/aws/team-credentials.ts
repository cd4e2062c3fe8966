import { TEAM_TAG } from "../../contract/team/team-role.ts";
import { oncePerContainer } from "../container.ts";
import { TtlCache } from "../ttl-cache.ts";
import { assumeRole } from "./assume-role.ts";
import type { AwsCredentials } from "./environment-credentials.ts";

/** Duration of a session. AWS allows no longer one to a role that assumes another (IAM User Guide, "Role chaining"). */
const SESSION_S = 3_600;
/** Use of a session. No request lasts the minute that is left. */
const USED_MS = (SESSION_S - 60) * 1_000;
/** Maximum number of teams whose credentials a container keeps. */
const MAX_TEAMS = 100;

const kept = oncePerContainer(() => new TtlCache<unknown>(MAX_TEAMS, USED_MS));

/**
 * Returns what `use` makes of the credentials of a team role for one team. Both are kept until shortly before the
 * credentials expire. Concurrent calls make one request.
 * @throws StsError if STS refuses or does not respond.
 */
export function withTeamCredentials<T>(
  roleArn: string,
  teamId: string,
  use: (credentials: AwsCredentials) => T,
): Promise<T> {
  const load = async () => {
    const session = { roleArn, name: teamId, tags: { [TEAM_TAG]: teamId }, durationS: SESSION_S };
    return use(await assumeRole(session));
  };
  return kept().get(`${roleArn} ${teamId}`, load) as Promise<T>;
}
