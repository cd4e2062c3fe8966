import * as z from "zod";
import { knownProvider, providers } from "./providers.ts";

/** The kinds of data for which a team orders its providers (wire reference, 3). */
export const priorityDataTypes = ["workouts", "activity", "sleep", "body", "timeseries"] as const;
export type PriorityDataType = (typeof priorityDataTypes)[number];

const dataType = z.enum(priorityDataTypes);

/** How a provider stands among those of one kind of data; the larger number wins, 0 where the team has set none. */
export const wireSourcePriority = z
  .object({ data_type: dataType, provider: z.string(), priority: z.int() })
  .meta({ id: "SourcePriority" });

/** Priorities to be set; those that are not named stay. */
export const sourcePrioritiesPatch = z
  .array(z.strictObject({ data_type: dataType, provider: knownProvider, priority: z.int().min(0).max(1_000_000) }))
  .max(1_000);

/** Priorities as stored: by kind of data, then by provider. */
export const sourcePrioritiesRecord = z.record(z.string(), z.record(z.string(), z.number()));
export type SourcePrioritiesRecord = z.output<typeof sourcePrioritiesRecord>;

/** What is stored after a patch. */
export function withPriorities(
  stored: SourcePrioritiesRecord,
  patch: z.output<typeof sourcePrioritiesPatch>,
): SourcePrioritiesRecord {
  const next = structuredClone(stored);
  for (const { data_type, provider, priority } of patch) {
    next[data_type] = { ...next[data_type], [provider]: priority };
  }
  return next;
}

/** The priorities of all providers as answered, the highest first. @param only one kind of data, else all. */
export function toWirePriorities(stored: SourcePrioritiesRecord, only?: PriorityDataType) {
  const types = only ? [only] : priorityDataTypes;
  return types.flatMap((data_type) =>
    providers
      .map(({ slug }) => ({ data_type, provider: slug, priority: stored[data_type]?.[slug] ?? 0 }))
      .sort((a, b) => b.priority - a.priority),
  );
}
