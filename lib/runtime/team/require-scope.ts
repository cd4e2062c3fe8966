import type { EndpointContract } from "../../contract/endpoint.ts";
import { keyScopeOf } from "../../contract/key-scopes.ts";
import { Forbidden } from "../errors.ts";

/** @throws Forbidden that names the scope which a team key or access token lacks; one without scopes lacks none. */
export function requireScope(contract: EndpointContract, caller: { readonly scopes?: readonly string[] | undefined }) {
  const scope = keyScopeOf(contract);
  if (scope === undefined || !caller.scopes || caller.scopes.includes(scope)) return;
  throw new Forbidden(`This needs a key with the scope ${scope}.`, { extra: { required_scope: scope } });
}
