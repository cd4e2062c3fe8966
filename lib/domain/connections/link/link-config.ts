import * as z from "zod";
import type { Team } from "../../management/records.ts";
import { wireSourceLink } from "./wire-link-source.ts";

/** Name and logo with which a team appears to its users on the link page. */
export const linkBrandOf = ({ name, settings }: Pick<Team, "name" | "settings">) => ({
  team_name: settings.brand_information?.company_name ?? name,
  team_logo: settings.logo_url,
});

/** Configuration of a team's link page, for a link token. */
export const wireLinkConfig = z
  .object({
    team_name: z.string().describe("The name that the link page shows"),
    team_logo: z.string().nullable(),
    providers: z.array(wireSourceLink).describe("The providers that the link page offers"),
  })
  .meta({ id: "LinkConfig" });
