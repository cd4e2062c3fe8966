import type { EndpointContract } from "../../contract/endpoint.ts";
import { requiredKeyScope } from "../../contract/required-key-scope.ts";
import { Forbidden } from "../errors.ts";

/**
 * @throws Forbidden with the missing scope of a team key or access token. A credential without scopes has full access.
 */
export function requireScope(contract: EndpointContract, caller: { readonly scopes?: readonly string[] | undefined }) {
  const scope = requiredKeyScope(contract);
  if (scope === undefined || !caller.scopes || caller.scopes.includes(scope)) return;
  throw new Forbidden(`This operation requires a key with the scope ${scope}.`, { extra: { required_scope: scope } });
}
