import { teamRoleVariable } from "../../contract/team/team-role.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { ownTables, TableAccess } from "./table-access.ts";

/**
 * Returns the access to tables for a request. In a deployment with team credentials, a function of a team's routes
 * reaches only the team that the credential of the caller names, whatever keys the function asks for. Otherwise it is
 * the access of the function.
 */
export async function tablesOfCaller(
  { operationId }: { readonly operationId: string },
  { scope }: { readonly scope?: TeamScope },
): Promise<TableAccess> {
  const roleArn = process.env[teamRoleVariable(operationId)];
  if (roleArn === undefined || scope === undefined) return ownTables();
  // A file of its own in the asset of a function, which only such a deployment contains.
  const { withTeamCredentials } = await import("./team-credentials.ts");
  return withTeamCredentials(roleArn, scope.teamId, TableAccess.as);
}
