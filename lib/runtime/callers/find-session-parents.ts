import { isSessionEnded } from "../../domain/connections/link/phone-ends.ts";
import { type Session, sessionParent } from "../../domain/connections/link/session.ts";
import type { Team } from "../../domain/management/records.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { ConnectionEnded } from "../errors.ts";
import { type CredentialValidityDependencies, findTeamOfValidCredential } from "./credential-validity.ts";

/** Team and user of a valid session, as read by the check. */
export interface SessionParents {
  readonly team: Team;
  readonly user: UserRecord;
}

/**
 * Checks the parents of a session, and that its providers are not disconnected.
 * @returns undefined if the session is invalid. @throws ConnectionEnded.
 */
export async function findSessionParents(
  session: Session,
  deps: CredentialValidityDependencies & Required<Pick<CredentialValidityDependencies, "users">>,
): Promise<SessionParents | undefined> {
  let user: UserRecord | undefined;
  const get = async (scope: TeamScope, userId: string) => {
    user = await deps.users?.get(scope, userId);
    return user;
  };
  const team = await findTeamOfValidCredential(sessionParent(session), { ...deps, users: { get } });
  if (!team || !user) return undefined;
  if (isSessionEnded(session, user)) throw new ConnectionEnded();
  return { team, user };
}
