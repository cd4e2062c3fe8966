import * as z from "zod";
import { knownProvider } from "../providers/known-provider.ts";
import { providers } from "../providers/providers.ts";

/** Data types for which a team prioritizes providers. */
export const priorityDataTypes = ["workouts", "activity", "sleep", "body", "timeseries"] as const;
export type PriorityDataType = (typeof priorityDataTypes)[number];

const dataType = z.enum(priorityDataTypes);

/** Priority of a provider for one data type. The larger number wins; the default is 0. */
export const wireSourcePriority = z
  .object({ data_type: dataType, provider: z.string(), priority: z.int() })
  .meta({ id: "SourcePriority" });

/** Changes of priorities; an absent priority stays unchanged. */
export const sourcePrioritiesPatch = z
  .array(z.strictObject({ data_type: dataType, provider: knownProvider, priority: z.int().min(0).max(1_000_000) }))
  .max(1_000);

/** Stored priorities, by data type, then by provider. */
export const sourcePrioritiesRecord = z.record(z.string(), z.record(z.string(), z.number()));
export type SourcePrioritiesRecord = z.output<typeof sourcePrioritiesRecord>;

/** Applies a patch to stored priorities. */
export function patchSourcePriorities(
  stored: SourcePrioritiesRecord,
  patch: z.output<typeof sourcePrioritiesPatch>,
): SourcePrioritiesRecord {
  const next = structuredClone(stored);
  for (const { data_type, provider, priority } of patch) {
    next[data_type] = { ...next[data_type], [provider]: priority };
  }
  return next;
}

/** Converts the priorities of all providers, highest first. @param only limits the list to one data type. */
export function toWirePriorities(stored: SourcePrioritiesRecord, only?: PriorityDataType) {
  const types = only ? [only] : priorityDataTypes;
  return types.flatMap((data_type) =>
    providers
      .map(({ slug }) => ({ data_type, provider: slug, priority: stored[data_type]?.[slug] ?? 0 }))
      .sort((a, b) => b.priority - a.priority),
  );
}
