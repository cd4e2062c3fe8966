import type { Element } from "./element.ts";
import { type MappingOutcome, UNKNOWN_UNIT } from "./mapping-outcome.ts";
import { convertUnit, parseNumber } from "./unit-conversion.ts";

/**
 * Maps an `<ActivitySummary>`, the rings of one day, to an activity summary. Apple merges phone and watch in it. Days
 * without energy are placeholders, such as the day in 1969 that many exports start with.
 */
export function mapActivitySummary({ attributes }: Element): MappingOutcome {
  const { dateComponents: day, activeEnergyBurnedUnit: unit = "" } = attributes;
  const energy = parseNumber(attributes.activeEnergyBurned);
  if (!day || !energy) return { leftOut: "activity summary without energy" };
  const calories = convertUnit(energy, unit, "kcal");
  if (calories === undefined) return UNKNOWN_UNIT;
  const content = { calendar_date: day, calories_active: calories };
  return { send: { resource: "activity", sourceType: "multiple_sources", key: day, content } };
}
