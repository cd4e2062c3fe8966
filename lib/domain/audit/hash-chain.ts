import { createHash } from "node:crypto";
import * as z from "zod";
import { HOUR_MS } from "../shared/durations.ts";
import { isJsonObject } from "../shared/json.ts";

/** A sealed log: the calls on a team's data, or the management calls of an organisation. */
export interface SealedLog {
  readonly kind: "access" | "management";
  /** Id of the team or organisation. */
  readonly id: string;
}
export const sealedLogName = ({ kind, id }: SealedLog): string => `${kind}#${id}`;

/** Seal of one hour of a log: a block of a hash chain. Blocks of a log are numbered from 1 without gaps. */
export const chainBlock = z.object({
  n: z.int().min(1),
  /** Hash of the previous block; {@link genesisHash} for the first. */
  previous: z.string(),
  /** `from` of the previous block; null for the first. */
  previous_from: z.string().nullable(),
  /** The hour, ISO 8601: start (inclusive) and end (exclusive). */
  from: z.string(),
  to: z.string(),
  count: z.int().min(1),
  /** SHA-256 over the entries; see {@link EntriesDigest}. */
  entries: z.string(),
  /** SHA-256 over all fields above. */
  sha256: z.string(),
});
export type ChainBlock = z.output<typeof chainBlock>;

/** Retention of entries, seconds: six years, as HIPAA requires for documentation (45 CFR 164.316(b)(2)(i)). */
export const LOG_RETENTION_S = 6 * 366 * 24 * 60 * 60;

/** Maximum run time of a Lambda function, which may write entries with its start time until it ends. */
const MAX_RUN_MS = 900_000;
/** Maximum clock skew between a function and the sealer. */
const MAX_CLOCK_SKEW_MS = 300_000;

/** The hour of an instant in the form of hour names: `2026-05-01T08`. @param at ISO 8601. */
export const hourOf = (at: string): string => at.slice(0, 13);
export const hourStart = (hour: string): string => `${hour}:00:00.000Z`;
export const hourEnd = (hour: string): string => new Date(Date.parse(hourStart(hour)) + HOUR_MS).toISOString();
/** When an hour can be sealed: no entry of it can be written later. Epoch ms. */
export const sealableAtMs = (hour: string): number => Date.parse(hourEnd(hour)) + MAX_RUN_MS + MAX_CLOCK_SKEW_MS;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Genesis hash of a log. It binds the chain to its log, so that no block fits another log. */
export const genesisHash = (log: SealedLog): string => sha256(sealedLogName(log));

/** Digest over the entries of an hour, fed one at a time. */
export class EntriesDigest {
  readonly #hash = createHash("sha256");
  count = 0;

  /** @param item the whole stored item, with its keys. */
  add(item: Readonly<Record<string, unknown>>): void {
    this.#hash.update(`${canonicalJson(item)}\n`);
    this.count++;
  }

  end(): string {
    return this.#hash.digest("hex");
  }
}

/** Canonical JSON: object keys are sorted, so that equal items have equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** SHA-256 of a block. */
export function blockHash(block: Omit<ChainBlock, "sha256">): string {
  const { n, previous, previous_from, from, to, count, entries } = block;
  return sha256(JSON.stringify([n, previous, previous_from, from, to, count, entries]));
}

/** Creates the next block of a chain. @param head the last block; undefined for the first. */
export function nextBlock(log: SealedLog, head: ChainBlock | undefined, hour: string, of: EntriesDigest): ChainBlock {
  const block = {
    n: (head?.n ?? 0) + 1,
    previous: head?.sha256 ?? genesisHash(log),
    previous_from: head?.from ?? null,
    from: hourStart(hour),
    to: hourEnd(hour),
    count: of.count,
    entries: of.end(),
  };
  return { ...block, sha256: blockHash(block) };
}
