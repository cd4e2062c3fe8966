import { readFileSync } from "node:fs";
import * as z from "zod";

/** File with the counts, which `npx tributary scale --write` measures. */
export const COUNTS_FILE = "data/scale/access-counts.json";

/** Actions of users whose cost is measured. */
export const actions = ["sync", "read", "poll"] as const;
export type Action = (typeof actions)[number];

/** Capacity units of one partition key of a table or index. Placeholders such as `{team}` stand for ids. */
const keyCount = z.strictObject({
  table: z.string(),
  index: z.string().optional(),
  key: z.string(),
  write: z.number(),
  read: z.number(),
});
export type KeyCount = z.output<typeof keyCount>;

/** Names a key with its table and index. */
export const nameOfKey = ({ table, index, key }: Pick<KeyCount, "table" | "index" | "key">): string =>
  `${table} ${index ?? ""} ${key}`;

const actionCounts = z.strictObject({
  keys: z.array(keyCount),
  /** Invocations of each function, and the requests to services that they make. */
  functions: z.record(z.string(), z.strictObject({ invocations: z.number(), requests: z.number() })),
  /** Messages by queue. */
  messages: z.record(z.string(), z.number()),
  busRequests: z.number(),
  kmsRequests: z.number(),
  /** Bytes by table: those that stay, and bytes times the days until they expire. */
  stored: z.record(z.string(), z.strictObject({ permanent: z.number(), byteDays: z.number() })),
});
/** What one action costs on average. */
export type ActionCounts = z.output<typeof actionCounts>;

const accessCounts = z.strictObject({ sync: actionCounts, read: actionCounts, poll: actionCounts });
/** What each action costs on average. */
export type AccessCounts = z.output<typeof accessCounts>;

/** Reads the stored counts. */
export const readCounts = (): AccessCounts => accessCounts.parse(JSON.parse(readFileSync(COUNTS_FILE, "utf8")));
