import { accessLogMode } from "../access-log-mode.ts";
import type { EndpointContract } from "../endpoint.ts";
import { requiredKeyScope } from "../required-key-scope.ts";
import { type ConsoleRole, consoleRoles } from "./console-roles.ts";

type Route = Pick<
  EndpointContract,
  "auth" | "tag" | "method" | "keyScope" | "access" | "consoleRole" | "consoleRoles" | "answersCountsOnly"
>;

/** Whether a role may call a route. A session of the role needs the scope of a team's route as well. */
export function isOpenToRole(route: Route, role: ConsoleRole): boolean {
  if (route.auth === "console") return route.consoleRole === undefined || route.consoleRole === role;
  if (route.auth === "management") return route.consoleRoles?.includes(role) ?? false;
  const { scopes, isImpersonal = false } = consoleRoles[role];
  const scope = requiredKeyScope(route);
  if (scope === undefined || !scopes.includes(scope)) return false;
  return !isImpersonal || (route.method === "GET" && accessLogMode(route) === undefined);
}
