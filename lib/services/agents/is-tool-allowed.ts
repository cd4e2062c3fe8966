import type { ToolDefinition } from "../../domain/agents/tool-definition.ts";
import type { TeamCaller } from "../../runtime/callers/authenticate.ts";

/** The parts of a caller that decide which tools it has. */
export type ToolHolder = Pick<TeamCaller, "scopes"> & { readonly team: Pick<TeamCaller["team"], "features"> };

/** Whether a caller has a tool: its key has the scope of the route, and its team the feature. */
export const isToolAllowed = ({ scope, feature }: ToolDefinition, { scopes, team }: ToolHolder): boolean =>
  (scopes === undefined || scopes.includes(scope)) && (feature === undefined || team.features.includes(feature));
