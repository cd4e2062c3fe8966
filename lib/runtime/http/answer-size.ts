import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { AnswerTooLarge } from "../errors.ts";

/** Maximum payload of a synchronous Lambda response, bytes of JSON ("Lambda quotas"). */
const MAX_ANSWER_BYTES = 6 * 1_048_576;
/** Maximum size of the items of a page in bytes, as {@link answerBytes} counts them. */
export const MAX_PAGE_BYTES = 4 * 1_048_576;
/** Maximum bytes of one character in JSON. Characters below U+0020 reach it. */
const MAX_BYTES_PER_CHARACTER = 6;

/**
 * Rejects an answer over Lambda's payload limit. Lambda itself would turn it into a 502 without a reason.
 * @param answer compressed if the caller accepts gzip. @throws AnswerTooLarge.
 */
export function requireAnswerSize(answer: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  const { body = "" } = answer;
  const isShort = body.length * MAX_BYTES_PER_CHARACTER < MAX_PAGE_BYTES;
  if (!isShort && Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
  return answer;
}

/** Bytes of a JSON text inside a Lambda response, which is JSON itself and escapes the text. */
export const answerBytes = (json: string): number => Buffer.byteLength(JSON.stringify(json)) - '""'.length;

/** Returns the leading items that fit in one page once `answered` renders them. The first item always fits. */
export function takePageItems<T>(items: readonly T[], answered: (item: T) => unknown = (item) => item): T[] {
  const room = new PageSpace();
  const end = items.findIndex((item) => !room.takes(answered(item)));
  return items.slice(0, end === -1 ? undefined : end);
}

/** Entries read in one batch. A larger batch could exceed the memory of the function. */
const READ_BATCH_SIZE = 10;

/**
 * Reads the leading entries of a list until a page is full.
 * @param read renders a batch of entries; undefined for an entry that the answer leaves out.
 * @returns the rendered items, and the number of entries that the page covers.
 */
export async function readPageItems<E, T>(
  entries: readonly E[],
  read: (entries: readonly E[]) => Promise<readonly (T | undefined)[]>,
): Promise<{ found: T[]; read: number }> {
  const room = new PageSpace();
  const found: T[] = [];
  for (let begin = 0; begin < entries.length; begin += READ_BATCH_SIZE) {
    const some = await read(entries.slice(begin, begin + READ_BATCH_SIZE));
    for (const [index, item] of some.entries()) {
      if (item === undefined) continue;
      if (!room.takes(item)) return { found, read: begin + index };
      found.push(item);
    }
  }
  return { found, read: entries.length };
}

/** The remaining space of a page. */
class PageSpace {
  #bytes = 0;
  #isEmpty = true;

  /** Adds an item. @returns false if the item does not fit. The first item always fits. */
  takes(item: unknown): boolean {
    this.#bytes += answerBytes(JSON.stringify(item) ?? "");
    if (this.#bytes > MAX_PAGE_BYTES && !this.#isEmpty) return false;
    this.#isEmpty = false;
    return true;
  }
}
