import { MAX_RECORDS_PER_REQUEST } from "../../domain/ingest/batch.ts";
import type { OutgoingRecord, RecordSource } from "./mapping-outcome.ts";

/** The serialized body of one ingestion request. */
export interface IngestBody {
  readonly json: string;
  readonly records: number;
}

/** Target size in bytes. The limit is 4 MiB; the margin covers the last record and the resource names. */
const MAX_REQUEST_BYTES = 4 * 1_048_576 - 65_536;

/** Collects records of one source for a request. */
export class RequestBuilder {
  readonly #source: RecordSource;
  /** The records of each resource as JSON. */
  #resources = new Map<string, string[]>();
  #records = 0;
  #bytes = 0;

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** Adds a record. */
  add({ resource, content }: Pick<OutgoingRecord, "resource" | "content">): void {
    const json = JSON.stringify(content);
    const records = this.#resources.get(resource) ?? [];
    this.#resources.set(resource, records);
    records.push(json);
    this.#bytes += Buffer.byteLength(json) + 1;
    this.#records++;
  }

  get isEmpty(): boolean {
    return this.#records === 0;
  }

  /** True once the request has reached its maximum number of records or size. */
  get isFull(): boolean {
    return this.#records >= MAX_RECORDS_PER_REQUEST || this.#bytes >= MAX_REQUEST_BYTES;
  }

  /** Builds the request and resets the builder. */
  build(): IngestBody {
    const resources = [...this.#resources].map(([name, records]) => `${JSON.stringify(name)}:[${records.join(",")}]`);
    const { type, deviceId, appId } = this.#source;
    const recorder = { ...named("device", deviceId), ...named("app", appId) };
    const about = { provider: "apple_health_kit", source_type: type, ...recorder, stage: "historical" };
    const json = `${JSON.stringify(about).slice(0, -1)},"resources":{${resources.join(",")}}}`;
    const records = this.#records;
    this.#resources = new Map();
    this.#records = 0;
    this.#bytes = 0;
    return { json, records };
  }
}

const named = (field: "device" | "app", id: string | null) => (id === null ? {} : { [field]: { id } });
