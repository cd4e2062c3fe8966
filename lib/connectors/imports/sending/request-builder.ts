import { MAX_RECORDS_PER_REQUEST } from "../../../domain/ingest/batch.ts";
import { findSummaryKind } from "../../../domain/summaries/summary-kinds.ts";
import type { OutgoingRecord, RecordSource } from "../mapping-outcome.ts";

/** A record of a request. */
export interface SentRecord {
  readonly json: string;
  /** When the recorded data begins, epoch milliseconds; NaN for records without a time. */
  readonly startMs: number;
}

/** The serialized body of one ingestion request. */
export interface IngestBody {
  readonly json: string;
  readonly records: number;
  /** The records by resource, in the order of the request. */
  readonly sent: ReadonlyMap<string, readonly SentRecord[]>;
}

/** Size in bytes up to which records are added. The limit is 4 MiB; the margin covers the resource names. */
const MAX_REQUEST_BYTES = 4 * 1_048_576 - 65_536;

/** Collects records of one source for a request. */
export class RequestBuilder {
  readonly #provider: string;
  readonly #source: RecordSource;
  #resources = new Map<string, SentRecord[]>();
  #records = 0;
  #bytes = 0;

  /** @param provider slug of the provider whose data it is. */
  constructor(provider: string, source: RecordSource) {
    this.#provider = provider;
    this.#source = source;
  }

  /** Adds a record, unless the request has records and would become too large. @returns whether it was added. */
  add({ resource, content }: Pick<OutgoingRecord, "resource" | "content">): boolean {
    return this.addSent(resource, { json: JSON.stringify(content), startMs: readStart(resource, content) });
  }

  /** Adds a record of an earlier request, as {@link add} does. */
  addSent(resource: string, record: SentRecord): boolean {
    const { json } = record;
    const bytes = Buffer.byteLength(json) + 1;
    if (!this.isEmpty && this.#bytes + bytes > MAX_REQUEST_BYTES) return false;
    const records = this.#resources.get(resource) ?? [];
    this.#resources.set(resource, records);
    records.push(record);
    this.#bytes += bytes;
    this.#records++;
    return true;
  }

  get isEmpty(): boolean {
    return this.#records === 0;
  }

  /** True once the request has reached its maximum number of records. */
  get isFull(): boolean {
    return this.#records >= MAX_RECORDS_PER_REQUEST;
  }

  /** Builds the request and resets the builder. @param isFinal whether it completes the history of its source. */
  build({ isFinal }: { readonly isFinal: boolean }): IngestBody {
    const sent = this.#resources;
    const lists = [...sent].map(
      ([name, records]) => `${JSON.stringify(name)}:[${records.map(({ json }) => json).join(",")}]`,
    );
    const { type, deviceId, appId } = this.#source;
    const recorder = { ...named("device", deviceId), ...named("app", appId) };
    const about = { provider: this.#provider, source_type: type, ...recorder, stage: "historical", is_final: isFinal };
    const json = `${JSON.stringify(about).slice(0, -1)},"resources":{${lists.join(",")}}}`;
    const records = this.#records;
    this.#resources = new Map();
    this.#records = 0;
    this.#bytes = 0;
    return { json, records, sent };
  }
}

/** Reads when the data of a record begins, as the range of a history counts it. */
function readStart(resource: string, content: OutgoingRecord["content"]): number {
  const { start, timestamp, calendar_date, time } = content;
  // The times of a stream, in seconds.
  if (Array.isArray(time)) return Number(time[0]) * 1000;
  const begin = content[findSummaryKind(resource)?.days?.begin ?? ""] ?? calendar_date ?? start ?? timestamp;
  return typeof begin === "string" ? Date.parse(begin) : Number.NaN;
}

const named = (field: "device" | "app", id: string | null) => (id === null ? {} : { [field]: { id } });
