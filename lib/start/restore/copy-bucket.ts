import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { inParallel } from "../../runtime/in-parallel.ts";
import { listObjects, type SourceObject } from "./list-objects.ts";

/** A bucket, with the client of its region. */
interface BucketPlace {
  readonly s3: S3Client;
  readonly bucket: string;
}

/**
 * Copies the objects of a bucket, one stream each.
 * @param at the instant of which, epoch ms; now by default.
 * @returns the number of objects and of bytes.
 */
export async function copyBucket(
  from: BucketPlace,
  to: BucketPlace,
  at?: number,
): Promise<{ readonly objects: number; readonly bytes: number }> {
  let [objects, bytes] = [0, 0];
  for await (const page of listObjects(from.s3, from.bucket, at)) {
    for (const size of await inParallel(page, (one) => copyObject(from, to, one))) bytes += size;
    objects += page.length;
  }
  return { objects, bytes };
}

async function copyObject(from: BucketPlace, to: BucketPlace, { key, versionId }: SourceObject): Promise<number> {
  const read = new GetObjectCommand({ Bucket: from.bucket, Key: key, VersionId: versionId });
  const { Body, ContentLength = 0, ContentType } = await from.s3.send(read);
  if (Body === undefined) throw new Error(`the object ${key} has no content`);
  await to.s3.send(new PutObjectCommand({ Bucket: to.bucket, Key: key, Body, ContentLength, ContentType }));
  return ContentLength;
}
