import { createHash } from "node:crypto";
import * as z from "zod";

/** A log whose entries are sealed: the calls of a team's data, or those of an organisation's management. */
export interface SealedLog {
  readonly kind: "access" | "management";
  /** Of the team or organisation. */
  readonly id: string;
}
export const nameOf = ({ kind, id }: SealedLog): string => `${kind}#${id}`;

/** What is sealed of one hour of a log. Blocks of a log are numbered from 1 without a gap. */
export const chainBlock = z.object({
  n: z.int().min(1),
  /** The hash of the block before; of the first one {@link genesisOf}. */
  previous: z.string(),
  /** From when the block before is; null of the first one. */
  previous_from: z.string().nullable(),
  /** The hour, ISO 8601: from when, and before when. */
  from: z.string(),
  to: z.string(),
  count: z.int().min(1),
  /** SHA-256 over the entries; see {@link EntriesDigest}. */
  entries: z.string(),
  /** SHA-256 over all of the above. */
  sha256: z.string(),
});
export type ChainBlock = z.output<typeof chainBlock>;

/** Entries are kept as long as documentation of the use of health data has to be (45 CFR 164.316(b)(2)(i)): six years. */
export const KEPT_S = 6 * 366 * 24 * 60 * 60;

const HOUR_MS = 3_600_000;
/** A function may write an entry of its beginning as long as it runs, which Lambda lets none do for longer than this; */
const LONGEST_RUN_MS = 900_000;
/** and its clock may differ from that of whoever seals. */
const CLOCKS_DIFFER_MS = 300_000;

/** The hour of an instant, as the names of hours begin: `2026-05-01T08`. @param at ISO 8601. */
export const hourOf = (at: string): string => at.slice(0, 13);
export const beginOf = (hour: string): string => `${hour}:00:00.000Z`;
export const endOf = (hour: string): string => new Date(Date.parse(beginOf(hour)) + HOUR_MS).toISOString();
/** From when on no entry of an hour can be written any more, epoch ms. */
export const sealableAt = (hour: string): number => Date.parse(endOf(hour)) + LONGEST_RUN_MS + CLOCKS_DIFFER_MS;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What the first block of a log follows, so that no block fits into another log. */
export const genesisOf = (log: SealedLog): string => sha256(nameOf(log));

/** Takes the entries of an hour one after the other. */
export class EntriesDigest {
  readonly #hash = createHash("sha256");
  count = 0;

  /** @param item the whole stored item, with its keys. */
  add(item: Readonly<Record<string, unknown>>): void {
    this.#hash.update(`${canonical(item)}\n`);
    this.count++;
  }

  end(): string {
    return this.#hash.digest("hex");
  }
}

/** JSON with the names of every object in order, so that equal items have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The hash of a block. */
export function hashOf(block: Omit<ChainBlock, "sha256">): string {
  const { n, previous, previous_from, from, to, count, entries } = block;
  return sha256(JSON.stringify([n, previous, previous_from, from, to, count, entries]));
}

/** The block that follows another one. @param head undefined for the first. */
export function nextBlock(log: SealedLog, head: ChainBlock | undefined, hour: string, of: EntriesDigest): ChainBlock {
  const block = {
    n: (head?.n ?? 0) + 1,
    previous: head?.sha256 ?? genesisOf(log),
    previous_from: head?.from ?? null,
    from: beginOf(hour),
    to: endOf(hour),
    count: of.count,
    entries: of.end(),
  };
  return { ...block, sha256: hashOf(block) };
}
