/** The session tag with the id of the team for which a function assumes its team role. */
export const TEAM_TAG = "team_id";

/**
 * Returns the environment variable with the ARN of a function's team role. Its name contains the operation, because all
 * functions of a local run share one environment.
 */
export const teamRoleVariable = (operationId: string): string =>
  `TEAM_ROLE_${operationId.replace(/([a-z\d])([A-Z])/g, "$1_$2").toUpperCase()}`;
