import * as z from "zod";
import { NotFound } from "../errors.ts";

/** Path parameters of the calling team's resources, on the main API. */
export const ownTeamParams = z.object({
  team_id: z.guid().toLowerCase().meta({ description: "The id of the calling team" }),
});

/** @throws NotFound if the path names a team other than the caller's. */
export function requireOwnTeam(
  { team_id }: z.output<typeof ownTeamParams>,
  caller: { readonly team_id: string },
): void {
  if (team_id !== caller.team_id) throw new NotFound("There is no team with this id.");
}
