import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { EndpointContract } from "../contract/endpoint.ts";
import type { ManagementCaller, TeamCaller } from "./authenticate.ts";
import { requireLinkable } from "./linking/require-linkable.ts";
import { requireReach } from "./management.ts";
import { type Input, parseRequest } from "./request.ts";
import { requireFeature } from "./team/require-feature.ts";
import { requireScope } from "./team/require-scope.ts";

/**
 * Authorizes and parses a request.
 * @throws Forbidden for a missing scope or feature; Forbidden or NotFound for a resource out of a management key's
 * reach; LinkRefused for a provider that the link does not allow; and the errors of `parseRequest`.
 */
export function permittedInput<C extends EndpointContract>(
  contract: C,
  caller: object,
  event: APIGatewayProxyEventV2,
): Input<C> {
  requireScope(contract, caller);
  if (contract.feature !== undefined && "team" in caller) {
    requireFeature((caller as TeamCaller).team, contract.feature);
  }
  if (contract.auth === "management") {
    requireReach(contract, (caller as ManagementCaller).key, event.pathParameters ?? {});
  }
  const input = parseRequest(contract, event);
  requireLinkable(caller, input.params);
  return input;
}
