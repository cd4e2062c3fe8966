import * as z from "zod";
import type { DeliveredData } from "../pulls/delivered-data.ts";
import type { HistoryRanges } from "../pulls/history-ranges.ts";
import { pushGraces } from "./rhythms.ts";

/** Data that a pull found and no push has delivered, by event name of the resource. Instants are ISO 8601. */
export const unpushedData = z.record(
  z.string(),
  z.object({
    /** When the pull found it. */
    at: z.string(),
    /** Time of the newest record. */
    newest: z.string(),
  }),
);
export type UnpushedData = z.output<typeof unpushedData>;

/** What a pull of a provider shows about its pushes. */
export interface PushComparison {
  readonly unpushed: UnpushedData;
  /** Resources whose pushes are lost. */
  readonly lost: readonly string[];
  /** When the next pull has to compare at the latest, epoch milliseconds; undefined if nothing waits for a push. */
  readonly againAtMs: number | undefined;
}

/**
 * Compares what a pull found with what pushes have delivered. Pushes of a resource are lost if they have not delivered
 * what an earlier pull found, although their time is over. A resource that was never pushed is not judged.
 * @param delivered statistics of the provider as of the end of the pull.
 */
export function comparePushes(
  provider: string,
  before: UnpushedData,
  found: HistoryRanges,
  delivered: DeliveredData["resources"],
  nowMs: number,
): PushComparison {
  const waiting: UnpushedData = {};
  const lost: string[] = [];
  const deadlines: number[] = [];
  for (const [resource, graceMs] of pushGraces(provider)) {
    const pushed = delivered[resource]?.pushed_newest;
    if (pushed === undefined) continue;
    const known = before[resource];
    const newest = found[resource]?.end_date;
    const isOpen = known !== undefined && known.newest > pushed;
    if (isOpen && nowMs >= Date.parse(known.at) + graceMs) lost.push(resource);
    const next = isOpen ? known : newest !== undefined && newest > pushed ? foundAt(nowMs, newest) : undefined;
    if (next === undefined) continue;
    waiting[resource] = next;
    deadlines.push(Date.parse(next.at) + graceMs);
  }
  if (lost.length > 0) return { unpushed: {}, lost, againAtMs: undefined };
  return { unpushed: waiting, lost, againAtMs: deadlines.length > 0 ? Math.min(...deadlines) : undefined };
}

const foundAt = (nowMs: number, newest: string) => ({ at: new Date(nowMs).toISOString(), newest });
