import { session } from "../app/session.ts";
import { addDays, dateOf } from "../parts/time.ts";
import { askOrg, askTeam, ownTeam } from "./management.ts";
import { queryOf, request } from "./request.ts";
import { serviceNow } from "./service-clock.ts";

/** The usage of the team on one UTC day. */
export interface UsageDay {
  readonly date: string;
  readonly requests: number;
  readonly samples: number;
  readonly events: number;
  readonly deliveries: number;
  readonly stored_bytes: number;
  readonly estimated_dollars: number;
}

/** Lists the usage of the last days, newest first. */
export async function listUsage(days: number, signal: AbortSignal): Promise<readonly UsageDay[]> {
  const start_date = addDays(dateOf(serviceNow(), "UTC"), 1 - days);
  const path = `/usage${queryOf({ start_date, ...ownTeam() })}`;
  const { usage } = await askOrg<{ readonly usage: readonly UsageDay[] }>(path, { signal });
  return usage.toReversed();
}

/** Settings of the team in the environment of the deployment. */
export type Settings = Readonly<Record<string, unknown>> & { readonly features: readonly string[] };

const environmentOf = (team: Readonly<Record<string, unknown>>) => team[session.get()?.environment ?? ""] as Settings;

/** Retrieves the settings that an admin changes. */
export async function getSettings(signal?: AbortSignal): Promise<Settings> {
  const query = queryOf({ include_environment: session.get()?.environment });
  return environmentOf(await askTeam<Readonly<Record<string, unknown>>>(query, signal ? { signal } : {}));
}

/** Changes of settings. */
interface SettingsChange {
  /** Flags and choices with their new values. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/**
 * Changes settings, and leaves all others as they are. The API takes the features as one list, so it is read again: others
 * may have changed it.
 */
export async function changeSettings({ flags, enabled, disabled }: SettingsChange): Promise<void> {
  const hasFeatures = enabled.length + disabled.length > 0;
  if (!hasFeatures && Object.keys(flags).length === 0) return;
  const before = hasFeatures ? (await getSettings()).features : [];
  const features = [...new Set([...before, ...enabled])].filter((feature) => !disabled.includes(feature));
  const changes = { ...flags, ...(hasFeatures ? { features } : {}) };
  await askTeam("", { method: "PATCH", body: { [session.get()?.environment ?? ""]: changes } });
}

/** A limit of the team; null is none. */
export interface TeamLimit {
  readonly limit: number | null;
  /** Whether it is the limit of the deployment. */
  readonly is_default: boolean;
}

type LimitName = "requests_per_second" | "work_per_second" | "users";

/** Retrieves the limits of the team. */
export const getLimits = (signal: AbortSignal) =>
  askTeam<Readonly<Record<LimitName, TeamLimit>>>("/limits", { signal });

/** Sets the priority of a provider for a type of data. */
export const setPriority = (data_type: string, provider: string, priority: number) =>
  request("/v2/team/source/priorities", { method: "PATCH", body: [{ data_type, provider, priority }] });

/** An entry of the access log: who looked at what. */
export interface AccessEntry {
  readonly id: string;
  readonly at: string;
  readonly caller: string;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly operation: string;
  /** Digest of the user; null for several users or none. */
  readonly subject: string | null;
  readonly target: Readonly<Record<string, string>>;
  readonly status: number | null;
}

/** Lists the newest calls on data of users, at most 100. @param userId limits the list to one user. */
export const listAccess = async (userId: string, signal: AbortSignal) =>
  (
    await askTeam<{ readonly entries: readonly AccessEntry[] }>(`/access_log${queryOf({ user_id: userId })}`, {
      signal,
    })
  ).entries;
