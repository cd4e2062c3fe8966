import { environmentName } from "../../lib/contract/access.ts";
import { buckets } from "../../lib/contract/resources.ts";
import { startS3 as startEngine } from "../../lib/local/engines/s3.ts";

/**
 * Starts the real S3 engine in memory on a free port, with the buckets that lib/contract/resources.ts declares, and
 * sets the environment of this process. Once per process, before the first use of a bucket.
 */
export async function startS3(): Promise<{ stop(): Promise<void> }> {
  // Existing clients use the credentials that the environment had when they started.
  const { AWS_ACCESS_KEY_ID: accessKeyId = "test" } = process.env;
  const engine = await startEngine({ buckets: nameBuckets(), accessKeyId });
  process.env.AWS_ENDPOINT_URL_S3 = engine.origin;
  return engine;
}

/** Sets the bucket variables of this process's environment. @returns the names of the buckets. */
export function nameBuckets(): string[] {
  return buckets.map((bucket) => {
    const name = bucket.name.toLowerCase();
    process.env[environmentName(bucket)] = name;
    return name;
  });
}
