import { type Environment, environments, type Region, regions } from "../domain/identity.ts";
import type { TeamLimits } from "../domain/team-limits.ts";

/** Which environment and region this deployment serves; set for every function by the stacks. */
export function deployment(): { environment: Environment; region: Region } {
  const environment = environments.find((name) => name === process.env.SERVICE_ENVIRONMENT);
  const region = regions.find((name) => name === process.env.SERVICE_REGION);
  if (!environment || !region) throw new Error("SERVICE_ENVIRONMENT and SERVICE_REGION are not set");
  return { environment, region };
}

const set = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** What a team may use where nothing else is set for it; what is left out it may use as it likes. */
export const defaultLimits = (): TeamLimits => ({
  requests_per_second: set(process.env.REQUESTS_PER_SECOND),
  work_per_second: set(process.env.WORK_PER_SECOND),
  users: set(process.env.USERS_PER_TEAM),
});

/** Days for which answers are given as of an earlier instant; 0 for none. */
export const asOfDays = (): number => set(process.env.AS_OF_DAYS) ?? 0;

/** For how long what is replaced is kept for them, ms. */
export const versionsKeptMs = (): number => asOfDays() * 86_400_000;

/** Teams that an organisation may have; undefined for as many as it likes. */
export const mostTeams = (): number | undefined => set(process.env.TEAMS_PER_ORG);
