import * as z from "zod";

/** What a team may use, where it differs from the deployment's own limits. */
export const teamLimits = z.object({
  requests_per_second: z.number().int().min(1).max(100_000).nullish(),
  work_per_second: z.number().int().min(1).max(10_000_000).nullish(),
  users: z.number().int().min(0).max(100_000_000).nullish(),
});
export type TeamLimits = z.output<typeof teamLimits>;

const wireLimit = z.object({ limit: z.number().int().nullable(), is_default: z.boolean() });

/** What a team may use, and whether that is the deployment's own limit; null is as much as it likes. */
export const wireLimits = z
  .object({ team_id: z.guid(), requests_per_second: wireLimit, work_per_second: wireLimit, users: wireLimit })
  .meta({ id: "TeamLimits" });

/** The limits that hold for a team, as answered. @param defaults those of the deployment. */
export function toWireLimits(
  team_id: string,
  own: TeamLimits | undefined,
  defaults: TeamLimits,
): z.input<typeof wireLimits> {
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
