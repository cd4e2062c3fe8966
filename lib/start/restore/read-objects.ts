import type { Readable } from "node:stream";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { listObjects } from "./list-objects.ts";

/** The content of an object. */
export interface ObjectContent {
  readonly body: Readable;
  readonly bytes: number;
  readonly type: string | undefined;
}

/** An object that a restore writes again. */
export interface SourceObject {
  readonly key: string;
  readonly open: () => Promise<ObjectContent>;
}

/** Lists the objects of a bucket, page by page. @param at the instant of which, epoch ms; now by default. */
export async function* readObjects(s3: S3Client, bucket: string, at?: number): AsyncGenerator<SourceObject[]> {
  for await (const page of listObjects(s3, bucket, at))
    yield page.map(({ key, versionId }) => ({ key, open: () => openObject(s3, bucket, key, versionId) }));
}

async function openObject(s3: S3Client, Bucket: string, Key: string, VersionId?: string): Promise<ObjectContent> {
  const answer = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
  if (answer.Body === undefined) throw new Error(`the object ${Key} has no content`);
  return { body: answer.Body as Readable, bytes: answer.ContentLength ?? 0, type: answer.ContentType };
}
