import { randomBytes, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { buildApp } from "fauxqs";
// The package exports no way to listen on one address with kept objects, only its parts do.
import { PersistenceManager } from "../../../node_modules/fauxqs/dist/persistence.js";
import { S3Store } from "../../../node_modules/fauxqs/dist/s3/s3Store.js";
import { SnsStore } from "../../../node_modules/fauxqs/dist/sns/snsStore.js";
import { SqsStore } from "../../../node_modules/fauxqs/dist/sqs/sqsStore.js";
import type { Assembly } from "../template/assembly.ts";

/** The names of the buckets of the templates. */
export const bucketsOf = ({ resources }: Assembly): string[] =>
  resources.flatMap(({ type, name }) => (type === "AWS::S3::Bucket" ? name : []));

/** An S3 engine that answers at `origin`, and there only to requests that bear its access key. */
export interface S3Engine {
  readonly origin: string;
  /** The access key id that a request has to be signed with; unguessable, another one at each start. */
  readonly accessKeyId: string;
  /** The `authorization` header of a request that no SDK signs. */
  readonly authorization: string;
  stop(): Promise<void>;
}

/** How an S3 engine is set up. */
export interface S3EngineOptions {
  /** Where objects are kept; in memory if left out. */
  readonly directory?: string;
  /** Names of the buckets that there are. */
  readonly buckets: readonly string[];
  readonly accessKeyId?: string;
}

/** Starts fauxqs for S3 alone on 127.0.0.1; its own way to start listens on all interfaces and asks for no key. */
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
    if (isSignedWith(accessKeyId, headers.authorization)) return;
    await reply.code(403).type("application/xml").send("<Error><Code>AccessDenied</Code></Error>");
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  for (const name of buckets) stores.s3Store.createBucket(name);
  const { port } = app.server.address() as AddressInfo;
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`;
  return { origin: `http://127.0.0.1:${port}`, accessKeyId, authorization, stop: () => app.close() };
}

/** Whether a request bears an access key (IAM User Guide, "Create a signed AWS API request"). */
function isSignedWith(accessKeyId: string, authorization = ""): boolean {
  const named = /\bCredential=([^/,\s]+)\//.exec(authorization)?.[1] ?? "";
  const [expected, given] = [Buffer.from(accessKeyId), Buffer.from(named)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
