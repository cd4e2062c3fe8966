import { MAX_RECORDS_PER_REQUEST } from "../../domain/ingest/batch.ts";
import type { OutgoingRecord } from "./mapping-outcome.ts";
import type { SourceType } from "./source-type.ts";

/** The serialized body of one ingestion request. */
export interface IngestBody {
  readonly json: string;
  readonly records: number;
}

/** The effect of adding a record: a new key, or an earlier record of its key replaced by another or an equal one. */
export type AddOutcome = "added" | "replaced" | "same";

/** Target size in bytes. The limit is 4 MiB; the margin covers the last record and the resource names. */
const MAX_REQUEST_BYTES = 4 * 1_048_576 - 65_536;

/** Collects records of one source type for a request. */
export class RequestBuilder {
  readonly #sourceType: SourceType;
  /** By resource and key, the record as JSON. */
  #resources = new Map<string, Map<string | number, string>>();
  #records = 0;
  #bytes = 0;

  constructor(sourceType: SourceType) {
    this.#sourceType = sourceType;
  }

  /** Adds a record. Of two records with one key the later one wins, as in the store. */
  add({ resource, key, content }: OutgoingRecord): AddOutcome {
    const json = JSON.stringify(content);
    const records = this.#resources.get(resource) ?? new Map<string | number, string>();
    this.#resources.set(resource, records);
    const earlier = records.get(key);
    records.set(key, json);
    this.#bytes += Buffer.byteLength(json) + 1;
    if (earlier === undefined) {
      this.#records++;
      return "added";
    }
    this.#bytes -= Buffer.byteLength(earlier) + 1;
    return earlier === json ? "same" : "replaced";
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
    const resources = [...this.#resources].map(
      ([name, records]) => `${JSON.stringify(name)}:[${[...records.values()].join(",")}]`,
    );
    const source = JSON.stringify({ provider: "apple_health_kit", source_type: this.#sourceType, stage: "historical" });
    const json = `${source.slice(0, -1)},"resources":{${resources.join(",")}}}`;
    const records = this.#records;
    this.#resources = new Map();
    this.#records = 0;
    this.#bytes = 0;
    return { json, records };
  }
}
