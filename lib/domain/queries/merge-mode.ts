/**
 * How sources that cover the same time are merged (docs/query.md): only the best source of a group counts, or the best
 * source of each interval. Devices and apps of one source are merged by interval in both modes.
 */
export const mergeModes = ["strict", "interval"] as const;
export type MergeMode = (typeof mergeModes)[number];
