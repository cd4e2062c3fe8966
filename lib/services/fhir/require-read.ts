import { type Interaction, mayRead } from "../../domain/fhir/resource-access.ts";
import { Forbidden } from "../../runtime/errors.ts";

/** @throws Forbidden for a credential that may not read or search resources of the type. */
export function requireRead(
  { scopes }: { readonly scopes?: readonly string[] | undefined },
  type: string,
  interaction: Interaction,
): void {
  if (!mayRead(scopes, type, interaction))
    throw new Forbidden(`This operation requires the scope system/${type}.${interaction}.`);
}
