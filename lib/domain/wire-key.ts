import * as z from "zod";
import { type KeyScope, keyScopeNames } from "../contract/key-scopes.ts";
import { openEnum } from "../contract/open-enum.ts";
import { labs } from "./lab-tests/labs.ts";

/** What a key may be kept to. */
export const scopesDraft = z.array(z.enum(keyScopeNames)).min(1).max(keyScopeNames.length).meta({
  description: "What the key is kept to: routes of other scopes answer 403. Without scopes it may do all",
});

/** What a key keeps of them. */
export const keptTo = (scopes: readonly KeyScope[] | null | undefined): { scopes?: KeyScope[] } =>
  scopes ? { scopes: [...new Set(scopes)] } : {};

export const keyLabel = z.string().trim().min(1).max(100);

const lastUsedAt = z.string().nullable().meta({ description: "To the minute; null if it was not used for 400 days" });

/** A team API key where it is created, the only time that `value` is whole. */
export const wireNewApiKey = z
  .object({
    id: z.guid(),
    label: z.string(),
    value: z.string(),
    team_id: z.guid(),
    created_at: z.string(),
    lab: openEnum(labs.map(({ slug }) => slug))
      .nullable()
      .describe("Of a key that opens nothing but the way of a laboratory's reports to the team"),
    scopes: z.array(openEnum(keyScopeNames)).nullable().describe("What the key is kept to; null where it may do all"),
  })
  .meta({ id: "NewTeamApiKey" });

/** A team API key in a list: `value` is its prefix and last four characters. */
export const wireApiKey = wireNewApiKey
  .extend({
    last_used_at: lastUsedAt,
    retired_at: z.string().nullable().describe("Since when it opens nothing, while what it has made lives on"),
  })
  .meta({ id: "TeamApiKey" });

/** Roles of management keys: all of the organisation, or the teams that the key is bound to. */
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

/** A management key where it is created, the only time that `key` is answered. */
export const wireNewManagementKey = wireManagementKey.extend({ key: z.string() }).meta({ id: "NewManagementKey" });

/** What became of each of several things that were to be deleted, by id. */
export const wireDeletions = z
  .object({ success: z.array(z.string()), failure: z.array(z.string()), not_found: z.array(z.string()) })
  .meta({ id: "Deletions" });

/** Ids of things to be deleted at once. */
export const idsToDelete = z.array(z.guid().toLowerCase()).min(1).max(50);
