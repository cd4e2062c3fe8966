import { randomBytes, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { buildApp } from "fauxqs";
// The package's own server cannot listen on one address and persist objects at the same time; these modules can.
import { PersistenceManager } from "../../../node_modules/fauxqs/dist/persistence.js";
import { S3Store } from "../../../node_modules/fauxqs/dist/s3/s3Store.js";
import { SnsStore } from "../../../node_modules/fauxqs/dist/sns/snsStore.js";
import { SqsStore } from "../../../node_modules/fauxqs/dist/sqs/sqsStore.js";
import type { ResolvedAssembly } from "../template/read-assembly.ts";

/** Reads the names of the buckets from the templates. */
export const readBucketNames = ({ resources }: ResolvedAssembly): string[] =>
  resources.flatMap(({ type, name }) => (type === "AWS::S3::Bucket" ? name : []));

/** A running S3 engine. It answers only requests that carry its access key. */
export interface S3Engine {
  readonly origin: string;
  /** The required access key id: random, and different at each start. */
  readonly accessKeyId: string;
  /** The `authorization` header for requests that no SDK signs. */
  readonly authorization: string;
  stop(): Promise<void>;
}

/** Options of an S3 engine. */
export interface S3EngineOptions {
  /** Directory of the stored objects. In memory by default. */
  readonly directory?: string;
  /** Names of the buckets to create. */
  readonly buckets: readonly string[];
  readonly accessKeyId?: string;
}

/** Starts the S3 part of fauxqs on 127.0.0.1. Its own server would listen on all interfaces without authentication. */
export async function startS3({ directory, buckets, ...options }: S3EngineOptions): Promise<S3Engine> {
  const { accessKeyId = randomBytes(32).toString("hex") } = options;
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const kept = directory === undefined ? undefined : new PersistenceManager(directory);
  if (kept) {
    kept.load(stores.sqsStore, stores.snsStore, stores.s3Store);
    stores.s3Store.persistence = kept;
  }
  const app = buildApp({ logger: false, stores });
  if (kept) app.addHook("onClose", async () => kept.close());
  app.addHook("onRequest", async ({ headers }, reply) => {
    if (hasAccessKey(accessKeyId, headers.authorization)) return;
    await reply.code(403).type("application/xml").send("<Error><Code>AccessDenied</Code></Error>");
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  for (const name of buckets) stores.s3Store.createBucket(name);
  const { port } = app.server.address() as AddressInfo;
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`;
  return { origin: `http://127.0.0.1:${port}`, accessKeyId, authorization, stop: () => app.close() };
}

/** Whether a request carries the access key (IAM User Guide, "Create a signed AWS API request"). */
function hasAccessKey(accessKeyId: string, authorization = ""): boolean {
  const named = /\bCredential=([^/,\s]+)\//.exec(authorization)?.[1] ?? "";
  const [expected, given] = [Buffer.from(accessKeyId), Buffer.from(named)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
