import type { ToolDefinition } from "../../domain/agents/tool-definition.ts";
import type { TeamCaller } from "../../runtime/callers/authenticate.ts";

/** The parts of a caller that decide which tools it has. */
export type ToolHolder = Pick<TeamCaller, "scopes" | "ownUser"> & {
  readonly team: Pick<TeamCaller["team"], "features">;
};

/**
 * Whether a caller has a tool: its key has the scope of the route, its team has the feature, and a token of one user
 * reads no data of the team.
 */
export const isToolAllowed = (
  { scope, feature, reach }: ToolDefinition,
  { scopes, team, ownUser }: ToolHolder,
): boolean =>
  (scopes === undefined || scopes.includes(scope)) &&
  (feature === undefined || team.features.includes(feature)) &&
  (ownUser === undefined || reach !== "team");
