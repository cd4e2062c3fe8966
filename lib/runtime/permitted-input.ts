import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { EndpointContract } from "../contract/endpoint.ts";
import type { ManagementCaller, TeamCaller } from "./authenticate.ts";
import { requireLinkable } from "./linking/require-linkable.ts";
import { requireReach } from "./management.ts";
import { type Input, parseRequest } from "./request.ts";
import { requireFeature } from "./team/require-feature.ts";
import { requireScope } from "./team/require-scope.ts";

/**
 * The parsed parts of a request that its caller may make.
 * @throws Forbidden for a scope or a feature that is missing; Forbidden or NotFound for what a management key does not
 * reach; LinkRefused for a provider that a link is not for; and what parseRequest throws.
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
