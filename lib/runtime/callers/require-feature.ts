import type { Team } from "../../domain/management/records.ts";
import { Forbidden } from "../errors.ts";

/** @throws Forbidden if an opt-in or beta feature is off for the team. */
export function requireFeature({ features }: Team, feature: string): void {
  if (!features.includes(feature)) throw new Forbidden(`The feature ${feature} is not enabled for this team.`);
}
