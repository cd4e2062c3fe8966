import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { AnswerTooLarge } from "./errors.ts";

/** The longest answer of a function, bytes of JSON ("Lambda quotas", synchronous invocation payload). */
const MOST_ANSWER_BYTES = 6 * 1_048_576;
/** The most bytes of the items of a page, as {@link answeredBytes} counts them. */
export const MOST_PAGE_BYTES = 4 * 1_048_576;
/** The most bytes that one character of a text takes in JSON, as those below U+0020 do. */
const MOST_BYTES_OF_CHARACTER = 6;

/**
 * Refuses an answer that Lambda would not carry: it would reach the caller as a 502 without a word.
 * @param answer compressed already if the caller takes that. @throws AnswerTooLarge.
 */
export function requireCarried(answer: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  const { body = "" } = answer;
  const isShort = body.length * MOST_BYTES_OF_CHARACTER < MOST_PAGE_BYTES;
  if (!isShort && Buffer.byteLength(JSON.stringify(answer)) > MOST_ANSWER_BYTES) throw new AnswerTooLarge();
  return answer;
}

/** Bytes of a JSON text in an answer of Lambda, which is JSON itself and escapes it. */
export const answeredBytes = (json: string): number => Buffer.byteLength(JSON.stringify(json)) - '""'.length;

/** The first items that have room in one page as they are answered; one at least, if there is one. */
export function fitting<T>(items: readonly T[], answered: (item: T) => unknown = (item) => item): T[] {
  const room = new Room();
  const end = items.findIndex((item) => !room.takes(answered(item)));
  return items.slice(0, end === -1 ? undefined : end);
}

/** Entries that are read at once; more may be more than fits into memory. */
const READ_AT_ONCE = 10;

/**
 * What is answered of the first entries of a list that have room in one page.
 * @param read what is answered of each of these; undefined for one of which nothing is.
 * @returns what is answered, and of how many entries it is all there is.
 */
export async function readFitting<E, T>(
  entries: readonly E[],
  read: (entries: readonly E[]) => Promise<readonly (T | undefined)[]>,
): Promise<{ found: T[]; read: number }> {
  const room = new Room();
  const found: T[] = [];
  for (let begin = 0; begin < entries.length; begin += READ_AT_ONCE) {
    const some = await read(entries.slice(begin, begin + READ_AT_ONCE));
    for (const [index, item] of some.entries()) {
      if (item === undefined) continue;
      if (!room.takes(item)) return { found, read: begin + index };
      found.push(item);
    }
  }
  return { found, read: entries.length };
}

/** What is left of a page. */
class Room {
  #bytes = 0;
  #isEmpty = true;

  /** Whether an item still has room; the first one always has. */
  takes(item: unknown): boolean {
    this.#bytes += answeredBytes(JSON.stringify(item) ?? "");
    if (this.#bytes > MOST_PAGE_BYTES && !this.#isEmpty) return false;
    this.#isEmpty = false;
    return true;
  }
}
