import { environmentName } from "../../lib/contract/access.ts";
import { buckets } from "../../lib/contract/resources.ts";
import { startS3 as startEngine } from "../../lib/local/engines/s3.ts";

/**
 * Starts the real S3 engine on a free port with the buckets that lib/contract/resources.ts declares, in memory, and
 * points the environment of this process at them. Once in a process, and before the first use of a bucket.
 */
export async function startS3(): Promise<{ stop(): Promise<void> }> {
  // Clients may be there already, with the credentials that the environment had for them.
  const { AWS_ACCESS_KEY_ID: accessKeyId = "test" } = process.env;
  const engine = await startEngine({ buckets: nameBuckets(), accessKeyId });
  process.env.AWS_ENDPOINT_URL_S3 = engine.origin;
  return engine;
}

/** Points the environment of this process at buckets. @returns their names. */
export function nameBuckets(): string[] {
  return buckets.map((bucket) => {
    const name = bucket.name.toLowerCase();
    process.env[environmentName(bucket)] = name;
    return name;
  });
}
