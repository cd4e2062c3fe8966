import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { parseRequest, type RequestInput } from "../http/request.ts";
import type { ManagementCaller, TeamCaller } from "./authenticate.ts";
import { requireReason } from "./console/require-reason.ts";
import { requireManagementAccess } from "./management-access.ts";
import { requireOwnUser } from "./own-user.ts";
import { requireFeature } from "./require-feature.ts";
import { requireLinkable } from "./require-linkable.ts";
import { requireScope } from "./require-scope.ts";

/**
 * Authorizes and parses a request.
 * @throws Forbidden for a missing scope or feature, for a route that a token of one user may not call, and for a session
 * without a reason that its team asks for; Forbidden or NotFound for a resource out of a management key's reach;
 * LinkRefused for a provider that the link does not allow; and the errors of `parseRequest`.
 */
export function parseAuthorizedInput<C extends EndpointContract>(
  contract: C,
  caller: object,
  event: APIGatewayProxyEventV2,
): RequestInput<C> {
  requireScope(contract, caller);
  if (contract.feature !== undefined && "team" in caller) {
    requireFeature((caller as TeamCaller).team, contract.feature);
  }
  if (contract.auth === "management") {
    requireManagementAccess(contract, (caller as ManagementCaller).key, event.pathParameters ?? {});
  }
  const input = parseRequest(contract, event);
  requireOwnUser(contract, caller, input);
  requireReason(contract, caller, event.headers, input);
  requireLinkable(caller, input.params);
  return input;
}
