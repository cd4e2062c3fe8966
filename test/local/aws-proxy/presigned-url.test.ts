import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ProxyWithEngines, sendAs } from "./proxy-with-engines.ts";

const NOW = Date.UTC(2031, 0, 1);
const Key = "team/a file+ü.zip";
const Body = "as it was kept";

let cloud: ProxyWithEngines;
let Bucket: string;
beforeAll(async () => {
  cloud = await ProxyWithEngines.start();
  Bucket = cloud.resource("AWS::S3::Bucket").name;
  await sendAs(cloud.putUser, new S3Client()).send(new PutObjectCommand({ Bucket, Key, Body }));
});
afterAll(() => cloud.stop());
beforeEach(() => {
  cloud.reset();
  cloud.now = NOW;
});

/** Creates a function's presigned URL of an object, valid for a minute of the cloud's clock. */
const linkTo = (object: { Bucket: string; Key: string }, client = new S3Client()) =>
  getSignedUrl(client, new GetObjectCommand(object), { signingDate: new Date(NOW), expiresIn: 60 });

test("a presigned URL is valid for anyone, with the permission of its signer", async () => {
  cloud.now = NOW + 59_000;
  const response = await fetch(await linkTo({ Bucket, Key }));
  expect([response.status, await response.text()]).toEqual([200, Body]);
  expect(cloud.used).toEqual([`${cloud.putUser} s3:GetObject arn:aws:s3:::${Bucket}/${Key}`]);
  expect(cloud.meter.snapshot().buckets[Bucket]).toEqual({ GET: { requests: 1 } });
});

test("a presigned URL returns a requested range", async () => {
  const response = await fetch(await linkTo({ Bucket, Key }), { headers: { range: "bytes=0-4" } });
  expect([response.status, await response.text()]).toEqual([206, "as it"]);
});

test("a presigned URL with a wrong signature is refused with 403", async () => {
  const guessed = new S3Client({ credentials: { accessKeyId: "local", secretAccessKey: "local" } });
  expect((await fetch(await linkTo({ Bucket, Key }, guessed))).status).toBe(403);
});

test("an expired presigned URL is refused with 403, by the cloud's own clock", async () => {
  cloud.now = NOW + 60_000;
  const response = await fetch(await linkTo({ Bucket, Key }));
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("Request has expired")]);
});

test("a presigned URL for another object, time or operation is refused with 403", async () => {
  const link = await linkTo({ Bucket, Key });
  const forger = new S3Client({ credentials: { accessKeyId: "local", secretAccessKey: "guessed" } });
  const altered: [string, string][] = [
    ["GET", link.replace("a%20file", "b%20file")],
    ["GET", link.replace("X-Amz-Expires=60", "X-Amz-Expires=6000")],
    ["GET", link.replace(/X-Amz-Date=\d{4}/, "X-Amz-Date=2099")],
    ["GET", link.replace(/Signature=.{4}/, "Signature=0000")],
    ["GET", `${link}&response-content-type=text%2Fhtml`],
    ["GET", await linkTo({ Bucket, Key }, forger)],
    ["HEAD", link],
    ["PUT", link],
    ["DELETE", link],
  ];
  for (const [method, url] of altered) expect([method, (await fetch(url, { method })).status]).toEqual([method, 403]);
  expect((await fetch(link)).status).toBe(200);
});

test("a presigned URL of an object without read permission is denied", async () => {
  const response = await fetch(await linkTo({ Bucket: "other", Key }));
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("AccessDenied")]);
  expect(cloud.used).toEqual([]);
});
