import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { SourceObject } from "./read-objects.ts";

/**
 * Writes objects to a bucket, one stream each.
 * @returns the number of objects and of bytes.
 */
export async function copyBucket(
  from: AsyncIterable<readonly SourceObject[]>,
  s3: S3Client,
  bucket: string,
): Promise<{ readonly objects: number; readonly bytes: number }> {
  let [objects, bytes] = [0, 0];
  for await (const page of from) {
    for (const size of await inParallel(page, (one) => copyObject(one, s3, bucket))) bytes += size;
    objects += page.length;
  }
  return { objects, bytes };
}

async function copyObject({ key, open }: SourceObject, s3: S3Client, Bucket: string): Promise<number> {
  const { body, bytes, type } = await open();
  await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: body, ContentLength: bytes, ContentType: type }));
  return bytes;
}
