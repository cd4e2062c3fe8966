import { MOST_RECORDS } from "../../domain/batch.ts";
import type { Outgoing } from "./outcome.ts";
import type { SourceType } from "./source-type.ts";

/** The body of one request to the ingestion route, ready to be sent. */
export interface IngestBody {
  readonly json: string;
  readonly records: number;
}

/** What became of a record that was put into a request: it is new there, or stands for an earlier one of its key. */
export type Placement = "added" | "replaced" | "same";

/** The route takes 4 MiB; the rest is room for the last record and the names of resources. */
const MOST_BYTES = 4 * 1_048_576 - 65_536;

/** Gathers records of one source type until a request is full. */
export class RequestBuilder {
  readonly #sourceType: SourceType;
  /** By resource and key, the record as JSON. */
  #resources = new Map<string, Map<string | number, string>>();
  #records = 0;
  #bytes = 0;

  constructor(sourceType: SourceType) {
    this.#sourceType = sourceType;
  }

  /** Of a key that comes twice within one request the later record stands, as it would in the store. */
  add({ resource, key, content }: Outgoing): Placement {
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

  /** Whether it is time to send it. */
  get isFull(): boolean {
    return this.#records >= MOST_RECORDS || this.#bytes >= MOST_BYTES;
  }

  /** The request with all that was added; the builder is empty after it. */
  take(): IngestBody {
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
