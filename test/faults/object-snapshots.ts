import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { S3Engine } from "../../lib/local/engines/s3.ts";

interface ObjectSnapshot {
  readonly Bucket: string;
  readonly Key: string;
  /** Absent if no object existed. */
  readonly before?: { readonly Body: Uint8Array; readonly [header: string]: unknown } | undefined;
}

/** Snapshots of objects before a function writes or deletes them. */
export class ObjectSnapshots {
  readonly #s3: S3Client;
  readonly #kept = new Map<string, Promise<ObjectSnapshot>>();

  constructor({ origin, accessKeyId }: S3Engine, region: string) {
    const credentials = { accessKeyId, secretAccessKey: "local" };
    this.#s3 = new S3Client({ endpoint: origin, region, credentials, forcePathStyle: true });
  }

  close(): void {
    this.#s3.destroy();
  }

  /** Saves a snapshot of an object. @param path bucket and key, with or without a query. */
  async save(path: string): Promise<void> {
    const [, Bucket = "", ...rest] = (path.split("?")[0] ?? "").split("/");
    const place = { Bucket, Key: decodeURIComponent(rest.join("/")) };
    const name = JSON.stringify(place);
    if (!this.#kept.has(name)) this.#kept.set(name, this.#read(place));
    await this.#kept.get(name);
  }

  /** Whether each saved object exists now, by location. */
  async listPresent(): Promise<Map<string, boolean>> {
    const found = [...this.#kept].map(async ([name, kept]) => {
      const { Bucket, Key } = await kept;
      return [name, (await this.#read({ Bucket, Key })).before !== undefined] as const;
    });
    return new Map(await Promise.all(found));
  }

  /** Restores all objects. */
  async restore(): Promise<void> {
    for (const kept of this.#kept.values()) {
      const { Bucket, Key, before } = await kept;
      const place = { Bucket, Key };
      await this.#s3.send(before ? new PutObjectCommand({ ...place, ...before }) : new DeleteObjectCommand(place));
    }
    this.#kept.clear();
  }

  async #read(place: { Bucket: string; Key: string }): Promise<ObjectSnapshot> {
    try {
      const { Body, ContentType, ContentEncoding, Metadata } = await this.#s3.send(new GetObjectCommand(place));
      const content = (await Body?.transformToByteArray()) ?? new Uint8Array();
      return { ...place, before: { Body: content, ContentType, ContentEncoding, Metadata } };
    } catch (error) {
      if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 404) throw error;
      return place;
    }
  }
}
