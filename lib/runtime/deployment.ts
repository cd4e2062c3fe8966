import { type Environment, environments, type Region, regions } from "../domain/management/records.ts";
import type { TeamLimits } from "../domain/usage/team-limits.ts";

/** The environment and region that this deployment serves. The stacks set both for every function. */
export function deployment(): { environment: Environment; region: Region } {
  const environment = environments.find((name) => name === process.env.SERVICE_ENVIRONMENT);
  const region = regions.find((name) => name === process.env.SERVICE_REGION);
  if (!environment || !region) throw new Error("SERVICE_ENVIRONMENT and SERVICE_REGION are not set");
  return { environment, region };
}

const parseNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The default limits of a team. An absent limit means unlimited. */
export const defaultLimits = (): TeamLimits => ({
  requests_per_second: parseNumber(process.env.REQUESTS_PER_SECOND),
  work_per_second: parseNumber(process.env.WORK_PER_SECOND),
  users: parseNumber(process.env.USERS_PER_TEAM),
});

/** Days that `as of` queries reach back; 0 turns them off. */
export const asOfDays = (): number => parseNumber(process.env.AS_OF_DAYS) ?? 0;

/** Retention of replaced values for `as of` queries, ms. */
export const versionRetentionMs = (): number => asOfDays() * 86_400_000;

/** Maximum number of teams of an organisation; undefined means unlimited. */
export const maxTeamsPerOrg = (): number | undefined => parseNumber(process.env.TEAMS_PER_ORG);
