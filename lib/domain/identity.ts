import * as z from "zod";
import { teamLimits } from "./team-limits.ts";
import { newTeamSettings, teamSettings } from "./team-settings.ts";

/** Where a team's data lives; one deployment serves one region and environment. */
export const regions = ["us", "eu"] as const;
export const environments = ["sandbox", "production"] as const;
export type Region = (typeof regions)[number];
export type Environment = (typeof environments)[number];

/** Names of teams and search queries: letters, digits, whitespace and a few marks (spec, Management interface). */
export const teamNamePattern = /^[A-Za-zÀ-ÖØ-öø-ÿ0-9(),/:'|&_\-\s’]{0,80}$/;

export const orgRecord = z.object({ org_id: z.string(), name: z.string(), created_on: z.string() });
export type Org = z.output<typeof orgRecord>;

/** An organisation as answered; no plan of a deployment of one's own expires. */
export const wireOrg = z.object({ id: z.guid(), name: z.string(), expires_at: z.null() }).meta({ id: "Org" });

/** Where a team stands in its deletion; an erased team has no record at all. */
export const teamLifecycles = ["active", "pending_erasure", "erasing"] as const;

/** A team as stored. `features` are the opt-in and beta features that are on for it. */
export const teamRecord = z.object({
  team_id: z.string(),
  org_id: z.string(),
  name: z.string(),
  region: z.enum(regions),
  created_on: z.string(),
  features: z.array(z.string()),
  settings: teamSettings.default(newTeamSettings),
  /** The id by which the organisation knows the team, its own among those of the organisation. */
  integration_team_id: z.string().nullable().default(null),
  lifecycle: z.enum(teamLifecycles).default("active"),
  /** End of the grace period of its deletion, ISO 8601. */
  erase_at: z.string().optional(),
  limits: teamLimits.optional(),
  /** Whether it has a place in the quota of its organisation. */
  is_counted: z.boolean().optional(),
  /** Counts changes, so that of two at the same time the later one sees the earlier. */
  version: z.number().int().default(0),
});
export type Team = z.output<typeof teamRecord>;
/** A team to be stored for the first time. */
export type NewTeam = z.input<typeof teamRecord>;

/**
 * What a key is for: the main API for ever or for minutes, the reports of a laboratory, or the management of all or of
 * some teams.
 */
export const keyKinds = ["team", "access_token", "lab", "org_admin", "team_admin"] as const;

/** A key as stored: never the key itself, only its SHA-256. */
export const keyRecord = z.object({
  /** The id inside the key. */
  key_id: z.string(),
  /** The id by which the key is managed; an access token has none. */
  id: z.string().optional(),
  kind: z.enum(keyKinds),
  sha256: z.string(),
  /** Prefix and last four characters, for people to recognise a key by. */
  masked: z.string(),
  label: z.string(),
  created_at: z.string(),
  org_id: z.string(),
  team_ids: z.array(z.string()),
  /** Of a laboratory's key: the slug of the laboratory. */
  lab: z.string().optional(),
  /** Of an access token, epoch seconds. */
  expires_at: z.number().optional(),
  /** What a team key or access token is kept to; absent where it may do all. */
  scopes: z.array(z.string()).optional(),
  /** When it was retired, ISO 8601: it opens nothing any more, and what it has made lives on. */
  retired_at: z.string().optional(),
  /** Of an access token: the id inside the management key that has made it. */
  made_by: z.string().optional(),
  /** Everything is dead that the key had made by then, ISO 8601. */
  revoked_at: z.string().optional(),
});
export type KeyRecord = z.output<typeof keyRecord>;

/** The name of a team or organisation: at least one visible character. */
export const teamName = z
  .string()
  .trim()
  .min(1)
  .regex(teamNamePattern, "At most 80 letters, digits, spaces and ( ) , / : ' | & _ - ’");

/** What the API keys of an environment and region begin with. */
export function teamKeyPrefix(environment: Environment, region: Region): `${"sk" | "pk"}_${Region}` {
  return `${environment === "sandbox" ? "sk" : "pk"}_${region}`;
}
