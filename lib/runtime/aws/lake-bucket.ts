import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { Bucket } from "./bucket.ts";

/** The S3 bucket of the lake, whose files name each other by URI. */
export class LakeBucket extends Bucket {
  readonly #name: string;

  constructor(name: string) {
    super(name);
    this.#name = name;
  }

  /** Returns the URI of an object. */
  uri(key: string): string {
    return `s3://${this.#name}/${key}`;
  }

  /** Returns the key of an object of this bucket. */
  keyOf(uri: string): string {
    return uri.slice(this.uri("").length);
  }

  /** Yields the keys that begin with `prefix`, in order. */
  async *list(prefix: string): AsyncGenerator<string> {
    const pages = paginateListObjectsV2({ client: Bucket.s3 }, { Bucket: this.#name, Prefix: prefix });
    for await (const { Contents = [] } of pages) yield* Contents.flatMap(({ Key }) => Key ?? []);
  }
}
