import * as z from "zod";
import { entriesByName } from "../../shared/entries-by-name.ts";
import { providerScopes, type ScopedProvider, scopedProviders } from "./provider-scopes.ts";

/** Scopes that users must grant for a connection, and scopes that they may grant. */
const requirementsOf = (scopes: readonly string[]) =>
  z
    .object({
      user_must_grant: z.array(z.enum(scopes)).max(scopes.length),
      user_may_grant: z.array(z.enum(scopes)).max(scopes.length),
    })
    .refine(
      ({ user_must_grant, user_may_grant }) => !user_must_grant.some((scope) => user_may_grant.includes(scope)),
      "a scope is either required or optional",
    );

type Requirements = ReturnType<typeof requirementsOf>;

/** Changes of requirements by provider; null removes those of a provider, an absent provider stays unchanged. */
export const scopeRequirementsPatch = z.object(
  Object.fromEntries(
    scopedProviders.map((provider) => [provider, requirementsOf(providerScopes[provider]).nullish()]),
  ) as Record<ScopedProvider, z.ZodOptional<z.ZodNullable<Requirements>>>,
);

/** Stored requirements of a team, by provider. */
export const scopeRequirementsRecord = z.record(
  z.string(),
  z.object({ user_must_grant: z.array(z.string()), user_may_grant: z.array(z.string()) }),
);
export type ScopeRequirements = z.output<typeof scopeRequirementsRecord>;

/** Requirements of a team, as returned. */
export const wireScopeRequirements = z
  .object({
    requirements: z.array(
      z.object({
        team_id: z.guid(),
        provider: z.string(),
        user_must_grant: z.array(z.string()),
        user_may_grant: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "TeamScopeRequirements" });

/** Applies a patch to requirements. */
export function patchScopeRequirements(before: ScopeRequirements, patch: z.output<typeof scopeRequirementsPatch>) {
  const all: Record<string, ScopeRequirements[string] | null | undefined> = { ...before };
  for (const [provider, given] of Object.entries(patch)) if (given !== undefined) all[provider] = given;
  return scopeRequirementsRecord.parse(Object.fromEntries(Object.entries(all).filter(([, kept]) => kept != null)));
}

/** Converts a team's requirements, ordered by provider. */
export function toWireScopeRequirements(
  team_id: string,
  all: ScopeRequirements,
): z.output<typeof wireScopeRequirements> {
  return { requirements: entriesByName(all).map(([provider, scopes]) => ({ team_id, provider, ...scopes })) };
}
