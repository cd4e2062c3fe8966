import * as z from "zod";

/** Limits of a team that differ from the deployment's defaults. */
export const teamLimits = z.object({
  requests_per_second: z.number().int().min(1).max(100_000).nullish(),
  work_per_second: z.number().int().min(1).max(10_000_000).nullish(),
  users: z.number().int().min(0).max(100_000_000).nullish(),
});
export type TeamLimits = z.output<typeof teamLimits>;

const wireLimit = z.object({ limit: z.number().int().nullable(), is_default: z.boolean() });

/** Limits of a team in their wire form, with a flag for defaults; null means unlimited. */
export const wireTeamLimits = z
  .object({ team_id: z.guid(), requests_per_second: wireLimit, work_per_second: wireLimit, users: wireLimit })
  .meta({ id: "TeamLimits" });

/** Computes the effective limits of a team. @param defaults limits of the deployment. */
export function toWireTeamLimits(
  team_id: string,
  own: TeamLimits | undefined,
  defaults: TeamLimits,
): z.input<typeof wireTeamLimits> {
  const limit = (name: keyof TeamLimits) => ({
    limit: own?.[name] ?? defaults[name] ?? null,
    is_default: (own?.[name] ?? null) === null,
  });
  return {
    team_id,
    requests_per_second: limit("requests_per_second"),
    work_per_second: limit("work_per_second"),
    users: limit("users"),
  };
}
