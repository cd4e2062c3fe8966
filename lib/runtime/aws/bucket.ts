import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { oncePerContainer } from "../container.ts";

/** An S3 bucket. */
export class Bucket {
  static readonly #client = oncePerContainer(() => new S3Client({}));
  readonly #bucket: string;

  constructor(bucket: string) {
    this.#bucket = bucket;
  }

  /** The S3 client that all buckets of a container share. */
  static get s3(): S3Client {
    return Bucket.#client();
  }

  async put(key: string, content: Uint8Array): Promise<void> {
    await Bucket.s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: content }));
  }

  async get(key: string): Promise<Uint8Array> {
    const answer = await Bucket.s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
    if (!answer.Body) throw new Error("the object has no content");
    return answer.Body.transformToByteArray();
  }

  async delete(key: string): Promise<void> {
    await Bucket.s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  /** Counts the objects whose keys begin with `prefix`. */
  async count(prefix: string): Promise<number> {
    let count = 0;
    const pages = paginateListObjectsV2({ client: Bucket.s3 }, { Bucket: this.#bucket, Prefix: prefix });
    for await (const { Contents = [] } of pages) count += Contents.length;
    return count;
  }

  /** Deletes every object whose key begins with `prefix`. */
  async deleteAll(prefix: string): Promise<void> {
    const pages = paginateListObjectsV2({ client: Bucket.s3 }, { Bucket: this.#bucket, Prefix: prefix });
    for await (const { Contents = [] } of pages) {
      const keys = Contents.flatMap(({ Key }) => Key ?? []);
      for (let first = 0; first < keys.length; first += CONCURRENT_DELETES) {
        await Promise.all(keys.slice(first, first + CONCURRENT_DELETES).map((key) => this.delete(key)));
      }
    }
  }
}

/** Maximum number of concurrent deletions. */
const CONCURRENT_DELETES = 16;
