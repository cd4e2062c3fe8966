import type { FhirResource } from "../../domain/fhir/resources.ts";
import { answerBytes, MAX_PAGE_BYTES } from "../../runtime/http/answer-size.ts";
import { invalidCursor } from "../../runtime/http/page-cursor.ts";

/** A position within a list: the name of its series, and the position within that series. */
export type PagePosition = readonly (string | number)[];

/** A resource and its position within its series. */
export interface FoundResource {
  readonly resource: FhirResource;
  readonly position: PagePosition;
}

/** Resources of one kind in a fixed order, read lazily from a position on. */
export interface Series {
  readonly name: string;
  readonly read: (after: PagePosition | undefined) => AsyncIterable<FoundResource>;
}

/** The resources of a page, and the position of its last one if more follow. */
export interface FhirPage {
  readonly found: readonly FoundResource[];
  readonly next: PagePosition | undefined;
}

/** The page of a search that matches nothing. */
export const emptyPage: FhirPage = { found: [], next: undefined };

/** The error for a position at which no page ends. */
export const invalidPosition = () => invalidCursor(["query", "cursor"]);

/**
 * Reads a page of several series, one after the other. A page ends at `count` resources or at 4 MB.
 * @throws ValidationFailed for a position that is in none of the series.
 */
export async function readFhirPage(
  series: readonly Series[],
  after: PagePosition | undefined,
  count: number,
): Promise<FhirPage> {
  const [name, ...within] = after ?? [];
  const first = after ? series.findIndex((one) => one.name === name) : 0;
  if (first === -1) throw invalidPosition();
  const found: FoundResource[] = [];
  let last: PagePosition | undefined;
  let bytes = 0;
  for (const [index, one] of series.slice(first).entries()) {
    for await (const item of one.read(index === 0 && after ? within : undefined)) {
      bytes += answerBytes(JSON.stringify(item.resource));
      if (found.length > 0 && (found.length >= count || bytes > MAX_PAGE_BYTES)) return { found, next: last };
      found.push(item);
      last = [one.name, ...item.position];
    }
  }
  return { found, next: undefined };
}
