import { MAX_RECORDS_PER_REQUEST } from "../../../domain/ingest/batch.ts";
import type { OutgoingRecord, RecordSource } from "../mapping-outcome.ts";

/** The serialized body of one ingestion request. */
export interface IngestBody {
  readonly json: string;
  readonly records: number;
}

/** Size in bytes up to which records are added. The limit is 4 MiB; the margin covers the resource names. */
const MAX_REQUEST_BYTES = 4 * 1_048_576 - 65_536;

/** Collects records of one source for a request. */
export class RequestBuilder {
  readonly #provider: string;
  readonly #source: RecordSource;
  /** The records of each resource as JSON. */
  #resources = new Map<string, string[]>();
  #records = 0;
  #bytes = 0;

  /** @param provider slug of the provider whose data it is. */
  constructor(provider: string, source: RecordSource) {
    this.#provider = provider;
    this.#source = source;
  }

  /** Adds a record, unless the request has records and would become too large. @returns whether it was added. */
  add({ resource, content }: Pick<OutgoingRecord, "resource" | "content">): boolean {
    const json = JSON.stringify(content);
    const bytes = Buffer.byteLength(json) + 1;
    if (!this.isEmpty && this.#bytes + bytes > MAX_REQUEST_BYTES) return false;
    const records = this.#resources.get(resource) ?? [];
    this.#resources.set(resource, records);
    records.push(json);
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

  /** Builds the request and resets the builder. */
  build(): IngestBody {
    const resources = [...this.#resources].map(([name, records]) => `${JSON.stringify(name)}:[${records.join(",")}]`);
    const { type, deviceId, appId } = this.#source;
    const recorder = { ...named("device", deviceId), ...named("app", appId) };
    const about = { provider: this.#provider, source_type: type, ...recorder, stage: "historical" };
    const json = `${JSON.stringify(about).slice(0, -1)},"resources":{${resources.join(",")}}}`;
    const records = this.#records;
    this.#resources = new Map();
    this.#records = 0;
    this.#bytes = 0;
    return { json, records };
  }
}

const named = (field: "device" | "app", id: string | null) => (id === null ? {} : { [field]: { id } });
