import * as z from "zod";
import { entriesByName } from "../../shared/entries-by-name.ts";
import { summaryNames } from "../../summaries/summary-names.ts";
import { resourceNames } from "../../timeseries/resources.ts";
import { knownProvider } from "../providers/known-provider.ts";

/** Maximum number of days of history that a new connection pulls. */
const MAX_HISTORY_DAYS = 365;

const days = z.object({ historical_days_to_pull: z.int().min(0).max(MAX_HISTORY_DAYS) });
const resource = z.enum([...new Set([...summaryNames.map(({ name }) => name), ...resourceNames])]);

const ofProvider = z.object({ default: days, resource_overrides: z.partialRecord(resource, days).nullish() });

/** Request to set the preferences of several teams; replaces existing ones. */
export const pullPreferencesDraft = z.object({
  team_ids: z.array(z.guid().toLowerCase()).min(1).max(50),
  providers: z.partialRecord(knownProvider, ofProvider),
});

const storedDays = z.object({ historical_days_to_pull: z.number() });

/** Stored preferences: days of history that a new connection pulls, by provider slug. */
export const pullPreferencesRecord = z.object({
  team_id: z.string(),
  providers: z.record(
    z.string(),
    z.object({ default: storedDays, resource_overrides: z.record(z.string(), storedDays).nullish() }),
  ),
});
export type PullPreferences = z.output<typeof pullPreferencesRecord>;

const wireDays = storedDays.extend({ historical_days_to_pull_limit: z.int() });

/** Preferences, as returned, each with its upper limit. */
export const wirePullPreferences = z
  .object({
    team_id: z.guid(),
    providers: z.record(
      z.string(),
      z.object({ default: wireDays, resource_overrides: z.record(z.string(), wireDays).nullable() }),
    ),
  })
  .meta({ id: "TeamDataPullPreferences" });

/** Converts a request to the stored preferences of one team. */
export function toPullPreferences(draft: z.output<typeof pullPreferencesDraft>, team_id: string): PullPreferences {
  return pullPreferencesRecord.parse({ team_id, providers: draft.providers });
}

const limited = (days: z.output<typeof storedDays>) => ({ ...days, historical_days_to_pull_limit: MAX_HISTORY_DAYS });

/** Converts stored preferences. */
export function toWirePullPreferences({ team_id, providers }: PullPreferences): z.output<typeof wirePullPreferences> {
  const shown = entriesByName(providers).map(([slug, { default: all, resource_overrides }]) => {
    const overrides = entriesByName(resource_overrides ?? {}).map(([name, days]) => [name, limited(days)] as const);
    return [
      slug,
      { default: limited(all), resource_overrides: resource_overrides ? Object.fromEntries(overrides) : null },
    ] as const;
  });
  return { team_id, providers: Object.fromEntries(shown) };
}
