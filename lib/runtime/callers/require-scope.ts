import { isOpenToRole } from "../../contract/console/is-open-to-role.ts";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { keyScopeNames } from "../../contract/key-scopes.ts";
import { requiredKeyScope } from "../../contract/required-key-scope.ts";
import type { ConsoleSession } from "../../domain/console/console-session.ts";
import { Forbidden } from "../errors.ts";

interface ScopedCaller {
  readonly scopes?: readonly string[] | undefined;
  readonly consoleSession?: ConsoleSession | undefined;
}

/**
 * @throws Forbidden with the missing scope of a team key, access token or console session, or for a route that is not
 * open to the role of the session. A credential without scopes has full access.
 */
export function requireScope(contract: EndpointContract, { scopes, consoleSession }: ScopedCaller) {
  const scope = requiredKeyScope(contract);
  // FHIR routes check the scopes of SMART clients themselves, by the type of the resource.
  const isSmart = contract.tag === "fhir" && scopes?.some((one) => one.startsWith("system/"));
  if (scope !== undefined && scopes && !scopes.includes(scope) && !isSmart) {
    throw new Forbidden(`This operation requires the scope ${scope}.`, { extra: { required_scope: scope } });
  }
  // What a link reaches, the role of the session that created it reached then.
  if (contract.auth === "portal" || contract.auth === "review") return;
  // The session of a restricted key administrates nobody.
  const isRestricted = contract.consoleRole !== undefined && (scopes?.length ?? 0) < keyScopeNames.length;
  if (consoleSession && (isRestricted || !isOpenToRole(contract, consoleSession.role))) {
    throw new Forbidden(`The role ${consoleSession.role} may not call this operation.`);
  }
}
