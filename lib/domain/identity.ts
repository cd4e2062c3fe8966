import * as z from "zod";

/** Where a team's data lives; one deployment serves one region and environment. */
export const regions = ["us", "eu"] as const;
export const environments = ["sandbox", "production"] as const;
export type Region = (typeof regions)[number];
export type Environment = (typeof environments)[number];

/** Names of teams and search queries: letters, digits, whitespace and a few marks (spec, Management interface). */
export const teamNamePattern = /^[A-Za-zÀ-ÖØ-öø-ÿ0-9(),/:'|&_\-\s’]{0,80}$/;

export const orgRecord = z.object({ org_id: z.string(), name: z.string(), created_on: z.string() });
export type Org = z.output<typeof orgRecord>;

/** A team as stored. `features` are the opt-in and beta features that are on for it. */
export const teamRecord = z.object({
  team_id: z.string(),
  org_id: z.string(),
  name: z.string(),
  region: z.enum(regions),
  created_on: z.string(),
  features: z.array(z.string()),
});
export type Team = z.output<typeof teamRecord>;

/** Team API key or management key as stored: never the key itself, only its SHA-256. */
export const keyRecord = z.object({
  key_id: z.string(),
  kind: z.enum(["team", "org_admin", "team_admin"]),
  sha256: z.string(),
  /** Prefix and last four characters, for people to recognise a key by. */
  masked: z.string(),
  label: z.string(),
  created_at: z.string(),
  org_id: z.string(),
  team_ids: z.array(z.string()),
  revoked_at: z.string().optional(),
});
export type KeyRecord = z.output<typeof keyRecord>;

/** The name of a team: at least one visible character. */
export const teamName = z
  .string()
  .trim()
  .min(1)
  .regex(teamNamePattern, "At most 80 letters, digits, spaces and ( ) , / : ' | & _ - ’");

/** A team as the management interface answers it (spec, Team list item). */
export const wireTeam = z
  .object({ id: z.guid(), name: z.string(), created_on: z.string(), region: z.enum(regions) })
  .meta({ id: "Team" });

/** A team API key as answered; `value` is whole only where the key is created. */
export const wireApiKey = z
  .object({ id: z.string(), label: z.string(), value: z.string(), team_id: z.guid(), created_at: z.string() })
  .meta({ id: "TeamApiKey" });

/** What the API keys of an environment and region begin with. */
export function teamKeyPrefix(environment: Environment, region: Region): `${"sk" | "pk"}_${Region}` {
  return `${environment === "sandbox" ? "sk" : "pk"}_${region}`;
}
