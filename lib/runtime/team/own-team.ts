import * as z from "zod";
import { NotFound } from "../errors.ts";

/** Path of what belongs to the calling team, on the main API. */
export const ownTeamParams = z.object({
  team_id: z.guid().toLowerCase().meta({ description: "The id of the calling team" }),
});

/** @throws NotFound where the path names another team than the one that calls. */
export function requireOwnTeam(
  { team_id }: z.output<typeof ownTeamParams>,
  caller: { readonly team_id: string },
): void {
  if (team_id !== caller.team_id) throw new NotFound("There is no team with this id.");
}
