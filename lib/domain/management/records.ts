import * as z from "zod";
import { teamLimits } from "../usage/team-limits.ts";
import { defaultTeamSettings, teamSettings } from "./team-settings.ts";

/** Where a team's data is stored. One deployment serves one region and environment. */
export const regions = ["us", "eu"] as const;
export const environments = ["sandbox", "production"] as const;
export type Region = (typeof regions)[number];
export type Environment = (typeof environments)[number];

/** Allowed team names and search queries: letters, digits, whitespace and some punctuation. */
export const teamNamePattern = /^[A-Za-zÀ-ÖØ-öø-ÿ0-9(),/:'|&_\-\s’]{0,80}$/;

export const orgRecord = z.object({ org_id: z.string(), name: z.string(), created_on: z.string() });
export type Org = z.output<typeof orgRecord>;

/** An organisation in its wire form. Plans never expire on a self-hosted deployment. */
export const wireOrg = z.object({ id: z.guid(), name: z.string(), expires_at: z.null() }).meta({ id: "Org" });

/** Lifecycle of a team; an erased team has no record. */
const teamLifecycles = ["active", "pending_erasure", "erasing"] as const;

/** A team as stored. `features` lists its enabled opt-in and beta features. */
export const teamRecord = z.object({
  team_id: z.string(),
  org_id: z.string(),
  name: z.string(),
  region: z.enum(regions),
  created_on: z.string(),
  features: z.array(z.string()),
  settings: teamSettings.default(defaultTeamSettings),
  /** The organisation's own id of the team, unique within the organisation. */
  integration_team_id: z.string().nullable().default(null),
  lifecycle: z.enum(teamLifecycles).default("active"),
  /** End of the grace period of its deletion, ISO 8601. */
  erase_at: z.string().optional(),
  limits: teamLimits.optional(),
  /** Whether the team counts towards its organisation's quota. */
  is_counted: z.boolean().optional(),
  /** Version for optimistic concurrency: incremented on every change. */
  version: z.number().int().default(0),
});
export type Team = z.output<typeof teamRecord>;
/** A team before its first write. */
export type NewTeam = z.input<typeof teamRecord>;

/**
 * Purpose of a key: the main API (permanent or short-lived), a laboratory's reports, or the management of all or some
 * teams. The key of a console provider has no text that somebody holds; sessions of the provider's people stand for it.
 */
const keyKinds = ["team", "access_token", "lab", "org_admin", "team_admin", "console_provider"] as const;

/** A key as stored: only its SHA-256, never the key itself. */
export const keyRecord = z.object({
  /** The public id inside the key. */
  key_id: z.string(),
  /** Id in the management API; an access token has none. */
  id: z.string().optional(),
  kind: z.enum(keyKinds),
  sha256: z.string(),
  /** Prefix and last four characters, so that people recognise the key. */
  masked: z.string(),
  label: z.string(),
  created_at: z.string(),
  org_id: z.string(),
  team_ids: z.array(z.string()),
  /** Slug of the laboratory, for a laboratory's key. */
  lab: z.string().optional(),
  /** Expiry of an access token, epoch seconds. */
  expires_at: z.number().optional(),
  /** Scopes of a team key or access token; absent for full access. */
  scopes: z.array(z.string()).optional(),
  /** When the key was retired, ISO 8601. It no longer authenticates, but the credentials it created stay valid. */
  retired_at: z.string().optional(),
  /** The user to whom an access token is limited. */
  user_id: z.string().optional(),
  /** For an access token, the public id of the management key that created it. */
  made_by: z.string().optional(),
  /** Credentials that the key created up to this time are revoked, ISO 8601. */
  revoked_at: z.string().optional(),
});
export type KeyRecord = z.output<typeof keyRecord>;

/** Name of a team or organisation: at least one visible character. */
export const teamName = z
  .string()
  .trim()
  .min(1)
  .regex(teamNamePattern, "Use at most 80 letters, digits, spaces and ( ) , / : ' | & _ - ’");

/** Prefix of the API keys of an environment and region. */
export function teamKeyPrefix(environment: Environment, region: Region): `${"sk" | "pk"}_${Region}` {
  return `${environment === "sandbox" ? "sk" : "pk"}_${region}`;
}
