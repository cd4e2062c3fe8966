import * as z from "zod";
import { type KeyScope, keyScopeNames } from "../../contract/key-scopes.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { labs } from "../lab-tests/labs.ts";

/** Scopes to restrict a key to. */
export const scopesDraft = z.array(z.enum(keyScopeNames)).min(1).max(keyScopeNames.length).meta({
  description: "Scopes of the key: routes of other scopes return 403. Without scopes the key has full access",
});

/** The stored scopes of a key; absent for full access. */
export const toStoredScopes = (scopes: readonly KeyScope[] | null | undefined): { scopes?: KeyScope[] } =>
  scopes ? { scopes: [...new Set(scopes)] } : {};

export const keyLabel = z.string().trim().min(1).max(100);

const lastUsedAt = z.string().nullable().meta({ description: "To the minute; null if unused for 400 days" });

/** A team API key at creation, the only response with the whole `value`. */
export const wireCreatedApiKey = z
  .object({
    id: z.guid(),
    label: z.string(),
    value: z.string(),
    team_id: z.guid(),
    created_at: z.string(),
    lab: openEnum(labs.map(({ slug }) => slug))
      .nullable()
      .describe("Laboratory of a key that can only submit the laboratory's reports to the team"),
    scopes: z.array(openEnum(keyScopeNames)).nullable().describe("Scopes of the key; null for full access"),
  })
  .meta({ id: "CreatedTeamApiKey" });

/** A team API key in a list: `value` is its prefix and last four characters. */
export const wireApiKey = wireCreatedApiKey
  .extend({
    last_used_at: lastUsedAt,
    retired_at: z
      .string()
      .nullable()
      .describe("When the key was retired: it no longer authenticates, but the credentials it created stay valid"),
  })
  .meta({ id: "TeamApiKey" });

/** Roles of management keys: the whole organisation, or the teams that the key is bound to. */
export const managementRoles = ["org_admin", "team_admin"] as const;

export const teamRoleBindings = z.array(z.object({ team_id: z.guid().toLowerCase() })).max(50);

/** A management key in a list: `value` is its prefix and last four characters. */
export const wireManagementKey = z
  .object({
    id: z.guid(),
    label: z.string(),
    value: z.string(),
    created_at: z.string(),
    creator: z.object({ type: z.literal("management_key") }),
    role: z.enum(managementRoles),
    team_role_bindings: teamRoleBindings.nullable(),
    last_used_at: lastUsedAt,
  })
  .meta({ id: "ManagementKey" });

/** A management key at creation, the only response with the whole `key`. */
export const wireCreatedManagementKey = wireManagementKey
  .extend({ key: z.string() })
  .meta({ id: "CreatedManagementKey" });

/** Outcome of a bulk deletion, by id. */
export const wireBulkDeletion = z
  .object({ success: z.array(z.string()), failure: z.array(z.string()), not_found: z.array(z.string()) })
  .meta({ id: "Deletions" });

/** Ids of a bulk deletion. */
export const idsToDelete = z.array(z.guid().toLowerCase()).min(1).max(50);
