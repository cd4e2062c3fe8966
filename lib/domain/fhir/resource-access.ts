import { labResourceTypes } from "./search-query.ts";

/** What a caller does with resources of a type: read one, or search. */
export type Interaction = "r" | "s";

const SMART_SCOPE = /^system\/(\*|[A-Za-z]+)\.(?:(read|\*)|(c?r?u?d?s?))$/;

/** Resources and interactions that a SMART scope grants; undefined for another text (SMART App Launch 2.2, "Scopes"). */
export function parseSmartScope(text: string): { readonly type: string; readonly interactions: string } | undefined {
  const [found, type = "", ofVersion1, interactions = ""] = SMART_SCOPE.exec(text) ?? [];
  if (found === undefined) return undefined;
  return { type, interactions: ofVersion1 ? "rs" : interactions };
}

const keyScopeOf = (type: string) => ((labResourceTypes as readonly string[]).includes(type) ? "labs" : "read");

/**
 * Whether a credential may read resources of a type: a key by its scopes, and the token of a SMART client by its own.
 * @param scopes of the credential; undefined for full access.
 */
export function mayRead(scopes: readonly string[] | undefined, type: string, interaction: Interaction): boolean {
  return !scopes || scopes.includes(keyScopeOf(type)) || grantsSmart(scopes, type, interaction);
}

/** Whether a credential may read the Observations of results of orders. */
export const mayReadResults = (scopes: readonly string[] | undefined): boolean =>
  !scopes || scopes.includes("labs") || grantsSmart(scopes, "Observation", "r");

function grantsSmart(scopes: readonly string[], type: string, interaction: Interaction): boolean {
  return scopes.some((scope) => {
    const granted = parseSmartScope(scope);
    return granted && ["*", type].includes(granted.type) && granted.interactions.includes(interaction);
  });
}
