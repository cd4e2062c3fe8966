import type { IngestBody, SentRecord } from "./request-builder.ts";

/** The first and the last record of a resource. */
type Ends = readonly [first: SentRecord, last: SentRecord];

/** The first and last accepted record of each resource of a source. They determine the ranges of its history. */
export class HistoryEnds {
  readonly #ends = new Map<string, Ends>();

  /** Adds the records of a request. @param refusedPlaces those that the service refused, such as `heartrate[3]`. */
  add({ sent }: IngestBody, refusedPlaces: ReadonlySet<string>): void {
    for (const [resource, records] of sent) {
      const accepted = records.filter((_, index) => !refusedPlaces.has(`${resource}[${index}]`));
      for (const record of accepted) this.#ends.set(resource, widen(this.#ends.get(resource), record));
    }
  }

  /** Yields the records of each resource: one, if the first is the last. */
  *records(): Iterable<readonly [resource: string, record: SentRecord]> {
    for (const [resource, ends] of this.#ends) for (const record of new Set(ends)) yield [resource, record];
  }
}

function widen(ends: Ends | undefined, record: SentRecord): Ends {
  const [first, last] = ends ?? [record, record];
  return [record.startMs < first.startMs ? record : first, record.startMs > last.startMs ? record : last];
}
